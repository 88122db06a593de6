"""Labels of deeper searches and exact results, and the rounds of a run that learn from them."""

import itertools

import numpy as np
import pytest

import meeple
from meeple.errors import Stopped
from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from meeple.learn.methods.relabelling import Relabelling
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.patterns.evaluation import PatternEvaluation

EMPTY = 7  # cells, up to which positions are solved


def random_positions(game: Game, empty: int, count: int) -> list[Position]:
    found: list[Position] = []
    rng = np.random.default_rng(5)
    while len(found) < count:
        position = game.start()
        while not position.is_over and cells_left(position) > empty:
            position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over:
            found.append(position)
    return found


def cells_left(position: Position) -> int:
    return position.game.num_cells - int(np.count_nonzero(position.observation(0)[:2]))


def exact_share(position: Position) -> float:
    """The mover's share by plain minimax."""
    best, mover = 0.0, position.to_move
    for action in position.legal_actions().tolist():
        position.play(action)
        if position.is_over:
            share = float(position.payoffs[mover])
        else:
            share = exact_share(position)
            share = share if position.to_move == mover else 1 - share
        position.undo()
        best = max(best, share)
    return best


@pytest.fixture(scope="module")
def evaluation() -> PatternEvaluation:
    found = PatternEvaluation(meeple.make("reversi", size=6))
    rng = np.random.default_rng(1)
    found.weights[:] = rng.normal(0, 0.1, found.weights.shape)
    return found


@pytest.mark.slow
def test_positions_near_the_end_have_their_exact_results(evaluation: PatternEvaluation) -> None:
    game = meeple.make("reversi", size=6)
    positions = random_positions(game, EMPTY, 8)
    states = np.array([position.row for position in positions])
    labels = Relabelling(game, evaluation, 1, EMPTY).labels(states, lambda: False)
    assert labels.tolist() == [exact_share(position) for position in positions]
    assert {0.0, 1.0} <= set(labels.tolist())


@pytest.mark.parametrize("empty", [EMPTY, EMPTY + 9], ids=["a solver without end", "no solver"])
def test_other_positions_have_the_values_of_searches(
    empty: int, evaluation: PatternEvaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = meeple.make("reversi", size=6)
    monkeypatch.setattr(type(position_solver(game)), "advance", lambda solver, nodes: False)
    positions = random_positions(game, empty, 6)
    states = np.array([position.row for position in positions])
    labels = Relabelling(game, evaluation, 3, EMPTY).labels(states, lambda: False)
    search = AlphaBeta(game, patterns=evaluation)
    values = [search.run(position, depth=3).value[position.to_move] for position in positions]
    assert labels.tolist() == pytest.approx(values)


@pytest.mark.parametrize("checks", [0, 1], ids=["before a position", "while it is solved"])
def test_labelling_stops_when_it_is_asked_to(
    checks: int, evaluation: PatternEvaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = meeple.make("reversi", size=6), itertools.count()
    monkeypatch.setattr(type(position_solver(game)), "advance", lambda solver, nodes: False)
    states = np.array([position.row for position in random_positions(game, EMPTY, 1)])
    with pytest.raises(Stopped):
        Relabelling(game, evaluation, 3, EMPTY).labels(states, lambda: next(asked) >= checks)
