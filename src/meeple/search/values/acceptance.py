"""Whether partners agree to a trade: a model of its own, fitted to answers that were given."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Plan = tuple[int, ...]  # actions, one after the other
Shares = npt.NDArray[np.float64]

SHARES_PER_POINT = 0.01  # of a share
_MAX_POINTS = 10.0  # points that count, of a gain or a loss
_STEPS, _RIDGE = 50, 1e-3  # of the fit


class Terms(NamedTuple):
    """A trade with these partners, as the offering seat evaluates it in its determinizations."""

    plan: Plan  # of the offer alone
    partners: tuple[int, ...]  # one; several for a deal that all of them must agree to
    able: float  # share of the determinizations in which they can pay
    gains: Shares  # [P] of each seat, if it is carried out; means over those determinizations


class Acceptance(NamedTuple):
    """Weights of a logistic model: of 1, and of what partner and proposer gain, in points."""

    always: float
    partner: float
    proposer: float

    def chance(self, terms: Terms, proposer: int) -> float:
        """That the partners can pay and agree, each for itself."""
        chance = terms.able
        for partner in terms.partners:
            logit = np.dot(self, features(terms.gains[partner], terms.gains[proposer]))
            chance /= 1 + float(np.exp(-logit))
        return chance


def features(partner: float, proposer: float) -> Shares:
    """What the model weighs, [3], of what both sides gain as shares of the win."""
    gains = np.clip(np.array([partner, proposer]) / SHARES_PER_POINT, -_MAX_POINTS, _MAX_POINTS)
    return np.array([1.0, *gains])


def fit(cases: npt.NDArray[np.float64], agreed: npt.NDArray[np.bool_]) -> Acceptance:
    """The likeliest weights for features [N, 3] of partners that could pay, and their answers [N].

    Newton's method; a slight pull to 0 keeps them finite where answers can be told apart wholly.
    """
    weights = np.zeros(cases.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-cases @ weights))
        slope = cases.T @ (agreed - chances) - _RIDGE * weights
        spread = (cases * (chances * (1 - chances))[:, None]).T @ cases
        weights += np.linalg.solve(spread + _RIDGE * np.eye(len(weights)), slope)
    return Acceptance(*weights.tolist())
