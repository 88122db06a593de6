"""Places where a seat may settle next: how far they are, what they give, and the best six."""

from typing import Any, NamedTuple

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.roads import may_pass
from meeple.games.catan.rules.topology import EDGES, TOPOLOGY, VERTICES
from meeple.games.catan.strategy.heuristic import ways
from meeple.kernels import kernel, lowest_bit

_VERTEX_TILES = TOPOLOGY.vertex_tiles
_EDGE_VERTICES = TOPOLOGY.edge_vertices
_VERTEX_EDGES = TOPOLOGY.vertex_edges
_VERTEX_VERTICES = TOPOLOGY.vertex_vertices

SITES, SITE = 6, 16
FAR = 2  # roads still to be built to a site, at most
_ANYWHERE = 3  # the distance of a site in the setup
_NEARNESS = np.array([1.0, 0.7, 0.45, 0.6])
"""What a site is worth by its distance, to choose the best."""
_ODDITY = np.array([0.011, 0.0173, 0.0237, 0.0291, 0.0347])
"""So small that it decides only between sites of equal worth, which differ in their resources: the
six are then the same ones however the island is turned."""
_PORT_ODDITY, _OPPONENT_ODDITY = 0.0019, 0.0007


class Reach(NamedTuple):
    """Sets of vertices, a bit each."""

    free: int  # where a settlement may stand
    touched: tuple[int, int, int, int]  # by each seat's roads
    near: tuple[int, int, int, int]  # by each seat's roads and one more


@kernel
def touched_by_each(s: Any) -> Any:
    """The vertices that each seat's roads touch, a bit each, for four seats."""
    one, two, three, four = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for edge in range(EDGES):
        road = s.edge[edge]
        if road != 0:
            ends = np.int64(1) << np.int64(_EDGE_VERTICES[edge, 0])
            ends |= np.int64(1) << np.int64(_EDGE_VERTICES[edge, 1])
            if road == 1:
                one |= ends
            elif road == 2:
                two |= ends
            elif road == 3:
                three |= ends
            else:
                four |= ends
    return one, two, three, four


@kernel
def free_vertices(s: Any) -> int:
    """Where a settlement may stand, a bit each."""
    free = np.int64(0)
    for vertex in range(VERTICES):
        if s.crowded[vertex] == 0:
            free |= np.int64(1) << vertex
    return int(free)


@kernel
def one_further(s: Any, seat: int, found: int) -> int:
    """The vertices that a seat touches, and those it would with one road more, a bit each.

    A road goes on over free edges, and not through an opponent's building.
    """
    more = np.int64(found)
    left = np.uint64(found)
    while left:
        vertex = np.int64(lowest_bit(left))
        left &= left - np.uint64(1)
        if may_pass(s, vertex, seat):
            for k in range(3):
                edge = np.int64(_VERTEX_EDGES[vertex, k])
                if edge >= 0 and s.edge[edge] == 0:
                    more |= np.int64(1) << np.int64(_VERTEX_VERTICES[vertex, k])
    return int(more)


@kernel
def reach_of(s: Any) -> Any:
    """Where each seat's roads lead."""
    touched = touched_by_each(s)
    near = (
        one_further(s, 0, touched[0]),
        one_further(s, 1, touched[1]),
        one_further(s, 2, touched[2]),
        one_further(s, 3, touched[3]),
    )
    return Reach(free_vertices(s), touched, near)


@kernel
def find_sites(s: Any, seat: int, reach: Any, own: Any, counts: Any, sites: Any) -> None:
    """Fill the best sites [6, 16] of a seat, and in `counts` how many there are and the best ones.

    `own` has what the seat produces. A site's first number is its worth, which is above 0, in what
    unit does not matter; empty places come last.
    """
    for place in range(SITES):
        for index in range(SITE):
            sites[place, index] = 0.0
    left = np.uint64(reach.free)
    if not _may_go_anywhere(s, seat):
        left &= np.uint64(one_further(s, seat, np.int64(reach.near[seat])))
    while left:
        vertex = np.int64(lowest_bit(left))
        left &= left - np.uint64(1)
        _note_site(s, seat, vertex, reach, own, counts, sites)


@kernel
def _may_go_anywhere(s: Any, seat: int) -> bool:
    """Whether a seat has still to settle in the setup."""
    return bool(s.setup < 2 * s.players and s.settlements[seat] > 3)


@kernel
def _distance(s: Any, seat: int, vertex: int, reach: Any) -> int:
    """Roads to be built to a site that the seat can come to."""
    if _may_go_anywhere(s, seat):
        return _ANYWHERE
    if (np.int64(reach.touched[seat]) >> vertex) & 1:
        return 0
    return 1 if (np.int64(reach.near[seat]) >> vertex) & 1 else FAR


@kernel
def _note_site(
    s: Any, seat: int, vertex: int, reach: Any, own: Any, counts: Any, sites: Any
) -> None:
    """Count a site, and put it among the best if it is one of them."""
    total, new, oddity = 0.0, 0.0, 0.0
    for k in range(3):
        tile = np.int64(_VERTEX_TILES[vertex, k])
        if tile >= 0 and s.tile_number[tile] > 0:
            gained = ways(np.int64(s.tile_number[tile]))
            resource = np.int64(s.tile_resource[tile])
            total += gained
            oddity += _ODDITY[resource] * gained
            if own[resource] + own[c.KINDS + resource] == 0.0:
                new += gained
    distance = _distance(s, seat, vertex, reach)
    if distance < _ANYWHERE:
        counts[distance] += 0.25
        counts[3 + distance] = max(counts[3 + distance], total / 15.0)
    port = np.int64(s.vertex_port[vertex])
    opponents = 0
    for other in range(s.players):
        opponents += ((reach.near[other] >> vertex) & 1) if other != seat else 0
    worth = (1.0 + total + 0.4 * new + (2.0 if port > 0 else 0.0)) * _NEARNESS[distance] / 15.0
    worth += oddity * 1e-3 + port * _PORT_ODDITY - opponents * _OPPONENT_ODDITY
    place = _place_for(sites, worth)
    if place >= 0:
        _fill_site(s, vertex, own, sites[place])
        sites[place, 0] = worth
        sites[place, 6] = total / 15.0
        sites[place, 7] = new / 10.0
        sites[place, 11 + distance] = 1.0
        sites[place, 15] = opponents / 2.0


@kernel
def _place_for(sites: Any, worth: float) -> int:
    """The first empty place, or that of the least worth if it is below; -1 where there is none."""
    least = 0
    for place in range(SITES):
        if sites[place, 0] == 0.0:
            return place
        if sites[place, 0] < sites[least, 0]:
            least = place
    return least if np.float32(worth) > sites[least, 0] else -1


@kernel
def _fill_site(s: Any, vertex: int, own: Any, site: Any) -> None:
    """What a site gives, and its port."""
    for index in range(SITE):
        site[index] = 0.0
    for k in range(3):
        tile = np.int64(_VERTEX_TILES[vertex, k])
        if tile >= 0 and s.tile_number[tile] > 0:
            resource = np.int64(s.tile_resource[tile])
            site[1 + resource] += ways(np.int64(s.tile_number[tile])) / 5.0
    port = np.int64(s.vertex_port[vertex])
    if port == c.ANY_PORT:
        site[8] = 1.0
    elif port > c.ANY_PORT:
        site[9] = 1.0
        site[10] = own[port - 2]
