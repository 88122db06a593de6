"""Sensible actions with weights: what a quick player does, for rollouts and to keep trees small."""

from typing import Any

import numpy as np

from meeple.games.catan.heuristic import ways, worth_of
from meeple.games.catan.roads import owner_of, reaches
from meeple.games.catan.rules import legal
from meeple.games.catan.state import (
    ANSWER,
    BUY_CARD,
    CITY_AT,
    DISCARD_ONE,
    END_TURN,
    FREE_ROADS,
    GIVE,
    KINDS,
    MAIN,
    MARITIME,
    PLAY_KNIGHT,
    ROAD_AT,
    ROB,
    ROBBER_TO,
    ROLL_DICE,
    SETTLE,
    SETTLEMENT_AT,
    WANT,
)
from meeple.games.catan.topology import TOPOLOGY
from meeple.kernels import CHANCE, kernel

_TILE_VERTICES = TOPOLOGY.tile_vertices
_EDGE_VERTICES = TOPOLOGY.edge_vertices


@kernel
def prune(s: Any, moves: Any) -> None:
    """The legal actions but offers and counter-offers, each with a weight; outcomes as they are."""
    legal(s, moves)
    if s.to_move == CHANCE:
        return
    kept = 0
    for index in range(moves.count):
        action = np.int64(moves.actions[index])
        weight = _weight(s, action)
        if weight > 0.0:
            moves.actions[kept] = action
            moves.probabilities[kept] = weight
            kept += 1
    moves.count = kept


@kernel
def _weight(s: Any, action: int) -> float:
    """How often a quick player does this, in proportion."""
    phase = s.phase
    if action < CITY_AT:
        worth = worth_of(s, action - SETTLEMENT_AT)
        return worth**3 * 100.0 + 0.01 if phase == SETTLE else 40.0 + 100.0 * worth
    if action < ROAD_AT:
        return 60.0 + 100.0 * worth_of(s, action - CITY_AT)
    if action < ROBBER_TO:
        return _road_weight(s, action - ROAD_AT)
    if action < ROB:
        return _robber_weight(s, action - ROBBER_TO)
    if action < ROLL_DICE:
        return 1.0
    if action == ROLL_DICE:
        return 4.0
    if action == END_TURN:
        return 2.0
    if action == BUY_CARD:
        return 8.0
    if action < MARITIME:
        return 6.0 if action > PLAY_KNIGHT else 4.0
    if action < DISCARD_ONE:
        return _maritime_weight(s, (action - MARITIME) // KINDS, (action - MARITIME) % KINDS)
    if action < GIVE:
        return float(s.hand[s.to_move, action - DISCARD_ONE]) ** 2
    return 0.0 if phase in (MAIN, ANSWER) and action < WANT else 1.0


@kernel
def _road_weight(s: Any, edge: int) -> float:
    """More for a road that leads to a free place, much more where there is none to settle yet."""
    seat = np.int64(s.to_move)
    weight = 1.0
    for end in range(2):
        vertex = np.int64(_EDGE_VERTICES[edge, end])
        if s.crowded[vertex] == 0 and not reaches(s, vertex, seat):
            weight += 30.0 * worth_of(s, vertex)
    return weight if s.phase != FREE_ROADS or weight > 1.0 else 0.5


@kernel
def _robber_weight(s: Any, tile: int) -> float:
    """By what opponents produce there, and little where the seat itself does."""
    weight = 0.02
    own = False
    for k in range(6):
        vertex = np.int64(_TILE_VERTICES[tile, k])
        owner = owner_of(s, vertex)
        if owner == s.on_turn:
            own = True
        elif owner >= 0:
            weight += ways(np.int64(s.tile_number[tile])) * (2.0 if s.vertex[vertex] > 4 else 1.0)
    return 0.02 if own else weight


@kernel
def _maritime_weight(s: Any, give: int, take: int) -> float:
    """For what is lacking, out of what there is plenty of."""
    seat = np.int64(s.on_turn)
    lacking = 3.0 if s.hand[seat, take] == 0 else 0.5
    return lacking * (0.3 + 0.4 * float(max(0, int(s.hand[seat, give]) - 4)))
