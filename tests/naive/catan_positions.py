"""Positions of Catan set up by hand, for tests of the oracle."""

from meeple.games.catan.rules.topology import TOPOLOGY
from tests.naive.catan import BRICK, GRAIN, ORE, WOOD, WOOL, NaiveCatan
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


def in_turn(**options):
    """Return a game after the dice of player 0, on an empty island."""
    game = NaiveCatan(LAYOUT, **options)
    game.phase, game.setup, game.rolled = "main", [], True
    return game


def deal(game, seat, **cards):
    for name, count in cards.items():
        resource = ("wood", "brick", "wool", "grain", "ore").index(name)
        game.hands[seat][resource] += count
        game.bank[resource] -= count


def words(game):
    return {action[0] for action in game.legal()}


def build_roads(game, seat, edges):
    """Build and pay for roads of a seat, then return the turn."""
    back, game.on_turn = game.on_turn, seat
    for edge in edges:
        deal(game, seat, wood=1, brick=1)
        game.play(("road", edge))
    game.on_turn = back


def roll(game, total):
    game.phase, game.rolled = "dice", False
    game.play(("dice", total))


def tile_of(resource, number):
    pairs = list(zip(LAYOUT.tiles, LAYOUT.numbers, strict=True))
    return pairs.index((resource, number))
