"""Roads: where one may be built, the longest trail, and who holds the longest road."""

from typing import Any

import numpy as np

from meeple.games.catan.state import LONGEST_AT_LEAST, NOBODY
from meeple.games.catan.topology import EDGES, TOPOLOGY, VERTICES
from meeple.kernels import kernel

_EDGE_VERTICES = TOPOLOGY.edge_vertices
_VERTEX_EDGES = TOPOLOGY.vertex_edges


@kernel
def owner_of(s: Any, vertex: int) -> int:
    """The seat whose building stands there, or -1."""
    return (s.vertex[vertex] - 1) & 3 if s.vertex[vertex] > 0 else -1


@kernel
def may_pass(s: Any, vertex: int, seat: int) -> bool:
    """Whether a road of this seat may go on beyond a vertex: no opponent has built there."""
    owner = owner_of(s, vertex)
    return bool(owner < 0 or owner == seat)


@kernel
def reaches(s: Any, vertex: int, seat: int) -> bool:
    """Whether one of the seat's roads touches a vertex."""
    for k in range(3):
        edge = _VERTEX_EDGES[vertex, k]
        if edge >= 0 and s.edge[edge] == seat + 1:
            return True
    return False


@kernel
def is_road_site(s: Any, edge: int, seat: int) -> bool:
    """Whether a seat may build a road there, costs and pieces aside."""
    if s.edge[edge] != 0:
        return False
    for end in range(2):
        vertex = _EDGE_VERTICES[edge, end]
        owner = owner_of(s, vertex)
        if owner == seat or (owner < 0 and reaches(s, vertex, seat)):
            return True
    return False


@kernel
def has_road_site(s: Any, seat: int) -> bool:
    """Whether a seat may build a road anywhere, costs and pieces aside."""
    for edge in range(EDGES):
        if is_road_site(s, edge, seat):
            return True
    return False


@kernel
def longest_trail(s: Any, seat: int) -> int:
    """The seat's longest trail: edges once, vertices often, not through an opponent's building.

    Depth-first from every vertex, by hand on `s.trail`: the vertices of the trail, and at each how
    many of its edges have been tried. Edges of the trail carry the seat's road as a negative.
    """
    own = np.int8(seat + 1)
    longest = 0
    for start in range(VERTICES):
        if not reaches(s, start, seat):
            continue
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
            else:
                s.trail[0, depth] = 0
                s.trail[1, depth] = 0
                depth -= 1
                if depth >= 0:
                    back = np.int64(s.trail[0, depth])
                    s.edge[_VERTEX_EDGES[back, s.trail[1, depth] - 1]] = own
    return longest


@kernel
def award_longest_road(s: Any) -> None:
    """Give the longest road to whom it belongs now; a tie keeps the holder, if it is among them."""
    best = 0
    for seat in range(s.players):
        best = max(best, int(s.road_length[seat]))
    holder = np.int64(s.longest_road)
    if best >= LONGEST_AT_LEAST and holder >= 0 and s.road_length[holder] == best:
        return
    s.longest_road = NOBODY
    if best < LONGEST_AT_LEAST:
        return
    found = 0
    for seat in range(s.players):
        if s.road_length[seat] == best:
            s.longest_road = seat
            found += 1
    if found > 1:
        s.longest_road = NOBODY
