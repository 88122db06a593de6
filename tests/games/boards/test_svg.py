"""Boards as SVG pictures are valid XML, and have every piece once."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from meeple.games.boards import scene as scenes
from meeple.games.boards.svg import PLAYERS, STONES, drawing_of
from meeple.games.contract.registry import make
from tests.games.moves import after

SVG = "{http://www.w3.org/2000/svg}"


def circles(drawing, colour):
    """Return the middles of the circles of a colour."""
    found = ElementTree.fromstring(drawing).iter(f"{SVG}circle")
    return [
        (float(one.attrib["cx"]), float(one.attrib["cy"]))
        for one in found
        if one.attrib["fill"] == colour
    ]


@pytest.mark.parametrize(
    ("name", "options", "moves"),
    [
        ("hex", {"size": 4}, "a1 b2 c3"),
        ("gomoku", {"size": 6}, "a1 b2 c3"),
        ("reversi", {"size": 6}, ""),
    ],
)
def test_each_stone_is_a_disc_in_its_players_colour(name, options, moves):
    position = after(name, moves, **options)
    drawing = position._repr_html_()
    colours = PLAYERS if name == "hex" else tuple(STONES.values())
    pieces = position.game.scene(position).facts["pieces"]
    for player, colour in enumerate(colours[:2]):
        middles = circles(drawing, colour)
        assert len(set(middles)) == len(middles) == pieces.count(f"p{player}")


def test_neighbours_among_hexagons_are_at_one_distance():
    pieces = np.full((3, 3), -1)
    pieces[1, 1] = 0
    around = [(1, 0), (1, 2), (0, 1), (2, 1), (0, 2), (2, 0)]
    for row, column in around:
        pieces[row, column] = 1
    drawing = drawing_of(scenes.hexagons(pieces), "")
    (middle,) = circles(drawing, PLAYERS[0])
    distances = [np.hypot(x - middle[0], y - middle[1]) for x, y in circles(drawing, PLAYERS[1])]
    assert np.allclose(distances, distances[0], atol=0.2)


def test_rows_have_their_pieces_and_escaped_labels():
    scene = scenes.rows({"<b>": ["gold", "", "p1"]}, {}, last=["<b>0"])
    drawing = drawing_of(scene, "")
    assert len(circles(drawing, PLAYERS[1])) == 1
    assert "&lt;b&gt;" in drawing
    assert "<b>" not in drawing


def test_any_other_board_is_escaped_text():
    assert drawing_of(scenes.text("a < b"), "a < b") == "<pre>a &lt; b</pre>"


def test_an_island_has_all_tiles_numbers_ports_and_pieces():
    game = make("catan", board="beginner")
    position = game.start(seed=1)
    for _ in range(8):  # a settlement and a road of each player
        position.play(int(position.legal_actions()[0]))
    picture, table = position._repr_html_().split("</svg>")
    root = ElementTree.fromstring(f"{picture}</svg>")
    words = [text.text for text in root.iter(f"{SVG}text")]
    facts = game.scene(position).facts
    for tile in facts["tiles"]:
        assert tile["resource"] in words
    numbers = sorted(word for word in words if word and word.isdigit())
    assert numbers == sorted(str(tile["number"]) for tile in facts["tiles"] if tile["number"])
    assert words.count("3:1") + words.count("2:1") == 9
    shapes = [one.attrib for one in root.iter(f"{SVG}polygon")]
    lines = [one.attrib["stroke"] for one in root.iter(f"{SVG}polyline")]
    for seat in range(4):
        assert [shape["fill"] for shape in shapes].count(PLAYERS[seat]) == 1
        assert lines.count(PLAYERS[seat]) == 1
    assert table.count("<tr>") == 5
    assert f"<caption>{facts['words']}</caption>" in table
