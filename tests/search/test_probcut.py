"""Multi-ProbCut: which nodes probes decide, and how margins are measured."""

from typing import Any

import numpy as np
import pytest

import meeple
from meeple.games.contract.game import Game, Position
from meeple.kernels import kernel
from meeple.learn.methods import probes
from meeple.learn.methods.probes import measure
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings, deepen
from meeple.search.minimax.memory import SHARE
from meeple.search.minimax.negamax import probe_margin
from meeple.search.minimax.probcut import PROBED_FROM, WIDTH, probe_depth
from meeple.search.patterns.evaluation import MEASURED_PLIES, PatternEvaluation


@pytest.fixture(scope="module")
def game() -> Game:
    return meeple.make("reversi", size=6)


def evaluation_of(game: Game, deviation: float) -> PatternEvaluation:
    evaluation = PatternEvaluation(game)
    rng = np.random.default_rng(1)
    evaluation.weights[:] = rng.normal(0, 0.1, evaluation.weights.shape)
    evaluation.deviations[:] = deviation
    return evaluation


@kernel
def margin_at(search: Any, ply: int) -> int:
    return int(probe_margin(search, ply))


def midgame(game: Game) -> Position:
    rng, position = np.random.default_rng(2), game.start()
    for _ in range(8):
        position.play(int(rng.choice(position.legal_actions())))
    return position


def searched(
    game: Game,
    deviation: float,
    *,
    tempo: float = 0.0,
    selective: bool = True,
    to_depth: bool = False,
) -> tuple[int, float]:
    """Return the nodes and the value of a search of seven plies."""
    evaluation = evaluation_of(game, deviation)
    evaluation.tempo[:] = tempo
    search = AlphaBeta(game, MinimaxSettings(selective=selective), patterns=evaluation)
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
def test_a_search_that_is_not_selective_or_to_a_depth_uses_nothing_measured(
    game: Game, options: dict[str, bool]
) -> None:
    assert searched(game, 0.01, tempo=1.0, **options) == searched(game, 0.0, **options)
    assert searched(game, 0.0, tempo=1.0) != searched(game, 0.0)


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


def test_a_margin_is_that_of_logits(game: Game) -> None:
    """The same margin in logits is narrower in shares, the further a bound is from even."""
    search = AlphaBeta(game, MinimaxSettings(selective=True), patterns=evaluation_of(game, 0.1))
    search.prepare(midgame(game), to_depth=False)
    frame, margins = search._search.stack.frames[3], []
    frame["remaining"] = 4
    for share in (0.5, 0.9):
        frame["beta"] = round((2 * share - 1) * SHARE)
        margins.append(margin_at(search._search, 3) / (2 * SHARE))
    assert margins == pytest.approx([0.1 * WIDTH, 0.1 * WIDTH * 4 * 0.9 * 0.1])


def test_margins_are_those_of_the_stage_of_each_ply(game: Game) -> None:
    evaluation, position = evaluation_of(game, 0.0), midgame(game)
    evaluation.deviations[:] = np.arange(len(evaluation.deviations))[:, None]
    search = AlphaBeta(game, MinimaxSettings(selective=True), patterns=evaluation)
    search.prepare(position, to_depth=False)
    for ply in range(20):
        stage = int(evaluation.layout.stage_of[evaluation.occupied(position) + ply])
        margins = search._search.margins[ply, PROBED_FROM:]
        assert margins / (2 * SHARE) == pytest.approx(WIDTH * stage)


@pytest.mark.slow
def test_measured_deviations_are_those_of_values_from_their_probes(game: Game) -> None:
    evaluation, again = evaluation_of(game, 0.0), evaluation_of(game, 0.0)
    measure(game, evaluation, positions=1, seed=4)
    assert (evaluation.deviations[:, :PROBED_FROM] == 0).all()
    assert (evaluation.deviations[:, PROBED_FROM:] > 0).all()
    assert (evaluation.deviations[:, PROBED_FROM:] > probes.LEAST_DEVIATION).any()
    again.tempo[:] = 1.0  # measured anew
    measure(game, again, positions=1, seed=4)
    assert np.array_equal(evaluation.deviations, again.deviations)
    assert np.array_equal(evaluation.tempo, again.tempo)


@pytest.mark.slow
def test_tempo_takes_away_what_the_player_to_move_is_given_by_some_stages(game: Game) -> None:
    """With equal weights otherwise, searches of odd and even depth differ by nothing else."""
    evaluation = PatternEvaluation(game)
    evaluation.weights[:, -1] = 0.4 * (np.arange(len(evaluation.weights)) % 2)
    measure(game, evaluation, positions=16, seed=4)
    logits = evaluation.weights[evaluation.layout.stage_of, -1]
    without = np.sqrt(np.mean((logits[14:30] + logits[15:31]) ** 2)) / 4
    assert evaluation.deviations[4:9, 1].max() < 0.4 * without


def test_equal_values_at_all_depths_have_the_least_deviation(game: Game) -> None:
    evaluation = PatternEvaluation(game)
    measure(game, evaluation, positions=1, seed=4)
    assert np.allclose(evaluation.deviations[:, PROBED_FROM:], probes.LEAST_DEVIATION)
    assert not evaluation.tempo.any()


def test_a_tempo_that_other_games_do_not_confirm_is_not_used(game: Game, monkeypatch: Any) -> None:
    rng, evaluation = np.random.default_rng(1), PatternEvaluation(game)
    by_chance = rng.normal(size=(600, MEASURED_PLIES))
    found = np.arange(600), rng.integers(12, 28, size=600), by_chance
    monkeypatch.setattr(probes, "_searched", lambda *_: found)
    measure(game, evaluation, positions=600, seed=1)
    assert not evaluation.tempo.any()
    assert evaluation.deviations[:, PROBED_FROM:].mean() == pytest.approx(2**0.5 / 4, rel=0.1)
