"""Deals (option `deals`): a change of the position on which several players agree.

The player on turn composes a deal: the cards that each seat gives and gets, and possibly a clause.
While the robber is moved, the clause is its new tile; otherwise it is a building that the player on
turn builds with the cards left over. Every party, a seat that gives or gets cards, is asked; the
deal is carried out as a whole if all agree, and not at all otherwise.

Source: "Explorers of Catan with a neural network computer player", which calls this a trade.
"""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of
from meeple.games.catan.rules.roads import (
    add_city_sites,
    add_road_sites,
    add_settlement_sites,
    touched_by,
)
from meeple.games.catan.rules.topology import TILES
from meeple.games.catan.trade.offers import forget_offer, set_next_decision
from meeple.kernels import add, kernel

_COSTS, _NOTHING = c.COSTS, -1
PLACES = c.MAX_SEATS * c.KINDS  # pairs of seat and resource: seat * KINDS + resource


@kernel
def add_deals(s: Any, moves: Any) -> None:
    """Add the actions that begin a deal: the first card that a seat is to give."""
    if s.with_deals and s.offers < c.MAX_OFFERS_PER_TURN:
        for place in range(PLACES):
            if _may_give(s, place, True):
                add(moves, c.DEAL_GIVE + place)


@kernel
def legal_deal(s: Any, moves: Any) -> None:
    """List the legal actions while a deal is composed or awaits consent."""
    if s.phase == c.CONSENT:
        add(moves, c.REFUSE)
        if _can_pay(s, np.int64(s.to_move)):
            add(moves, c.ACCEPT)
        return
    first = int(s.last)
    if s.clause == c.NO_CLAUSE:
        if not s.wanting:
            for place in range(first, PLACES):
                if _may_give(s, place, False):
                    add(moves, c.DEAL_GIVE + place)
            first = 0
        for place in range(first, PLACES):
            seat, r = place // c.KINDS, place % c.KINDS
            if seat < s.players and s.give[seat, r] == 0 and left_over(s, r) > 0:
                add(moves, c.DEAL_GET + place)
        if count_other_parties(s) > 0:
            _add_clauses(s, moves)
    complete = s.clause != c.NO_CLAUSE or (s.dealing != c.ROBBER and _leaves(s, _NOTHING))
    if complete and count_other_parties(s) > 0:
        add(moves, c.PROPOSE)
    add(moves, c.WITHDRAW)


@kernel
def _may_give(s: Any, place: int, first: bool) -> bool:
    """Return whether a seat may be asked for one more card, by public knowledge.

    Args:
        s: the state.
        place: seat * KINDS + resource.
        first: whether this card begins the deal.
    """
    seat, r = place // c.KINDS, place % c.KINDS
    if seat >= s.players:
        return False
    given = 0
    if not first:
        for kind in range(c.KINDS):
            given += int(s.give[seat, kind])
    if seat == s.on_turn:
        return bool(s.hand[seat, r] > (0 if first else s.give[seat, r]))
    return bool(cards_of(s, seat) > given and (first or s.give[seat, r] < c.BANK_CARDS))


@kernel
def left_over(s: Any, r: int) -> int:
    """Return the cards of a resource that are given and not received by any seat."""
    left = 0
    for seat in range(s.players):
        left += int(s.give[seat, r]) - int(s.want[seat, r])
    return left


@kernel
def count_other_parties(s: Any) -> int:
    """Return the number of parties without the seat on turn."""
    count = 0
    for seat in range(s.players):
        if seat != s.on_turn and is_party(s, seat):
            count += 1
    return count


@kernel
def is_party(s: Any, seat: int) -> bool:
    """Return whether a seat gives or gets cards in the deal."""
    for r in range(c.KINDS):
        if s.give[seat, r] > 0 or s.want[seat, r] > 0:
            return True
    return False


