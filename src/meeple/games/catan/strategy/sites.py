"""Sites where a seat may settle next: their distance, their production, and the best six."""

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

NUM_SITES, SITE_FEATURES = 6, 16
MAX_DISTANCE = 2  # roads still to be built to a site
_SETUP_DISTANCE = 3  # index of a site in the setup, where distance does not matter
_DISTANCE_FACTORS = np.array([1.0, 0.7, 0.45, 0.6])
"""Factors of a site's worth by its distance, to choose the best."""
_TIE_BREAKS = np.array([0.011, 0.0173, 0.0237, 0.0291, 0.0347])
"""By resource: so small that they decide only between sites of equal worth. The six chosen sites
are then the same in every orientation of the island."""
_PORT_TIE_BREAK, _OPPONENT_TIE_BREAK = 0.0019, 0.0007


class Reach(NamedTuple):
    """Sets of vertices, one bit per vertex."""

    free: int  # vertices where a settlement may be built
    touched: tuple[int, int, int, int]  # vertices that each seat's roads touch
    near: tuple[int, int, int, int]  # vertices that they would touch with one more road


@kernel
def touched_by_each(s: Any) -> Any:
    """Return the vertices that the roads of each of four seats touch, one bit per vertex."""
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
    """Return the vertices where a settlement may be built, one bit per vertex."""
    free = np.int64(0)
    for vertex in range(VERTICES):
        if s.crowded[vertex] == 0:
            free |= np.int64(1) << vertex
    return int(free)


@kernel
def within_one_road(s: Any, seat: int, found: int) -> int:
    """Return the vertices of `found`, and those that one more road of a seat reaches, as bits.

    A road continues over free edges, and not past an opponent's building.
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
    """Return the free vertices, and those that each seat's roads touch or nearly touch."""
    touched = touched_by_each(s)
    near = (
        within_one_road(s, 0, touched[0]),
        within_one_road(s, 1, touched[1]),
        within_one_road(s, 2, touched[2]),
        within_one_road(s, 3, touched[3]),
    )
    return Reach(free_vertices(s), touched, near)


@kernel
def find_sites(s: Any, seat: int, reach: Any, own: Any, counts: Any, sites: Any) -> None:
    """Find the best sites of a seat.

    Args:
        s: the state.
        seat: the seat.
        reach: from `reach_of`.
        own: the seat's features, of which the first ten are its production.
        counts: [6] output: by distance, the number of sites and the production of the best.
        sites: [6, 16] output: features of the best sites; the first is the worth, above 0 and
            without a unit. Empty rows are at the end.
    """
    for place in range(NUM_SITES):
        for index in range(SITE_FEATURES):
            sites[place, index] = 0.0
    left = np.uint64(reach.free)
    if not _may_go_anywhere(s, seat):
        left &= np.uint64(within_one_road(s, seat, np.int64(reach.near[seat])))
    while left:
        vertex = np.int64(lowest_bit(left))
        left &= left - np.uint64(1)
        _note_site(s, seat, vertex, reach, own, counts, sites)


@kernel
def _may_go_anywhere(s: Any, seat: int) -> bool:
    """Return whether a seat still has to settle in the setup."""
    return bool(s.setup < 2 * s.players and s.settlements[seat] > 3)


@kernel
def _distance(s: Any, seat: int, vertex: int, reach: Any) -> int:
    """Return the number of roads to be built to a site within the seat's reach."""
    if _may_go_anywhere(s, seat):
        return _SETUP_DISTANCE
    if (np.int64(reach.touched[seat]) >> vertex) & 1:
        return 0
    return 1 if (np.int64(reach.near[seat]) >> vertex) & 1 else MAX_DISTANCE


@kernel
def _note_site(
    s: Any, seat: int, vertex: int, reach: Any, own: Any, counts: Any, sites: Any
) -> None:
    """Count a site, and insert it among the best sites if it is one of them."""
    total, new, tie_break = 0.0, 0.0, 0.0
    for k in range(3):
        tile = np.int64(_VERTEX_TILES[vertex, k])
        if tile >= 0 and s.tile_number[tile] > 0:
            gained = ways(np.int64(s.tile_number[tile]))
            resource = np.int64(s.tile_resource[tile])
            total += gained
            tie_break += _TIE_BREAKS[resource] * gained
            if own[resource] + own[c.KINDS + resource] == 0.0:
                new += gained
    distance = _distance(s, seat, vertex, reach)
    if distance < _SETUP_DISTANCE:
        counts[distance] += 0.25
        counts[3 + distance] = max(counts[3 + distance], total / 15.0)
    port = np.int64(s.vertex_port[vertex])
    opponents = 0
    for other in range(s.players):
        opponents += ((reach.near[other] >> vertex) & 1) if other != seat else 0
    factor = _DISTANCE_FACTORS[distance]
    worth = (1.0 + total + 0.4 * new + (2.0 if port > 0 else 0.0)) * factor / 15.0
    worth += tie_break * 1e-3 + port * _PORT_TIE_BREAK - opponents * _OPPONENT_TIE_BREAK
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
    """Return the first empty row, else the row of the worst site if `worth` exceeds it, else -1."""
    least = 0
    for place in range(NUM_SITES):
        if sites[place, 0] == 0.0:
            return place
        if sites[place, 0] < sites[least, 0]:
            least = place
    return least if np.float32(worth) > sites[least, 0] else -1


@kernel
def _fill_site(s: Any, vertex: int, own: Any, site: Any) -> None:
    """Fill the features of a site's production and port."""
    for index in range(SITE_FEATURES):
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
