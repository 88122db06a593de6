"""Heuristic value of a seat: production, variety, sites to settle, ports, cards and awards."""

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

_FIELD_BITS = 10  # bits per resource in `production_of`; 9 buildings, even cities, need fewer
_FIELD_MASK = (1 << _FIELD_BITS) - 1

FEATURES = (
    "points",
    "expected cards per roll",
    "variety: the sum over resources of the root of expected cards per roll",
    "expected cards per roll that the robber blocks",
    "expected cards per roll of resources that a port trades",
    "sites to settle at own roads, up to 3",
    "expected cards per roll of the best site at or near own roads",
    "cards in hand, up to 10",
    "progress of the hand towards a city",
    "progress of the hand towards a settlement",
    "progress of the hand towards a development card",
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
"""Weights of FEATURES; an evolution strategy found them by the wins of one greedy player against
three that draw actions by the weights of `prune`, without trade."""
CERTAINTY = 0.3
"""Inverse temperature: chances of winning are proportional to exp(CERTAINTY * value).

To one decimal, the value of greatest likelihood for the winners of 1,500 games of four greedy
players, at every stage but the first turns (0.5)."""


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Fill each seat's chance of winning: the softmax of CERTAINTY * value.

    If the payoff is by points, fill the expected share of points, so that payoffs and heuristic
    have one scale.
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
    """Turn chances of winning into expected shares of points.

    The winner is assumed to reach `victory_points`, the others to keep their points. So no position
    is worth more to a seat than an immediate win.
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
    """Return how many of the 36 rolls of two dice sum to a number; 0 for the desert."""
    return 6.0 - abs(number - 7) if number > 0 else 0.0


@kernel
def odds(number: int) -> float:
    """Return the probability of a sum of two dice; 0 for the desert."""
    return ways(number) / 36.0


@kernel
def expected_cards_at(s: Any, vertex: int) -> float:
    """Return the expected cards per roll of a settlement at a vertex."""
    expected = 0.0
    for k in range(3):
        tile = np.int64(_VERTEX_TILES[vertex, k])
        if tile >= 0:
            expected += odds(np.int64(s.tile_number[tile]))
    return expected


@kernel
def production_of(s: Any, seat: int) -> int:
    """Return a seat's production: 36 times the expected cards per roll of each resource.

    The numbers are packed in one integer, with _FIELD_BITS bits per resource. The robber is
    ignored.
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
                        owned += gained << (_FIELD_BITS * np.int64(s.tile_resource[tile]))
    return int(owned)


@kernel
def robbed_of(s: Any, seat: int) -> float:
    """Return the expected cards per roll of a seat that the robber blocks."""
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
    """Return the weighted sum of a seat's features."""
    value = weights[0] * points(s, seat)
    owned = production_of(s, seat)
    ports = np.int64(s.ports[seat])
    total = 0.0
    for resource in range(c.KINDS):
        expected = ((owned >> (_FIELD_BITS * resource)) & _FIELD_MASK) / 36.0
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
    """Return the weighted sum of the features of a seat's resource cards."""
    held = cards_of(s, seat)
    value = weights[7] * min(held, 10) + weights[11] * max(0, held - int(s.discard_limit))
    return float(value + _progress(s, seat, weights))


@kernel
def _progress(s: Any, seat: int, weights: Any) -> float:
    """Return the weighted squares of the fractions of each cost that the hand holds."""
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
    """Return the value of sites to settle at a seat's roads; those one road further count half."""
    touched = touched_by(s, seat)
    places = 0
    best = 0.0
    for vertex in range(VERTICES):
        if (touched >> vertex) & 1:
            if s.crowded[vertex] == 0:
                places += 1
                best = max(best, expected_cards_at(s, vertex))
            if may_pass(s, vertex, seat):
                for k in range(3):
                    other = np.int64(_VERTEX_VERTICES[vertex, k])
                    if other >= 0 and s.crowded[other] == 0 and not (touched >> other) & 1:
                        best = max(best, 0.5 * expected_cards_at(s, other))
    return float(weights[5] * min(places, 3) + weights[6] * best)
