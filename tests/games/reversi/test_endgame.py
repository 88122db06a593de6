"""The exact search of endgames: against plain minimax, and a published problem."""

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
from tests.naive.reversi import NaiveReversi

# Problem 40 of the FFO endgame test suite (R. Feldmann): Black, X, is to move and wins by 38
# discs with a2.
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"


def played_to(game: Game, empty: int, seed: int) -> tuple[Position, NaiveReversi] | None:
    """Play at random until `empty` cells are left; None if the game ends before."""
    rng = np.random.default_rng(seed)
    position, naive = game.start(), NaiveReversi(int(game.options["size"]))
    while naive.size**2 - len(naive.owner) > empty:
        if position.is_over:
            return None
        action = int(rng.choice(position.legal_actions()))
        position.play(action)
        naive.play(action)
    return None if position.is_over else (position, naive)


def best_score(naive: NaiveReversi, player: int) -> int:
    """Return a player's cells minus the opponent's at the end, by minimax."""
    if naive.to_move is None:
        score = naive.score()
        return score[player] - score[1 - player]
    results = []
    for action in naive.legal():
        after = NaiveReversi(naive.size)
        after.owner, after.to_move = dict(naive.owner), naive.to_move
        after.play(action)
        results.append(best_score(after, player))
    return max(results) if naive.to_move == player else min(results)


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize("empty", [1, 3, 5, 6])
@pytest.mark.slow
def test_solver_agrees_with_plain_minimax(size: int, empty: int) -> None:
    by_discs = meeple.make("reversi", size=size, payoff="discs")
    by_wins = meeple.make("reversi", size=size)
    for seed in range(12):
        found = played_to(by_discs, empty, seed)
        if found is None:
            continue
        position, naive = found
        score = best_score(naive, 0)
        for game, expected in (
            (by_discs, 0.5 + score / (2 * size**2)),
            (by_wins, 0.5 + 0.5 * np.sign(score)),
        ):
            solver = position_solver(game)
            assert solver is not None
            solver.open(position)
            while not solver.advance(1):
                pass
            assert solver.payoffs is not None
            assert solver.payoffs.tolist() == pytest.approx([expected, 1 - expected])
            position.play(solver.line[0])
            after = NaiveReversi(size)
            after.owner, after.to_move = dict(naive.owner), naive.to_move
            after.play(solver.line[0])
            found_score = best_score(after, 0)
            position.undo()
            if game is by_discs:
                assert found_score == score
            else:
                assert np.sign(found_score) == np.sign(score)


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
            solver.open(found[0])
            while not solver.advance(1000):
                pass
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
            solver.open(found[0])
            while not solver.advance(1000):
                pass
            solver._enlarge_table(slots)
            assert len(solver._stack.table) == slots
        repeated.append(solver.searched)
    assert repeated[0] == repeated[1]


@pytest.mark.slow
def test_published_problem_has_its_score_and_move() -> None:
    game = meeple.make("reversi", payoff="discs")
    position = game.start()
    state = position.row.view(game.State)[0]
    for player, sign in enumerate("XO"):
        state["discs"][player, 0] = sum(1 << cell for cell, own in enumerate(FFO_40) if own == sign)
    state["open_to"] = -1  # the cached moves are those of the opening
    solver = position_solver(game)
    assert solver is not None
    solver.open(position)
    while not solver.advance(1_000_000):
        pass
    assert game.action_name(position, solver.line[0]) == "a2"
    assert solver.payoffs is not None
    assert solver.payoffs[0] == pytest.approx(0.5 + 38 / 128)


def test_boards_of_two_words_have_no_solver() -> None:
    assert position_solver(meeple.make("reversi", size=10)) is None
