"""Features of a position with open hands for a small network: of seats, sites and the table.

The features are invariant under the island's symmetries and under renaming the seats, apart from
the turn order. Numbers are scaled to about 0 to 1.
"""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of, deck_size, points, public_points, rate_of
from meeple.games.catan.rules.topology import TOPOLOGY, VERTICES
from meeple.games.catan.strategy.heuristic import ways
from meeple.games.catan.strategy.sites import NUM_SITES, SITE_FEATURES, find_sites, reach_of
from meeple.kernels import kernel, parts_record

_VERTEX_TILES = TOPOLOGY.vertex_tiles
_COSTS = c.COSTS

OWN_FEATURES, TABLE_FEATURES = 96, 20
Features = parts_record(c.MAX_SEATS, OWN_FEATURES, NUM_SITES, SITE_FEATURES, TABLE_FEATURES)

# Indices among a seat's features.
_BLOCKED = c.KINDS  # production that the robber blocks; before it, production by resource
_AFTER_PRODUCTION = 2 * c.KINDS
_UPGRADE = OWN_FEATURES - 7  # production of the best settlement to upgrade to a city

_TRADED_FRACTION = 0.8  # estimated fraction of surplus production that bank trades make useful


@kernel
def quiet(s: Any, out: Any) -> None:
    """Fill whether a position can be evaluated statically: before the dice, in a turn, in setup."""
    phase = s.phase
    out[0] = phase == c.ROLL or phase == c.MAIN or phase == c.SETTLE


@kernel
def seat_features(s: Any, out: Any) -> None:
    """Fill a record of `Features`, including hidden cards.

    While dice are thrown, it is the record of the decision to throw them.
    """
    out.players = s.players
    for seat in range(c.MAX_SEATS):
        for index in range(OWN_FEATURES):
            out.own[seat, index] = 0.0
    _production(s, out)
    reach = reach_of(s)
    for seat in range(s.players):
        own = out.own[seat]
        at = _economy(s, seat, own, _AFTER_PRODUCTION)
        at = _pieces_and_points(s, seat, own, at)
        at = _races(s, seat, own, at)
        at = _hand(s, seat, own, at)
        at = _cards(s, seat, own, at)
        at = _purchases(s, seat, own, at)
        at = 1 + _turn(s, seat, own, at)  # 1: the feature _UPGRADE
        find_sites(s, seat, reach, own, own[at:], out.sites[seat])
    _table(s, out.table)


@kernel
def clipped(number: int, most: int) -> int:
    """Return a number, clipped to the range from 0 to `most`."""
    return max(0, min(number, most))


@kernel
def _production(s: Any, out: Any) -> None:
    """Fill production (expected cards in 3.6 rolls), the blocked part, and the best upgrade."""
    for vertex in range(VERTICES):
        building = np.int64(s.vertex[vertex])
        if building > 0:
            seat = (building - 1) & 3
            cards = 2.0 if building > 4 else 1.0
            total = 0.0
            for k in range(3):
                tile = np.int64(_VERTEX_TILES[vertex, k])
                if tile >= 0 and s.tile_number[tile] > 0:
                    resource = np.int64(s.tile_resource[tile])
                    lost = _BLOCKED if tile == s.robber else 0
                    throws = ways(np.int64(s.tile_number[tile]))
                    gained = cards * throws / 10.0
                    total += throws
                    out.own[seat, lost + resource] += gained
            if building < 5:
                own = out.own[seat]
                own[_UPGRADE] = max(own[_UPGRADE], total / 15.0)


