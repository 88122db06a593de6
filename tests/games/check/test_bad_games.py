"""Games with hostile or senseless contents: one sentence from the check, none harms a service."""

import json
from pathlib import Path

import pytest

import meeple
from meeple.games.boards.cards import cards
from meeple.games.boards.drawing import write
from meeple.games.boards.scene import board
from meeple.games.boards.shape import grid
from meeple.games.check.findings import check_game
from meeple.games.contract.game import MAX_NAME_CHARS
from meeple.games.contract.registry import load_game_file
from meeple.games.contract.shown import MAX_SCENE_CHARS, scene_of

DICE = Path(__file__).with_name("dice.py").read_text()
DRAW = DICE[DICE.index("    def draw(") :]
SCENE = "    def scene(self, position, seat=None):\n        return "
IMPORTS = """
from meeple.games.boards.cards import cards
from meeple.games.boards.pieces import Piece
from meeple.games.boards.scene import board, rows, text
from meeple.games.boards.shape import grid, points, hexhex
"""
SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'>{}</svg>"


def piece(picture):
    return f"board(grid(1, 1), ['x'], looks={{'x': Piece('X', picture={SVG.format(picture)!r})}})"


SCENES = {
    "a script in a picture": (piece("<script>alert(1)</script>"), "the element <script>"),
    "an event in a picture": (piece("<path onload='alert(1)' d='M0 0'/>"), "the attribute onload"),
    "a link in a picture": (piece("<path fill='url(http://a.b/c)'/>"), "the attribute fill"),
    "a large picture": (piece("<g></g>" * 700), "at most 4096 characters"),
    "5,000 squares": ("board(grid(50, 100), [''] * 5000)", "at most 4096 cells, not 5000"),
    "5,000 rows of text": ("rows({f'r{n}x': [''] for n in range(5000)}, {})", "characters as JSON"),
    "a million letters": ("text('a' * 1_000_000)", "1,000,0"),
    "a million backs": ("cards(piles={'stock': 10**6}, notes=['a' * 10**6])", "characters as JSON"),
    "501 cards": ("cards([['AS'] * 501])", "a table has 501 cards: more than 500"),
    "two piles and a card": ("cards([['AS']], 0, piles={'AS': 1})", "a pile has the label"),
    "a piece too few": ("board(grid(2, 2), [''] * 3)", "a board of 4 cells was given 3 pieces"),
    "a line outside": ("board(grid(2, 2), [''] * 4, line=[9])", "no cell of the board has"),
    "a wall outside": ("board(grid(2, 2), [''] * 4, walls=[(1, 2)])", "a wall is between"),
    "an edge of pits": ("board(points([(0, 0)], []), [''], edges={'top': 0})", "a side is one of"),
    "two points in one": ("board(points([(0, 0), (0, 0)], []), [''] * 2)", "the same place"),
    "a board without cells": ("board(grid(0, 5), [])", "at least one cell"),
    "a player of no seat": ("board(grid(1, 1), ['x'], looks={'x': Piece('X', 99)})", "the seat 99"),
    "a long text of a piece": ("board(grid(1, 1), ['a' * 10_000])", "'pieces' of the scene has"),
    "a long note": ("cards([['AS']], 0, notes=['a' * 201])", "'note' of the scene has 201 char"),
    "no scene": ("None", "`scene` returns None"),
}  # fmt: skip
CLASS = "class Dice("
DRAWN = "    def draw("
SAYS = "    State, Opt"  # the class declares
RULES = {
    "a team of one": (SAYS, "    teams = ((0,),)", "a team of 1"),
    "a team of a stranger": (SAYS, "    teams = ((0, 7),)", "each of the seats 0 to 1 once"),
    "a par of 0": (SAYS, "    players, points = 1, (0, 0)", "`points` is the least and the most"),
    "no number of points": (SAYS, "    points = (0, np.nan)", "`points` is the least and the most"),
    "points outside": (SAYS, "    points = (0, 0.25)", "not all in 0 to 0.25"),
    "payoffs below 0": ("out[player] = 0.5", "out[player] = -0.5", "payoffs"),
    "payoffs without a number": ("out[player] = 0.5", "out[player] = np.nan", "finite numbers"),
    "a long name": ('"one roll"', "'a' * 10_000", "1 to 200 characters"),
    "a name from the right": ('"one roll"', "'a\\u202eb'", "1 to 200 characters"),
    "a name of two lines": ('"one roll"', "'a\\nb'", "1 to 200 characters"),
    "a game's name with markup": ('"dice"', '"<script>"', "a game's name has lower-case letters"),
    "a long name of a game": ('"dice"', '"a" * 41', "a game's name has lower-case letters"),
    "a long summary": ('"take stones by the dice"', '"a" * 201', "the summary has 201 characters"),
    "a long name of a player": (
        DRAWN,
        f"    def player_name(self, player):\n        return 'a' * 10_000\n\n{DRAWN}",
        "the name of a player has 10,000 characters: at most 200 are shown",
    ),
    "a long entry of the menu": (
        DRAWN,
        f"    def action_groups(self, position):\n        return {{'a' * 10_000: {{}}}}\n\n{DRAWN}",
        "an entry of the menu has 10,000 characters",
    ),
    "sensible actions without weights": (CLASS, f"prune = legal\n{CLASS}", "`prune` gives"),
    "no name": ('"one roll"', "''", "1 to 200 characters"),
}


