"""Glicko ratings of people and puzzles: an attempt is a game between the two.

Source: Glickman, "Parameter estimation in large dynamic paired comparison experiments", Applied
Statistics 48 (1999); the formulas as in https://www.glicko.net/glicko/glicko.pdf.
"""

import math
from typing import NamedTuple

Q = math.log(10.0) / 400.0
START_RATING, START_DEVIATION = 1500.0, 350.0
MIN_DEVIATION = 45.0  # so that a rating keeps following a person who learns


class Rating(NamedTuple):
    """A rating, and its standard deviation."""

    value: float = START_RATING
    deviation: float = START_DEVIATION


def updated(rating: Rating, results: list[tuple[Rating, float]]) -> Rating:
    """Return a rating after one period.

    Args:
        rating: before it.
        results: the opponents' ratings before it, each with the score: 1 won, 0.5 drawn, 0 lost.
    """
    information, surprise = 0.0, 0.0
    for opponent, score in results:
        weight = _weight(opponent.deviation)
        expected = 1.0 / (1.0 + 10.0 ** (-weight * (rating.value - opponent.value) / 400.0))
        information += (Q * weight) ** 2 * expected * (1.0 - expected)
        surprise += weight * (score - expected)
    variance = 1.0 / (1.0 / rating.deviation**2 + information)
    deviation = max(MIN_DEVIATION, math.sqrt(variance))
    return Rating(rating.value + Q * variance * surprise, min(rating.deviation, deviation))


def _weight(deviation: float) -> float:
    """Return the weight of a result against an opponent with this deviation: g in the source."""
    return 1.0 / math.sqrt(1.0 + 3.0 * (Q * deviation / math.pi) ** 2)