@kernel
def _economy(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill the total production and the ports."""
    total, lost, kinds, traded = 0.0, 0.0, 0.0, 0.0
    ports = np.int64(s.ports[seat])
    for r in range(c.KINDS):
        total += own[r]
        lost += own[_BLOCKED + r]
        kinds += 1.0 if own[r] + own[_BLOCKED + r] > 0.0 else 0.0
        has = (ports >> (2 + r)) & 1
        own[at + 4 + r] = has
        traded += has * own[r]
    own[at] = total / 2.0
    own[at + 1] = lost
    own[at + 2] = kinds / 5.0
    own[at + 3] = (ports >> 1) & 1
    own[at + 9] = traded
    return at + 10


@kernel
def _pieces_and_points(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill pieces left and points, also relative to other seats and to the points that win."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, public_points(s, other))
    mine = points(s, seat)
    missing = np.int64(s.victory_points) - mine
    own[at] = s.roads[seat] / 15.0
    own[at + 1] = s.settlements[seat] / 5.0
    own[at + 2] = s.cities[seat] / 4.0
    own[at + 3] = mine / 10.0
    own[at + 4] = public_points(s, seat) / 10.0
    own[at + 5] = missing / 10.0
    own[at + 6] = (mine - most) / 5.0
    for few in range(1, 5):
        own[at + 6 + few] = 1.0 if missing <= few else 0.0
    return at + 11


@kernel
def _races(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill the longest road and the largest army: own size, and the distance to the award."""
    road, army = np.int64(s.road_length[seat]), np.int64(s.played[seat, c.KNIGHT])
    road_most, army_most = c.MIN_LONGEST_ROAD - 1, c.MIN_LARGEST_ARMY - 1
    for other in range(s.players):
        if other != seat:
            road_most = max(road_most, int(s.road_length[other]))
            army_most = max(army_most, int(s.played[other, c.KNIGHT]))
    own[at] = road / 10.0
    own[at + 1] = 1.0 if s.longest_road == seat else 0.0
    own[at + 2] = clipped(road_most + 1 - road, 5) / 5.0
    own[at + 3] = clipped(road - road_most, 5) / 5.0
    own[at + 4] = army / 5.0
    own[at + 5] = 1.0 if s.largest_army == seat else 0.0
    own[at + 6] = clipped(army_most + 1 - army, 3) / 3.0
    own[at + 7] = clipped(army - army_most, 3) / 3.0
    return at + 8


@kernel
def _hand(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill the cards of each resource, and whether there is at least one or two."""
    held = cards_of(s, seat)
    for r in range(c.KINDS):
        count = np.int64(s.hand[seat, r])
        own[at + r] = clipped(count, 8) / 4.0
        own[at + 5 + r] = 1.0 if count > 0 else 0.0
        own[at + 10 + r] = 1.0 if count > 1 else 0.0
    own[at + 15] = 1.0 if s.hand[seat, c.ORE] > 2 else 0.0
    own[at + 16] = clipped(held, 20) / 10.0
    own[at + 17] = clipped(held - int(s.discard_limit), 10) / 5.0
    return at + 18


@kernel
def _cards(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill the development cards, and whether one may be played now."""
    fresh, playable = 0.0, 0.0
    on_turn = s.on_turn == seat
    for card in range(c.KINDS):
        held = np.int64(s.cards[seat, card])
        own[at + card] = held / 2.0
        new = np.int64(s.fresh[card]) if on_turn else 0
        fresh += new
        if card != c.VICTORY_POINT and held > new and not (on_turn and s.card_played):
            playable = 1.0
    own[at + 5] = fresh / 2.0
    own[at + 6] = playable
    return at + 7


@kernel
def _purchases(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill for each purchase: missing cards, payable with bank trades or not, expected delay."""
    total = 0.0
    for r in range(c.KINDS):
        total += own[r] / rate_of(s, seat, r)
    for purchase in range(4):
        missing, surplus, throws = np.int64(0), np.int64(0), 0.0
        for r in range(c.KINDS):
            lacking = np.int64(_COSTS[purchase, r]) - np.int64(s.hand[seat, r])
            rate = rate_of(s, seat, r)
            if lacking > 0:
                missing += lacking
                income = own[r] + _TRADED_FRACTION * (total - own[r] / rate)
                throws += lacking / (income + 0.02)
            else:
                surplus += -lacking // rate
        own[at] = missing / 4.0
        own[at + 1] = 1.0 if missing == 0 else 0.0
        own[at + 2] = 1.0 if surplus >= missing else 0.0
        own[at + 3] = 1.0 / (1.0 + 0.4 * throws)
        at += 4
    return at


@kernel
def _turn(s: Any, seat: int, own: Any, at: int) -> int:
    """Fill the turn order; in the setup, also when the seat places its next settlement."""
    players = np.int64(s.players)
    own[at + (seat - np.int64(s.on_turn) + players) % players] = 1.0
    own[at + 4] = 1.0 if s.to_move == seat or (s.phase == c.DICE and s.on_turn == seat) else 0.0
    own[at + 5] = 1.0 if s.on_turn == seat and s.rolled else 0.0
    placed = np.int64(s.setup)
    if placed < 2 * players:
        next_ = seat if placed <= seat else 2 * players - 1 - seat
        own[at + 6] = clipped(next_ - placed, 8) / 8.0
        own[at + 7] = seat / 4.0  # the turns begin with the first seat
        own[at + 8] = (0 if placed > next_ else 2 if placed <= seat else 1) / 2.0
    return at + 9


@kernel
def _table(s: Any, table: Any) -> None:
    """Fill what all seats share: bank, deck, time and important options."""
    for r in range(c.KINDS):
        table[r] = s.bank[r] / 19.0
    table[5] = deck_size(s) / 25.0
    table[6] = clipped(np.int64(s.turns), 200) / 100.0
    for players in range(2, 5):
        table[5 + players] = 1.0 if s.players == players else 0.0
    table[10] = s.victory_points / 10.0
    table[11] = 1.0 if s.setup < 2 * s.players else 0.0
    table[12] = 1.0 if s.rolled else 0.0
    table[13] = 1.0 if s.card_played else 0.0
    table[14] = 1.0 if s.longest_road < 0 else 0.0
    table[15] = 1.0 if s.largest_army < 0 else 0.0
    table[16] = s.offers / 8.0
    table[17] = 1.0 if s.with_trade else 0.0
    table[18] = 1.0 if s.phase == c.ROLL or s.phase == c.DICE else 0.0
    table[19] = 1.0
