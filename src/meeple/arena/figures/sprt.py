"""The sequential probability ratio test of two agents, with hypotheses in Elo points.

Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945): two
hypotheses, LOW and HIGH; after every observation the logarithm of the ratio of their likelihoods is
compared with two bounds.

An observation is a round of the schedule: all games from one opening, for two players a pair of
games with exchanged seats. Its result is the mean share of the first agent (for two players one of
0, 1/4, 1/2, 3/4, 1). Games from one opening are dependent, rounds are independent. The distribution
of the results of rounds is unknown; a hypothesis states only its mean, and the generalised test
uses the most likely distribution with this mean. The formulas are those of Michel Van den Bergh,
"A practical introduction to the GSPRT"
(https://www.cantate.be/Fishtest/GSPRT_approximation.pdf) and "Normalized Elo".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.arena.figures.ratings import ELO
from meeple.errors import UsageError

Array = npt.NDArray[np.float64]

ERROR = 0.05  # default probability of each kind of error
UNSEEN = 1e-3
"""Initial count of each of the results 0, 1/2 and 1, so that both hypotheses are possible after
any first result. One observation has a thousand times this weight."""

_STEPS = 100  # of the search for a root: Newton's, or a halving where that leaves the interval
_PRECISION = 1e-10  # of the root, which is about 1


@dataclass(frozen=True)
class Hypotheses:
    """The hypotheses: the first agent is stronger by `low`, or by `high`, Elo points.

    Attributes:
        low: Elo points of the lower hypothesis.
        high: Elo points of the higher hypothesis.
        alpha: maximum probability of accepting `high` if the difference is at most `low`.
        beta: maximum probability of accepting `low` if the difference is at least `high`.
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
        """The bounds of the logarithm of the likelihood ratio; see `wald_bounds`."""
        return wald_bounds(self.alpha, self.beta)

    @property
    def shares(self) -> tuple[float, float]:
        """The first agent's expected shares under `low` and `high`."""
        return share_at(self.low), share_at(self.high)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the bounds: at log(beta) the test accepts low, at log(1 / alpha) high.

    Wald shows that these bounds keep the error probabilities, however far the last observation
    exceeds them. The usual bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha), allow an
    error probability of alpha / (1 - beta); at 0.05 they save two games in a hundred.
    """
    return math.log(beta), -math.log(alpha)


def share_at(elo: float) -> float:
    """Return the expected share of an agent that is stronger by `elo` points."""
    return 1 / (1 + math.exp(-elo / ELO))


def log_ratio(values: npt.ArrayLike, counts: npt.ArrayLike, low: float, high: float) -> Array:
    """Return the logarithm of the likelihood ratio of mean `high` to mean `low`.

    Args:
        values: [k] the possible results, in [0, 1].
        counts: [..., k] the number of observations of each; no row is all zero.
        low: the mean under the lower hypothesis.
        high: the mean under the higher hypothesis.

    Returns:
        [...] one logarithm for each row of `counts`.
    """
    points, seen = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    under = [_most_likely(points, seen, mean) for mean in (low, high)]
    ratio: Array = (seen * (np.log(under[1]) - np.log(under[0]))).sum(axis=-1)
    return ratio


def _most_likely(values: Array, counts: Array, mean: float) -> Array:
    """Return the most likely distribution [..., k] with a given mean, up to a common factor.

    With a[i] = value - mean, it is p[i] / (1 + t a[i]), where p are the observed frequencies, and t
    solves sum of p[i] a[i] / (1 + t a[i]) = 0. The sum decreases in t.
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
    """The state of a sequential test, to which results of rounds are added."""

    hypotheses: Hypotheses
    counts: dict[float, float] = field(
        default_factory=lambda: {0.0: UNSEEN, 0.5: UNSEEN, 1.0: UNSEEN}
    )
    rounds: int = 0
    llr: float = 0.0  # the logarithm of the ratio of the likelihoods so far

    def add(self, shares: Sequence[float]) -> None:
        """Add a round: the first agent's share of each of its games."""
        result = round(math.fsum(shares) / len(shares), 9)  # equal results are one value
        self.counts[result] = self.counts.get(result, 0.0) + 1
        self.rounds += 1
        values, counts = list(self.counts), list(self.counts.values())
        self.llr = float(log_ratio(values, counts, *self.hypotheses.shares))

    @property
    def accepted(self) -> str | None:
        """The accepted hypothesis, "low" or "high"; None before the test has decided."""
        low, high = self.hypotheses.bounds
        return "low" if self.llr <= low else "high" if self.llr >= high else None

    def to_json(self) -> dict[str, Any]:
        """Return the state of the test as JSON."""
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
    """Parse hypotheses from a command line, LOW,HIGH; raise UsageError if they are wrong."""
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise UsageError(
            f"write a sequential test as LOW,HIGH in Elo points, such as 0,20, not '{text}'"
        ) from None
    return Hypotheses(low, high, alpha, beta)


def state_of(test: SequentialTest) -> str:
    """Return the state of a sequential test: "LLR +0.31 (-2.94 to 2.94)"."""
    low, high = test.hypotheses.bounds
    return f"LLR {test.llr:+.2f} ({low:.2f} to {high:.2f})"


def decision(test: SequentialTest) -> str:
    """Return the decision of a sequential test as a sentence."""
    tested = test.hypotheses
    state = f"{state_of(test)} after {test.rounds} rounds of line-ups"
    if test.accepted is None:
        return f"Undecided between {tested.low:+g} and {tested.high:+g} Elo: {state}."
    elo, wrong = (
        (tested.high, tested.alpha) if test.accepted == "high" else (tested.low, tested.beta)
    )
    return (
        f"Accepted: {elo:+g} Elo for the first agent (error probability at most {wrong:g}): "
        f"{state}."
    )
