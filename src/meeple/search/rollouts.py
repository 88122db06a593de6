"""Rollouts: from a leaf to the end by random moves, or so many moves and then the heuristic."""

from typing import Any

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    GUIDED_ROLLOUT,
    HEURISTIC,
    NARROW,
    OVER,
    PAYOFFS,
    PRUNE,
    ROLLOUT,
    inlined,
    invoke2,
    invoke3,
    kernel,
    next_uint64,
)
from meeple.search.moves import draw_legal, draw_outcome, draw_sensible, play, seat_to_move

TO_THE_END = -1  # moves of a rollout
CERTAIN = 2**32  # the guidance of rollouts that follow the rule of thumb wherever they can
_HALF = np.uint64(32)


def rollout_kernels(
    game: Game, guidance: int, plies: int, discount: float = 1.0
) -> tuple[int, ...]:
    """The game's kernels that rollouts of these settings call, beside those of playing."""
    if discount < 1.0:
        return (PRUNE,) if guidance > 0 else ()
    if guidance == 0:
        return (HEURISTIC,) if plies > 0 else (ROLLOUT,)
    if plies > 0:
        return PRUNE, NARROW, HEURISTIC
    return (GUIDED_ROLLOUT,) if game.has(GUIDED_ROLLOUT) else (PRUNE, NARROW)


@inlined
def own_rollout(search: Any, scratch: Any) -> None:
    """Play `scratch.state` on by the game's own rollout, and read what it is worth.

    `scratch.shares` is where that is read into.
    """
    invoke2(search.rules[ROLLOUT], scratch.state.ctypes.data, search.rng.ctypes.data)
    invoke2(search.rules[PAYOFFS], scratch.state.ctypes.data, scratch.shares.ctypes.data)


@inlined
def rollout(search: Any, scratch: Any) -> None:
    """The same for any game and any settings.

    With `search.guidance` > 0, moves follow the game's rule of thumb with chance guidance / 2**32.
    With `search.plies` > 0, the game's heuristic judges the position after so many moves.
    """
    if search.guidance == 0 and search.plies == 0 and search.rules[ROLLOUT] != 0:
        own_rollout(search, scratch)
    else:
        _general_rollout(search.rules, scratch, search.rng, search.guidance, search.plies)


@inlined
def any_rollout(search: Any, scratch: Any) -> None:
    """The same; with `search.discount` < 1 its result is worth that much less for every move."""
    if search.discount < 1.0:
        _discounted_rollout(search.rules, scratch, search.rng, search.guidance, search.discount)
    else:
        rollout(search, scratch)


@kernel
def _discounted_rollout(
    rules: Any, scratch: Any, rngs: Any, guidance: int, discount: float
) -> None:
    """Play on to the end move by move: shares are d^n of the way from even ones to the result's,
    for n moves of players.

    With chance guidance / 2**32 a move is one of the sensible ones (`prune`), else any.
    """
    state, moves, shares, rng = scratch.state, scratch.moves, scratch.shares, rngs[0]
    weight = 1.0
    while True:
        mover = seat_to_move(state)
        if mover == OVER:
            break
        if mover == CHANCE:
            play(rules, state, draw_outcome(rules, state, moves, rng))
            continue
        if guidance > 0 and np.int64(next_uint64(rng) >> _HALF) < guidance:
            play(rules, state, draw_sensible(rules, state, moves, rng, False))
        else:
            play(rules, state, draw_legal(rules, state, moves, rng))
        weight *= discount
    invoke2(rules[PAYOFFS], state.ctypes.data, shares.ctypes.data)
    even = 1.0 / shares.shape[0]
    for seat in range(shares.shape[0]):
        shares[seat] = even + weight * (shares[seat] - even)


@kernel
def _general_rollout(rules: Any, scratch: Any, rngs: Any, guidance: int, plies: int) -> None:
    state, moves = scratch.state, scratch.moves
    if plies > 0:
        weighted_rollout(rules, state, moves, rngs[0], guidance, plies)
        if seat_to_move(state) != OVER:
            invoke2(rules[HEURISTIC], state.ctypes.data, scratch.shares.ctypes.data)
            return
    elif guidance > 0 and rules[GUIDED_ROLLOUT] != 0:
        invoke3(rules[GUIDED_ROLLOUT], state.ctypes.data, rngs.ctypes.data, np.int64(guidance))
    elif guidance > 0:
        weighted_rollout(rules, state, moves, rngs[0], guidance, TO_THE_END)
    else:
        uniform_rollout(rules, state, moves, rngs[0])
    invoke2(rules[PAYOFFS], state.ctypes.data, scratch.shares.ctypes.data)


@kernel
def uniform_rollout(rules: Any, state: Any, moves: Any, rng: Any) -> None:
    """Play uniformly random actions, and chance outcomes by their probabilities, to the end."""
    while True:
        mover = seat_to_move(state)
        if mover == OVER:
            return
        if mover == CHANCE:
            play(rules, state, draw_outcome(rules, state, moves, rng))
        else:
            play(rules, state, draw_legal(rules, state, moves, rng))


@kernel
def weighted_rollout(
    rules: Any, state: Any, moves: Any, rng: Any, guidance: int, plies: int
) -> None:
    """Play so many moves, or to the end: each with chance guidance / 2**32 by `prune`'s weights.

    It stops where a player is to move.
    """
    while True:
        mover = seat_to_move(state)
        if mover == OVER or (mover != CHANCE and plies == 0):
            return
        if mover == CHANCE:
            play(rules, state, draw_outcome(rules, state, moves, rng))
            continue
        plies -= 1
        if np.int64(next_uint64(rng) >> _HALF) < guidance:
            action = draw_sensible(rules, state, moves, rng, True)
        else:
            action = draw_legal(rules, state, moves, rng)
        play(rules, state, action)