@kernel
def _leaves(s: Any, thing: int) -> bool:
    """Return whether exactly the cards that a thing costs are left over; `_NOTHING`: none."""
    for r in range(c.KINDS):
        if left_over(s, r) != (0 if thing == _NOTHING else np.int64(_COSTS[thing, r])):
            return False
    return True


@kernel
def _add_clauses(s: Any, moves: Any) -> None:
    """Add the possible clauses: tiles for the robber, or buildings paid by the cards left over."""
    seat = np.int64(s.on_turn)
    if s.dealing == c.ROBBER:
        if _leaves(s, _NOTHING):
            for tile in range(TILES):
                if tile != s.robber:
                    add(moves, c.ROBBER_TO + tile)
        return
    touched = touched_by(s, seat)
    if _leaves(s, c.ROAD) and s.roads[seat] > 0:
        add_road_sites(s, moves, touched)
    if _leaves(s, c.SETTLEMENT) and s.settlements[seat] > 0:
        add_settlement_sites(s, moves, touched)
    if _leaves(s, c.CITY) and s.cities[seat] > 0:
        add_city_sites(s, moves)


@kernel
def _can_pay(s: Any, seat: int) -> bool:
    """Return whether a seat holds the cards that it is to give."""
    for r in range(c.KINDS):
        if s.hand[seat, r] < s.give[seat, r]:
            return False
    return True


# ---------------------------------------------------------------- composing and agreeing


@kernel
def deal(s: Any, action: int) -> int:
    """Apply an action that composes or answers a deal.

    Returns:
        The clause that the caller must carry out, once all parties agreed and the cards have
        changed hands, with those left over in the hand of the seat on turn; else NO_CLAUSE.
    """
    seat = np.int64(s.to_move)
    if action >= c.DEAL_GIVE:
        _add_card(s, action - c.DEAL_GIVE)
    elif action < c.ROB:
        s.clause = action
    elif action == c.PROPOSE:
        for other in range(s.players):
            asked = other != s.on_turn and is_party(s, other)
            s.answers[other] = c.WAITING if asked else c.ACCEPTED
        _ask_next_party(s)
    elif action == c.ACCEPT:
        s.answers[seat] = c.ACCEPTED
        if not _ask_next_party(s):
            return _carry_out(s)
    else:
        _end_deal(s)
    return c.NO_CLAUSE


@kernel
def _add_card(s: Any, place: int) -> None:
    """Add one card that a seat gives, or gets if `place` is PLACES or more; begin a new deal."""
    if s.phase != c.DEAL:
        forget_offer(s)
        s.offers += 1
        s.dealing = s.phase
        s.clause = c.NO_CLAUSE
        set_next_decision(s, c.DEAL, np.int64(s.on_turn))
    if place < PLACES:
        s.give[place // c.KINDS, place % c.KINDS] += 1
        s.last = place
    else:
        s.want[place // c.KINDS - c.MAX_SEATS, place % c.KINDS] += 1
        s.wanting = True
        s.last = place - PLACES


@kernel
def _ask_next_party(s: Any) -> bool:
    """Ask the next party that has not answered; return False if all have."""
    for offset in range(1, s.players):
        other = (s.on_turn + offset) % s.players
        if s.answers[other] == c.WAITING:
            set_next_decision(s, c.CONSENT, other)
            return True
    return False


@kernel
def _carry_out(s: Any) -> int:
    """Exchange the cards, giving those left over to the seat on turn; return the clause."""
    for seat in range(s.players):
        for r in range(c.KINDS):
            s.hand[seat, r] += s.want[seat, r] - s.give[seat, r]
    for r in range(c.KINDS):
        s.hand[s.on_turn, r] += left_over(s, r)
    clause = int(s.clause)
    _end_deal(s)
    return clause


@kernel
def _end_deal(s: Any) -> None:
    """Return to the phase in which the deal was begun."""
    phase = int(s.dealing)
    forget_offer(s)
    s.clause = c.NO_CLAUSE
    s.dealing = 0
    set_next_decision(s, phase, np.int64(s.on_turn))
