"""The exact search of endgames: against plain minimax, and a published problem."""

from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents.networks import find_checkpoint
from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from meeple.games.reversi.bits import flips
from meeple.games.reversi.endgame import FIRST_SLOTS, ReversiSolver
from meeple.games.reversi.last_cells import turned_last
from meeple.search.patterns.file import load_patterns
from tests.conformance import step
from tests.games.moves import owners_of
from tests.games.reversi.boards import board, naive_game
from tests.naive.reversi import best_score

# Problem 40 of the FFO endgame test suite (R. Feldmann): Black, X, is to move and wins by 38
# discs with a2.
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"


def played_to(game: Game, empty: int, seed: int) -> Position | None:
    """Play at random until `empty` cells are left; None if the game ends before."""
    position, choice = game.start(), np.random.default_rng(seed)
    while owners_of(position).count(-1) > empty and not position.is_over:
        step(position, choice)
    return None if position.is_over else position


def solve(solver: Any, position: Position, nodes: int) -> None:
    """Search a position in slices of `nodes` nodes."""
    solver.open(position)
    while not solver.advance(nodes):
        pass


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize("empty", [1, 3, 5, 6])
@pytest.mark.slow
def test_solver_agrees_with_plain_minimax(size: int, empty: int) -> None:
    for payoff in ("discs", "win"):
        game, cells = meeple.make("reversi", size=size, payoff=payoff), size**2
        solver: Any = position_solver(game)
        for seed in range(12):
            position = played_to(game, empty, seed)
            if position is None:
                continue
            score = 2 * best_score(naive_game(position)) - cells
            solve(solver, position, 1)
            worth = score if payoff == "discs" else cells * np.sign(score)
            expected = 0.5 + worth / (2 * cells)
            assert solver.payoffs.tolist() == pytest.approx([expected, 1 - expected])
            position.play(solver.line[0])
            found = 2 * best_score(naive_game(position)) - cells
            assert found == score if payoff == "discs" else np.sign(found) == np.sign(score)


def test_discs_that_turn_in_the_last_cell_are_counted_as_they_turn() -> None:
    rng = np.random.default_rng(1)
    for place in range(64):
        for _ in range(20):
            bit = np.uint64(1 << place)
            own = rng.integers(2**64, dtype=np.uint64) & ~bit
            turned = int(flips(bit, own, ~(own | bit))).bit_count()
            assert turned_last(np.uint64(place), own) == turned


@pytest.mark.slow
def test_an_evaluation_orders_moves_and_changes_no_score() -> None:
    game = meeple.make("reversi", payoff="discs")
    patterns = load_patterns(find_checkpoint("reversi8-patterns"), game)
    for seed in range(3):
        found = played_to(game, 13, seed)
        assert found is not None
        scores, nodes = [], []
        for guided in (False, True):
            solver = ReversiSolver(8, by_discs=True)
            if guided:
                solver.order_by(patterns.kernel, patterns.address)
            solve(solver, found, 1000)
            scores.append(solver.payoffs.tolist())
            nodes.append(solver.searched)
        assert scores[0] == scores[1]
        assert nodes[0] != nodes[1]


def test_a_larger_table_keeps_its_entries() -> None:
    found = played_to(meeple.make("reversi"), 14, seed=1)
    assert found is not None
    repeated = []
    for slots in (FIRST_SLOTS, 4 * FIRST_SLOTS):
        solver = ReversiSolver(8, by_discs=False)
        for _ in range(2):
            solve(solver, found, 1000)
            solver._enlarge_table(slots)
            assert len(solver._stack.table) == slots
        repeated.append(solver.searched)
    assert repeated[0] == repeated[1]


@pytest.mark.slow
def test_published_problem_has_its_score_and_move() -> None:
    position = board(FFO_40, payoff="discs")
    solver: Any = position_solver(position.game)
    solve(solver, position, 1_000_000)
    assert position.action_name(solver.line[0]) == "a2"
    assert solver.payoffs[0] == pytest.approx(0.5 + 38 / 128)


def test_boards_of_two_words_have_no_solver() -> None:
    assert position_solver(meeple.make("reversi", size=10)) is None
