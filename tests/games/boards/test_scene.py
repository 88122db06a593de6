"""Scenes: the drawn board shows its pieces, and clicks select the right actions."""

import json
from pathlib import Path

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.boards.drawing import write, write_line
from meeple.games.boards.scene import board, hexagons, rows, squares, text
from meeple.games.boards.shape import grid
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import load_game_file, make
from tests.conformance import playing
from tests.games.moves import after, names_of

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "third_party_game.py"


def shown(position, seat=None):
    """Return the scene, with clicks and marks by the actions' names."""
    scene = position.game.scene(position, seat)
    clicks = {position.action_name(action): path for action, path in scene.clicks.items()}
    marks = {position.action_name(action): spots for action, spots in scene.marks.items()}
    return scene.to_json(), clicks, marks


def stones(board):
    """Return the cells that are not empty, by name, with their pieces."""
    return {name: piece for name, piece in zip(board["names"], board["pieces"]) if piece}


# ---------------------------------------------------------------- boards of cells


@pytest.mark.parametrize(
    ("position", "pieces", "last", "line"),
    [
        (after("gomoku", "c4 d5", size=6, in_a_row=4), {"c4": "p0", "d5": "p1"}, ["d5"], []),
        (
            after("gomoku", "a1 a2 b1 b2 c1", size=3, in_a_row=3),
            {"a1": "p0", "b1": "p0", "c1": "p0", "a2": "p1", "b2": "p1"},
            ["c1"],
            ["a1", "b1", "c1"],
        ),
        (
            after("reversi", "d3"),
            {"d3": "p0", "d4": "p0", "e4": "p0", "d5": "p0", "e5": "p1"},
            ["d3"],
            [],
        ),
        (
            after("hex", "b1 a1 b2 c1 b3", size=3),
            {"a1": "p1", "b1": "p0", "c1": "p1", "b2": "p0", "b3": "p0"},
            ["b3"],
            ["b1", "b2", "b3"],
        ),
    ],
    ids=lambda value: repr(value) if isinstance(value, Position) else "",
)
def test_a_board_shows_its_pieces_the_last_one_the_winning_line_and_clicks(
    position, pieces, last, line
):
    board, clicks, _ = shown(position)
    assert stones(board) == pieces
    for fact, cells in (("last", last), ("line", line)):
        assert [board["names"][int(spot)] for spot in board[fact]] == cells
    assert set(clicks) == set(names_of(position))
    assert all(board["names"][int(spot)] == name for name, (spot,) in clicks.items())


def test_a_board_says_the_score_and_has_no_cell_for_a_pass():
    shown = board(grid(2, 2), [-1, 0, 1, -1], [0, 4], last=[4], note="score 1 : 1")
    assert shown.facts["last"] == []
    assert list(shown.clicks) == [0]
    assert write(shown).endswith("\nscore 1 : 1")
    with pytest.raises(UsageError, match="no cell of the board has the number 4"):
        board(grid(2, 2), [-1, 0, 1, -1], marks={4: [4]})


def test_boards_differ_in_their_style_and_sides():
    for name, style in (("gomoku", "lines"), ("reversi", "felt")):
        assert shown(after(name, ""))[0]["style"] == style
    sides = {edge["side"]: edge["player"] for edge in shown(after("hex", "", size=3))[0]["edges"]}
    assert sides == {"top": 0, "bottom": 0, "left": 1, "right": 1}
    assert "edges" not in hexagons([[-1, -1]]).facts


def test_pass_and_swap_are_buttons_and_the_last_disc_stays_marked():
    games = (playing(make("reversi", size=4), seed) for seed in range(50))
    position = next(one for game in games for one in game if names_of(one) == ["pass"])
    before, clicks, _ = shown(position)
    assert clicks == {}
    position.play("pass")
    assert shown(position)[0]["last"] == before["last"] != []
    position = after("hex", "a2", size=3, swap=True)
    assert set(shown(position)[1]) == set(names_of(position)) - {"swap"}


# ---------------------------------------------------------------- rows


def test_click_on_a_stone_of_nim_takes_it_and_all_to_its_right():
    position = make("nim", heaps="1,3,5").start()
    board, clicks, marks = shown(position)
    assert [len(row["cells"]) for row in board["rows"]] == [1, 3, 5]
    assert clicks["take 2 from b"] == ("b1",)
    assert marks["take 2 from b"] == ("b1", "b2")
    position.play("take 2 from b")
    board, _, _ = shown(position)
    assert [cell["piece"] for cell in board["rows"][1]["cells"]] == ["stone", "", ""]
    assert board["last"] == ["b1", "b2"]


