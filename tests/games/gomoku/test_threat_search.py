"""Wins by threats: against exhaustive search, the definition, and known positions."""

import numpy as np
import pytest

from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Position
from meeple.games.contract.registry import make
from meeple.games.gomoku.fours import win_by_fours
from meeple.games.gomoku.solver import ThreatSolver
from meeple.search.exact.solver import solve
from tests.games.gomoku.boards import after, naive_game, random_position
from tests.games.moves import names_of
from tests.naive.gomoku_threats import NaiveThreats
from tests.tiers import few_quick, repeats

BOARDS = [
    (5, 4, "freestyle", 12),
    (6, 4, "standard", 21),
    (5, 3, "standard", 9),
    (6, 5, "freestyle", 26),
]
RENJU = (6, 5, "renju", 26)
CROSSING = "f8 a1 g8 c2 h9 e1 h10 b5"  # h8 makes two open threes


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
@pytest.mark.parametrize(("size", "in_a_row", "rule", "least"), [*BOARDS, RENJU])
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


@pytest.mark.slow
def test_a_win_by_threats_in_renju_is_one_by_the_definition():
    rng, wins = np.random.default_rng(200), 0
    for _ in range(72):
        position = random_position(6, 5, "renju", rng, 22)
        if solved(position).plies:
            assert NaiveThreats(naive_game(position), position.to_move).win_by_threats()
            wins += 1
    assert wins > 5


@pytest.mark.parametrize("seed", few_quick(range(4)))
def test_a_win_by_threes_in_renju_holds_against_every_reply(seed):
    rng, attackers = np.random.default_rng(seed), set[int]()
    solver = ThreatSolver(make("gomoku", size=9, rule="renju"))
    while attackers != {0, 1}:
        position = random_position(9, 5, "renju", rng, 12)
        attacker = position.to_move
        solver.open(position)
        if not solver.advance(50_000) or not solver.plies or win_by_fours(position.state, 100_000):
            continue
        attackers.add(attacker)
        position.play(solver.line[0])
        for reply in position.legal_actions().tolist():
            after_reply = position.copy()
            after_reply.play(reply)
            assert winner(solved(after_reply, attacker=attacker)) == attacker


def test_in_renju_black_does_not_win_by_a_forbidden_double_three():
    position = after(CROSSING, rule="renju")
    assert "h8" not in names_of(position)
    quick = solved(after(CROSSING, rule="standard")).plies
    solver = solved(position)
    assert solver.plies > quick > 0
    for action in solver.line:
        position.play(action)
    assert position.payoffs[0] == 1.0


@pytest.mark.parametrize(("size", "in_a_row", "rule", "least"), BOARDS)
def test_the_line_ends_the_game_within_the_plies_of_the_win(size, in_a_row, rule, least):
    rng = np.random.default_rng(7)
    lines = 0
    for _ in range(30):
        position = random_position(size, in_a_row, rule, rng, least)
        solver = solved(position)
        if solver.plies:
            mover = position.to_move
            for action in solver.line:
                position.play(action)
            assert position.payoffs[mover] == 1.0
            assert len(solver.line) <= solver.plies
            lines += 1
    assert lines > 0


def test_a_line_of_white_in_renju_ends_where_the_block_is_forbidden():
    position = after("b3 e4 c3 e5 d3 e6 f3 o1 g3 o9 e8 a12 e2", rule="renju")
    solver = solved(position)
    assert (solver.plies, [position.action_name(one) for one in solver.line]) == (3, ["e7"])
    position.play(solver.line[0])
    assert "e3" not in names_of(position)


def test_in_renju_black_may_refute_a_win_by_a_stone_that_lifts_a_forbidden_move():
    """White's f3 seems to win, as Black may not block all fours; after d4 or g4 Black may."""
    moves = "f7 g9 e6 e7 h4 f6 f9 b6 e4 e5 g5 f2 d6 f1 b7 e2 d2 d5 c5"
    assert solved(after(moves, size=9, rule="renju")).plies == 0


@pytest.mark.parametrize(
    ("moves", "attacker", "won"),
    [
        ("", None, None),  # there are no threats
        ("h8 a1", None, None),
        (CROSSING, None, 0),
        ("f8 o1 g8 o2 h9 o3 h10 n14 m13 o4", None, None),  # the opponent completes o1 to o5 first
        ("h8 a1 h9 c1 h10", 0, None),  # the player not to move attacks: a three can be met
        ("h8 a1 h9 c1 h10 a15 h11", 0, 0),  # a four cannot
    ],
)
def test_threats_win_where_the_defender_has_no_answer(moves, attacker, won):
    solver = solved(after(moves), attacker=attacker)
    assert winner(solver) == won
    assert (solver.plies > 0) == (won is not None)
    if moves == CROSSING:
        assert after(moves).action_name(solver.line[0]) == "h8"


def test_an_unfinished_search_has_no_result():
    position = after("h8 a1 h9 a3 h10 c1")
    solver = solved(position)
    assert solver.plies == 3
    solver.open(position, attacker=1)
    assert solver.plies == 0


def test_a_win_that_needs_a_stone_in_the_corner_is_not_remembered_without_it():
    positions = [
        after(cells, size=5, in_a_row=4) for cells in ("d3 e3 d5 b2 a5 b4 a1", "d3 e3 d5 b2 a5")
    ]
    solver, found = ThreatSolver(positions[0].game), []
    for position in positions:
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
