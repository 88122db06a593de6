"""Fewer offers to players who refuse them, by agents that do not model who accepts."""

from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.kernels.random_numbers import numpy_rng

WILLINGNESS = 0.8  # factor of the chance of an offer, for each refusal


def spare_refusers(position: Position, seed: int) -> Position:
    """Return a position in which the mover may make offers with a chance that falls by refusals.

    The chance is WILLINGNESS to the power of the refusals of the seat that has refused least since
    it last agreed. The draw depends on the seed and the number of actions alone.
    """
    without = capabilities.without_offers(position)
    if without is position:
        return position
    counts = [0] * position.game.players
    for answer in capabilities.answers(position):
        counts[answer.seat] = 0 if answer.agreed or answer.countered else counts[answer.seat] + 1
    least = min(count for seat, count in enumerate(counts) if seat != position.to_move)
    draw = numpy_rng(seed, len(position.actions)).random()
    return position if draw < WILLINGNESS**least else without
