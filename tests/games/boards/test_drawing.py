"""Text drawings: boards equal drawings made by hand, and labels line up with their cells."""

import numpy as np
import pytest

import meeple
from meeple.games.boards.drawing import DISC, block, paint, stone, write
from meeple.games.boards.scene import LINES, board, squares
from meeple.games.boards.shape import grid as squares_of
from meeple.games.boards.shape import hexhex, pits, points, triangle
from tests.conformance import strip_colour as plain
from tests.games.moves import after

LEGEND = "player 1 (X) joins the lettered sides, player 2 (O) the numbered ones"


@pytest.mark.parametrize(
    ("moves", "rows"),
    [
        ("b2 a1 c1", ("1  O .(X) 1", " 2  . X .  2", "  3  . . .  3")),  # the last stone
        ("b2 a1 c1 c3 a3", ("1  O .[X] 1", " 2  .[X].  2", "  3 (X). O  3")),  # a chain of player 1
        ("a2 a1 b2 b1 a3 b3 c2 c1", ("1 [O O(O) 1", " 2  X X X  2", "  3  X O .  3")),
    ],
)
def test_hex_board_is_a_diamond_with_the_last_stone_or_the_chain_marked(moves, rows):
    lines = ["  a b c", *rows, "      a b c", LEGEND]
    assert str(after("hex", moves, size=3)).splitlines() == lines


def coloured(moves):
    position = after("hex", moves, size=3)
    return position.game.draw(position, colour=True)


def test_coloured_hex_board_has_sides_in_the_colours_of_the_stones():
    board = coloured("b2 a1 c1")
    assert plain(board).splitlines()[:-1] == [
        "  a b c",
        "1  ● ·(●) 1",
        " 2  · ● ·  2",
        "  3  · · ·  3",
        "      a b c",
    ]
    for letter, number in zip("abc", "123", strict=True):
        assert board.count(block(letter, 0)) == board.count(block(number, 1)) == 2
    assert board.count(paint(DISC, 0)) == 2 + 1  # and once in the legend
    assert board.count(paint(DISC, 1)) == 1 + 1


def test_coloured_hex_board_highlights_the_winning_chain():
    board = coloured("a2 a1 b2 c1 c2")
    assert board.count(block(DISC, 0)) == 0
    board = coloured("b2 a1 c1 c3 a3")
    assert board.count(block(DISC, 0)) == 3


@pytest.mark.parametrize("size", range(3, 20, 4))
def test_hex_labels_line_up_with_their_cells(size):
    """A column runs down to the right by a character a line; a row lies in its line."""
    lines = str(meeple.make("hex", size=size).start()).splitlines()
    for at in range(size):
        letter, place = chr(ord("a") + at), lines[0].index(chr(ord("a") + at))
        assert [lines[row][place + row] for row in range(1, size + 1)] == ["."] * size
        assert lines[size + 1][place + size + 1] == letter
        assert lines[at + 1].split() == [str(at + 1), *["."] * size, str(at + 1)]


@pytest.mark.parametrize("colour", [False, True])
def test_largest_board_fits_the_width_of_a_terminal(colour):
    game = meeple.make("hex", size=19)
    assert max(len(plain(line)) for line in game.draw(game.start(), colour).splitlines()) <= 80


def grid(*rows, **settings):
    owners = np.array([["XO".find(sign) for sign in row] for row in rows])
    return squares(owners, range(owners.size), **settings)


def test_grid_has_letters_above_and_below_and_marks_the_last_stone_and_hints():
    assert write(grid("XO..", "....", "..X.", last=[10]), marked=(4, 11)) == (
        "   a b c d\n1  X O . .  1\n2  * . . .  2\n3  . .(X)*  3\n   a b c d"
    )


def test_winning_line_of_a_grid_is_marked():
    rows = "XOOO", ".X..", "XXX."
    assert write(grid(*rows, last=[10], line=(0, 5, 10))) == (
        "   a b c d\n1 [X]O O O  1\n2  .[X]. .  2\n3  X X(X).  3\n   a b c d"
    )
    assert "3 [X X(X).  3" in write(grid(*rows, last=[10], line=(8, 9, 10)))


def test_coloured_grid_draws_the_winning_line_on_a_background():
    scene = grid("XOO.", ".XX.", "XXXO", last=[10], line=(8, 9, 10))
    board = write(scene, colour=True, marked=(3,))
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
    lines = write(squares(np.full((size, size), -1))).splitlines()
    assert lines[0] == lines[-1]
    for at in range(size):
        assert lines[at + 1].split() == [str(at + 1), *["."] * size, str(at + 1)]
        place = lines[0].index(chr(ord("a") + at))
        assert [line[place] for line in lines[1:-1]] == ["."] * size


@pytest.mark.parametrize(
    ("scene", "lines"),
    [
        (
            board(hexhex(2), [-1, 0, -1, -1, -1, 1, -1, -1, -1], last=[1], walls=[(4, 7)]),
            [" 1 (X).", "2  . . O", "      /", " 3  . . c", "     a b"],
        ),
        (board(triangle(2), [0, 1, 1, -1]), [" 1  O  1", "2  O .  2", "    a b"]),
        (
            board(squares_of(2, 3, (1,)), [0, 0, 0, -1, -1, 1], walls=[(3, 4), (2, 5)]),
            ["   a b c", "1  X   X  1", "       -", "2  .|. O  2", "   a b c"],
        ),
        (
            board(points([(0, 0), (2, 0), (0, 2), (1, 1)], [(2, 0, 1), (1, 3, 2)]), [0, -1, 1, -1]),
            [
                *("   a   b   c", "1  X-------.  1", "   |     /", "2  |   .      2"),
                *("   | /", "3  O          3", "   a   b   c"),
            ],
        ),
        (
            board(pits(2), ["12", "0", "3", "4", "5", "6"], last=[0]),
            ["     B    A", "     5    4", "6              3", "   (12)   0", "     a    b"],
        ),
    ],
    ids=["hexhex", "triangle", "holes and walls", "points", "pits"],
)
def test_boards_of_any_outline_are_drawn_where_their_cells_lie(scene, lines):
    assert write(scene).splitlines() == lines
    assert plain(write(scene, colour=True)).replace("·", ".").count("\n") == len(lines) - 1


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
