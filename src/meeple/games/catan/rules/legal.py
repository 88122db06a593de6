"""The legal actions of every phase, and the outcomes of chance with their probabilities."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import can_buy, cards_of, deck_size, public_points, rate_of
from meeple.games.catan.rules.roads import (
    add_city_sites,
    add_road_sites,
    add_settlement_sites,
    has_road_site,
    owner_of,
    touched_by,
)
from meeple.games.catan.rules.topology import TILES, TOPOLOGY, VERTICES
from meeple.games.catan.trade.deals import add_deals, legal_deal
from meeple.games.catan.trade.offers import legal_trade, most_wanted
from meeple.kernels import add, add_outcome, kernel

_TILE_VERTICES = TOPOLOGY.tile_vertices
_VERTEX_EDGES = TOPOLOGY.vertex_edges


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the legal actions of the current phase, or its outcomes at a chance node."""
    phase = s.phase
    if phase == c.MAIN:
        _add_turn_actions(s, moves)
    elif phase == c.ROLL:
        add(moves, c.ROLL_DICE)
        _add_playable_cards(s, moves)
    elif phase == c.DICE or phase == c.STEAL or phase == c.DRAW:
        _add_outcomes(s, moves)
    elif phase == c.SETTLE:
        for vertex in range(VERTICES):
            if s.crowded[vertex] == 0:
                add(moves, c.SETTLEMENT_AT + vertex)
    elif phase == c.SETTLE_ROAD:
        for k in range(3):
            edge = np.int64(_VERTEX_EDGES[s.settled, k])
            if edge >= 0 and s.edge[edge] == 0:
                add(moves, c.ROAD_AT + edge)
    elif phase == c.FREE_ROADS:
        add_road_sites(s, moves, touched_by(s, np.int64(s.on_turn)))
    elif phase == c.DISCARD:
        _add_discards(s, moves)
    elif phase == c.ROBBER:
        for tile in range(TILES):
            if tile != s.robber:
                add(moves, c.ROBBER_TO + tile)
        add_deals(s, moves)
    elif phase == c.VICTIM:
        for seat in range(s.players):
            if may_rob(s, seat):
                add(moves, c.ROB + seat)
    elif phase >= c.DEAL:
        legal_deal(s, moves)
    else:
        legal_trade(s, moves)


@kernel
def _add_outcomes(s: Any, moves: Any) -> None:
    if s.phase == c.DICE:
        for total in range(2, 13):
            add_outcome(moves, total, (6 - abs(total - 7)) / 36)
    elif s.phase == c.STEAL:
        cards = cards_of(s, np.int64(s.victim))
        for r in range(c.KINDS):
            if s.hand[s.victim, r] > 0:
                add_outcome(moves, r, s.hand[s.victim, r] / cards)
    else:
        left = deck_size(s)
        for card in range(c.KINDS):
            if s.deck[card] > 0:
                add_outcome(moves, card, s.deck[card] / left)


@kernel
def may_rob(s: Any, seat: int) -> bool:
    """Return whether the seat on turn may rob `seat` at the robber's current tile."""
    if seat == s.on_turn or cards_of(s, seat) == 0:
        return False
    if s.friendly_robber and public_points(s, seat) <= 2:
        return False
    for k in range(6):
        if owner_of(s, np.int64(_TILE_VERTICES[s.robber, k])) == seat:
            return True
    return False


# ---------------------------------------------------------------- a turn


@kernel
def _add_turn_actions(s: Any, moves: Any) -> None:
    seat = np.int64(s.on_turn)
    add(moves, c.END_TURN)
    if can_buy(s, seat, c.ROAD):
        touched = touched_by(s, seat)
        if s.roads[seat] > 0:
            add_road_sites(s, moves, touched)
        if s.settlements[seat] > 0 and can_buy(s, seat, c.SETTLEMENT):
            add_settlement_sites(s, moves, touched)
    if s.cities[seat] > 0 and can_buy(s, seat, c.CITY):
        add_city_sites(s, moves)
    if s.with_cards and can_buy(s, seat, c.CARD) and deck_size(s) > 0:
        add(moves, c.BUY_CARD)
    _add_playable_cards(s, moves)
    for r in range(c.KINDS):
        if s.hand[seat, r] >= rate_of(s, seat, r):
            for q in range(c.KINDS):
                if q != r and s.bank[q] > 0:
                    add(moves, c.MARITIME + r * c.KINDS + q)
    if s.with_trade and s.offers < c.MAX_OFFERS_PER_TURN and most_wanted(s) > 0:
        for r in range(c.KINDS):
            if s.hand[seat, r] > 0:
                add(moves, c.GIVE + r)
    add_deals(s, moves)


@kernel
def _playable(s: Any, card: int) -> bool:
    return bool(s.cards[s.on_turn, card] > s.fresh[card])


@kernel
def _add_playable_cards(s: Any, moves: Any) -> None:
    """Add the development cards that may be played: one per turn, and none bought this turn."""
    if s.card_played or not s.with_cards:
        return
    seat = np.int64(s.on_turn)
    if _playable(s, c.KNIGHT):
        add(moves, c.PLAY_KNIGHT)
    if _playable(s, c.ROAD_BUILDING) and s.roads[seat] > 0 and has_road_site(s, seat):
        add(moves, c.PLAY_ROADS)
    if _playable(s, c.YEAR_OF_PLENTY):
        total = 0
        for r in range(c.KINDS):
            total += int(s.bank[r])
        for r in range(c.KINDS):
            if total == 1 and s.bank[r] == 1:
                add(moves, c.PLAY_PLENTY_ONE + r)
            for q in range(r, c.KINDS):
                if s.bank[r] > 0 and s.bank[q] > (r == q):
                    add(moves, c.PLAY_PLENTY + r * c.KINDS + q)
    if _playable(s, c.MONOPOLY):
        for r in range(c.KINDS):
            add(moves, c.PLAY_MONOPOLY + r)


@kernel
def _add_discards(s: Any, moves: Any) -> None:
    """Add the resources of which one card may be discarded next.

    Cards are discarded in the order of resources, so the cards from the chosen resource on must
    suffice for the rest of the discard.
    """
    seat = np.int64(s.to_move)
    left = int(s.discards[seat])
    remaining = 0
    for r in range(s.last, c.KINDS):
        remaining += int(s.hand[seat, r])
    for r in range(s.last, c.KINDS):
        if s.hand[seat, r] > 0 and remaining >= left:
            add(moves, c.DISCARD_ONE + r)
        remaining -= int(s.hand[seat, r])
