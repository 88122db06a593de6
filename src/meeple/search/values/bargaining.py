"""What to offer other players, and what to agree to: plans of trade judged by where they lead."""

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Position

Plan = tuple[int, ...]
JudgePlan = Callable[[Plan], npt.NDArray[np.float64]]
"""Each seat's share in each sample after a plan, [W, players]; NaN where it cannot be done."""

GAIN, MAXIMIN, SENSIBLE, NONE = "gain", "maximin", "sensible", "none"
RULES = (GAIN, MAXIMIN, SENSIBLE, NONE)
"""What is offered: what gains most for the seat itself, if partners answer as `prune` weighs it; by
the maximin rule; what `prune` lists; nothing."""

_LIKELY = 0.25  # share of the samples in which a partner must be able to pay


class Bargain(NamedTuple):
    """A plan of trade, and what it is worth to the seat that makes it."""

    plan: Plan
    share: float  # its mean over the samples


def offers_in(position: Position) -> list[Plan]:
    """The plans by which the seat to move offers something: those of more than one action."""
    return [plan for plan in position.game.offers(position) if len(plan) > 1]


def by_gain(position: Position, judge: JudgePlan) -> list[Bargain]:
    """All plans of trade with the mover's mean share."""
    seat = position.to_move
    found = [(plan, judge(plan)[:, seat]) for plan in position.game.offers(position)]
    return [
        Bargain(plan, float(np.nanmean(shares)))
        for plan, shares in found
        if not np.isnan(shares).all()
    ]


def by_maximin(position: Position, judge: JudgePlan) -> list[Bargain]:
    """The offer that a fair go-between would propose, if there is one; answers by gain.

    Candidates are the trades with each partner that improve both sides, as the network judges in
    the mover's samples. Each side ranks those it takes part in by its own gain; the one whose worse
    rank is best is offered. This is the rule of "Explorers of Catan with a neural network computer
    player".
    """
    offers = offers_in(position)
    if len(offers) < len(position.game.offers(position)):
        return by_gain(
            position, judge
        )  # it takes or leaves what there is, or makes a counter-offer
    seat, before = position.to_move, judge(())
    partners = [partner for partner in range(position.game.players) if partner != seat]
    found, candidates = [], []
    for offer, partner in itertools.product(offers, partners):
        after = judge(position.game.agreed(position, offer, partner))
        possible = ~np.isnan(after[:, seat])
        if possible.mean() >= _LIKELY:
            gains = (after - before)[possible].mean(axis=0)
            if min(gains[seat], gains[partner]) > 0:
                found.append(Bargain(offer, float(before[:, seat].mean() + gains[seat])))
                candidates.append((partner, float(gains[seat]), float(gains[partner])))
    best = maximin(candidates)
    return [] if best is None else [found[best]]


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
