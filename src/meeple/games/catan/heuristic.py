"""How good a seat's game looks: production, variety, places to grow, ports, cards and races."""

from typing import Any

import numpy as np

from meeple.games.catan.hands import cards_of, points
from meeple.games.catan.roads import may_pass, reaches
from meeple.games.catan.state import (
    BRICK,
    DESERT,
    GRAIN,
    KINDS,
    KNIGHT,
    ORE,
    VICTORY_POINT,
    WOOD,
    WOOL,
)
from meeple.games.catan.topology import TILES, TOPOLOGY, VERTICES
from meeple.kernels import kernel

_TILE_VERTICES = TOPOLOGY.tile_vertices
_VERTEX_TILES = TOPOLOGY.vertex_tiles
_VERTEX_VERTICES = TOPOLOGY.vertex_vertices

FEATURES = (
    "points",
    "cards a throw",
    "variety: the sum of roots of cards a throw, by resource",
    "cards a throw that the robber takes",
    "cards a throw of what a port trades",
    "places to settle at own roads, up to 3",
    "cards a throw of the best place at or near own roads",
    "cards in hand, up to 10",
    "how near the hand is to a city",
    "how near it is to a settlement",
    "how near it is to a development card",
    "cards beyond the discard limit",
    "development cards, up to 4",
    "knights played, up to 5",
    "longest road, up to 10",
    "on turn",
)
WEIGHTS = np.array(
    [
        1.118, 1.460, 6.452, -1.498, 0.407, 0.165, 2.044, -0.109, 0.785, 0.504, 0.030, 0.016,
        0.075, 0.076, 0.090, 0.132,
    ]
)  # fmt: skip
"""By FEATURES; found by an evolution strategy for wins of one greedy player against three that draw
by the weights of `prune`, without trade."""


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Each seat's share by its value: exp(value) over the sum of all."""
    best = -1e9
    for seat in range(s.players):
        out[seat] = value_of(s, seat, WEIGHTS)
        best = max(best, out[seat])
    total = 0.0
    for seat in range(s.players):
        out[seat] = np.exp(out[seat] - best)
        total += out[seat]
    for seat in range(s.players):
        out[seat] /= total


@kernel
def ways(number: int) -> float:
    """Throws of two dice out of 36 that sum to a number, 0 for the desert's."""
    return 6.0 - abs(number - 7) if number > 0 else 0.0


@kernel
def odds(number: int) -> float:
    """The chance of a sum of two dice, 0 for the desert's."""
    return ways(number) / 36.0


@kernel
def worth_of(s: Any, vertex: int) -> float:
    """Cards that a settlement there can expect from a throw."""
    expected = 0.0
    for k in range(3):
        tile = np.int64(_VERTEX_TILES[vertex, k])
        if tile >= 0:
            expected += odds(np.int64(s.tile_number[tile]))
    return expected


@kernel
def from_tile(s: Any, seat: int, tile: int) -> float:
    """Cards that a seat can expect of a tile from a throw, the robber aside."""
    buildings = 0
    for k in range(6):
        building = np.int64(s.vertex[_TILE_VERTICES[tile, k]])
        if building == 1 + seat:
            buildings += 1
        elif building == 5 + seat:
            buildings += 2
    return buildings * odds(np.int64(s.tile_number[tile]))


@kernel
def value_of(s: Any, seat: int, weights: Any) -> float:
    """A seat's features, weighted."""
    value = weights[0] * points(s, seat)
    total = 0.0
    for resource in range(KINDS):
        expected = 0.0
        for tile in range(TILES):
            if s.tile_resource[tile] == resource:
                expected += from_tile(s, seat, tile)
        total += expected
        value += weights[2] * np.sqrt(expected)
        if s.ports[seat] & (1 << (2 + resource)):
            value += weights[4] * expected
    value += weights[1] * total
    if s.ports[seat] & 2:
        value += weights[4] * 0.3 * total
    if s.robber >= 0 and s.tile_resource[s.robber] != DESERT:
        value += weights[3] * from_tile(s, seat, np.int64(s.robber))
    if s.settlements[seat] > 0:
        value += _growth(s, seat, weights)
    held = cards_of(s, seat)
    value += weights[7] * min(held, 10)
    value += _progress(s, seat, weights)
    value += weights[11] * max(0, held - int(s.discard_limit))
    cards = 0
    for card in range(KINDS):
        cards += int(s.cards[seat, card]) if card != VICTORY_POINT else 0
    value += weights[12] * min(cards, 4)
    value += weights[13] * min(int(s.played[seat, KNIGHT]), 5)
    value += weights[14] * min(int(s.road_length[seat]), 10)
    if s.on_turn == seat:
        value += weights[15]
    return float(value)


@kernel
def _progress(s: Any, seat: int, weights: Any) -> float:
    """Squares of the shares that the hand holds of what things cost."""
    value = 0.0
    grain, ore = int(s.hand[seat, GRAIN]), int(s.hand[seat, ORE])
    wool = min(int(s.hand[seat, WOOL]), 1)
    if s.cities[seat] > 0 and s.settlements[seat] < 5:
        value += weights[8] * ((min(grain, 2) + min(ore, 3)) / 5.0) ** 2
    if s.settlements[seat] > 0:
        near = min(int(s.hand[seat, WOOD]), 1) + min(int(s.hand[seat, BRICK]), 1)
        value += weights[9] * ((near + wool + min(grain, 1)) / 4.0) ** 2
    value += weights[10] * ((wool + min(grain, 1) + min(ore, 1)) / 3.0) ** 2
    return float(value)


@kernel
def _growth(s: Any, seat: int, weights: Any) -> float:
    """Places to settle at the seat's roads, or one road further, which count half."""
    places = 0
    best = 0.0
    for vertex in range(VERTICES):
        if s.crowded[vertex] != 0:
            continue
        near = 1.0 if reaches(s, vertex, seat) else 0.0
        if near == 0.0:
            for k in range(3):
                other = np.int64(_VERTEX_VERTICES[vertex, k])
                if other >= 0 and may_pass(s, other, seat) and reaches(s, other, seat):
                    near = 0.5
        if near > 0.0:
            places += 1 if near == 1.0 else 0
            best = max(best, near * worth_of(s, vertex))
    return float(weights[5] * min(places, 3) + weights[6] * best)
