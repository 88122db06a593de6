"""Roads: building sites, the longest trail of a seat, and the holder of the longest road."""

from typing import Any

import numpy as np

from meeple.games.catan.rules.state import (
    CITY_AT,
    MIN_LONGEST_ROAD,
    NO_SEAT,
    ROAD_AT,
    SETTLEMENT_AT,
)
from meeple.games.catan.rules.topology import EDGES, TOPOLOGY, VERTICES
from meeple.kernels import add, kernel

_EDGE_VERTICES = TOPOLOGY.edge_vertices
_VERTEX_EDGES = TOPOLOGY.vertex_edges
_ENDS_OF_EDGES: list[list[int]] = TOPOLOGY.edge_vertices.tolist()


@kernel
def owner_of(s: Any, vertex: int) -> int:
    """Return the seat whose building stands at a vertex; -1 if none does."""
    return (s.vertex[vertex] - 1) & 3 if s.vertex[vertex] > 0 else -1


@kernel
def may_pass(s: Any, vertex: int, seat: int) -> bool:
    """Return whether a seat's road may continue past a vertex: no opponent has built there."""
    owner = owner_of(s, vertex)
    return bool(owner < 0 or owner == seat)


@kernel
def reaches(s: Any, vertex: int, seat: int) -> bool:
    """Return whether one of the seat's roads touches a vertex."""
    for k in range(3):
        edge = _VERTEX_EDGES[vertex, k]
        if edge >= 0 and s.edge[edge] == seat + 1:
            return True
    return False


@kernel
def touched_by(s: Any, seat: int) -> int:
    """Return the vertices that a seat's roads touch, one bit each."""
    own = np.int8(seat + 1)
    touched = np.int64(0)
    for edge in range(EDGES):
        if s.edge[edge] == own:
            touched |= 1 << np.int64(_EDGE_VERTICES[edge, 0])
            touched |= 1 << np.int64(_EDGE_VERTICES[edge, 1])
    return int(touched)


@kernel
def road_ends(s: Any, seat: int, touched: int) -> int:
    """Return the vertices from which a seat may build a road, one bit each.

    These are its buildings, and the vertices that its roads touch without an opponent's building.
    """
    ends = np.int64(touched)
    for vertex in range(VERTICES):
        building = np.int64(s.vertex[vertex])
        if building > 0:
            bit = np.int64(1) << vertex
            ends = ends | bit if (building - 1) & 3 == seat else ends & ~bit
    return int(ends)


@kernel
def is_road_site(s: Any, edge: int, ends: int) -> bool:
    """Return whether a road may be built at an edge, costs aside; `ends` is from `road_ends`."""
    if s.edge[edge] != 0:
        return False
    one, other = np.int64(_EDGE_VERTICES[edge, 0]), np.int64(_EDGE_VERTICES[edge, 1])
    return bool(((ends >> one) | (ends >> other)) & 1)


@kernel
def add_road_sites(s: Any, moves: Any, touched: int) -> None:
    """Add the roads that the seat on turn may build; its roads touch the vertices `touched`."""
    ends = road_ends(s, np.int64(s.on_turn), touched)
    for edge in range(EDGES):
        if is_road_site(s, edge, ends):
            add(moves, ROAD_AT + edge)


@kernel
def add_settlement_sites(s: Any, moves: Any, touched: int) -> None:
    """Add the settlements that the seat on turn may build at its roads."""
    for vertex in range(VERTICES):
        if s.crowded[vertex] == 0 and (touched >> vertex) & 1:
            add(moves, SETTLEMENT_AT + vertex)


@kernel
def add_city_sites(s: Any, moves: Any) -> None:
    """Add the cities that the seat on turn may build in place of its settlements."""
    for vertex in range(VERTICES):
        if s.vertex[vertex] == 1 + s.on_turn:
            add(moves, CITY_AT + vertex)


def road_sites(s: Any, seat: int, touched: int) -> list[int]:
    """Return all edges of `is_road_site` for a seat, whose roads touch these vertices.

    For callers in plain Python, to whom a call of a kernel takes longer than its work.
    """
    ends = int(road_ends(s, seat, touched))
    ways = enumerate(zip(s.edge.tolist(), _ENDS_OF_EDGES, strict=True))
    return [edge for edge, (owner, (a, b)) in ways if not owner and (ends >> a | ends >> b) & 1]


