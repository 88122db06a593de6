"""What all searches share of the rules: the list of moves, draws from it, states as bytes.

Arrays are the caller's: a state is uint8 [state_bytes], `rules` the addresses of a game's kernels.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import (
    CHANCE,
    LEGAL,
    NARROW,
    PLAY,
    PRUNE,
    below,
    inlined,
    invoke2,
    invoke3,
    kernel,
    uniform,
)

NO_ACTION = -1  # where a turn has had no action yet


class Moves(NamedTuple):
    """The list that rules fill (`kernels.moves_record`), as memory and as views into it."""

    memory: npt.NDArray[np.int32]  # [1 + 2 C] what the rules write: first their number
    actions: npt.NDArray[np.int32]  # [C] actions, or outcomes
    weights: npt.NDArray[np.float32]  # [C] of sensible actions, or the outcomes' probabilities


def new_moves(capacity: int) -> Moves:
    """An empty list with room for so many moves: `Game.max_moves`."""
    memory = np.zeros(1 + 2 * capacity, dtype=np.int32)
    return Moves(memory, memory[1 : 1 + capacity], memory[1 + capacity :].view(np.float32))


@inlined
def seat_to_move(state: Any) -> int:
    """`to_move`, the first field of every state."""
    return int(np.int8(state[0]))


@inlined
def copy_state(source: Any, target: Any) -> None:
    """Copy a state's bytes."""
    for index in range(source.shape[0]):
        target[index] = source[index]


@inlined
def play(rules: Any, state: Any, action: int) -> None:
    """Play an action or outcome on a state, in place."""
    invoke2(rules[PLAY], state.ctypes.data, np.int64(action))


@inlined
def list_moves(rules: Any, which: int, state: Any, moves: Any) -> int:
    """Fill the list by a kernel, LEGAL or PRUNE; return how many there are."""
    moves.memory[0] = 0
    invoke2(rules[which], state.ctypes.data, moves.memory.ctypes.data)
    return int(moves.memory[0])


@kernel
def list_sensible(rules: Any, state: Any, moves: Any) -> int:
    """List the sensible actions with their weights where the game names them (`prune`), else the
    legal ones without weights; return how many there are.
    """
    return int(list_moves(rules, PRUNE if rules[PRUNE] != 0 else LEGAL, state, moves))


@kernel
def list_tree_moves(rules: Any, state: Any, moves: Any, last: int) -> int:
    """List what a tree should try: the sensible actions where the game names them, narrowed where
    it can (`prune`, `narrow`), else the legal ones; return how many there are.

    `last` is the action before this one in the same turn, or NO_ACTION.
    """
    if rules[PRUNE] == 0:
        return list_moves(rules, LEGAL, state, moves)
    count = list_moves(rules, PRUNE, state, moves)
    return narrow_moves(rules, state, moves, last) if rules[NARROW] != 0 else count


@inlined
def narrow_moves(rules: Any, state: Any, moves: Any, last: int) -> int:
    """Drop of the listed sensible actions what a tree need not try; return how many are left."""
    invoke3(rules[NARROW], state.ctypes.data, moves.memory.ctypes.data, np.int64(last))
    return int(moves.memory[0])


@inlined
def _move_at(moves: Any, mark: float) -> int:
    """The listed move at which the weights, summed up in turn, pass a mark."""
    index = 0
    while index < moves.memory[0] - 1:
        mark -= moves.weights[index]
        if mark < 0.0:
            break
        index += 1
    return int(moves.actions[index])


@kernel
def draw_outcome(rules: Any, state: Any, moves: Any, rng: Any) -> int:
    """An outcome of a chance node, drawn by its probability; consumes `rng`."""
    list_moves(rules, LEGAL, state, moves)
    return _move_at(moves, uniform(rng))


@inlined
def draw_legal(rules: Any, state: Any, moves: Any, rng: Any) -> int:
    """Any of the legal actions, each as likely as the others; consumes `rng`."""
    count = list_moves(rules, LEGAL, state, moves)
    return int(moves.actions[below(rng, count)])


@kernel
def draw_sensible(rules: Any, state: Any, moves: Any, rng: Any, narrowed: bool) -> int:
    """One of the sensible actions, drawn by its weight; of the legal ones, each as likely, where
    the game does not say which are sensible. Consumes `rng`.

    With `narrowed`, one of those that a tree would try, where the game says which.
    """
    if rules[PRUNE] == 0:
        return draw_legal(rules, state, moves, rng)
    if narrowed:
        count = list_tree_moves(rules, state, moves, NO_ACTION)
    else:
        count = list_moves(rules, PRUNE, state, moves)
    total = 0.0
    for index in range(count):
        total += moves.weights[index]
    return _move_at(moves, uniform(rng) * total)


@kernel
def play_chance(rules: Any, state: Any, moves: Any, rng: Any) -> None:
    """Draw and play outcomes until a player is to move, or the game is over; consumes `rng`."""
    while seat_to_move(state) == CHANCE:
        play(rules, state, draw_outcome(rules, state, moves, rng))
