"""What to offer other players, and what to agree to: plans of trade judged by where they lead."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Position

Plan = tuple[int, ...]  # actions, one after the other
Shares = npt.NDArray[np.float64]

GAIN, MAXIMIN, SENSIBLE, NONE = "gain", "maximin", "sensible", "none"
RULES = (GAIN, MAXIMIN, SENSIBLE, NONE)
"""What is offered: what gains most for the seat itself, if partners answer as `prune` weighs it; by
the maximin rule; what `prune` lists; nothing."""

_LIKELY = 0.25  # share of the samples in which a partner must be able to pay


class Bargain(NamedTuple):
    """A plan of the mover's own actions, and what it is worth."""

    plan: Plan
    shares: Shares  # [P] of each seat, means over the samples


class Gain:
    """Every plan of trade for itself: its worth is what partners' likeliest answers make of it."""

    def __init__(self, position: Position) -> None:
        self.plans: list[Plan] = list(position.game.offers(position))

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """Those that are possible, by all seats' shares [W, N, P] after each plan.

        `now` are the shares [W, P] if nothing is traded.
        """
        return [
            Bargain(plan, np.nanmean(found, axis=0))
            for plan, found in zip(self.plans, shares.swapaxes(0, 1), strict=True)
            if not np.isnan(found).all()
        ]


class Maximin:
    """The one offer that a fair go-between would propose.

    Candidates are the trades with each partner that improve both sides, as the network judges in
    the mover's samples. Each side ranks those it takes part in by its own gain; the one whose worse
    rank is best is offered. This is the rule of "Explorers of Catan with a neural network computer
    player".
    """

    def __init__(self, position: Position, offers: Sequence[Plan]) -> None:
        self._seat = position.to_move
        partners = [seat for seat in range(position.game.players) if seat != self._seat]
        self._trades = list(itertools.product(offers, partners))
        agreed = [position.game.agreed(position, *trade) for trade in self._trades]
        self.plans: list[Plan] = agreed

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """The offer, if there is one, worth what it is if it is taken."""
        found, candidates = [], []
        for (offer, partner), after in zip(self._trades, shares.swapaxes(0, 1), strict=True):
            possible = ~np.isnan(after[:, self._seat])
            if possible.mean() < _LIKELY:
                continue
            gains = (after - now)[possible].mean(axis=0)
            if min(gains[self._seat], gains[partner]) > 0:
                found.append(Bargain(offer, now.mean(axis=0) + gains))
                candidates.append((partner, float(gains[self._seat]), float(gains[partner])))
        best = maximin(candidates)
        return [] if best is None else [found[best]]


def offers_in(position: Position) -> list[Plan]:
    """The plans by which the seat to move offers something: those of more than one action."""
    return [plan for plan in position.game.offers(position) if len(plan) > 1]


def rule_for(name: str, position: Position) -> Gain | Maximin | None:
    """How trade is judged in a position; None where it is left to `prune`.

    By maximin offers are made; whether one is taken, and from whom, goes by gain.
    """
    if name == MAXIMIN:
        offers = offers_in(position)
        if len(offers) == len(position.game.offers(position)):
            return Maximin(position, offers) if offers else None
    return Gain(position) if name in (GAIN, MAXIMIN) else None


def maximin(candidates: Sequence[tuple[int, float, float]]) -> int | None:
    """The number of the candidate whose worse rank is best; None where there is none.

    A candidate is its partner, the mover's gain and the partner's. Of equally good ones the mover
    gains most by the one that is taken.
    """
    if not candidates:
        return None
    own = [gain for _, gain, _ in candidates]
    ranks = []
    for partner, mine, theirs in candidates:
        rank = sum(other > mine for other in own)
        its = sum(who == partner and gain > theirs for who, _, gain in candidates)
        ranks.append((max(rank, its), -mine))
    return ranks.index(min(ranks))
