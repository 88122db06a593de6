"""Whether partners agree to a trade: a model of its own, fitted to answers that were given."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Plan = tuple[int, ...]  # actions, one after the other
Shares = npt.NDArray[np.float64]

SHARES_PER_POINT = 0.01  # of a share
_MAX_POINTS = 10.0  # points that count, of a gain or a loss


class Terms(NamedTuple):
    """A trade with these partners, as the offering seat evaluates it in its determinizations."""

    plan: Plan  # of the offer alone
    partners: tuple[int, ...]  # one; several for a deal that all of them must agree to
    able: float  # share of the determinizations in which they can pay
    gains: Shares  # [players] gain of each seat by the trade: the mean of those determinizations


class Acceptance(NamedTuple):
    """A logistic model of a partner's consent: a bias, and weights of both sides' gains.

    A gain counts in points, `SHARES_PER_POINT` of the win each.
    """

    always: float  # the bias
    partner: float
    proposer: float

    def chance(self, terms: Terms, proposer: int) -> float:
        """Return the probability that all partners can pay and agree, as independent events."""
        chance = terms.able
        for partner in terms.partners:
            logit = np.dot(self, features(terms.gains[partner], terms.gains[proposer]))
            chance /= 1 + float(np.exp(-logit))
        return chance


def features(partner: float, proposer: float) -> Shares:
    """Return the inputs of the model, [3]; gains are given in shares of the win."""
    gains = np.clip(np.array([partner, proposer]) / SHARES_PER_POINT, -_MAX_POINTS, _MAX_POINTS)
    return np.array([1.0, *gains])
