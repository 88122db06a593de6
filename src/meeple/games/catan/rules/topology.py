"""The island's topology: which tiles, vertices and edges touch, derived from hexagon coordinates.

Tiles are hexagons with pointed tops in rows of 3, 4, 5, 4 and 3. Tiles, vertices and edges are
numbered in reading order: row by row from the top, from left to right. Coordinates are exact: the
units are half a hexagon's width across and a quarter of its height down, in which every corner has
integer coordinates.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

RADIUS = 2  # tiles between the middle one and the coast
TILES, VERTICES, EDGES, PORTS = 19, 54, 72, 9
NONE = -1  # filler of the tables

Index = npt.NDArray[np.int8]
Point = tuple[int, int]  # (down, across)

_CORNERS: tuple[Point, ...] = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))
"""Offsets of a tile's corners from its centre, clockwise from the top."""

PORT_GAPS = (3, 4, 3, 3, 4, 3, 3, 4, 3)
"""Coast edges from each port to the next, clockwise; the sum is the 30 edges of the coast."""


class Topology(NamedTuple):
    """Incidence tables; short rows are filled with NONE at their end."""

    tile_vertices: Index  # [19, 6] clockwise from the top corner
    tile_edges: Index  # [19, 6] clockwise, from the upper right edge
    tile_tiles: Index  # [19, 6] the neighbour across each of those edges, NONE at the coast
    vertex_tiles: Index  # [54, 3]
    vertex_edges: Index  # [54, 3]
    vertex_vertices: Index  # [54, 3] the other end of each of those edges
    edge_vertices: Index  # [72, 2] the lower number first
    coast: Index  # [30] the coast's edges, clockwise from the top left tile's upper left edge
    port_edges: Index  # [9] where the ports are, clockwise
    spiral: Index  # [19] tiles from the top left one anticlockwise along the coast and inwards
    tile_points: npt.NDArray[np.int16]  # [19, 2] centres: (down, across) from the island's centre
    vertex_points: npt.NDArray[np.int16]  # [54, 2] in the same coordinates


def _tile_centres() -> list[Point]:
    """Return the tiles' centres in reading order."""
    centres = []
    for row in range(-RADIUS, RADIUS + 1):
        width = 2 * RADIUS + 1 - abs(row)
        centres += [(3 * row, 2 * place - (width - 1)) for place in range(width)]
    return centres


def _derive() -> Topology:
    centres = _tile_centres()
    corners = [[(y + dy, x + dx) for dy, dx in _CORNERS] for y, x in centres]
    points = sorted({point for six in corners for point in six})
    number = {point: vertex for vertex, point in enumerate(points)}
    tile_vertices = [[number[point] for point in six] for six in corners]
    sides = [[tuple(sorted((six[i], six[(i + 1) % 6]))) for i in range(6)] for six in tile_vertices]
    # In reading order of their midpoints.
    edges = sorted(
        {side for six in sides for side in six},
        key=lambda side: [sum(values) for values in zip(*(points[v] for v in side), strict=True)],
    )
    edge_number = {side: edge for edge, side in enumerate(edges)}
    tile_edges = [[edge_number[side] for side in six] for six in sides]
    edge_tiles = _containing(tile_edges, len(edges))
    tile_tiles = [
        [next((other for other in edge_tiles[edge] if other != tile), NONE) for edge in six_edges]
        for tile, six_edges in enumerate(tile_edges)
    ]
    vertex_edges = _containing(edges, len(points))
    vertex_vertices = [[sum(edges[e]) - v for e in vertex_edges[v]] for v in range(len(points))]
    coast = _coast(tile_vertices, tile_edges, edge_tiles)
    at = np.cumsum((0, *PORT_GAPS))[:-1]
    return Topology(
        tile_vertices=_table(tile_vertices, 6),
        tile_edges=_table(tile_edges, 6),
        tile_tiles=_table(tile_tiles, 6),
        vertex_tiles=_table(_containing(tile_vertices, len(points)), 3),
        vertex_edges=_table(vertex_edges, 3),
        vertex_vertices=_table(vertex_vertices, 3),
        edge_vertices=_table([list(side) for side in edges], 2),
        coast=np.array(coast, dtype=np.int8),
        port_edges=np.array(coast, dtype=np.int8)[at],
        spiral=np.array(_spiral(tile_tiles), dtype=np.int8),
        tile_points=np.array(centres, dtype=np.int16),
        vertex_points=np.array(points, dtype=np.int16),
    )


def _containing(groups: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """Return, for each of `count` numbers, the groups that contain it, in order."""
    return [[at for at, group in enumerate(groups) if number in group] for number in range(count)]


def _coast(
    tile_vertices: list[list[int]], tile_edges: list[list[int]], edge_tiles: list[list[int]]
) -> list[int]:
    """Return the edges that belong to one tile only, clockwise from tile 0's upper left edge."""
    after = {}  # first corner of each coast edge, clockwise: the edge and its second corner
    for tile, six in enumerate(tile_edges):
        for place, edge in enumerate(six):
            if len(edge_tiles[edge]) == 1:
                second = tile_vertices[tile][(place + 1) % 6]
                after[tile_vertices[tile][place]] = edge, second
    corner = tile_vertices[0][5]
    coast = []
    for _ in after:
        edge, corner = after[corner]
        coast.append(edge)
    return coast


def _spiral(tile_tiles: list[list[int]]) -> list[int]:
    """Return all tiles from tile 0, anticlockwise along the coast and then inwards."""
    found, tile, direction = [0], 0, 3  # towards the lower left
    while len(found) < TILES:
        for turn in range(3):  # straight on if possible, otherwise left, which is anticlockwise
            side = (direction - turn) % 6
            ahead = tile_tiles[tile][side]
            if ahead != NONE and ahead not in found:
                found.append(ahead)
                tile, direction = ahead, side
                break
        else:
            raise AssertionError("the spiral cannot continue")
    return found


def _table(rows: list[list[int]], width: int) -> Index:
    filled = [[*row, *[NONE] * (width - len(row))] for row in rows]
    return np.array(filled, dtype=np.int8)


TOPOLOGY = _derive()
