"""Wins by threats: against exhaustive search, the definition, and known positions."""

import numpy as np
import pytest

from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Position
from meeple.games.contract.registry import make
from meeple.games.gomoku.solver import ThreatSolver
from meeple.search.exact.solver import solve
from tests.games.gomoku.boards import after, naive_game, random_position
from tests.naive.gomoku_threats import NaiveThreats
from tests.tiers import few_quick, repeats

BOARDS = [
    (5, 4, "freestyle", 12),
    (6, 4, "standard", 21),
    (5, 3, "standard", 9),
    (6, 5, "freestyle", 26),
]


def solved(position: Position, slice_: int = 1_000, attacker: int | None = None) -> ThreatSolver:
    solver = position_solver(position.game)
    assert isinstance(solver, ThreatSolver)
    solver.open(position, attacker)
    while not solver.advance(slice_):
        assert solver.searched < 2_000_000
    return solver


def winner(solver: ThreatSolver) -> int | None:
    return None if solver.payoffs is None else int(np.argmax(solver.payoffs))


@pytest.mark.parametrize("seed", few_quick(range(6)))
@pytest.mark.parametrize(("size", "in_a_row", "rule", "least"), BOARDS)
def test_exhaustive_search_confirms_every_win_and_its_first_move(size, in_a_row, rule, least, seed):
    rng = np.random.default_rng(seed)
    for _ in range(repeats(10, 4)):
        position = random_position(size, in_a_row, rule, rng, least)
        solver = solved(position)
        if solver.plies:
            exact = solve(position)
            assert exact.payoffs[position.to_move] == 1.0
            assert solver.line[0] in exact.winning_actions
            assert winner(solver) == position.to_move


@pytest.mark.parametrize("seed", few_quick(range(6)))
@pytest.mark.parametrize(("size", "in_a_row", "rule", "least"), BOARDS)
def test_a_win_by_threats_is_found_exactly_where_the_definition_has_one(
    size, in_a_row, rule, least, seed
):
    rng = np.random.default_rng(100 + seed)
    for _ in range(repeats(6, 2)):
        position = random_position(size, in_a_row, rule, rng, least + 2)
        found = solved(position).plies > 0
        assert found == NaiveThreats(naive_game(position), position.to_move).win_by_threats()


@pytest.mark.parametrize(("size", "in_a_row", "rule", "least"), BOARDS)
def test_the_line_ends_the_game_within_the_plies_of_the_win(size, in_a_row, rule, least):
    rng = np.random.default_rng(7)
    lines = 0
    for _ in range(30):
        position = random_position(size, in_a_row, rule, rng, least)
        solver = solved(position)
        if solver.plies:
            walk = position.copy()
            for action in solver.line:
                walk.play(action)
            assert walk.is_over
            assert walk.payoffs[position.to_move] == 1.0
            assert len(solver.line) <= solver.plies
            lines += 1
    assert lines > 0


def test_no_win_is_claimed_where_there_are_no_threats():
    assert solved(after("")).plies == 0
    assert solved(after("h8 a1")).payoffs is None


def test_a_double_three_wins_and_a_defender_with_a_four_refutes_it():
    crossing = "f8 a1 g8 c2 h9 e1 h10 b5"  # h8 makes two open threes
    found = solved(after(crossing))
    assert found.plies > 0
    assert after(crossing).action_name(found.line[0]) == "h8"
    closed = "f8 o1 g8 o2 h9 o3 h10 n14 m13 o4"  # the opponent completes o1 to o5 first
    assert solved(after(closed)).plies == 0


def test_the_opponent_may_be_the_attacker():
    assert winner(solved(after("h8 a1 h9 c1 h10"), attacker=0)) is None  # a three can be met
    assert winner(solved(after("h8 a1 h9 c1 h10 a15 h11"), attacker=0)) == 0  # a four cannot


def test_a_win_that_needs_a_stone_in_the_corner_is_not_remembered_without_it():
    game = make("gomoku", size=5, in_a_row=4)
    solver = ThreatSolver(game)
    found = []
    for cells in ("d3 e3 d5 b2 a5 b4 a1", "d3 e3 d5 b2 a5"):
        position = game.start()
        for cell in cells.split():
            position.play(cell)
        solver.open(position)
        assert solver.advance(1_000_000)
        found.append(winner(solver))
    assert found == [1, None]


def test_a_search_in_slices_gives_the_result_of_one_slice():
    rng = np.random.default_rng(5)
    for _ in range(20):
        position = random_position(6, 5, "freestyle", rng, 24)
        small, large = solved(position, 1), solved(position, 10**9)
        assert (small.plies, small.line) == (large.plies, large.line)


def test_the_position_is_not_changed():
    position = random_position(9, 5, "freestyle", np.random.default_rng(3), 30)
    before = position.row.copy()
    solved(position)
    np.testing.assert_array_equal(position.row, before)
