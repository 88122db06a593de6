"""Perft: how many positions a game has at each depth, the classic test of rules and their speed.

Game-blind, over the compiled rules alone. A game that ended earlier counts 1 at every later depth.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, COUNT_LEGAL, LEGAL, OVER, invoke2, kernel
from meeple.kernels import cache as kernel_cache
from meeple.search.moves import COUNT, checked_count, copy_state, play, seat_to_move

_SLICE = 1 << 20  # moves played between two looks at Ctrl-C: some hundredths of a second

_RUNNING, _DONE, _CHANCE_MET = range(3)


class _Stack(NamedTuple):
    """A walk through the tree of a game; `[d]` is the position `d` plies below the first one."""

    states: npt.NDArray[np.uint8]  # [d, state bytes]
    moves: npt.NDArray[np.int32]  # [d, 1 + 2 * max_moves] as `legal` fills them
    tried: npt.NDArray[np.int32]  # [d] how many of these moves have been played
    level: npt.NDArray[np.int64]  # [1] the position that the walk is at
    found: npt.NDArray[np.int64]  # [1] positions counted


def perft(position: Position, depth: int, bulk: bool = True) -> int:
    """The number of ways to play `depth` plies, at least 1, from a position; a pass is a ply.

    With `bulk` the moves of the last ply are counted but not played, as is the custom; without it
    every position counted has been reached by playing. The position is left as it was. Raises
    UsageError where the game has chance moves.
    """
    if depth < 1:
        raise UsageError(f"perft goes at least 1 ply deep, not {depth}")
    if position.is_over:
        return 1
    if position.to_move == CHANCE:
        raise _has_chance(position.game)
    position.game.compile(COUNT_LEGAL)
    rules = position.game.addresses
    stack = _new_stack(position.game, depth)
    stack.states[0] = position.row
    with kernel_cache.compiling("perft"):
        _list_moves(rules, stack, 0, LEGAL)
        if bulk and depth == 1:
            return int(stack.moves[0, COUNT])
        while (result := _walk(rules, stack, depth, bulk, _SLICE)) == _RUNNING:
            pass
    if result == _CHANCE_MET:
        raise _has_chance(position.game)
    return int(stack.found[0])


def _has_chance(game: Game) -> UsageError:
    return UsageError(f"perft counts games without chance, and {game.name} has chance moves")


def _new_stack(game: Game, depth: int) -> _Stack:
    return _Stack(
        states=np.zeros((depth + 1, game.state_bytes), np.uint8),
        moves=np.zeros((depth + 1, 1 + 2 * game.max_moves), np.int32),
        tried=np.zeros(depth + 1, np.int32),
        level=np.zeros(1, np.int64),
        found=np.zeros(1, np.int64),
    )


@kernel
def _counting(rules: Any) -> int:
    """Return the kernel that counts legal actions, or the one that lists them."""
    return COUNT_LEGAL if rules[COUNT_LEGAL] != 0 else LEGAL


@kernel
def _list_moves(rules: Any, stack: Any, level: int, which: int) -> None:
    stack.tried[level] = 0
    moves, state = stack.moves[level], stack.states[level]
    moves[COUNT] = 0
    invoke2(rules[which], state.ctypes.data, moves.ctypes.data)
    checked_count(moves, moves.shape[0] // 2, state)


@kernel
def _walk(rules: Any, stack: Any, depth: int, bulk: bool, steps: int) -> int:
    """Continue a walk by at most `moves` moves."""
    level = stack.level[0]
    count = 0
    result = _RUNNING
    for _ in range(steps):
        while level >= 0 and stack.tried[level] == stack.moves[level, COUNT]:
            level -= 1
        if level < 0:
            result = _DONE
            break
        stack.tried[level] += 1
        action = stack.moves[level, stack.tried[level]]
        child = stack.states[level + 1]
        copy_state(stack.states[level], child)
        play(rules, child, action)
        mover = seat_to_move(child)
        if mover == CHANCE:
            result = _CHANCE_MET
            break
        if mover == OVER or level + 1 == depth:
            count += 1
            continue
        if bulk and level + 2 == depth:
            _list_moves(rules, stack, level + 1, _counting(rules))
            count += stack.moves[level + 1, 0]
        else:
            level += 1
            _list_moves(rules, stack, level, LEGAL)
    stack.level[0] = level
    stack.found[0] += count
    return result
