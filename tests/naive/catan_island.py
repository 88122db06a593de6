"""The island of Catan: legal sites of buildings and roads, by the rule book, on plain sets.

Only the package's tables of adjacency are used; tiles, vertices and edges have the numbers of these
tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from meeple.games.catan.rules.topology import NONE, TOPOLOGY


def _table(rows: Any) -> list[list[int]]:
    return [[int(n) for n in row if n != NONE] for row in rows]


TILE_VERTICES = _table(TOPOLOGY.tile_vertices)
VERTEX_TILES = _table(TOPOLOGY.vertex_tiles)
VERTEX_EDGES = _table(TOPOLOGY.vertex_edges)
VERTEX_VERTICES = _table(TOPOLOGY.vertex_vertices)
EDGE_VERTICES = _table(TOPOLOGY.edge_vertices)


@dataclass
class Layout:
    """The island of one game."""

    tiles: list[int | None]  # 19: a resource, None the desert
    numbers: list[int | None]  # 19: 2 to 12 without 7, None on the desert
    ports: dict[int, int | None]  # coast edge to the resource of a 2:1 port, None a 3:1 port


def yields(layout: Layout, resource: int, total: int, robber: int | None) -> list[set[int]]:
    """Return the corners of each tile that yields this resource at this sum of the dice."""
    return [
        set(TILE_VERTICES[tile])
        for tile in range(19)
        if layout.tiles[tile] == resource and layout.numbers[tile] == total and tile != robber
    ]


def settlement_sites(built: set[int], roads: set[int] | None = None) -> set[int]:
    """Return free vertices without neighbouring buildings, on one of the roads unless None."""
    return {
        vertex
        for vertex in range(54)
        if vertex not in built
        and not built & set(VERTEX_VERTICES[vertex])
        and (roads is None or roads & set(VERTEX_EDGES[vertex]))
    }


def road_sites(
    roads: set[int], buildings: set[int], their_roads: set[int], their_buildings: set[int]
) -> set[int]:
    """Return free edges at an own building, or at a road's end without an opponent's building."""
    reached = {vertex for edge in roads for vertex in EDGE_VERTICES[edge]}
    starts = buildings | (reached - their_buildings)
    free = set(range(72)) - roads - their_roads
    return {edge for edge in free if starts & set(EDGE_VERTICES[edge])}


def harbour_rate(resource: int, buildings: set[int], ports: dict[int, int | None]) -> int:
    """Return the number of cards for one of the bank's, at the best own port."""
    own = [port for edge, port in ports.items() if buildings & set(EDGE_VERTICES[edge])]
    if resource in own:
        return 2
    return 3 if None in own else 4


def longest_trail(roads: set[int], theirs: set[int]) -> int:
    """Return the length of the longest trail; opponents' buildings may only be at its ends."""

    def onwards(vertex: int, used: set[int]) -> int:
        if used and vertex in theirs:
            return len(used)
        best = len(used)
        for edge in VERTEX_EDGES[vertex]:
            if edge in roads and edge not in used:
                far = sum(EDGE_VERTICES[edge]) - vertex
                best = max(best, onwards(far, used | {edge}))
        return best

    return max(onwards(vertex, set()) for vertex in range(54))
