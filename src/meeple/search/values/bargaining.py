"""Which trades to offer and to accept: plans of trade, evaluated by the resulting states."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.search.values.acceptance import Acceptance, Plan, Shares, Terms

GAIN, LIKELY, MAXIMIN, SENSIBLE, NONE = "gain", "likely", "maximin", "sensible", "none"
RULES = (GAIN, LIKELY, MAXIMIN, SENSIBLE, NONE)
"""What is offered: what gains the seat most on average, by the model of acceptance that comes with
the network, if there is one; what gains it most if partners answer as `prune` weighs it; by the
maximin rule; what `prune` lists; nothing."""

_LIKELY = 0.25  # share of the samples in which a partner must be able to pay


class Bargain(NamedTuple):
    """A plan of the mover's own actions, and what it is worth."""

    plan: Plan
    shares: Shares  # [P] of each seat, means over the samples
    terms: Terms | None = None  # of an offer, with the partner that counts most
    chance: float = 1.0  # that this partner agrees


class Rule(Protocol):
    """How trade is evaluated in a position: plans to look at, and what follows from the shares."""

    plans: list[Plan]

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """What is possible, and what it is worth, by all seats' shares [W, N, P] after each plan.

        Shares are NaN in samples where a plan cannot be done; `now` are those [W, P] if nothing is
        traded.
        """


class Likely:
    """Every plan of trade for itself: its worth is what partners' likeliest answers make of it."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = list(plans)

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """All that are possible."""
        return [
            Bargain(plan, np.nanmean(found, axis=0))
            for plan, found in zip(self.plans, shares.swapaxes(0, 1), strict=True)
            if not np.isnan(found).all()
        ]


class Partners:
    """Offers as trades with all who could take them, looked at as if just these agreed."""

    def __init__(self, position: Position, offers: Sequence[Plan]) -> None:
        self.seat = position.to_move
        self._trades = [
            (offer, who) for offer in offers for who in capabilities.partners(position, offer)
        ]
        self.plans = [capabilities.agreed(position, *trade) for trade in self._trades]

    def terms(self, now: Shares, shares: Shares) -> list[Terms]:
        """Those that are possible in some of the samples."""
        found = []
        for (offer, partners), after in zip(self._trades, shares.swapaxes(0, 1), strict=True):
            possible = ~np.isnan(after[:, self.seat])
            if possible.any():
                gains = (after - now)[possible].mean(axis=0)
                found.append(Terms(offer, partners, float(possible.mean()), gains))
        return found


class Gain:
    """Every offer by what it gains on average, as a model says who will agree.

    Of several partners that agree, the one that gains the mover most is taken. What is offered by
    others, and whom of them to take, is evaluated by what follows.
    """

    def __init__(self, position: Position, acceptance: Acceptance) -> None:
        plans = capabilities.offers(position)
        offers = [plan for plan in plans if capabilities.partners(position, plan)]
        self._answers = Likely([plan for plan in plans if plan not in offers])
        self._offers = Partners(position, offers)
        self._acceptance = acceptance
        self.plans = self._answers.plans + self._offers.plans

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """The answers that are possible, and the offers that a player could take."""
        count = len(self._answers.plans)
        found = self._answers.bargains(now, shares[:, :count])
        terms = self._offers.terms(now, shares[:, count:])
        for _, group in itertools.groupby(terms, key=lambda one: one.plan):
            found.append(
                expected(self._offers.seat, now.mean(axis=0), list(group), self._acceptance)
            )
        return found


def expected(seat: int, now: Shares, terms: Sequence[Terms], acceptance: Acceptance) -> Bargain:
    """What an offer is worth on average, by its terms with each of the partners."""
    shares, left = now.copy(), 1.0  # the chance that no player has agreed who gains the mover more
    counted: list[tuple[float, Terms, float]] = []
    for one in sorted(terms, key=lambda one: -float(one.gains[seat])):
        chance = acceptance.chance(one, seat)
        shares += left * chance * one.gains
        counted.append((left * chance * float(one.gains[seat]), one, chance))
        left *= 1 - chance
    _, most, chance = max(counted, key=lambda found: found[0])
    return Bargain(terms[0].plan, shares, most, chance)


class Maximin:
    """The one offer that a fair go-between would propose.

    Candidates are the trades that improve all parties, by the network in the mover's
    determinizations. Each party ranks those it takes part in by its own gain; the one whose worst
    rank is best is offered. This is the rule of "Explorers of Catan with a neural network computer
    player".
    """

    def __init__(self, position: Position, offers: Sequence[Plan]) -> None:
        self._partners = Partners(position, offers)
        self.plans = self._partners.plans

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """The offer, if there is one, worth what it is if it is taken."""
        seat = self._partners.seat
        found = [
            one
            for one in self._partners.terms(now, shares)
            if one.able >= _LIKELY and one.gains[[seat, *one.partners]].min() > 0
        ]
        best = maximin(
            seat, [{who: float(one.gains[who]) for who in (seat, *one.partners)} for one in found]
        )
        if best is None:
            return []
        return [Bargain(found[best].plan, now.mean(axis=0) + found[best].gains, found[best])]


def offers_in(position: Position) -> list[Plan]:
    """The plans by which the seat to move offers something: those of more than one action."""
    return [plan for plan in capabilities.offers(position) if len(plan) > 1]


def rule_for(name: str, position: Position, acceptance: Acceptance | None) -> Rule | None:
    """How trade is evaluated in a position; None where it is left to `prune`.

    By maximin offers are made; whether one is taken, and from whom, goes by gain.
    """
    if name not in (GAIN, LIKELY, MAXIMIN):
        return None
    plans = capabilities.offers(position)
    offers = offers_in(position)
    if name == MAXIMIN and len(offers) == len(plans):
        return Maximin(position, offers) if offers else None
    if name == LIKELY or acceptance is None:
        return Likely(plans)
    return Gain(position, acceptance)


def maximin(seat: int, candidates: Sequence[Mapping[int, float]]) -> int | None:
    """The number of the candidate whose worst rank is best; None where there is none.

    A candidate is what each party gains, by seat; each ranks those that it takes part in. Of
    equally good ones the mover, `seat`, gains most by the one that is taken.
    """
    if not candidates:
        return None
    ranks = []
    for parties in candidates:
        worst = max(
            sum(other.get(who, -math.inf) > gain for other in candidates)
            for who, gain in parties.items()
        )
        ranks.append((worst, -parties[seat]))
    return ranks.index(min(ranks))
