"""The island of JSettlers' classic board: its coordinates and its layout.

Two diagonal axes give a tile, a vertex or an edge a number of two hexadecimal digits, one an axis
(R. S. Thomas, "Real-time decision making for adversarial environments using a plan-based
heuristic", 2003, appendix A). Tiles are listed in rows from the north west, with the sea around
them.
"""

from collections.abc import Sequence

from meeple.errors import MeepleError
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import Layout, layout_text
from meeple.games.catan.rules.topology import TOPOLOGY

_ROWS = (4, 5, 6, 7, 6, 5, 4)  # tiles of each row, the sea included
_FIRST = (0x17, 0x15, 0x13, 0x11, 0x31, 0x51, 0x71)  # of each row
_STEP = 0x22  # to the next tile of a row, eastwards
HEXES = tuple(
    start + _STEP * place
    for start, width in zip(_FIRST, _ROWS, strict=True)
    for place in range(width)
)
"""[37] coordinates of all tiles, in the order in which a layout lists them."""

_CORNERS = (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
"""From a tile to its vertices, clockwise from the north, as `TOPOLOGY.tile_vertices` has them."""

_RESOURCES = (c.BRICK, c.ORE, c.WOOL, c.GRAIN, c.WOOD)
"""Our resource of each of theirs, which are numbered from 1: clay, ore, sheep, wheat, wood."""

_DESERT, _SEA = 0, 6  # in a layout
_MISCELLANEOUS = range(7, 13)  # ports for any resource, facing 1 to 6 from the north east clockwise
_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)  # on the tile, by the number in a layout

TILE_AT = {
    0x22 * place + first: row
    for row, (first, place) in enumerate(
        (first, place)
        for first, width in zip((0x37, 0x35, 0x33, 0x53, 0x73), (3, 4, 5, 4, 3), strict=True)
        for place in range(width)
    )
}
"""Our number of a land tile, by its coordinate."""
VERTEX_AT = {
    coordinate + corner: int(TOPOLOGY.tile_vertices[tile, place])
    for coordinate, tile in TILE_AT.items()
    for place, corner in enumerate(_CORNERS)
}
"""Our number of a vertex, by its coordinate."""
_COORDINATES = {vertex: coordinate for coordinate, vertex in VERTEX_AT.items()}
EDGE_AT = {
    min(a >> 4, b >> 4) << 4 | min(a & 15, b & 15): edge
    for edge, (a, b) in enumerate(
        (_COORDINATES[int(a)], _COORDINATES[int(b)]) for a, b in TOPOLOGY.edge_vertices
    )
}
"""Our number of an edge, by its coordinate: the smaller digits of its vertices."""

TILE_COORDINATES = {tile: coordinate for coordinate, tile in TILE_AT.items()}
VERTEX_COORDINATES = _COORDINATES
EDGE_COORDINATES = {edge: coordinate for coordinate, edge in EDGE_AT.items()}


def ours(counts: Sequence[int]) -> list[int]:
    """Return their five counts of cards in our order of resources."""
    found = [0] * c.KINDS
    for resource, count in zip(_RESOURCES, counts, strict=True):
        found[resource] = int(count)
    return found


def theirs(counts: Sequence[int]) -> list[int]:
    """Return our five counts of cards in their order of resources."""
    return [int(counts[resource]) for resource in _RESOURCES]


def our_resource(number: int) -> int:
    """Return our number of their resource. Raises MeepleError if there is none."""
    if not 1 <= number <= c.KINDS:
        raise MeepleError(f"the server sent a resource that is not in Catan: {number}")
    return _RESOURCES[number - 1]


def their_resource(resource: int) -> int:
    """Return their number of our resource."""
    return _RESOURCES.index(resource) + 1


def layout(hexes: Sequence[int], numbers: Sequence[int]) -> str:
    """Return the island of a layout, for the option `board`.

    Args:
        hexes: [37] resource of each tile, or the port of each tile of the sea.
        numbers: [37] number of each tile.

    Raises:
        MeepleError: this is not the classic island.
    """
    try:
        return _layout(hexes, numbers)
    except (IndexError, KeyError, ValueError):
        raise MeepleError("the server sent an island that is not the classic one") from None


def _layout(hexes: Sequence[int], numbers: Sequence[int]) -> str:
    tiles, tokens = [c.DESERT] * len(TILE_AT), [0] * len(TILE_AT)
    edges, ports = [], []
    for coordinate, what, number in zip(HEXES, hexes, numbers, strict=True):
        if coordinate in TILE_AT:
            tile = TILE_AT[coordinate]
            if what != _DESERT:
                tiles[tile], tokens[tile] = our_resource(what), _NUMBERS[number]
        elif what != _SEA:
            any_kind = what in _MISCELLANEOUS
            facing = what - _MISCELLANEOUS.start if any_kind else (what >> 4) - 1
            edges.append(_coast_edge(coordinate, facing))
            ports.append(c.ANY_PORT if any_kind else 2 + our_resource(what & 15))
    return layout_text(Layout(tuple(tiles), tuple(tokens), tuple(edges), tuple(ports)))


def _coast_edge(coordinate: int, facing: int) -> int:
    """Return the edge between a tile of the sea and its neighbour: 0 north east, clockwise."""
    a, b = (coordinate + _CORNERS[(facing + side) % 6] for side in (0, 1))
    return EDGE_AT[min(a >> 4, b >> 4) << 4 | min(a & 15, b & 15)]
