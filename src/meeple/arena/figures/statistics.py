"""Statistics of games: intervals of a share and of a mean, the sign test of two agents."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

Z = 1.959963984540054  # the standard normal's two-sided 95 % point


def wilson_interval(points: float, games: float) -> tuple[float, float]:
    """Return the interval of the expected share, given `points` of `games`; (0, 1) for no games.

    Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22 (1927): all p with |points - games p| at most
    Z sqrt(games p (1 - p)). It assumes independent games that are won or lost. Draws and split
    payoffs count as fractions of a point; the variance of a share in [0, 1] with mean p is at most
    p (1 - p), so that with them the interval is too wide rather than too narrow.
    """
    if games == 0:
        return 0.0, 1.0
    share = points / games
    spread = Z * math.sqrt(share * (1 - share) / games + (Z / (2 * games)) ** 2)
    middle = share + Z * Z / (2 * games)
    scale = 1 + Z * Z / games
    low, high = (middle - spread) / scale, (middle + spread) / scale
    # At the ends the formula gives 0 and 1 exactly; the rounding of floats does not.
    return (0.0 if points <= 0 else low, 1.0 if points >= games else high)


def mean_of(name: str, numbers: Sequence[float]) -> dict[str, Any]:
    """Return the mean of a figure, and its 95 % interval by the normal distribution, as JSON.

    Empty without numbers; one number has no interval.
    """
    if not numbers:
        return {}
    mean = fmean(numbers)
    if len(numbers) == 1:
        return {name: mean}
    spread = Z * stdev(numbers) / math.sqrt(len(numbers))
    return {name: mean, f"{name}_interval": [mean - spread, mean + spread]}


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided probability of a result at least this uneven between equal agents.

    The exact binomial test (Dixon and Mood, "The statistical sign test", 1946).
    """
    games, fewer = wins + losses, min(wins, losses)
    tail = math.fsum(
        math.exp(
            math.lgamma(games + 1)
            - math.lgamma(count + 1)
            - math.lgamma(games - count + 1)
            - games * math.log(2)
        )
        for count in range(fewer + 1)
    )
    return min(1.0, 2 * tail)
