"""Narrow the actions that a search tree tries: the likeliest of each type, in one canonical order.

Two actions of a turn commute if both were legal before the first and neither changes the effect of
the other. Only one order of such a pair is searched: ascending action numbers, except that a
development card is bought first, since its outcome informs the rest of the turn.
"""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import rate_of
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.kernels import kernel

_EDGE_VERTICES = TOPOLOGY.edge_vertices
_COSTS = c.COSTS
_MAX_COST = int(_COSTS.max())  # cards of one resource

SETTLEMENTS_TRIED, ROADS_TRIED, TILES_TRIED, TRADES_TRIED = 12, 5, 6, 4
"""Actions tried per type. More spread 1,000 simulations too thinly: see notes/catan.md."""


@kernel
def narrow(s: Any, moves: Any, last: int) -> None:
    """Remove actions from a weighted list to reduce a tree's branching.

    Removes the least likely actions of each type, and actions that commute with `last`, the
    previous action of the same turn (-1: none), and precede it in the canonical order.
    """
    if last >= 0:
        _put_in_order(s, moves, last)
    if s.phase == c.SETTLE:
        _keep_likeliest(moves, c.SETTLEMENT_AT, c.CITY_AT, SETTLEMENTS_TRIED)
        return
    _keep_likeliest(moves, c.ROAD_AT, c.ROBBER_TO, ROADS_TRIED)
    _keep_likeliest(moves, c.ROBBER_TO, c.ROB, TILES_TRIED)
    _keep_likeliest(moves, c.PLAY_PLENTY, c.PLAY_PLENTY_ONE, TRADES_TRIED)
    _keep_likeliest(moves, c.MARITIME, c.DISCARD_ONE, TRADES_TRIED)


@kernel
def _keep_likeliest(moves: Any, first: int, end: int, most: int) -> None:
    """Keep at most `most` of the actions in [first, end): those with the greatest weights."""
    found = 0
    for index in range(moves.count):
        if first <= moves.actions[index] < end:
            found += 1
    while found > most:
        least = -1
        for index in range(moves.count):
            if first <= moves.actions[index] < end and (
                least < 0 or moves.probabilities[index] <= moves.probabilities[least]
            ):
                least = index
        moves.count -= 1
        for index in range(least, moves.count):
            moves.actions[index] = moves.actions[index + 1]
            moves.probabilities[index] = moves.probabilities[index + 1]
        found -= 1


@kernel
def _put_in_order(s: Any, moves: Any, last: int) -> None:
    if s.phase != c.MAIN or not (_is_building(last) or _is_maritime(last)):
        return
    if s.card_played and last >= c.ROAD_AT and last < c.ROBBER_TO:
        return  # it may have been a free road, before which no other action was legal
    kept = 0
    for index in range(moves.count):
        action = np.int64(moves.actions[index])
        if not (_comes_before(action, last) and _could_have_come(s, action, last)):
            moves.actions[kept] = action
            moves.probabilities[kept] = moves.probabilities[index]
            kept += 1
    moves.count = kept


@kernel
def _is_building(action: int) -> bool:
    return bool(action < c.ROBBER_TO)


@kernel
def _is_maritime(action: int) -> bool:
    return bool(action >= c.MARITIME and action < c.DISCARD_ONE)


@kernel
def _comes_before(action: int, last: int) -> bool:
    """Return whether an action precedes another in the canonical order."""
    if action == c.BUY_CARD:
        return True
    return bool((_is_building(action) or _is_maritime(action)) and action < last)


@kernel
def _could_have_come(s: Any, action: int, last: int) -> bool:
    """Return whether an action was legal before the last one, with the same effect."""
    if _is_maritime(last):
        given = (last - c.MARITIME) // c.KINDS
        taken = (last - c.MARITIME) % c.KINDS
        if _is_maritime(action) and (action - c.MARITIME) % c.KINDS == given:
            return False  # the bank may not have had it
        if _is_at_port(s, action):
            return False
        return s.hand[s.on_turn, taken] > _cost(s, action, taken)
    if _is_maritime(action):
        stock = s.bank[(action - c.MARITIME) % c.KINDS]
        return bool(stock > _MAX_COST and not _is_at_port(s, last))
    return action == c.BUY_CARD or not _touch(action, last)


@kernel
def _is_at_port(s: Any, action: int) -> bool:
    """Return whether an action builds a settlement at a port, which changes the bank's rates."""
    return bool(action < c.CITY_AT and s.vertex_port[action - c.SETTLEMENT_AT] > 0)


@kernel
def _cost(s: Any, action: int, resource: int) -> int:
    """Return the cards of a resource that an action costs the seat on turn."""
    if action < c.ROBBER_TO:
        thing = c.SETTLEMENT if action < c.CITY_AT else c.CITY if action < c.ROAD_AT else c.ROAD
        return int(_COSTS[thing, resource])
    if action == c.BUY_CARD:
        return int(_COSTS[c.CARD, resource])
    given = (action - c.MARITIME) // c.KINDS
    return rate_of(s, np.int64(s.on_turn), given) if given == resource else 0


@kernel
def _touch(one: int, other: int) -> bool:
    """Return whether two building actions share a vertex."""
    for a in range(2):
        for b in range(2):
            if _end(one, a) == _end(other, b):
                return True
    return False


@kernel
def _end(action: int, which: int) -> int:
    """Return a vertex of a building action: for a road, one of its two ends."""
    if action < c.CITY_AT:
        return action - c.SETTLEMENT_AT
    if action < c.ROAD_AT:
        return action - c.CITY_AT
    return int(np.int64(_EDGE_VERTICES[action - c.ROAD_AT, which]))
