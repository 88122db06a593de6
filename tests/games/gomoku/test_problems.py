"""Problems of Gomoku: the solver finds the wins, and the naive check confirms them."""

import numpy as np
import pytest

import meeple
from meeple.games.contract.capabilities import position_solver
from meeple.search.exact.solver import solve
from tests.games.gomoku.boards import random_position
from tests.games.gomoku.problems import check, load, solver_move, stones_of
from tests.naive.gomoku_proof import NaiveProof
from tests.tiers import few_quick

WANTED = 100
MAX_NODES = 1_000_000  # less than a second of one core


@pytest.mark.slow
def test_every_problem_is_solved_within_a_second_and_its_line_has_all_plies():
    """This includes searches with the table of all others."""
    problems = load()
    assert len(problems) == WANTED
    solver = position_solver(problems[0].game)
    assert solver is not None
    for position in [*problems, *reversed(problems)]:
        solver.open(position)
        assert solver.advance(MAX_NODES)
        assert solver.payoffs is not None
        assert solver.payoffs[position.to_move] == 1.0
        assert len(solver.line) == solver.plies
        walk = position.copy()
        for action in solver.line:
            walk.play(action)
        assert walk.is_over
        assert walk.payoffs[position.to_move] == 1.0


@pytest.mark.parametrize("number", few_quick(range(0, WANTED, 4)))
def test_the_naive_check_confirms_the_wins(number):
    for position in load()[number : number + 4]:
        assert check(position) > 0


class EveryReply(NaiveProof):
    """Tries every empty cell as a reply to a threat."""

    def _refutations(self, own: int, other: int) -> int:
        return (1 << self._cells) - 1 & ~(own | other)


@pytest.mark.parametrize("seed", few_quick(range(5)))
def test_the_replies_that_matter_decide_as_every_reply_does(seed):
    rng = np.random.default_rng(seed)
    game = meeple.make("gomoku", size=5, in_a_row=4)
    results = []
    for _ in range(20):
        position = random_position(5, 4, "freestyle", rng, 11)
        player = position.to_move
        stones = stones_of(position)
        own, other = stones[player], stones[1 - player]
        order = rng.permutation(25)
        for strategy in (
            solver_move(game),
            lambda own, other, order=order: next(
                int(cell) for cell in order if not (own | other) >> cell & 1
            ),
        ):
            few, every = (
                proof(5, 4, strategy, 10_000).attacker_wins(own, other)
                for proof in (NaiveProof, EveryReply)
            )
            assert few == every
            results.append(few)
            if few:
                assert solve(position).payoffs[player] == 1.0
    assert {True, False} <= set(results)
