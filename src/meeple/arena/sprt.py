"""A match that stops as soon as the answer is known: the sequential probability ratio test, in Elo.

Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945): two
hypotheses, LOW and HIGH; after every observation the logarithm of the ratio of their likelihoods is
compared with two bounds.

An observation is a whole round of the schedule: all games from one opening, so of two players a
pair of games, each agent having had both seats. Its result is the mean share of the first agent
(of two players one of five: 0, 1/4, 1/2, 3/4, 1). Games from one opening depend on each other, and
rounds do not, so the distribution of these results is what must be known. It is not: the
generalised test takes the most likely one under each hypothesis, which only says its mean. Formulas
are those of Michel Van den Bergh, "A practical introduction to the GSPRT"
(https://www.cantate.be/Fishtest/GSPRT_approximation.pdf) and "Normalized Elo".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.arena.ratings import ELO
from meeple.errors import UsageError

Array = npt.NDArray[np.float64]

ERROR = 0.05  # the chance of either mistake, where nothing else is said
UNSEEN = 1e-3
"""Times that the results 0, 1/2 and 1 count as seen before any was: so that both hypotheses are
possible whatever came first, while one observation weighs a thousand times as much."""

_STEPS = 100  # of the search for a root: Newton's, or a halving where that leaves the interval
_PRECISION = 1e-10  # of the root, which is about 1


@dataclass(frozen=True)
class Hypotheses:
    """What is tested: whether the first agent is stronger by `low` or by `high` Elo points.

    `alpha`: the chance, at most, that `high` is accepted where the first is stronger by `low` or
    less. `beta`: that `low` is accepted where it is stronger by `high` or more.
    """

    low: float
    high: float
    alpha: float = ERROR
    beta: float = ERROR

    def __post_init__(self) -> None:
        if not -2000 <= self.low < self.high <= 2000:
            raise UsageError(
                "a sequential test needs two numbers of Elo points, the lower one first, such as "
                f"0,20, not {self.low:g},{self.high:g}"
            )
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise UsageError(f"{name} must be more than 0 and less than 0.5, not {error:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the logarithm of the likelihoods' ratio; see `wald_bounds`."""
        return wald_bounds(self.alpha, self.beta)

    @property
    def shares(self) -> tuple[float, float]:
        """The first agent's expected shares under `low` and `high`."""
        return share_at(self.low), share_at(self.high)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Where the test ends: at log(beta) it accepts low, at log(1 / alpha) high.

    Wald shows that such bounds keep the errors, however far the last observation oversteps them.
    The usual ones, log(beta / (1 - alpha)) and log((1 - beta) / alpha), let a test be wrong with
    alpha / (1 - beta); at 0.05 they spare two games in a hundred.
    """
    return math.log(beta), -math.log(alpha)


def share_at(elo: float) -> float:
    """The expected share of who is stronger by so many Elo points."""
    return 1 / (1 + math.exp(-elo / ELO))


def log_ratio(values: npt.ArrayLike, counts: npt.ArrayLike, low: float, high: float) -> Array:
    """The logarithm of the ratio of the likelihoods of mean `high` to mean `low`.

    `values` [k] are the results that there are, in [0, 1]; `counts` [..., k] how often each was
    seen, something in each row. Several rows are judged at once.
    """
    points, seen = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    under = [_most_likely(points, seen, mean) for mean in (low, high)]
    ratio: Array = (seen * (np.log(under[1]) - np.log(under[0]))).sum(axis=-1)
    return ratio


def _most_likely(values: Array, counts: Array, mean: float) -> Array:
    """The most likely distribution [..., k] with that mean, up to a factor that all have.

    With a[i] the values less the mean, it is p[i] / (1 + t a[i]), where p are the frequencies seen,
    and t is such that the sum of p[i] a[i] / (1 + t a[i]) is 0. That sum falls as t grows.
    """
    frequencies = counts / counts.sum(axis=-1, keepdims=True)
    away = values - mean
    # Between these all factors 1 + t a[i] are positive, and there is one root.
    least = np.full((*counts.shape[:-1], 1), -1 / away.max())
    most = np.full_like(least, -1 / away.min())
    root = np.zeros_like(least)
    for _ in range(_STEPS):
        parts = away / (1 + root * away)
        slope = (frequencies * parts).sum(axis=-1, keepdims=True)
        least, most = np.where(slope > 0, root, least), np.where(slope > 0, most, root)
        newton = root + slope / (frequencies * parts * parts).sum(axis=-1, keepdims=True)
        inside = (least < newton) & (newton < most)
        before, root = root, np.where(inside, newton, (least + most) / 2)
        if np.abs(root - before).max() < _PRECISION:
            break
    found: Array = 1 / (1 + root * away)
    return found


@dataclass
class SequentialTest:
    """The test as it goes: results of rounds come in, and it says when it has decided."""

    hypotheses: Hypotheses
    counts: dict[float, float] = field(
        default_factory=lambda: {0.0: UNSEEN, 0.5: UNSEEN, 1.0: UNSEEN}
    )
    rounds: int = 0
    llr: float = 0.0  # the logarithm of the ratio of the likelihoods so far

    def add(self, shares: Sequence[float]) -> None:
        """Take in a round: the first agent's share of each of its games."""
        result = round(math.fsum(shares) / len(shares), 9)  # equal results are one value
        self.counts[result] = self.counts.get(result, 0.0) + 1
        self.rounds += 1
        values, counts = list(self.counts), list(self.counts.values())
        self.llr = float(log_ratio(values, counts, *self.hypotheses.shares))

    @property
    def accepted(self) -> str | None:
        """Which hypothesis, "low" or "high", once the test has decided."""
        low, high = self.hypotheses.bounds
        return "low" if self.llr <= low else "high" if self.llr >= high else None

    def to_json(self) -> dict[str, Any]:
        """The state of the test as JSON."""
        tested = self.hypotheses
        return {
            "llr": self.llr,
            "accepted": self.accepted,
            "low": tested.low,
            "high": tested.high,
            "alpha": tested.alpha,
            "beta": tested.beta,
        }


def parse_hypotheses(text: str, alpha: float = ERROR, beta: float = ERROR) -> Hypotheses:
    """Hypotheses as a command line writes them, LOW,HIGH. Raises UsageError."""
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise UsageError(
            f"write a sequential test as LOW,HIGH in Elo points, such as 0,20, not '{text}'"
        ) from None
    return Hypotheses(low, high, alpha, beta)
