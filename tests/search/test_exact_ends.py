"""Ends that are proven within a budget agree with the exact solver, whatever was proven before."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meeple.games.contract.registry import load_game_file, make
from meeple.search.exact.ends import ExactEnds
from meeple.search.exact.solver import solve
from tests.search.die import Die
from tests.search.test_solver import Hidden, Shares

ROOT = Path(__file__).parents[2]
LARGE = 10**6  # children; decides all positions below

GAMES: dict[str, dict[str, Any]] = {
    "nim": {"heaps": "1,2,4", "take": 4},
    "hex": {"size": 3},
    "reversi": {"size": 4},
    "connect-four": {"rows": 4, "columns": 5},
}


@pytest.fixture(scope="module", autouse=True)
def connect_four():
    load_game_file(ROOT / "examples" / "connect_four.py")


def positions(game, games, plies):
    """Yield positions of random games, from so many plies on."""
    rng = np.random.default_rng(5)
    for seed in range(games):
        position = game.start(seed)
        while not position.is_over:
            if len(position.actions) >= plies:
                yield position
            position.play(int(rng.choice(position.legal_actions())))


@pytest.mark.parametrize("name", GAMES)
def test_proven_positions_have_the_payoffs_and_the_best_actions_of_the_solver(name):
    game = make(name, **GAMES[name])
    ends = ExactEnds(game)
    for position in positions(game, games=4, plies=game.max_plies // 3):
        end = ends.prove(position.row, leader=0, budget=LARGE)
        solution = solve(position)
        assert end is not None
        assert end.complete
        assert end.payoffs.tolist() == solution.payoffs.tolist()
        assert end.keeping.tolist() == solution.best_actions


@pytest.mark.parametrize("name", GAMES)
def test_actions_that_are_kept_under_a_small_budget_lose_nothing(name):
    game = make(name, **GAMES[name])
    ends, incomplete = ExactEnds(game), 0
    for position in positions(game, games=6, plies=0):
        end = ends.prove(position.row, leader=1, budget=20 * ends.width)
        if end is not None:
            solution = solve(position)
            incomplete += not end.complete
            assert end.payoffs.tolist() == solution.payoffs.tolist()
            assert set(end.keeping) <= set(solution.best_actions)
    assert incomplete or name == "nim"


@pytest.mark.parametrize("name", GAMES)
def test_a_proven_game_is_played_to_its_end_by_looking_up_what_is_known(name):
    game, rng = make(name, **GAMES[name]), np.random.default_rng(2)
    ends, ended = ExactEnds(game), 0
    for position in positions(game, games=4, plies=game.max_plies // 3):
        end, line = ends.prove(position.row, leader=0, budget=60 * ends.width), position.copy()
        while end is not None and not line.is_over:
            line.play(int(rng.choice(end.keeping)))
            if line.is_over:
                assert line.payoffs.tolist() == end.payoffs.tolist()
                ended += 1
                break
            budget = (60 if name == "hex" else 1) * ends.width  # Hex declares results
            known = ends.prove(line.row, int(end.payoffs.argmax()), budget)
            assert known is not None
            assert known.payoffs.tolist() == end.payoffs.tolist()
            end = known
    assert ended


def test_no_budget_is_exceeded():
    game = make("connect-four")
    ends, proven = ExactEnds(game), 0
    for position in positions(game, games=20, plies=8):
        for budget in (0, 6, 7, 50, 333):
            before = ends.visited
            proven += ends.prove(position.row, leader=0, budget=budget) is not None
            assert ends.visited - before <= budget
    assert proven


def test_a_full_table_ends_the_search_and_is_replaced():
    game = make("connect-four", rows=4, columns=5)
    ends = ExactEnds(game, slots=64)
    assert ends.prove(game.start().row, leader=0, budget=LARGE) is None
    assert ends.visited < 1000
    ends.make_room()
    *_, last = (position.copy() for position in positions(game, games=1, plies=0))
    assert ends.prove(last.row, leader=0, budget=LARGE) is not None


@pytest.mark.parametrize(
    "game",
    [Hidden(), Shares(with_chance=1), Shares(with_chance=2), Shares(), Die()],
    ids=["hidden", "chance", "chance-below", "shares-between", "more outcomes than actions"],
)
def test_games_that_the_solver_does_not_know_are_never_proven(game):
    assert ExactEnds(game).prove(game.start().row, leader=0, budget=LARGE) is None


def test_a_game_that_needs_too_much_memory_is_never_proven(monkeypatch):
    monkeypatch.setattr("meeple.search.exact.ends.MAX_STACK_BYTES", 1000)
    game = make("hex", size=3)
    assert ExactEnds(game).prove(game.start().row, leader=0, budget=LARGE) is None
