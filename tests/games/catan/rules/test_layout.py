"""Boards: generated boards follow the rules, and invalid layouts are refused."""

import json
from typing import Any

import numpy as np
import pytest

from meeple.errors import OptionError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import BEGINNER, NUMBERS, PORT_COUNTS, TILE_COUNTS, layout_text
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.registry import make

GOOD = json.loads(layout_text(BEGINNER))
FIRST_PORT, *_, LAST_PORT = GOOD["ports"]


@pytest.mark.parametrize("board", ["random", "balanced"])
def test_generated_boards_follow_the_rules_and_depend_on_the_seed(board):
    game = Catan(board=board)
    seen = set()
    for seed in range(40):
        s = game.start(seed).state
        tiles, numbers = s.tile_resource.tolist(), s.tile_number.tolist()
        assert np.bincount(tiles).tolist() == list(TILE_COUNTS)
        assert sorted(numbers) == sorted([0, *NUMBERS.tolist()])
        assert numbers[tiles.index(c.DESERT)] == 0
        assert s.robber == tiles.index(c.DESERT)
        kinds = np.bincount(s.vertex_port, minlength=7).tolist()
        assert kinds[1:] == [2 * count for count in PORT_COUNTS[1:]]
        seen.add((*tiles, *numbers, *s.vertex_port.tolist()))
        if board == "balanced":  # no 6 or 8 is beside another
            red = np.isin(numbers, (6, 8))
            beside = TOPOLOGY.tile_tiles[red]
            assert not red[beside[beside >= 0]].any()
        else:  # in a spiral that skips the desert
            laid = s.tile_number[TOPOLOGY.spiral]
            assert laid[laid > 0].tolist() == NUMBERS.tolist()
    assert len(seen) == 40


# ---------------------------------------------------------------- layouts that are refused


def with_tile(place, word):
    tiles = list(GOOD["tiles"])
    tiles[place] = word
    return {**GOOD, "tiles": tiles}


def with_ports(**changes):
    return {**GOOD, "ports": {**GOOD["ports"], **changes}}


def with_port_moved(edge):
    ports = {port: what for port, what in GOOD["ports"].items() if port != LAST_PORT}
    return {**GOOD, "ports": {**ports, edge: GOOD["ports"][LAST_PORT]}}


TILE = "a tile is 'desert', or such as 'ore 10', not "
LAYOUTS = [
    (with_tile(0, "wood 10"), "tiles of wood must be 4, not 5"),
    (with_tile(9, "ore 10"), "tiles of ore must be 3, not 4"),
    (with_tile(0, "desert"), "tiles of ore must be 3, not 2"),
    (with_tile(0, "ore 2"), "tiles with the number 2 must be 1, not 2"),
    (with_tile(0, "ore 7"), "tiles with the number 7 must be 0, not 1"),
    (with_tile(0, "ore 13"), TILE + "'ore 13'"),
    (with_tile(0, "ore " + "9" * 5000), TILE + "'ore 999"),
    (with_tile(0, "ore ١٠"), TILE),
    (with_tile(0, "ore"), TILE + "'ore'"),
    (with_tile(0, "gold 10"), TILE + "'gold 10'"),
    (with_tile(9, "desert 5"), TILE + "'desert 5'"),
    (with_tile(0, None), TILE + "None"),
    (with_tile(0, ["ore", 10]), TILE + "\\['ore', 10\\]"),
    ({**GOOD, "tiles": GOOD["tiles"][:-1]}, "lists 19 tiles in reading order, not 18"),
    ({**GOOD, "tiles": {"0": "ore 10"}}, "lists 19 tiles in reading order"),
    ({"tiles": GOOD["tiles"]}, 'has "tiles" and "ports", and nothing else'),
    ({**GOOD, "robber": 3}, "and nothing else"),
    ({**GOOD, "ports": {}}, "has 9 ports, each by its edge, not 0"),
    ({**GOOD, "ports": ["any"] * 9}, "has 9 ports, each by its edge"),
    (with_port_moved("30"), "edge '30' is not on the coast: 0, 1, 2"),
    (with_port_moved("-1"), "edge '-1' is not on the coast"),
    (with_port_moved("00"), "edge '00' is not on the coast"),
    (with_port_moved("1"), "the port at edge 1 touches another port"),
    (with_ports(**{FIRST_PORT: "gold"}), "a port trades any, wood, .*, not 'gold'"),
    (with_ports(**{FIRST_PORT: ["any"]}), "not \\['any'\\]"),
    (with_ports(**{FIRST_PORT: "ore"}), "ports of any resource must be 4, not 3"),
    (layout_text(BEGINNER)[:-1], "this is no JSON, from character"),
    ('{"tiles": ' + "[" * 100_000, "no lists in lists"),
    (layout_text(BEGINNER).replace('"0":', '"0": "any", "0":'), '"0" is there 2 times'),
    (layout_text(BEGINNER)[:-1] + ', "tiles": []}', '"tiles" is there 2 times'),
]


@pytest.mark.parametrize(("layout", "sentence"), LAYOUTS, ids=range(len(LAYOUTS)))
def test_invalid_layout_is_refused_in_a_sentence(layout, sentence):
    text = layout if isinstance(layout, str) else json.dumps(layout)
    with pytest.raises(OptionError, match=f"^catan: board: .*{sentence}") as caught:
        Catan(board=text)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("word", ["", "randon", "5", "[]", "null", "board.json"])
def test_unknown_layout_name_lists_the_known_ones(word):
    allowed = "board must be random, beginner, balanced, or a layout as JSON, not "
    with pytest.raises(OptionError, match=allowed):
        Catan(board=word)


def test_incompatible_options_are_refused():
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("catan", {"development_cards": False, "victory_points": 16}, "a player has at most 15"),
        ("catan", {"robber": False, "friendly_robber": True}, "friendly_robber must be off"),
        ("catan-reduced", {"victory_points": 16}, "catan-reduced: without development cards"),
    ]
    for name, options, sentence in cases:
        with pytest.raises(OptionError, match=sentence):
            make(name, **options)
    Catan(development_cards=False, victory_points=15)
    Catan(robber=False, victory_points=20)
