"""A fixed island of Catan, with its coast, for positions that are set up by hand."""

from meeple.games.catan.rules.topology import TOPOLOGY
from tests.naive.catan import BRICK, GRAIN, ORE, WOOD, WOOL
from tests.naive.catan_island import EDGE_VERTICES, Layout

PORTS = [int(edge) for edge in TOPOLOGY.port_edges]
DESERT = 9  # the middle tile
LANDS = [WOOD, BRICK, WOOL, GRAIN, ORE] * 3 + [WOOD, WOOL, GRAIN]
NUMBERS = [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12]
LAYOUT = Layout(
    tiles=[*LANDS[:DESERT], None, *LANDS[DESERT:]],
    numbers=[*NUMBERS[:DESERT], None, *NUMBERS[DESERT:]],
    ports=dict(zip(PORTS, [None, WOOD, BRICK, WOOL, GRAIN, ORE, None, None, None], strict=True)),
)
RING = [int(edge) for edge in TOPOLOGY.coast]  # the coast, clockwise
CORNERS = [set(EDGE_VERTICES[e]) for e in RING]
SHORE = [(CORNERS[i - 1] & CORNERS[i]).pop() for i in range(len(RING))]  # where each edge begins


def tile_of(resource, number):
    pairs = list(zip(LAYOUT.tiles, LAYOUT.numbers, strict=True))
    return pairs.index((resource, number))