@kernel
def has_road_site(s: Any, seat: int) -> bool:
    """Return whether a seat may build a road anywhere, costs and pieces aside."""
    ends = road_ends(s, seat, touched_by(s, seat))
    for edge in range(EDGES):
        if is_road_site(s, edge, ends):
            return True
    return False


@kernel
def longest_trail(s: Any, seat: int) -> int:
    """Return the length of a seat's longest trail.

    A trail uses each edge once, may revisit vertices, and does not pass an opponent's building. A
    longest trail that is not closed uses all roads at both its ends, since it could be extended
    otherwise. So it ends at a vertex of odd degree or at an opponent's building. A component
    without such a vertex is a closed trail, in which every start gives the same length.
    """
    touched = touched_by(s, seat)
    passed = np.int64(0)  # vertices that a search has reached
    longest = 0
    for ring in range(2):
        for start in range(VERTICES):
            if not (touched >> start) & 1:
                continue
            if (ring and not (passed >> start) & 1) or (not ring and _may_end(s, start, seat)):
                length, met = _longest_from(s, seat, start)
                longest = max(longest, length)
                passed |= met
    return longest


@kernel
def longest_trail_with(s: Any, seat: int, edge: int) -> int:
    """Return the length of a seat's longest trail after it built its latest road at `edge`.

    A trail that is longer than before contains this road. If an end of the road touches no other
    road of the seat, the trail ends there, and one search suffices.
    """
    for end in range(2):
        vertex = np.int64(_EDGE_VERTICES[edge, end])
        if roads_at(s, vertex, seat) == 1:
            length, _ = _longest_from(s, seat, vertex)
            return int(max(length, np.int64(s.road_length[seat])))
    return longest_trail(s, seat)


@kernel
def roads_at(s: Any, vertex: int, seat: int) -> int:
    """Return the number of a seat's roads at a vertex."""
    count = 0
    for k in range(3):
        edge = _VERTEX_EDGES[vertex, k]
        if edge >= 0 and s.edge[edge] == seat + 1:
            count += 1
    return count


@kernel
def _may_end(s: Any, vertex: int, seat: int) -> bool:
    """Return whether a longest trail may end at a vertex that the seat's roads touch."""
    return bool(roads_at(s, vertex, seat) & 1 or not may_pass(s, vertex, seat))


@kernel
def _longest_from(s: Any, seat: int, start: int) -> tuple[int, int]:
    """Return the length of the longest trail from a vertex, and the vertices reached, as bits.

    Depth-first search with an explicit stack in `s.trail`: row 0 holds the vertices of the trail,
    row 1 the number of edges tried at each. Edges of the trail are marked by a negative road.
    """
    own = np.int8(seat + 1)
    longest = 0
    met = np.int64(1) << start
    depth = 0
    s.trail[0, 0] = start
    s.trail[1, 0] = 0
    while depth >= 0:
        vertex = np.int64(s.trail[0, depth])
        k = np.int64(s.trail[1, depth])
        if k < 3 and (depth == 0 or may_pass(s, vertex, seat)):
            s.trail[1, depth] = k + 1
            edge = np.int64(_VERTEX_EDGES[vertex, k])
            if edge >= 0 and s.edge[edge] == own:
                s.edge[edge] = -own
                depth += 1
                longest = max(longest, depth)
                ends = np.int64(_EDGE_VERTICES[edge, 0]) + np.int64(_EDGE_VERTICES[edge, 1])
                s.trail[0, depth] = ends - vertex
                s.trail[1, depth] = 0
                met |= 1 << (ends - vertex)
        else:
            s.trail[0, depth] = 0
            s.trail[1, depth] = 0
            depth -= 1
            if depth >= 0:
                back = np.int64(s.trail[0, depth])
                s.edge[_VERTEX_EDGES[back, s.trail[1, depth] - 1]] = own
    return longest, int(met)


@kernel
def award_longest_road(s: Any) -> None:
    """Update the holder of the longest road; in a tie the present holder keeps it, if tied."""
    best = 0
    for seat in range(s.players):
        best = max(best, int(s.road_length[seat]))
    holder = np.int64(s.longest_road)
    if best >= MIN_LONGEST_ROAD and holder >= 0 and s.road_length[holder] == best:
        return
    s.longest_road = NO_SEAT
    if best < MIN_LONGEST_ROAD:
        return
    found = 0
    for seat in range(s.players):
        if s.road_length[seat] == best:
            s.longest_road = seat
            found += 1
    if found > 1:
        s.longest_road = NO_SEAT
