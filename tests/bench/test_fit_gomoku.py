"""The fit of Gomoku's network: its slopes, its positions, and the file that it writes."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import fit_gomoku
from meeple.games.contract.records import read_records
from meeple.games.gomoku import cell_network
from meeple.tensor_file import read_tensors, write_tensors

COPIES = 400  # of few positions, for some steps of learning
CASES = fit_gomoku.Cases(
    cells=np.array([[0, 1, 2, 3], [3, 3, 1, 0], [2, 2, 2, 1]], np.uint16),
    first=np.array([0, 2, 3]),
    result=np.array([1.0, 0.0], np.float32),
    value=np.array([0.7, 0.4], np.float32),
    game=np.array([1, 2]),
)

AT_NIGHT = pytest.mark.nightly("Gomoku's network is learned from games, and written as it ships")


@AT_NIGHT
def test_the_slopes_are_those_of_the_loss():
    rng = np.random.default_rng(3)
    weights = fit_gomoku.new_weights(4, rng)
    for weight in weights:
        weight += rng.normal(0, 0.3, weight.shape).astype(np.float32)
    slopes = tuple(np.zeros_like(one) for one in weights)
    order, odds = np.arange(2), np.zeros(2, np.float32)

    def loss() -> float:
        return 2 * fit_gomoku.log_loss(fit_gomoku.odds_of(order, CASES, weights), CASES.value)

    given = tuple(weights)
    layers = fit_gomoku.new_layers()
    fit_gomoku.learn_from(order, CASES.cells, CASES.first, CASES.value, given, slopes, layers, odds)
    for weight, slope in zip(weights, slopes, strict=True):
        for place in itertools.islice(np.ndindex(weight.shape), 0, None, 7):
            kept = weight[place]
            sides = []
            for step in (0.01, -0.01):
                weight[place] = kept + step
                sides.append(loss())
            weight[place] = kept
            assert slope[place] == pytest.approx((sides[0] - sides[1]) / 0.02, abs=2e-3)


@AT_NIGHT
def test_games_are_played_resumed_and_learned_from(tmp_path: Path, capsys: Any):
    games, out = tmp_path / "games.jsonl", tmp_path / "weights.safetensors"
    games.write_text("".join(fit_gomoku.play_games(0, 0.001) + fit_gomoku.play_games(10, 0.001)))
    count = len(read_records(games))
    fit_gomoku.main(["play", str(games), "--games", str(count), "--seconds", "0.001"])
    assert len(read_records(games)) == count  # there were enough
    cases = fit_gomoku.cases_of([games])
    assert set(np.unique(cases.result)) <= {0.0, 0.5, 1.0}
    assert len(cases.value) == len(cases.result) == len(cases.first) - 1

    many = fit_gomoku.Cases(
        np.tile(cases.cells, (COPIES, 1)),
        np.append(0, np.cumsum(np.tile(np.diff(cases.first), COPIES))),
        np.tile(cases.result, COPIES),
        np.tile(cases.value, COPIES),
        np.tile(cases.game, COPIES),
    )
    weights = fit_gomoku.fit(many, epochs=12, mix=0.4, seed=1)
    learned = np.flatnonzero(cases.game % fit_gomoku.HELD_OUT)
    target = 0.4 * cases.result + 0.6 * cases.value
    loss = fit_gomoku.log_loss(fit_gomoku.odds_of(learned, cases, weights), target[learned])
    assert loss < 0.6  # where an even share has 0.69
    assert capsys.readouterr().out.count("held-out log loss") == 12
    write_tensors(out, "cell network", fit_gomoku.file_tensors(weights), {})
    types = frozenset({"I16", "F32"})
    found = read_tensors(out, "cell network", types)[1]
    shipped = read_tensors(cell_network.WEIGHTS, "cell network", types)[1]
    assert found.keys() == shipped.keys()
    for name, one in shipped.items():
        assert (found[name].shape, found[name].dtype) == (one.shape, one.dtype)
