"""A player's observation as numbers for a network: seats are counted from the observer."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of, deck_size, points, public_points
from meeple.games.catan.rules.topology import EDGES, TILES, VERTICES
from meeple.games.catan.strategy.heuristic import ways
from meeple.kernels import kernel

TILE_FEATURES = c.KINDS + 2  # resource, frequency of the number, robber
PORT_FEATURES = c.KINDS + 1
SEAT_FEATURES = 2 * c.KINDS + 14
COMMON_FEATURES = 2 * c.KINDS + 5 + c.DEAL  # including the phases without those of deals
DEAL_FEATURES = len(c.PHASES) - c.DEAL + TILES + VERTICES + EDGES  # appended with deals

OBSERVATION_LENGTH = (
    TILES * TILE_FEATURES
    + VERTICES * (PORT_FEATURES + 2 * c.MAX_SEATS)
    + EDGES * c.MAX_SEATS
    + c.MAX_SEATS * (SEAT_FEATURES + 4 * c.KINDS + 5)
    + COMMON_FEATURES
)


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Fill the board, then each seat's public facts and visible hand, then the turn."""
    at = 0
    for tile in range(TILES):
        if s.tile_resource[tile] != c.DESERT:
            out[at + np.int64(s.tile_resource[tile])] = 1.0
        out[at + c.KINDS] = ways(np.int64(s.tile_number[tile])) / 5.0
        out[at + c.KINDS + 1] = 1.0 if s.robber == tile else 0.0
        at += TILE_FEATURES
    for vertex in range(VERTICES):
        if s.vertex_port[vertex] != c.NO_PORT:
            out[at + np.int64(s.vertex_port[vertex]) - 1] = 1.0
        at += PORT_FEATURES
        if s.vertex[vertex] > 0:
            seat = ((np.int64(s.vertex[vertex]) - 1) % c.MAX_SEATS - player) % s.players
            out[at + 2 * seat + (1 if s.vertex[vertex] > c.MAX_SEATS else 0)] = 1.0
        at += 2 * c.MAX_SEATS
    for edge in range(EDGES):
        if s.edge[edge] > 0:
            out[at + (np.int64(s.edge[edge]) - 1 - player) % s.players] = 1.0
        at += c.MAX_SEATS
    for place in range(c.MAX_SEATS):
        if place < s.players:
            _observe_seat(s, player, (player + place) % s.players, out, at)
        at += SEAT_FEATURES + 4 * c.KINDS + 5
    for kind in range(c.KINDS):
        out[at + kind] = s.bank[kind] / 19.0
        if not s.hidden_hands:
            out[at + c.KINDS + kind] = s.deck[kind] / 14.0
    at += 2 * c.KINDS
    out[at] = deck_size(s) / 25.0
    out[at + 1] = s.turns / 100.0
    out[at + 2] = s.dice / 12.0
    out[at + 3] = 1.0 if s.rolled else 0.0
    out[at + 4] = s.free_roads / 2.0
    out[at + 5 + np.int64(s.phase)] = 1.0  # phases of deals lie beyond OBSERVATION_LENGTH
    if s.with_deals and s.phase >= c.DEAL:
        _observe_clause(s, out, OBSERVATION_LENGTH + len(c.PHASES) - c.DEAL)


@kernel
def _observe_clause(s: Any, out: Any, at: int) -> None:
    """Fill the tile, vertex or edge of the open deal's clause."""
    clause = np.int64(s.clause)
    if clause >= c.ROBBER_TO:
        out[at + clause - c.ROBBER_TO] = 1.0
    elif clause >= c.ROAD_AT:
        out[at + TILES + VERTICES + clause - c.ROAD_AT] = 1.0
    elif clause >= 0:
        out[at + TILES + clause % VERTICES] = 1.0


@kernel
def _observe_seat(s: Any, player: int, seat: int, out: Any, at: int) -> None:
    seen = seat == player or not s.hidden_hands
    out[at] = 1.0 if s.on_turn == seat else 0.0
    out[at + 1] = 1.0 if s.to_move == seat else 0.0
    out[at + 2] = public_points(s, seat) / 10.0
    out[at + 3] = cards_of(s, seat) / 10.0
    cards = 0
    for kind in range(c.KINDS):
        cards += int(s.cards[seat, kind])
    out[at + 4] = cards / 5.0
    out[at + 5] = s.roads[seat] / 15.0
    out[at + 6] = s.settlements[seat] / 5.0
    out[at + 7] = s.cities[seat] / 4.0
    out[at + 8] = s.road_length[seat] / 10.0
    out[at + 9] = 1.0 if s.longest_road == seat else 0.0
    out[at + 10] = 1.0 if s.largest_army == seat else 0.0
    out[at + 11] = s.discards[seat] / 5.0
    out[at + 12] = points(s, seat) / 10.0 if seen else 0.0
    out[at + 13] = s.offers / 8.0 if s.on_turn == seat else 0.0
    for kind in range(c.KINDS):
        out[at + 14 + kind] = 1.0 if s.ports[seat] & (1 << (2 + kind)) else 0.0
        out[at + 14 + c.KINDS + kind] = s.played[seat, kind] / 5.0
    at += SEAT_FEATURES
    for kind in range(c.KINDS):
        if seen:
            out[at + kind] = s.hand[seat, kind] / 5.0
            out[at + c.KINDS + kind] = s.cards[seat, kind] / 2.0
        out[at + 2 * c.KINDS + kind] = s.give[seat, kind] / 2.0
        out[at + 3 * c.KINDS + kind] = s.want[seat, kind] / 2.0
    at += 4 * c.KINDS
    out[at] = 1.0 if s.ports[seat] & 2 else 0.0
    out[at + 1] = 1.0 if s.answers[seat] == c.REFUSED else 0.0
    out[at + 2] = 1.0 if s.answers[seat] == c.ACCEPTED else 0.0
    out[at + 3] = 1.0 if s.answers[seat] == c.COUNTERED else 0.0
    out[at + 4] = 1.0 if s.card_played and s.on_turn == seat else 0.0
