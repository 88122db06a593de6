"""Lists of moves, random draws from them, and states as bytes, for all searches.

Arrays belong to the caller: a state is uint8 [state_bytes];
`rules` holds the addresses of a game's kernels. What the rules list is checked here, so that no
faulty game makes a search write past its arrays (`room.py`).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.rules import Rules
from meeple.kernels import (
    CHANCE,
    LEGAL,
    NARROW,
    OVER,
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
from meeple.search.room import FaultyMoves, PliesExceeded

COUNT = 0  # the item of a list's memory with the number of moves
SEATS, ACTIONS, PLIES = -3, -2, -1  # the items with what the game declares
SURE = 1e-3  # by which the sum of float32 probabilities may differ from 1
NO_ACTION = -1  # a turn's first action has none before it


class Moves(NamedTuple):
    """A list of moves (`kernels.moves_record`), as memory and as views into it."""

    memory: npt.NDArray[np.int32]  # [1 + 2 C + 3] as written by the rules, then the game's limits
    actions: npt.NDArray[np.int32]  # [C] actions, or outcomes
    weights: npt.NDArray[np.float32]  # [C] of sensible actions, or probabilities of outcomes


def new_moves(game: Rules) -> Moves:
    """Return an empty list with room for the game's `max_moves`."""
    limits = (game.seats, game.num_actions, game.max_plies)
    actions, end = 1 + game.max_moves, 1 + 2 * game.max_moves
    memory = np.zeros(end + len(limits), dtype=np.int32)
    memory[end:] = np.minimum(limits, np.iinfo(np.int32).max)
    return Moves(memory, memory[1:actions], memory[actions:end].view(np.float32))


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
    """Fill the list by the kernel `which`, LEGAL or PRUNE; return the number of moves.

    Raises FaultyMoves if the game is not over and has none, or more than its `max_moves`.
    """
    moves.memory[COUNT] = 0
    invoke2(rules[which], state.ctypes.data, moves.memory.ctypes.data)
    return int(checked_count(moves.memory, moves.actions.shape[0], state))


@inlined
def checked_count(memory: Any, most: int, state: Any) -> int:
    """Return the number of moves in a list's memory; raise FaultyMoves if it is impossible."""
    count = np.int64(memory[COUNT])
    if np.uint64(count - 1) >= np.uint64(most) and seat_to_move(state) != OVER:
        raise FaultyMoves
    return int(count)


@inlined
def list_actions(rules: Any, which: int, state: Any, moves: Any) -> int:
    """As `list_moves` at a decision, for callers with arrays by action or seat."""
    count = list_moves(rules, which, state, moves)
    ensure_actions(moves.memory, count, seat_to_move(state))
    return int(count)


@inlined
def ensure_chances(moves: Any, count: int) -> None:
    """Raise FaultyMoves if the weights of the listed moves are not probabilities that sum to 1."""
    total = 0.0
    for index in range(count):
        total += max(moves.weights[index], 0.0)
    if not abs(total - 1.0) < SURE:
        raise FaultyMoves


@inlined
def ensure_actions(memory: Any, count: int, mover: int) -> None:
    """Raise FaultyMoves if no seat is to move, or a listed move is no action of the game."""
    highest = np.uint32(0)
    for index in range(1, 1 + count):
        highest = max(highest, np.uint32(memory[index]))
    fits = highest < np.uint32(memory[ACTIONS]) and count <= memory[ACTIONS]
    if not (fits and 0 <= mover < memory[SEATS]):
        raise FaultyMoves


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
    return int(checked_count(moves.memory, moves.actions.shape[0], state))


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
    """Draw and play outcomes until a player is to move or the game is over; consumes `rng`.

    Raises PliesExceeded if there are more of them than the game has plies.
    """
    for _ in range(1 + moves.memory[PLIES]):
        if seat_to_move(state) != CHANCE:
            return
        play(rules, state, draw_outcome(rules, state, moves, rng))
    raise PliesExceeded


@inlined
def plies_of(moves: Any) -> int:
    """Return the game's `max_plies`, for a loop that takes `one_less` for each ply."""
    return int(moves.memory[PLIES])


@inlined
def one_less(left: int) -> int:
    """Return one ply less; raise PliesExceeded if none is left."""
    if left <= 0:
        raise PliesExceeded
    return left - 1
