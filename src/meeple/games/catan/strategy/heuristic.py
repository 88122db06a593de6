"""How good a seat's game looks: production, variety, places to grow, ports, cards and races."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of, points
from meeple.games.catan.rules.roads import may_pass, touched_by
from meeple.games.catan.rules.topology import TOPOLOGY, VERTICES
from meeple.kernels import kernel

_TILE_VERTICES = TOPOLOGY.tile_vertices
_VERTEX_TILES = TOPOLOGY.vertex_tiles
_VERTEX_VERTICES = TOPOLOGY.vertex_vertices

_FIELD = 10  # bits of a resource in `production_of`: 9 buildings, cities even, make less
_FIELD_MASK = (1 << _FIELD) - 1

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
CERTAINTY = 0.3
"""Shares of winning go with exp(CERTAINTY * value): to a tenth what explains best who won 1,500
games of four greedy players, at every stage but the first turns (0.5)."""


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Each seat's chance of winning by its value: exp(CERTAINTY * value) over the sum of all.

    If points are shared, its expected share of them instead: payoffs and heuristic have one scale.
    """
    best = -1e9
    for seat in range(s.players):
        out[seat] = value_of(s, seat, WEIGHTS)
        best = max(best, out[seat])
    total = 0.0
    for seat in range(s.players):
        out[seat] = np.exp(CERTAINTY * (out[seat] - best))
        total += out[seat]
    for seat in range(s.players):
        out[seat] /= total
    if s.by_points:
        _share_points(s, out)


@kernel
def _share_points(s: Any, out: Any) -> None:
    """Turn chances of winning into shares of points.

    The winner gets to `victory_points`, the others keep what they have. So no position is worth
    more to a seat than an immediate win.
    """
    total = 0.0
    for seat in range(s.players):
        have = points(s, seat)
        out[seat] = have + out[seat] * max(s.victory_points - have, 0)
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
def production_of(s: Any, seat: int) -> int:
    """Throws out of 36, times cards, that give a seat each resource: ten bits a resource.

    The desert's field stays 0. The robber is left aside.
    """
    owned = np.int64(0)
    for vertex in range(VERTICES):
        building = np.int64(s.vertex[vertex])
        if building > 0 and (building - 1) & 3 == seat:
            cards = 2 if building > 4 else 1
            for k in range(3):
                tile = np.int64(_VERTEX_TILES[vertex, k])
                if tile >= 0:
                    number = np.int64(s.tile_number[tile])
                    if number > 0:
                        gained = cards * (6 - abs(number - 7))
                        owned += gained << (_FIELD * np.int64(s.tile_resource[tile]))
    return int(owned)


@kernel
def robbed_of(s: Any, seat: int) -> float:
    """Cards that a seat can expect from a throw, were it not for the robber."""
    if s.robber < 0 or s.tile_number[s.robber] == 0:
        return 0.0
    cards = 0
    for k in range(6):
        building = np.int64(s.vertex[_TILE_VERTICES[s.robber, k]])
        if building > 0 and (building - 1) & 3 == seat:
            cards += 2 if building > 4 else 1
    return cards * odds(np.int64(s.tile_number[s.robber]))


@kernel
def value_of(s: Any, seat: int, weights: Any) -> float:
    """A seat's features, weighted."""
    value = weights[0] * points(s, seat)
    owned = production_of(s, seat)
    ports = np.int64(s.ports[seat])
    total = 0.0
    for resource in range(c.KINDS):
        expected = ((owned >> (_FIELD * resource)) & _FIELD_MASK) / 36.0
        total += expected
        value += weights[2] * np.sqrt(expected)
        if ports & (1 << (2 + resource)):
            value += weights[4] * expected
    value += weights[1] * total
    if ports & 2:
        value += weights[4] * 0.3 * total
    value += weights[3] * robbed_of(s, seat)
    if s.settlements[seat] > 0:
        value += _growth(s, seat, weights)
    value += hand_value(s, seat, weights)
    cards = 0
    for card in range(c.KINDS):
        cards += int(s.cards[seat, card]) if card != c.VICTORY_POINT else 0
    value += weights[12] * min(cards, 4)
    value += weights[13] * min(int(s.played[seat, c.KNIGHT]), 5)
    value += weights[14] * min(int(s.road_length[seat]), 10)
    if s.on_turn == seat:
        value += weights[15]
    return float(value)


@kernel
def hand_value(s: Any, seat: int, weights: Any) -> float:
    """What a seat's resource cards are worth, by their features."""
    held = cards_of(s, seat)
    value = weights[7] * min(held, 10) + weights[11] * max(0, held - int(s.discard_limit))
    return float(value + _progress(s, seat, weights))


@kernel
def _progress(s: Any, seat: int, weights: Any) -> float:
    """Squares of the shares that the hand holds of what things cost."""
    value = 0.0
    grain, ore = int(s.hand[seat, c.GRAIN]), int(s.hand[seat, c.ORE])
    wool = min(int(s.hand[seat, c.WOOL]), 1)
    if s.cities[seat] > 0 and s.settlements[seat] < 5:
        value += weights[8] * ((min(grain, 2) + min(ore, 3)) / 5.0) ** 2
    if s.settlements[seat] > 0:
        near = min(int(s.hand[seat, c.WOOD]), 1) + min(int(s.hand[seat, c.BRICK]), 1)
        value += weights[9] * ((near + wool + min(grain, 1)) / 4.0) ** 2
    value += weights[10] * ((wool + min(grain, 1) + min(ore, 1)) / 3.0) ** 2
    return float(value)


@kernel
def _growth(s: Any, seat: int, weights: Any) -> float:
    """Places to settle at the seat's roads, or one road further, which count half."""
    touched = touched_by(s, seat)
    places = 0
    best = 0.0
    for vertex in range(VERTICES):
        if (touched >> vertex) & 1:
            if s.crowded[vertex] == 0:
                places += 1
                best = max(best, worth_of(s, vertex))
            if may_pass(s, vertex, seat):
                for k in range(3):
                    other = np.int64(_VERTEX_VERTICES[vertex, k])
                    if other >= 0 and s.crowded[other] == 0 and not (touched >> other) & 1:
                        best = max(best, 0.5 * worth_of(s, other))
    return float(weights[5] * min(places, 3) + weights[6] * best)
