"""Trades as plans: the action sequences that make an offer or deal, and the answers to it."""

import functools
import itertools
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.trade.deal_plans import deal_plans
from meeple.games.catan.trade.deals import PLACES
from meeple.games.catan.words.deal_words import deal_words
from meeple.games.catan.words.names import COSTS
from meeple.games.catan.words.sentences import exchange_words, gains_from
from meeple.games.contract.capabilities import Answer
from meeple.games.contract.position import BarePosition

P = TypeVar("P", bound=BarePosition)
Plan = tuple[int, ...]  # actions in the order in which they are played

MAX_OFFERS_PER_TURN = 4  # offers that an agent makes in one turn
_MOST_GIVEN, _MOST_WANTED = 2, 2  # cards
_TRADING = (c.MAIN, c.ANSWER, c.CHOOSE, c.ROBBER, c.CONSENT)
_ANSWERS = (c.ACCEPT, c.REFUSE, c.PROPOSE)  # a seat not on turn proposes a counter-offer


def offers(position: BarePosition) -> list[Plan]:
    """Return every trade that the seat to move can begin, answer or carry out, as complete plans.

    An offer or counter-offer gives one or two cards for one card, or one card for two of one
    resource, or one or two for the two that are missing for a purchase. Deals come from
    `deal_plans`. What the seat proposed before in this turn is excluded, and what gives no more and
    asks no less than a proposal that was refused. The result does not depend on cards hidden from
    the seat.
    """
    s = position.state
    if s.to_move < 0 or s.phase not in _TRADING:
        return []
    legal = set(position.legal_actions().tolist())
    if s.phase == c.CHOOSE:
        return [(action,) for action in sorted(legal) if c.TRADE_WITH <= action < c.WITHDRAW]
    made = _made(position) if s.offers > 0 else {}
    found: list[Plan] = []
    if len(made) < MAX_OFFERS_PER_TURN:
        plans = _composed(s, legal) if s.phase in (c.MAIN, c.ANSWER) else []
        plans += deal_plans(position) if s.with_deals and s.offers < c.MAX_OFFERS_PER_TURN else []
        refused = [gains(plan) for plan, agreed in made.items() if not agreed and _is_simple(plan)]
        found = [plan for plan in plans if plan not in made and not _is_refused(plan, refused)]
    return found + [(c.ACCEPT,)] * (c.ACCEPT in legal)


def _composed(s: Any, legal: set[int]) -> list[Plan]:
    """Return the offers that the cards in the seat's hand allow."""
    hand = s["hand"][s["to_move"]].tolist()
    found = []
    for given, trades in _trades().items():
        if c.GIVE + given[0] in legal and all(given.count(r) <= hand[r] for r in given):
            missing = _missing([held - given.count(r) for r, held in enumerate(hand)])
            found += [plan for wanted, plan in trades if wanted is None or wanted in missing]
    return found


@functools.cache
def _trades() -> dict[tuple[int, ...], list[tuple[tuple[int, ...] | None, Plan]]]:
    """Return the offers by the cards given, each with the cards that a purchase must lack.

    None: the offer is made in any case, since it is of one card for one or two of a kind.
    """
    found: dict[tuple[int, ...], list[tuple[tuple[int, ...] | None, Plan]]] = {}
    for given, wanted in itertools.product(_bundles(_MOST_GIVEN), _bundles(_MOST_WANTED)):
        if not set(given) & set(wanted):
            few = len(wanted) == 1 or (len(given) == 1 and len(set(wanted)) == 1)
            plan = (*(c.GIVE + r for r in given), *(c.WANT + r for r in wanted), c.PROPOSE)
            found.setdefault(given, []).append((None if few else wanted, plan))
    return found


def _bundles(most: int) -> list[tuple[int, ...]]:
    """Return all multisets of 1 to `most` cards, each sorted by resource."""
    return [
        bundle
        for count in range(1, most + 1)
        for bundle in itertools.combinations_with_replacement(range(c.KINDS), count)
    ]


def _missing(hand: list[int]) -> list[tuple[int, ...]]:
    """Return the cards that a hand lacks for each purchase, sorted by resource."""
    return [
        tuple(r for r in range(c.KINDS) for _ in range(cost[r] - hand[r]))
        for cost in COSTS.values()
    ]


def _made(position: BarePosition) -> dict[Plan, bool]:
    """Return what the seat to move proposed before in this turn, and whether it was agreed to.

    A counter-offer is agreed to if the seat on turn trades by it.
    """
    now, actions = position.state, position.actions
    since = (*reversed(actions), c.END_TURN).index(c.END_TURN)  # steps of this turn
    found: dict[Plan, bool] = {}
    composed: list[int] = []
    for step in position.steps(len(actions) - since):
        s = np.frombuffer(step.before, c.State)[0]
        plan = tuple(composed)
        if s["to_move"] != now.to_move:
            agrees = c.ACCEPT if now.to_move == now.on_turn else c.TRADE_WITH + int(now.to_move)
            if step.action == agrees and plan in found:
                found[plan] = True
        elif s["phase"] in (c.MAIN, c.ANSWER, c.ROBBER):
            composed = [step.action]
        elif s["phase"] in (c.OFFER, c.COUNTER, c.DEAL):
            composed.append(step.action)
            if step.action == c.PROPOSE:
                found[tuple(composed)] = False
    return found


def _is_simple(plan: Plan) -> bool:
    """Return whether a plan proposes an offer or counter-offer, not a deal."""
    return plan[0] < c.DEAL_GIVE and len(plan) > 1


