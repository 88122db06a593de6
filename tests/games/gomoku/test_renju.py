"""Renju forbids what the rules of its federation forbid: diagrams, and a naive recursive oracle."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.errors import IllegalAction, OptionError
from meeple.games.gomoku.board import closed
from meeple.games.gomoku.game import Gomoku
from meeple.games.gomoku.lines import toggle
from meeple.games.gomoku.renju import REASONS, list_forbidden, stays_allowed
from meeple.search.perft import perft
from tests.games.gomoku.boards import play_beside
from tests.games.moves import key_of
from tests.naive.gomoku import NaiveGomoku
from tests.naive.renju import NaiveRenju

SIZE = 15
FROM_EDGE = 4  # the row and column of a diagram's first cell, unless it lies in the corner
WANTED = {"6": "overline", "4": "double four", "3": "double three", "5": "", "a": ""}

TABLES = tomllib.loads((Path(__file__).parents[2] / "data" / "renju.toml").read_text())
CORNER = TABLES["in_the_corner"]
DIAGRAMS = {name: text for table in TABLES.values() for name, text in table.items()}


def read(name):
    """Return the stones and the cells to test of a diagram, by (row, column)."""
    first = 0 if name in CORNER else FROM_EDGE
    signs = {
        (first + row, first + column): sign
        for row, line in enumerate(DIAGRAMS[name].splitlines())
        for column, sign in enumerate(line)
        if sign != "."
    }
    stones = {cell: "XO".index(sign) for cell, sign in signs.items() if sign in "XO"}
    return stones, {cell: sign for cell, sign in signs.items() if sign in WANTED}


def images(cells, size):
    """Yield a mapping by cells in the eight rotations and reflections of the board."""
    for number in range(8):
        if number == 4:
            cells = {(row, size - 1 - column): value for (row, column), value in cells.items()}
        yield cells
        cells = {(column, size - 1 - row): value for (row, column), value in cells.items()}


def moved(stones):
    """Return the stones of a diagram with its first cell in the corner."""
    return {(row - FROM_EDGE, column - FROM_EDGE): owner for (row, column), owner in stones.items()}


def set_up(game, stones):
    """Return a position with stones, Black to move."""
    position = game.start()
    state = position.state
    for (row, column), player in stones.items():
        toggle(state.lines[player], game.size, row * game.size + column)
    return position


def rules_of(position):
    """Return the rule that forbids each cell, by (row, column); "" if Black may play there."""
    size = position.game.size
    rules = np.zeros(size * size, np.int8)
    list_forbidden(position.state, rules)
    return {divmod(cell, size): REASONS[rule] for cell, rule in enumerate(rules)}


# ---------------------------------------------------------------- diagrams


@pytest.mark.parametrize("name", DIAGRAMS)
def test_oracle_and_rules_agree_with_the_diagram_in_all_rotations_and_reflections(name):
    stones, cells = read(name)
    board = NaiveRenju(SIZE, stones)
    assert {cell: board.forbidden(cell) for cell in cells} == {
        cell: WANTED[sign] for cell, sign in cells.items()
    }
    game = Gomoku(size=SIZE, rule="renju")
    for turned, turned_cells in zip(images(stones, SIZE), images(cells, SIZE), strict=True):
        position = set_up(game, turned)
        found, legal = rules_of(position), set(position.legal_actions().tolist())
        for (row, column), sign in turned_cells.items():
            action = row * SIZE + column
            assert found[row, column] == WANTED[sign]
            assert (action in legal) == (WANTED[sign] == "")
            if action in legal:
                position.play(action)
                assert position.is_over == (sign == "5")
                position.undo()


# ---------------------------------------------------------------- against the oracle


@settings(max_examples=40)
@given(st.integers(6, 11), st.integers(0, 2**32))
@pytest.mark.slow
def test_crowded_boards_agree_with_the_oracle(size, seed):
    choice = np.random.default_rng(seed)
    middle = choice.integers(2, size - 2, 2)
    stones: dict[tuple[int, int], int] = {}
    for _ in range(int(choice.integers(10, 45))):
        place = np.clip(np.rint(choice.normal(middle, size / 5)), 0, size - 1)
        stones.setdefault((int(place[0]), int(place[1])), int(choice.random() < 0.35))
    position = set_up(Gomoku(size=size, rule="renju"), stones)
    board, before = NaiveRenju(size, stones), position.row.tobytes()
    for cell, rule in rules_of(position).items():
        assert rule == ("" if cell in stones else board.forbidden(cell))
    assert position.row.tobytes() == before


def test_no_stone_of_white_forbids_a_move_that_stays_allowed():
    game, forbidden_later = Gomoku(size=9, rule="renju"), 0
    for name in TABLES["recursion"] | TABLES["double_threes"]:
        stones = moved(read(name)[0])
        position = set_up(game, stones)
        rules = rules_of(position)
        allowed = [cell for cell, rule in rules.items() if cell not in stones and not rule]
        lasting = {c for c in allowed if stays_allowed(position.state, 9 * c[0] + c[1])}
        for added in allowed:
            later = rules_of(set_up(game, {**stones, added: 1}))
            assert not any(later[cell] for cell in lasting)
            forbidden_later += any(later[cell] for cell in allowed)
    assert forbidden_later > 0


@pytest.mark.parametrize("size", [5, 7])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.slow
def test_random_games_agree_with_the_naive_rules(size, seed):
    play_beside(Gomoku(size=size, rule="renju").start(), np.random.default_rng(seed))


def test_perft_agrees_with_the_naive_rules():
    """From a position in which Black has forbidden moves, and White can lift some."""
    stones, _ = read("the straight four would be a double three")
    white = [(7, 0), (7, 2), (7, 4), (7, 6), (6, 1), (6, 7), (5, 0)]
    stones = moved(stones) | dict.fromkeys(white, 1)
    position = set_up(Gomoku(size=8, rule="renju"), stones)
    position.state.moves = len(stones)
    naive, count = NaiveGomoku(8, 5, renju=True), 0
    naive.owner = stones
    for action in naive.legal():
        after = NaiveGomoku(8, 5, renju=True)
        after.owner = dict(stones)
        after.play(action)
        count += len(after.legal()) or 1
    assert perft(position, 1) == len(naive.legal()) < 64 - len(stones)
    assert perft(position, 2) == count


# ---------------------------------------------------------------- the game


def white_to_move(name):
    """Return a position with the stones of a diagram in white, and the cell to test."""
    stones, cells = read(name)
    position = set_up(Gomoku(rule="renju"), dict.fromkeys(stones, 1))
    position.state.to_move = 1
    ((row, column),) = cells
    return position, row * SIZE + column


def test_white_has_no_forbidden_moves_and_wins_with_six():
    position, cell = white_to_move("a corner of threes")
    assert cell in position.legal_actions()
    position, cell = white_to_move("six")
    position.play(cell)
    assert position.payoffs.tolist() == [0, 1]


def test_white_moves_again_if_all_free_cells_are_forbidden():
    """The last two free cells: Black would make six on one; White takes the other, then that."""
    rows = ["XXX.XX", "OXOXO.", "OOXOXO", "XOXOOX", "OXOXXO", "XOXOOX"]
    cells = {(row, column): sign for row in range(6) for column, sign in enumerate(rows[row])}
    stones = {cell: "XO".index(sign) for cell, sign in cells.items() if sign != "."}
    position = set_up(Gomoku(size=6, rule="renju"), stones)
    position.state.moves, position.state.to_move = len(stones), 1
    position.play(1 * 6 + 5)
    assert position.to_move == 1
    assert position.legal_actions().tolist() == [3]
    position.play(3)
    assert position.is_over


@pytest.fixture
def double_four():
    """Return a position with one forbidden cell, and the cell."""
    stones, cells = read("a corner of fours")
    ((row, column),) = cells
    return set_up(Gomoku(rule="renju"), stones), row * SIZE + column


def test_illegal_move_names_the_rule(double_four):
    position, cell = double_four
    for move in (cell, position.action_name(cell)):
        with pytest.raises(IllegalAction, match="forbidden: double four"):
            position.play(move)
    with pytest.raises(IllegalAction, match="legal: a1"):
        position.play("z9")


def test_drawing_and_scene_mark_the_forbidden_cells(double_four):
    position, cell = double_four
    assert closed(position) == {cell: "double four"}
    assert position.game.scene(position).facts["closed"] == {str(cell): "double four"}
    lines = str(position).splitlines()
    assert lines[cell // SIZE + 1].split()[cell % SIZE + 1] == "+"
    assert lines[-1] == "+: forbidden to Black"
    position.state.to_move = 1
    assert closed(position) == {}
    assert "closed" not in position.game.scene(position).facts


def test_observation_has_a_plane_of_the_forbidden_cells(double_four):
    position, cell = double_four
    for seat in (0, 1):
        planes = position.observation(seat)
        assert planes.shape == (5, SIZE, SIZE)
        assert np.flatnonzero(planes[4]).tolist() == [cell]
        assert planes[3].all()


def test_colours_of_equal_stones_have_different_keys():
    stones, _ = read("a corner of threes")
    position = set_up(Gomoku(size=8, rule="renju"), moved(stones))
    other = set_up(position.game, {})
    other.state.lines[:] = position.state.lines[::-1]
    other.state.to_move = 1
    assert key_of(position) != key_of(other)


def test_renju_is_for_five_in_a_row():
    with pytest.raises(OptionError, match="rule=renju is for in_a_row=5, not 4"):
        Gomoku(in_a_row=4, rule="renju")
