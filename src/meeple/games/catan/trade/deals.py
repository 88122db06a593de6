"""Deals, by the option of that name: one change of the position that several players agree on.

The player on turn composes it: what each seat gives and gets, and, while the robber is being moved,
where it goes, or on the own turn what is built of the cards that are left over. Everybody who gives
or gets something is asked; it is carried out as a whole if all agree, and not at all otherwise.
After "Explorers of Catan with a neural network computer player", which calls this a trade.
"""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of
from meeple.games.catan.rules.roads import has_road_site, is_road_site, road_ends, touched_by
from meeple.games.catan.rules.topology import EDGES, TILES, VERTICES
from meeple.games.catan.trade.offers import decide, forget_offer
from meeple.kernels import add, kernel

PLACES = c.SEATS * c.KINDS  # what of a seat: seat * KINDS + resource


@kernel
def add_deals(s: Any, moves: Any) -> None:
    """The ways to begin a deal: with a card that somebody is to give."""
    if s.with_deals and s.offers < c.OFFERS:
        for place in range(PLACES):
            if _may_give(s, place, True):
                add(moves, c.DEAL_GIVE + place)


@kernel
def legal_deal(s: Any, moves: Any) -> None:
    """What may be done while a deal is composed or agreed on."""
    if s.phase == c.CONSENT:
        add(moves, c.REFUSE)
        if _pays(s, np.int64(s.to_move)):
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
        if others_in(s) > 0:
            _clauses(s, moves)
    if others_in(s) > 0 and (s.clause != c.NO_CLAUSE or _is_whole(s)):
        add(moves, c.PROPOSE)
    add(moves, c.WITHDRAW)


@kernel
def _may_give(s: Any, place: int, first: bool) -> bool:
    """Whether one card more may be asked of a seat, as far as all can know: `first` of a deal."""
    seat, r = place // c.KINDS, place % c.KINDS
    if seat >= s.players:
        return False
    given = 0
    if not first:
        for kind in range(c.KINDS):
            given += int(s.give[seat, kind])
    if seat == s.on_turn:
        return bool(s.hand[seat, r] > (0 if first else s.give[seat, r]))
    return bool(cards_of(s, seat) > given and (first or s.give[seat, r] < c.BANK))


@kernel
def left_over(s: Any, r: int) -> int:
    """Cards of a resource that are given, and that nobody gets."""
    left = 0
    for seat in range(s.players):
        left += int(s.give[seat, r]) - int(s.want[seat, r])
    return left


@kernel
def others_in(s: Any) -> int:
    """How many seats beside the one on turn give or get something."""
    count = 0
    for seat in range(s.players):
        if seat != s.on_turn and is_party(s, seat):
            count += 1
    return count


@kernel
def is_party(s: Any, seat: int) -> bool:
    """Whether a seat gives or gets something in the deal that is being made."""
    for r in range(c.KINDS):
        if s.give[seat, r] > 0 or s.want[seat, r] > 0:
            return True
    return False


@kernel
def _is_whole(s: Any) -> bool:
    """Whether a deal can do without more: no card is left over, and the robber is not in hand."""
    if s.dealing == c.ROBBER:
        return False
    for r in range(c.KINDS):
        if left_over(s, r) != 0:
            return False
    return True


@kernel
def _leaves(s: Any, wood: int, brick: int, wool: int, grain: int, ore: int) -> bool:
    """Whether just these cards are left over."""
    return bool(
        left_over(s, c.WOOD) == wood
        and left_over(s, c.BRICK) == brick
        and left_over(s, c.WOOL) == wool
        and left_over(s, c.GRAIN) == grain
        and left_over(s, c.ORE) == ore
    )


@kernel
def _clauses(s: Any, moves: Any) -> None:
    """Where the robber may go, or what the cards that are left over build for the seat on turn."""
    seat = np.int64(s.on_turn)
    if s.dealing == c.ROBBER:
        if _leaves(s, 0, 0, 0, 0, 0):
            for tile in range(TILES):
                if tile != s.robber:
                    add(moves, c.ROBBER_TO + tile)
        return
    touched = touched_by(s, seat)
    if _leaves(s, 1, 1, 0, 0, 0) and s.roads[seat] > 0 and has_road_site(s, seat):
        ends = road_ends(s, seat, touched)
        for edge in range(EDGES):
            if is_road_site(s, edge, ends):
                add(moves, c.ROAD_AT + edge)
    if _leaves(s, 1, 1, 1, 1, 0) and s.settlements[seat] > 0:
        for vertex in range(VERTICES):
            if s.crowded[vertex] == 0 and (touched >> vertex) & 1:
                add(moves, c.SETTLEMENT_AT + vertex)
    if _leaves(s, 0, 0, 0, 2, 3) and s.cities[seat] > 0:
        for vertex in range(VERTICES):
            if s.vertex[vertex] == 1 + seat:
                add(moves, c.CITY_AT + vertex)


@kernel
def _pays(s: Any, seat: int) -> bool:
    """Whether a seat holds what it is to give."""
    for r in range(c.KINDS):
        if s.hand[seat, r] < s.give[seat, r]:
            return False
    return True


# ---------------------------------------------------------------- composing and agreeing


@kernel
def deal(s: Any, action: int) -> int:
    """Compose a deal or answer one; what is left to be done once all agree, or NO_CLAUSE.

    Then cards have changed hands, and the seat on turn holds those that were left over.
    """
    seat = np.int64(s.to_move)
    if action >= c.DEAL_GIVE:
        _compose(s, action - c.DEAL_GIVE)
    elif action < c.ROB:
        s.clause = action
    elif action == c.PROPOSE:
        for other in range(s.players):
            asked = other != s.on_turn and is_party(s, other)
            s.answers[other] = c.WAITING if asked else c.ACCEPTED
        _ask(s)
    elif action == c.ACCEPT:
        s.answers[seat] = c.ACCEPTED
        if not _ask(s):
            return _carry_out(s)
    else:
        _end_deal(s)
    return c.NO_CLAUSE


@kernel
def _compose(s: Any, place: int) -> None:
    """One card more that a seat gives or, beyond all places, gets."""
    if s.phase != c.DEAL:
        forget_offer(s)
        s.offers += 1
        s.dealing = s.phase
        s.clause = c.NO_CLAUSE
        decide(s, c.DEAL, np.int64(s.on_turn))
    if place < PLACES:
        s.give[place // c.KINDS, place % c.KINDS] += 1
        s.last = place
    else:
        s.want[place // c.KINDS - c.SEATS, place % c.KINDS] += 1
        s.wanting = True
        s.last = place - PLACES


@kernel
def _ask(s: Any) -> bool:
    """Ask the next seat that has not answered; False where there is none."""
    for offset in range(1, s.players):
        other = (s.on_turn + offset) % s.players
        if s.answers[other] == c.WAITING:
            decide(s, c.CONSENT, other)
            return True
    return False


@kernel
def _carry_out(s: Any) -> int:
    """Move the cards, those that are left over to the seat on turn; return the clause."""
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
    """Back to where it was begun."""
    phase = int(s.dealing)
    forget_offer(s)
    s.clause = c.NO_CLAUSE
    s.dealing = 0
    decide(s, phase, np.int64(s.on_turn))
