"""Text drawings: boards equal drawings made by hand, and labels line up with their cells."""

import numpy as np
import pytest

import meeple
from meeple.games.boards.drawing import DISC, block, draw_grid, paint, stone
from meeple.games.boards.scene import LINES
from tests.conformance import strip_colour as plain
from tests.games.moves import after

LEGEND = "player 1 (X) joins the lettered sides, player 2 (O) the numbered ones"


@pytest.mark.parametrize(
    ("moves", "board"),
    [
        (
            "b2 a1 c1",  # the last stone is marked
            "    1   a\n"
            "  2 / O \\ b\n"
            "3 / .   . \\ c\n"
            "< .   X  (X)>\n"
            "a \\ .   . / 1\n"
            "  b \\ . / 2\n"
            "    c   3\n",
        ),
        (
            "b2 a1 c1 c3 a3",  # the winning chain of player 1
            "    1   a\n"
            "  2 / O \\ b\n"
            "3 / .   . \\ c\n"
            "<(X) [X] [X]>\n"
            "a \\ .   . / 1\n"
            "  b \\ O / 2\n"
            "    c   3\n",
        ),
        (
            "a2 a1 b2 b1 a3 b3 c2 c1",  # that of player 2, without attached stones
            "    1   a\n"
            "  2 /[O]\\ b\n"
            "3 / X  [O]\\ c\n"
            "< X   X  (O)>\n"
            "a \\ O   X / 1\n"
            "  b \\ . / 2\n"
            "    c   3\n",
        ),
    ],
)
def test_hex_board_is_drawn_on_its_corner_with_the_last_stone_or_the_chain_marked(moves, board):
    assert str(after("hex", moves, size=3)) == board + LEGEND


def coloured(moves):
    position = after("hex", moves, size=3)
    return position.game.draw(position, colour=True)


def test_coloured_hex_board_has_sides_in_the_colours_of_the_stones():
    board = coloured("b2 a1 c1")
    assert plain(board).splitlines()[:-1] == [
        "    1   a",
        "  2   ●   b",
        "3   ·   ·   c",
        "  ·   ●  (●)",
        "a   ·   ·   1",
        "  b   ·   2",
        "    c   3",
    ]
    for letter, number in zip("abc", "123", strict=True):
        assert board.count(block(f" {letter}", 0)) == board.count(block(f"{letter} ", 0)) == 1
        assert board.count(block(f" {number}", 1)) == board.count(block(f"{number} ", 1)) == 1
    assert board.count(paint(DISC, 0)) == 2 + 1  # and once in the legend
    assert board.count(paint(DISC, 1)) == 1 + 1


def test_coloured_hex_board_highlights_the_winning_chain():
    board = coloured("b2 a1 c1 c3 a3")
    assert board.count(block(DISC, 0)) == 3
    assert block("(", 0) in board


@pytest.mark.parametrize("size", range(3, 20))
def test_hex_labels_line_up_with_their_cells(size):
    """A column runs down to the left by two characters a line; a row runs down to the right."""
    lines = str(meeple.make("hex", size=size).start()).splitlines()
    for at in range(size):
        letter, number = chr(ord("a") + at), str(at + 1)
        place = lines[at].index(letter)
        for step in range(1, size + 1):
            assert lines[at + step][place - 2 * step] == "."
        assert lines[at + size + 1][place - 2 * size - 2] == letter
        place = lines[at].index(number) + len(number) - 1
        for step in range(1, size + 1):
            assert lines[at + step][place + 2 * step] == "."
        assert lines[at + size + 1][place + 2 * size + 2 :].strip() == number


@pytest.mark.parametrize("colour", [False, True])
def test_largest_board_fits_the_width_of_a_terminal(colour):
    game = meeple.make("hex", size=19)
    assert max(len(plain(line)) for line in game.draw(game.start(), colour).splitlines()) <= 80


def grid(*rows):
    return np.array([["XO".find(sign) for sign in row] for row in rows])


def test_grid_has_letters_above_and_below_and_marks_the_last_stone_and_hints():
    owner = grid("XO..", "....", "..X.")
    assert draw_grid(owner, 10, colour=False, marked=(4, 11)) == (
        "   a b c d\n1  X O . .  1\n2  * . . .  2\n3  . .(X)*  3\n   a b c d"
    )


def test_winning_line_of_a_grid_is_marked():
    owner = grid("XOOO", ".X..", "XXX.")
    assert draw_grid(owner, 10, colour=False, line=(0, 5, 10)) == (
        "   a b c d\n1 [X]O O O  1\n2  .[X]. .  2\n3  X X(X).  3\n   a b c d"
    )
    assert "3 [X X(X).  3" in draw_grid(owner, 10, colour=False, line=(8, 9, 10))


def test_coloured_grid_draws_the_winning_line_on_a_background():
    owner = grid("XOO.", ".XX.", "XXXO")
    board = draw_grid(owner, 10, colour=True, marked=(3,), line=(8, 9, 10))
    assert plain(board).splitlines() == [
        "   a b c d",
        "1  ● ● ● ★  1",
        "2  · ● ● ·  2",
        "3  ● ●(●)●  3",
        "   a b c d",
    ]
    assert board.count(paint(DISC, 0)) == 3
    assert board.count(paint(DISC, 1)) == 3
    assert board.count(block(DISC, 0)) == 3
    assert block(" ", 0) in board


@pytest.mark.parametrize(
    ("opening", "moves", "colours"),
    [("none", "a1 b2", "black white"), ("swap", "a1 b2 c3 black", "white black")],
)
def test_stones_on_lines_are_black_and_white_whoever_has_them(opening, moves, colours):
    position = after("gomoku", moves, size=5, in_a_row=4, opening=opening)
    game = position.game
    assert game.scene(position).facts["colours"] == colours.split()
    rows = game.draw(position, colour=True).splitlines()[1:6]
    for row, name in enumerate(["black", "white"]):
        ground, _, mark = stone(name, LINES).partition("\x1b[1;")
        assert rows[row].count("\x1b[1;" + mark.partition("\x1b[0m")[0]) == 1
        assert ground in rows[row]
    assert "black" not in str(position.game.scene(position).facts["pieces"])


@pytest.mark.parametrize("size", [3, 9, 10, 19])
def test_grid_labels_line_up_with_their_cells(size):
    lines = draw_grid(np.full((size, size), -1), -1, colour=False).splitlines()
    assert lines[0] == lines[-1]
    for at in range(size):
        assert lines[at + 1].split() == [str(at + 1), *["."] * size, str(at + 1)]
        place = lines[0].index(chr(ord("a") + at))
        assert [line[place] for line in lines[1:-1]] == ["."] * size


def test_nim_groups_stones_by_five_and_draws_the_last_taken_as_dots():
    position = meeple.make("nim", stones=13).start()
    position.play("take 2")
    assert str(position) == "11  ooooo ooooo o.."


def test_nim_names_its_heaps_and_keeps_the_line_of_an_empty_heap():
    position = meeple.make("nim", heaps="1,3,52", take=3).start()
    for name in ("take 1 from a", "take 3 from b"):
        position.play(name)
    assert str(position) == (
        "a  0\n"
        "b  0  ...\n"
        "c 52  ooooo ooooo ooooo ooooo ooooo ooooo ooooo ooooo ooooo ooooo\n"
        "      oo"
    )
