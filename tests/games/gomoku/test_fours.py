"""Wins by fours: the kernel against the definition, played with the rule book's board."""

import itertools

import numpy as np
import pytest

from meeple.games.gomoku.fours import (
    MANY,
    NO_CELL,
    completing_after,
    completing_through,
    search_fours,
    win_by_fours,
)
from meeple.games.gomoku.lines import side_of, toggle
from meeple.kernels import kernel
from tests.games.gomoku.boards import after, naive_game, random_position
from tests.naive.gomoku_threats import NaiveThreats

BOARDS = [
    (5, 3, "standard"),
    (5, 4, "freestyle"),
    (6, 4, "standard"),
    (6, 5, "freestyle"),
    (8, 5, "freestyle"),
    (8, 5, "standard"),
    pytest.param(6, 5, "renju", marks=pytest.mark.slow),
    pytest.param(8, 5, "renju", marks=pytest.mark.slow),
]
NODES = 100_000


@pytest.mark.parametrize(("size", "in_a_row", "rule"), BOARDS)
def test_a_win_by_fours_is_found_exactly_where_the_definition_has_one(size, in_a_row, rule):
    rng = np.random.default_rng(size)
    found = set()
    for _ in range(8):
        position = random_position(size, in_a_row, rule, rng)
        wins = win_by_fours(position.state, NODES) > 0
        assert wins == NaiveThreats(naive_game(position), position.to_move).win_by_fours()
        found.add(wins)
    assert found == {True, False}


@kernel
def completing(s, player, cell):
    """What a stone completes: before it is placed, without it, and once it is placed."""
    side = side_of(s, player)
    before, without = completing_after(side, cell), completing_through(side, cell)
    toggle(side.own, side.size, cell)
    after = completing_through(side, cell)
    toggle(side.own, side.size, cell)
    return before, without, after


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_what_a_stone_completes_is_seen_before_it_is_placed(rule):
    rng, numbers = np.random.default_rng(7), set()
    for _ in range(6):
        position = random_position(15, 5, rule, rng)
        for player, cell in itertools.product(range(2), position.legal_actions().tolist()):
            before, without, after = completing(position.state, player, cell)
            if without == NO_CELL:
                assert before == after
                numbers.add(min(before, 0))
    assert numbers == {0, NO_CELL, MANY}


def test_the_plies_of_a_win_include_the_stone_that_completes_the_row():
    assert win_by_fours(after("h8 a1 h9 a3 h10 c1 h11 h12").state, NODES) == 1
    assert win_by_fours(after("h8 a1 h9 a3 h10 c1").state, NODES) == 3


def test_a_stone_that_blocks_a_four_of_the_opponent_must_be_a_four_itself():
    four = "{} c1 {} c2 {} c3 {} c4"  # player 1 must block at c5
    assert win_by_fours(after(four.format("d5", "e5", "f9", "h13")).state, NODES) == 0
    assert win_by_fours(after(four.format("d5", "e5", "f5", "h13")).state, NODES) == 3


def test_in_renju_black_does_not_win_by_a_forbidden_double_four():
    corner = "e8 d8 f8 h4 g8 a1 h5 a3 h6 c1 h7 e1"  # h8 makes two fours
    assert win_by_fours(after(corner, rule="standard").state, NODES) == 3
    assert win_by_fours(after(corner, rule="renju").state, NODES) == 0


def test_in_renju_white_wins_by_a_four_if_its_block_is_forbidden():
    moves = "b3 e4 c3 e5 d3 e6 f3 o1 g3 o9 e8 a12 e2"  # e3 would be the sixth of a row of Black
    assert win_by_fours(after(moves, rule="standard").state, NODES) == 0
    white = after(moves, rule="renju")
    assert win_by_fours(white.state, NODES) == 3
    plies, _ = search_fours(white.state, 1, NODES, np.zeros_like(white.state.deck), True)
    assert plies == 0


def test_the_search_leaves_the_state_as_it_was():
    position = random_position(9, 5, "freestyle", np.random.default_rng(3))
    before = position.row.copy()
    win_by_fours(position.state, NODES)
    np.testing.assert_array_equal(position.row, before)


def test_the_search_ends_at_its_limit_of_nodes():
    won = after("b8 a8 c8 o1 d8 o3 e6 o5 e7 m14")  # e8 f8 e9 leaves two cells
    assert win_by_fours(won.state, NODES) == 5
    assert win_by_fours(won.state, 0) == 0