def with_scene(expression):
    """Return the source of a game whose scene is an expression."""
    source = DICE.replace("\nimport numpy as np\n", f"\nimport numpy as np\n{IMPORTS}", 1)
    return source.replace(DRAW, SCENE + expression + "\n")


def found(folder, source):
    """Return the sentences of the check about a source."""
    file = folder / "dice.py"
    file.write_text(source)
    sentences = [one.sentence for one in check_game(str(file), seconds=3).findings]
    assert sentences
    assert all("\n" not in one and len(one) < 600 for one in sentences)
    return sentences


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_a_bad_scene_is_a_finding_and_a_sentence_in_its_place(forked_checks, tmp_path, name):
    expression, said = SCENES[name]
    sentences = found(tmp_path, with_scene(expression))
    assert any(said in one for one in sentences), sentences
    game = load_game_file(tmp_path / "dice.py")()
    position = game.start(1)
    position.play_chance()
    shown = scene_of(position, 0)
    told = json.dumps(shown.to_json())
    assert len(told) < MAX_SCENE_CHARS
    assert shown.family == "text"
    assert said in told
    assert "<script" not in told or "the element" in told


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_senseless_rules_are_a_finding(forked_checks, tmp_path, name):
    right, wrong, said = RULES[name]
    assert right in DICE
    wrong = f"{wrong}\n{right}" if right == SAYS else wrong
    sentences = found(tmp_path, DICE.replace(right, wrong, 1))
    assert any(said in one for one in sentences), sentences


def test_a_board_cut_in_two_500_cards_and_markup_in_names_are_fine():
    walls = [(row * 4 + 1, row * 4 + 2) for row in range(4)]
    assert len(board(grid(4, 4), [""] * 16, walls=walls).facts["edges"]) == 4
    assert write(cards([["AS"] * 500], 0)).startswith("your hand: AS AS 2 ")
    markup = "<img src=x onerror=alert(1)> \"'&"
    assert markup in write(cards([["AS"]], 0, notes=[markup], names=[markup]))


@pytest.mark.parametrize("name", ["a" * 10_000, "a\u202eb\n", "\x1b[2J"])
def test_services_show_only_a_short_printable_name(monkeypatch, name):
    position = meeple.make("nim").start()
    monkeypatch.setattr(type(position.game), "action_name", lambda *_: name)
    shown = position.action_name(0)
    assert shown.isprintable()
    assert len(shown) <= MAX_NAME_CHARS
    assert shown[:1] == name.lstrip("\x1b")[:1]
