"""Lists of moves, random draws from them, and states as bytes, for all searches.

Arrays belong to the caller: a state is uint8 [state_bytes];
`rules` holds the addresses of a game's kernels.
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
    copy_bytes,
    inlined,
    invoke2,
    invoke3,
    kernel,
    uniform,
)

COUNT = 0  # the item of a list's memory with the number of moves
NO_ACTION = -1  # a turn's first action has none before it


class Moves(NamedTuple):
    """A list of moves (`kernels.moves_record`), as memory and as views into it."""

    memory: npt.NDArray[np.int32]  # [1 + 2 C] as written by the rules: first the number of moves
    actions: npt.NDArray[np.int32]  # [C] actions, or outcomes
    weights: npt.NDArray[np.float32]  # [C] of sensible actions, or probabilities of outcomes


def new_moves(capacity: int) -> Moves:
    """Return an empty list with room for `capacity` moves (`Game.max_moves`)."""
    memory = np.zeros(1 + 2 * capacity, dtype=np.int32)
    return Moves(memory, memory[1 : 1 + capacity], memory[1 + capacity :].view(np.float32))


@inlined
def seat_to_move(state: Any) -> int:
    """`to_move`, the first field of every state."""
    return int(np.int8(state[0]))


@inlined
def copy_state(source: Any, target: Any) -> None:
    """Copy a state's bytes."""
    copy_bytes(source, target)


@inlined
def play(rules: Any, state: Any, action: int) -> None:
    """Play an action or outcome on a state, in place."""
    invoke2(rules[PLAY], state.ctypes.data, np.int64(action))


@inlined
def copy_and_play(rules: Any, states: Any, source: int, target: int, action: int) -> Any:
    """Play an action of one row's state into another row, and return who moves next."""
    copy_state(states[source], states[target])
    invoke2(rules[PLAY], states[target].ctypes.data, np.int64(action))
    return np.int64(np.int8(states[target, 0]))


@inlined
def list_moves(rules: Any, which: int, state: Any, moves: Any) -> int:
    """Fill the list by the kernel `which`, LEGAL or PRUNE; return the number of moves."""
    moves.memory[COUNT] = 0
    invoke2(rules[which], state.ctypes.data, moves.memory.ctypes.data)
    return int(moves.memory[COUNT])


@kernel
def list_sensible(rules: Any, state: Any, moves: Any) -> int:
    """List the sensible actions (`prune`) with their weights; return their number.

    Without `prune`, lists the legal actions, without weights.
    """
    return int(list_moves(rules, PRUNE if rules[PRUNE] != 0 else LEGAL, state, moves))


@kernel
def list_tree_moves(rules: Any, state: Any, moves: Any, last: int) -> int:
    """List the actions that a tree should try; return their number.

    These are the sensible actions (`prune`), narrowed if the game has `narrow`; without `prune`,
    the legal actions. `last` is the previous action of the same turn, or NO_ACTION.
    """
    if rules[PRUNE] == 0:
        return list_moves(rules, LEGAL, state, moves)
    count = list_moves(rules, PRUNE, state, moves)
    return narrow_moves(rules, state, moves, last) if rules[NARROW] != 0 else count


@inlined
def narrow_moves(rules: Any, state: Any, moves: Any, last: int) -> int:
    """Drop the listed sensible actions that a tree need not try; return the number left."""
    invoke3(rules[NARROW], state.ctypes.data, moves.memory.ctypes.data, np.int64(last))
    return int(moves.memory[COUNT])


@inlined
def _move_at(moves: Any, mark: float) -> int:
    """Return the listed move at which the cumulated weights pass `mark`."""
    index = 0
    while index < moves.memory[COUNT] - 1:
        mark -= moves.weights[index]
        if mark < 0.0:
            break
        index += 1
    return int(moves.actions[index])


@kernel
def draw_outcome(rules: Any, state: Any, moves: Any, rng: Any) -> int:
    """Draw an outcome of a chance node by its probability; consumes `rng`."""
    list_moves(rules, LEGAL, state, moves)
    return _move_at(moves, uniform(rng))


@inlined
def draw_legal(rules: Any, state: Any, moves: Any, rng: Any) -> int:
    """Draw a legal action uniformly; consumes `rng`."""
    count = list_moves(rules, LEGAL, state, moves)
    return int(moves.actions[below(rng, count)])


@kernel
def draw_sensible(rules: Any, state: Any, moves: Any, rng: Any, narrowed: bool) -> int:
    """Draw a sensible action by its weight; consumes `rng`.

    Without `prune`, draws a legal action uniformly. With `narrowed`, draws from the actions that a
    tree would try.
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
    """Draw and play outcomes until a player is to move or the game is over; consumes `rng`."""
    while seat_to_move(state) == CHANCE:
        play(rules, state, draw_outcome(rules, state, moves, rng))