def test_stones_of_nim_beyond_the_limit_are_not_clickable():
    _, clicks, _ = shown(make("nim", stones=20, take=3).start())
    assert clicks == {"take 1": ("19",), "take 2": ("18",), "take 3": ("17",)}


def test_coin_of_ledge_moves_by_two_clicks_and_is_picked_by_one():
    position = make("ledge", row="1012").start()
    board, clicks, _ = shown(position)
    (row,) = board["rows"]
    assert [cell["piece"] for cell in row["cells"]] == ["copper", "", "copper", "gold"]
    assert row["ledge"]
    assert clicks == {"pick": ("0",), "2-1": ("2", "1")}
    position.play("2-1")
    assert shown(position)[0]["last"] == ["2", "1"]


def test_picked_gold_is_no_longer_shown():
    board, clicks, _ = shown(after("ledge", "pick", row="21"))
    assert [cell["piece"] for cell in board["rows"][0]["cells"]] == ["", "copper"]
    assert clicks == {}


# ---------------------------------------------------------------- custom games


@pytest.fixture(scope="module")
def domineering():
    load_game_file(EXAMPLE)
    return make("domineering", size=3).start()


def test_custom_game_gets_tiles_marks_and_a_drawing_from_its_scene(domineering):
    position = domineering.copy()
    _, clicks, marks = shown(position)
    assert clicks["b1"] == ("1",)
    assert marks["b1"] == ("1", "4")  # vertical
    position.play("b1")
    board, _, marks = shown(position)
    assert stones(board) == {"b1": "|", "b2": "|"}
    assert board["last"] == ["1", "4"]
    assert marks == {"a3": ("6", "7"), "b3": ("7", "8")}  # horizontal
    assert str(position).splitlines() == [
        "   a b c",
        "1  .(|).  1",
        "2  .(|).  2",
        "3  . . .  3",
        "   a b c",
    ]


def test_scene_helper_accepts_boards_of_players_or_of_texts():
    by_player = squares(np.array([[0, -1, 1]]))
    by_text = squares([["p0", "", "p1"]])
    assert by_player.to_json() == by_text.to_json()
    assert json.loads(json.dumps(by_player.to_json())) == by_player.to_json()


def test_legal_action_without_a_cell_is_not_clickable():
    assert squares([["", ""]], [1, 2]).clicks == {1: ("1",)}


def test_click_cells_may_differ_from_action_numbers():
    clicks = squares([["", ""]], [0, 7], clicks={7: (0, 1)}).clicks
    assert clicks == {0: ("0",), 7: ("0", "1")}
    assert rows({"a": ["", "stone"]}, {7: ["a1", "a0"]}).clicks == {7: ("a1", "a0")}


def test_game_without_drawing_or_scene_raises_an_error(domineering, monkeypatch):
    monkeypatch.delattr(type(domineering.game), "scene")
    with pytest.raises(NotImplementedError):
        str(domineering)


def test_game_without_a_scene_is_shown_as_text():
    position = make("catan").start()
    drawn, seen = Game.scene(position.game, position), Game.scene(position.game, position, 1)
    assert drawn.to_json() == {"family": "text", "text": str(position)}
    assert seen.facts["text"] == position.game.view(position, 1)


# ---------------------------------------------------------------- boards as text


def test_rows_are_drawn_with_their_labels():
    scene = rows({"a": ["stone", "", "p1"], "bc": []}, {}, room=(3, 3))
    assert write(scene) == " a s . O\nbc -"


def test_text_scene_requires_the_games_own_drawing():
    with pytest.raises(NotImplementedError):
        write(text("anything"))


def test_numbers_of_several_digits_are_written_whole():
    board = squares(np.array([["12", "3"], ["", "p0"]]))
    assert write(board).splitlines()[1:3] == ["1  12  3  1", "2   .  X  2"]
    assert write_line(board) == "12 3/.X"
    assert write_line(rows({"a": ["10", "2"]}, {})) == "a 10 2"


def test_cards_are_written_whole_and_named_pieces_by_a_letter():
    hand = rows({"hand": ["KH", "10S", ""], "pot": ["stone", "gold"]}, {})
    assert write(hand) == "hand KH 10S .\n pot s g"
    assert write_line(hand) == "hand KH 10S . / pot sg"
    lines = write(squares([["KH", "p1"], ["", "7"]])).splitlines()
    assert lines[1:3] == ["1  KH  O  1", "2   .  7  2"]
