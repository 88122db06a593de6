"""Which trades to offer and to accept: plans of trade, evaluated by the resulting states."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.search.values.acceptance import Acceptance, Plan, Shares, Terms, shifts

GAIN, LIKELY, MAXIMIN, SENSIBLE, NONE = "gain", "likely", "maximin", "sensible", "none"
RULES = (GAIN, LIKELY, MAXIMIN, SENSIBLE, NONE)
"""Rules for offers. gain: the offer with the largest expected gain under the network's acceptance
model, if it has one; likely: the largest gain if partners answer as `prune` weighs it; maximin: the
maximin rule; sensible: what `prune` lists; none: no offers."""

_LIKELY = 0.25  # fraction of determinizations in which a partner must be able to pay


class Bargain(NamedTuple):
    """A plan of the mover's actions and its value."""

    plan: Plan
    shares: Shares  # [P] of each seat, means over the determinizations
    terms: Terms | None = None  # of an offer, with the partner that counts most
    chance: float = 1.0  # probability that this partner agrees


class Rule(Protocol):
    """Evaluates trade in a position: `plans` to evaluate, and bargains from their shares."""

    plans: list[Plan]

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """Return the possible bargains, from all seats' shares [W, N, P] after each plan.

        Shares are NaN in determinizations that do not allow a plan; `now` [W, P] are the shares
        without a trade.
        """


class Likely:
    """Evaluates every plan of trade by its partners' likeliest answers."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = list(plans)

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """Return all possible bargains."""
        return [
            Bargain(plan, np.nanmean(found, axis=0))
            for plan, found in zip(self.plans, shares.swapaxes(0, 1), strict=True)
            if not np.isnan(found).all()
        ]


class Partners:
    """Evaluates each offer with each set of partners that could accept it, as if they agreed."""

    def __init__(self, position: Position, offers: Sequence[Plan]) -> None:
        self.seat = position.to_move
        self.trades = [
            (offer, who) for offer in offers for who in capabilities.partners(position, offer)
        ]
        self.plans = [capabilities.agreed(position, *trade) for trade in self.trades]

    def terms(self, now: Shares, shares: Shares) -> list[Terms]:
        """Return the terms of trades that are possible in at least one determinization."""
        possible = ~np.isnan(shares[:, :, self.seat])
        counts = possible.sum(axis=0)
        gains = np.where(possible[:, :, None], shares - now[:, None], 0.0).sum(axis=0)
        gains /= np.maximum(counts, 1)[:, None]
        able = counts / len(shares)
        return [
            Terms(*trade, float(able[number]), gains[number])
            for number, trade in enumerate(self.trades)
            if counts[number]
        ]


class Gain:
    """Evaluates every offer by its expected gain under an acceptance model.

    Of several partners that agree, the mover takes the one with the largest gain, if any. Answers
    to offers of others, and the choice among agreeing partners, are evaluated by the resulting
    states. Partners' answers to earlier offers make their consent more or less likely.
    """

    def __init__(self, position: Position, trades: Sequence[Plan], acceptance: Acceptance) -> None:
        self._offers = Partners(position, trades)
        offers = {plan for plan, _ in self._offers.trades}
        self._answers = Likely([plan for plan in trades if plan not in offers])
        self._acceptance = acceptance
        self._shifts = _shifts(position, self._offers.trades)
        self.plans = self._answers.plans + self._offers.plans

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """Return the possible answers, and the offers that at least one player could accept."""
        count = len(self._answers.plans)
        found = self._answers.bargains(now, shares[:, :count])
        terms = [
            one._replace(shifts=tuple(self._shifts[one.plan, seat] for seat in one.partners))
            for one in self._offers.terms(now, shares[:, count:])
        ]
        before = now.mean(axis=0)
        for _, group in itertools.groupby(terms, key=lambda one: one.plan):
            found.append(expected(self._offers.seat, before, list(group), self._acceptance))
        return found


def _shifts(
    position: Position, trades: Sequence[tuple[Plan, tuple[int, ...]]]
) -> dict[tuple[Plan, int], float]:
    """Return the logits by earlier answers of each plan and partner."""
    pairs = [(plan, seat) for plan, partners in trades for seat in partners]
    gains = np.array(capabilities.gains(position.game, pairs))
    answers = capabilities.answers(position) if pairs else ()
    found = np.zeros(len(pairs))
    for seat in {answer.seat for answer in answers}:
        of_seat = np.array([partner == seat for _, partner in pairs])
        found[of_seat] = shifts([one for one in answers if one.seat == seat], gains[of_seat])
    return dict(zip(pairs, found.tolist(), strict=True))


def expected(seat: int, now: Shares, terms: Sequence[Terms], acceptance: Acceptance) -> Bargain:
    """Return an offer's expected value, from its terms with each partner."""
    shares, left = now.copy(), 1.0  # probability that no better partner has agreed
    counted: list[tuple[float, Terms, float]] = []
    for one in sorted(terms, key=lambda one: -float(one.gains[seat])):
        chance = acceptance.chance(one, seat)
        taken = chance if one.gains[seat] > 0 else 0.0  # else the mover withdraws the offer
        shares += left * taken * one.gains
        counted.append((left * chance * float(one.gains[seat]), one, chance))
        left *= 1 - taken
    _, most, chance = max(counted, key=lambda found: found[0])
    return Bargain(terms[0].plan, shares, most, chance)


class Maximin:
    """Chooses the offer that a fair mediator would propose.

    Candidates are the trades that improve all parties, by the network in the mover's
    determinizations. Each party ranks those it takes part in by its own gain; the one whose worst
    rank is best is offered. This is the rule of "Explorers of Catan with a neural network computer
    player".
    """

    def __init__(self, position: Position, offers: Sequence[Plan]) -> None:
        self._partners = Partners(position, offers)
        self.plans = self._partners.plans

    def bargains(self, now: Shares, shares: Shares) -> list[Bargain]:
        """Return the chosen offer, if any, with its value if it is accepted."""
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


def makes_offer(trade: Plan) -> bool:
    """Return whether a plan of trade makes an offer; one of a single action answers another's."""
    return len(trade) > 1


def rule_for(
    name: str, position: Position, trades: Sequence[Plan], acceptance: Acceptance | None
) -> Rule | None:
    """Return the rule that evaluates a position's trades; None if they are left to `prune`.

    Maximin applies to making offers only; answers and the choice of a partner use gain.
    """
    if name not in (GAIN, LIKELY, MAXIMIN):
        return None
    if name == MAXIMIN and all(makes_offer(plan) for plan in trades):
        return Maximin(position, trades) if trades else None
    if name == LIKELY or acceptance is None:
        return Likely(trades)
    return Gain(position, trades, acceptance)


def maximin(seat: int, candidates: Sequence[Mapping[int, float]]) -> int | None:
    """Return the index of the candidate whose worst rank is best; None if there are none.

    A candidate maps each party's seat to its gain; each party ranks the candidates that it takes
    part in. Ties go to the largest gain of the mover, `seat`.
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
