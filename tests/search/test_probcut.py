"""Multi-ProbCut: which nodes probes decide, and how margins are measured."""

import numpy as np
import pytest

import meeple
from meeple.games.contract.game import Game, Position
from meeple.learn.methods.probes import measured_deviations
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings, deepen
from meeple.search.minimax.probcut import PROBED_FROM, probe_depth
from meeple.search.patterns.evaluation import PatternEvaluation


@pytest.fixture(scope="module")
def game() -> Game:
    return meeple.make("reversi", size=6)


def evaluation_of(game: Game, deviation: float) -> PatternEvaluation:
    evaluation = PatternEvaluation(game)
    rng = np.random.default_rng(1)
    evaluation.weights[:] = rng.normal(0, 0.1, evaluation.weights.shape)
    evaluation.deviations[:] = deviation
    return evaluation


def midgame(game: Game) -> Position:
    rng, position = np.random.default_rng(2), game.start()
    for _ in range(8):
        position.play(int(rng.choice(position.legal_actions())))
    return position


def searched(
    game: Game, deviation: float, *, selective: bool = True, to_depth: bool = False
) -> tuple[int, float]:
    """Return the nodes and the value of a search of seven plies."""
    search = AlphaBeta(
        game, MinimaxSettings(selective=selective), patterns=evaluation_of(game, deviation)
    )
    position = midgame(game)
    search.prepare(position, to_depth=to_depth)
    result = deepen(search, position, np.random.default_rng(1), 7, None)
    return result.nodes, float(result.value[position.to_move])


@pytest.mark.slow
def test_narrow_margins_save_nodes_and_wide_ones_decide_nothing(game: Game) -> None:
    without = searched(game, 0.0)
    assert searched(game, 0.01)[0] < 0.8 * without[0]
    assert searched(game, 3.0) == without


@pytest.mark.parametrize("options", [{"selective": False}, {"to_depth": True}])
def test_a_search_that_is_not_selective_or_to_a_depth_does_not_probe(
    game: Game, options: dict[str, bool]
) -> None:
    assert searched(game, 0.01, **options) == searched(game, 0.0, **options)


@pytest.mark.parametrize("plies", [1, 2])
def test_estimates_alone_decide_nodes_near_the_leaves(game: Game, plies: int) -> None:
    evaluation = evaluation_of(game, 0.0)
    search, position = (
        AlphaBeta(game, MinimaxSettings(selective=True), patterns=evaluation),
        midgame(game),
    )
    nodes = []
    for deviation in (0.0, 0.001):
        evaluation.deviations[:, plies] = deviation
        search.begin(0)
        search.prepare(position, to_depth=False)
        nodes.append(deepen(search, position, np.random.default_rng(1), 6, None).nodes)
    assert nodes[1] < 0.9 * nodes[0]


def test_a_probe_is_about_half_as_deep_and_ends_with_the_same_player() -> None:
    assert [probe_depth(plies) for plies in range(1, 13)] == [0, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6]


def test_probes_never_prove_a_result(game: Game) -> None:
    """Every unfinished position has the value of a draw, and tiny margins end every node."""
    evaluation = PatternEvaluation(game)
    evaluation.deviations[:] = 1e-6
    search, position = (
        AlphaBeta(game, MinimaxSettings(selective=True), patterns=evaluation),
        midgame(game),
    )
    search.prepare(position, to_depth=False)
    assert not deepen(search, position, np.random.default_rng(1), 8, None).proven


@pytest.mark.slow
def test_measured_deviations_are_those_of_values_from_their_probes(game: Game) -> None:
    evaluation = evaluation_of(game, 0.0)
    found = measured_deviations(game, evaluation, positions=1, seed=4)
    assert found.shape == evaluation.deviations.shape
    assert (found[:, :PROBED_FROM] == 0).all()
    assert (found[:, PROBED_FROM:] > 0).all()
    assert np.array_equal(found, measured_deviations(game, evaluation, positions=1, seed=4))


def test_equal_values_at_all_depths_deviate_by_nothing(game: Game) -> None:
    assert not measured_deviations(game, PatternEvaluation(game), positions=1, seed=4).any()
