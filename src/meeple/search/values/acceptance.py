"""Whether partners agree to a trade: a model of its own, fitted to answers that were given."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.capabilities import Answer

Plan = tuple[int, ...]  # actions, one after the other
Shares = npt.NDArray[np.float64]

SHARES_PER_POINT = 0.01  # of a share
_MAX_POINTS = 10.0  # points that count, of a gain or a loss
_OF_RATE, _MEAN_RATE = 0.65, 0.12  # logits by a partner's rate of consent, against the mean
_OF_REFUSAL, _MAX_REFUSALS = -0.1, 8  # logits by refusals to give one of the goods; refusals


class Terms(NamedTuple):
    """A trade with these partners, as the offering seat evaluates it in its determinizations."""

    plan: Plan  # of the offer alone
    partners: tuple[int, ...]  # one; several for a deal that all of them must agree to
    able: float  # share of the determinizations in which they can pay
    gains: Shares  # [players] gain of each seat by the trade: the mean of those determinizations
    shifts: tuple[float, ...] = ()  # logits of each partner's consent, by its earlier answers


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
        for partner, shift in zip_longest(terms.partners, terms.shifts, fillvalue=0):
            logit = np.dot(self, features(terms.gains[partner], terms.gains[proposer])) + shift
            chance /= 1 + float(np.exp(-logit))
        return chance


def shifts(answers: Sequence[Answer], gains: npt.NDArray[np.int64]) -> Shares:
    """Return by how many logits earlier answers of a partner change its consent to terms, [N].

    What it refused in this turn, it refuses again, and so all that gives it no more.

    Args:
        answers: of this partner to offers of the same proposer.
        gains: [N, K] goods that the partner gains by the terms.
    """
    then = np.array([answer.gains for answer in answers]).reshape(-1, gains.shape[1])
    refused = np.array([not answer.agreed for answer in answers], dtype=bool)
    now = np.array([answer.now for answer in answers], dtype=bool)
    agreed = len(answers) - refused.sum()
    similar = ((gains[:, None] < 0) & (then < 0)).any(axis=2) & refused
    found = _OF_RATE * np.log((agreed + 1) / (_MEAN_RATE * len(answers) + 1))
    found = found + _OF_REFUSAL * np.minimum(similar.sum(axis=1), _MAX_REFUSALS)
    refuses = ((gains[:, None] <= then).all(axis=2) & refused & now).any(axis=1)
    return np.where(refuses, -np.inf, found)


def features(partner: float, proposer: float) -> Shares:
    """Return the inputs of the model, [3]; gains are given in shares of the win."""
    gains = np.clip(np.array([partner, proposer]) / SHARES_PER_POINT, -_MAX_POINTS, _MAX_POINTS)
    return np.array([1.0, *gains])