def _is_refused(plan: Plan, refused: Sequence[Sequence[int]]) -> bool:
    """Return whether a partner would gain no more of any card than by terms that were refused."""
    return _is_simple(plan) and any(
        all(gain <= other for gain, other in zip(gains(plan), terms, strict=True))
        for terms in refused
    )


@functools.lru_cache(maxsize=4096)
def gains(plan: Plan, seat: int = 0) -> tuple[int, ...]:
    """Return the cards [KINDS] that a seat gains if it agrees to a plan, negative what it gives."""
    if plan[0] < c.DEAL_GIVE:
        return tuple(plan.count(c.GIVE + r) - plan.count(c.WANT + r) for r in range(c.KINDS))
    first = c.DEAL_GIVE + seat * c.KINDS
    return tuple(plan.count(first + PLACES + r) - plan.count(first + r) for r in range(c.KINDS))


def answers(position: BarePosition) -> list[Answer]:
    """Return the answers of other seats to the mover's offers, in order."""
    mover, turns = position.to_move, position.state.turns
    found = []
    for number, action in enumerate(position.actions):
        if action not in _ANSWERS:
            continue
        s = np.frombuffer(position.state_before(number), c.State)[0]
        seat = int(s["to_move"])
        if s["on_turn"] != mover or seat == mover:
            continue
        if s["phase"] == c.CONSENT:
            terms = s["want"][seat] - s["give"][seat]
        else:
            terms = s["give"][mover] - s["want"][mover]
        agreed, countered, now = action == c.ACCEPT, action == c.PROPOSE, s["turns"] == turns
        found.append(Answer(seat, tuple(terms.tolist()), agreed, countered, bool(now)))
    return found


def without_offers(position: P) -> P:
    """Return a copy in which the turn's offers are made; the position if none may be begun."""
    s = position.state
    if s.phase != c.MAIN or not s.with_trade or s.offers >= c.MAX_OFFERS_PER_TURN:
        return position
    twin = position.copy()
    twin.state.offers = c.MAX_OFFERS_PER_TURN
    return twin


def partners(position: BarePosition, plan: Plan) -> list[tuple[int, ...]]:
    """Return the alternative sets of seats whose consent would complete a plan.

    Any one other seat with cards can accept an offer; only the seat on turn can accept a
    counter-offer. A deal needs the consent of all its participants; those asked earlier have
    already agreed. The list is empty if no seat is left to ask.
    """
    s = position.state
    turn, mover = int(s.on_turn), int(s.to_move)
    if s.phase == c.CONSENT:
        others = [(turn + offset) % int(s.players) for offset in range(1, int(s.players))]
        left = others[others.index(mover) + 1 :]
        asked = tuple(seat for seat in left if s.answers[seat] == c.WAITING)
        return [asked] if asked else []
    if plan[0] >= c.DEAL_GIVE:
        places = [(action - c.DEAL_GIVE) // c.KINDS % c.MAX_SEATS for action in plan]
        deal = [place for place, action in zip(places, plan, strict=True) if action >= c.DEAL_GIVE]
        return [tuple(sorted(set(deal) - {turn}))]
    if len(plan) == 1:
        return []
    if mover != turn:
        return [(turn,)]
    cards = s.hand.sum(axis=1)
    return [(seat,) for seat in range(int(s.players)) if seat != turn and cards[seat] > 0]


def agreed(position: BarePosition, plan: Plan, partners: tuple[int, ...]) -> Plan:
    """Extend a plan by the answers if exactly `partners` agree, and by the resulting trade.

    All other seats refuse; a seat without cards is not asked.
    """
    s = position.state
    turn, players, mover = int(s.on_turn), int(s.players), int(s.to_move)
    if s.phase == c.CONSENT or plan[0] >= c.DEAL_GIVE:
        return (*plan, *[c.ACCEPT for _ in partners])
    (partner,) = partners
    first = (mover - turn) % players + 1  # offset of the next seat asked, from the seat on turn
    others = [(turn + offset) % players for offset in range(first, players)]
    cards = s.hand.sum(axis=1)
    answers = [c.ACCEPT if seat == partner else c.REFUSE for seat in others if cards[seat] > 0]
    return (*plan, *answers, c.TRADE_WITH + (partner if mover == turn else mover))


def offer_words(position: BarePosition, offer: Plan) -> str:
    """Describe a plan, as in `1 wood for 1 ore, which pays for a city`."""
    s = position.state
    if s.phase == c.CONSENT:
        return deal_words(s)
    if offer[0] >= c.DEAL_GIVE:
        twin = position.copy()
        for action in offer[:-1]:
            twin.play(action)
        return deal_words(twin.state)
    if offer[0] == c.ACCEPT:
        turn = int(s.on_turn)
        gains = [int(gain) for gain in s.give[turn] - s.want[turn]]
    elif c.TRADE_WITH <= offer[0] < c.WITHDRAW:
        gains = gains_from(s, offer[0] - c.TRADE_WITH)
    else:
        gains = [offer.count(c.WANT + r) - offer.count(c.GIVE + r) for r in range(c.KINDS)]
    hand = s.hand[s.to_move].tolist()
    after = [held + gain for held, gain in zip(hand, gains, strict=True)]
    paid = [name for name, cost in COSTS.items() if _pays(after, cost) and not _pays(hand, cost)]
    return exchange_words(gains) + (f", which pays for a {paid[-1]}" if paid else "")


def _pays(hand: list[int], cost: tuple[int, ...]) -> bool:
    return all(held >= wanted for held, wanted in zip(hand, cost, strict=True))
