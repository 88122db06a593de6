"""The island of JSettlers: coordinates and layouts."""

import json

import pytest

from meeple.errors import MeepleError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple_jsettlers import board

# As a server sent it; its robber stood at 117, the desert.
HEXES = [9, 6, 66, 6, 6, 4, 5, 3, 10, 36, 1, 2, 3, 1, 6, 6, 4, 2, 1, 2, 5, 81, 35, 5, 0, 3, 5]
HEXES += [6, 6, 3, 4, 4, 12, 7, 6, 101, 6]
NUMBERS = [-1, -1, -1, -1, -1, 3, 0, 4, -1, -1, 7, 6, 2, 1, -1, -1, 5, 1, 8, 3, 5, -1, -1, 2, -1]
NUMBERS += [4, 7, -1, -1, 8, 9, 6, -1, -1, -1, -1, -1]


def test_every_tile_vertex_and_edge_has_one_coordinate():
    assert sorted(board.TILE_AT.values()) == list(range(19))
    assert sorted(board.VERTEX_AT.values()) == list(range(54))
    assert sorted(board.EDGE_AT.values()) == list(range(72))


def test_the_coast_edges_of_the_classic_board_are_those_of_its_ports():
    """The nine coordinates of the classic ports, from the northwest clockwise."""
    ports = (0x27, 0x5A, 0x9C, 0xCC, 0xC9, 0xA5, 0x72, 0x42, 0x24)
    assert {board.EDGE_AT[port] for port in ports} == set(TOPOLOGY.port_edges.tolist())


def test_a_layout_becomes_the_island_of_a_game():
    text = board.layout(HEXES, NUMBERS)
    found = json.loads(text)
    assert found["tiles"][:4] == ["grain 5", "wood 2", "wool 6", "brick 10"]
    assert found["tiles"][board.TILE_AT[117]] == "desert"
    assert found["ports"]["0"] == "any"
    assert found["ports"]["3"] == "ore"
    assert Catan(board=text).start(0).to_move == 0


@pytest.mark.parametrize(
    ("hexes", "numbers"),
    [
        (HEXES[:-1], NUMBERS),
        ([9] * 37, NUMBERS),
        (HEXES, [12] * 37),
        ([255, *HEXES[1:]], NUMBERS),
    ],
    ids=["too short", "ports on land", "no such number", "no such port"],
)
def test_another_island_is_refused_with_a_sentence(hexes, numbers):
    with pytest.raises(MeepleError, match=r"not the classic one|not in Catan"):
        board.layout(hexes, numbers)


def test_cards_are_counted_in_both_orders():
    assert board.ours([1, 2, 3, 4, 5]) == [5, 1, 3, 4, 2]
    assert board.theirs(board.ours([1, 2, 3, 4, 5])) == [1, 2, 3, 4, 5]
    assert [board.their_resource(board.our_resource(one)) for one in range(1, 6)] == [*range(1, 6)]
