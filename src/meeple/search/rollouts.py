"""Rollouts: random moves from a leaf to the end, or some moves and then the heuristic."""

from typing import Any

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    EVALUATE_STATE,
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
from meeple.search.machine.leaves import estimate_shares
from meeple.search.moves import (
    draw_legal,
    draw_outcome,
    draw_sensible,
    one_less,
    play,
    plies_of,
    seat_to_move,
)

TO_THE_END = -1  # plies of a rollout without a limit
_CERTAIN = 2**32  # the guidance of rollouts that always follow the rule of thumb
_HALF = np.uint64(32)


def rollout_kernels(game: Game, settings: Any) -> tuple[int, ...]:
    """Return the game's kernels that rollouts call, beside those of playing."""
    if settings.discount < 1.0:
        return (PRUNE,) if settings.guided > 0 else ()
    if settings.guided == 0:
        return (HEURISTIC,) if settings.plies > 0 else (ROLLOUT,)
    if settings.plies > 0:
        return PRUNE, NARROW, HEURISTIC
    return (GUIDED_ROLLOUT,) if game.has(GUIDED_ROLLOUT) else (PRUNE, NARROW)


@inlined
def guidance_of(settings: Any) -> int:
    """Return the chance `guided` as the part of 2**32 that kernels compare random words with."""
    return int(settings.guided * _CERTAIN)


@inlined
def own_rollout(search: Any, scratch: Any) -> None:
    """Play `scratch.state` to the end by the game's rollout; payoffs go to `scratch.shares`."""
    invoke2(search.rules[ROLLOUT], scratch.state.ctypes.data, search.rng.ctypes.data)
    invoke2(search.rules[PAYOFFS], scratch.state.ctypes.data, scratch.shares.ctypes.data)


@inlined
def rollout(search: Any, scratch: Any) -> None:
    """Run a rollout of any game and settings.

    Moves follow the game's rule of thumb with the probability `guided`. With `plies` > 0, the
    game's heuristic evaluates the position after that many moves; with patterns (`rules_for`),
    they do, also at once.
    """
    guidance, plies = guidance_of(search.settings), search.settings.plies
    rules = search.rules
    if guidance == 0 and plies == 0 and rules[ROLLOUT] != 0 and rules[EVALUATE_STATE] == 0:
        own_rollout(search, scratch)
    else:
        _general_rollout(search.rules, scratch, search.rng, guidance, plies)


@inlined
def any_rollout(search: Any, scratch: Any) -> None:
    """Run a rollout; a discount below 1 moves its result towards equal shares."""
    discount = search.settings.discount
    if discount < 1.0:
        guidance = guidance_of(search.settings)
        _discounted_rollout(search.rules, scratch, search.rng, guidance, discount)
    else:
        rollout(search, scratch)


@kernel
def _discounted_rollout(
    rules: Any, scratch: Any, rngs: Any, guidance: int, discount: float
) -> None:
    """Play to the end: shares are d^n of the way from equal ones to the result, after n moves.

    Outcomes of chance do not count as moves. With probability guidance / 2**32 a move is sensible
    (`prune`), else any legal one.
    """
    state, moves, shares, rng = scratch.state, scratch.moves, scratch.shares, rngs[0]
    weight, left = 1.0, plies_of(moves)
    while True:
        mover = seat_to_move(state)
        if mover == OVER:
            break
        left = one_less(left)
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
    if plies > 0 or rules[EVALUATE_STATE] != 0:
        weighted_rollout(rules, state, moves, rngs[0], guidance, plies)
        if seat_to_move(state) != OVER:
            estimate_shares(rules, state, scratch.shares)
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
    """Play uniformly random actions, and chance outcomes by their probabilities, to the end.

    Raises PliesExceeded at a game longer than `max_plies`, as all rollouts do.
    """
    left = plies_of(moves)
    while True:
        mover = seat_to_move(state)
        if mover == OVER:
            return
        left = one_less(left)
        if mover == CHANCE:
            play(rules, state, draw_outcome(rules, state, moves, rng))
        else:
            play(rules, state, draw_legal(rules, state, moves, rng))


@kernel
def weighted_rollout(
    rules: Any, state: Any, moves: Any, rng: Any, guidance: int, plies: int
) -> None:
    """Play `plies` moves, or to the end, by the weights of `prune` with chance guidance / 2**32.

    Stops at a state where a player is to move.
    """
    left = plies_of(moves)
    while True:
        mover = seat_to_move(state)
        if mover == OVER or (mover != CHANCE and plies == 0):
            return
        left = one_less(left)
        if mover == CHANCE:
            play(rules, state, draw_outcome(rules, state, moves, rng))
            continue
        plies -= 1
        if np.int64(next_uint64(rng) >> _HALF) < guidance:
            action = draw_sensible(rules, state, moves, rng, True)
        else:
            action = draw_legal(rules, state, moves, rng)
        play(rules, state, action)
