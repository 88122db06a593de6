"""The fit of Gomoku's weights: its counts are those of the evaluation, and its file is read."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import fit_gomoku
from meeple.games.contract.records import record_of
from meeple.games.contract.registry import make
from meeple.games.gomoku import cell_values
from meeple.games.gomoku.cell_weights import BIAS, BY_CLASS, BY_CLASSES
from tests.search.test_alphabeta import random_position

GAME = make("gomoku")


@pytest.mark.slow
def test_listed_classes_add_up_to_the_evaluation():
    out = np.zeros((400, 2), np.uint16)
    for seed in range(20):
        position = random_position(GAME, 8 + seed, seed)
        assert position is not None
        state, mover = position.state, position.to_move
        cells = out[: fit_gomoku.list_classes(state, mover, out)]
        values = sum(cell_values.VALUES[side, cells[:, side]] >> 2 for side in range(2))
        assert np.sum(values) == cell_values.survey_cells(state, mover)[0]


def test_a_regression_finds_the_weights_that_made_the_results():
    rng, weights = np.random.default_rng(1), np.array([1.5, -0.5, 0.2])
    inputs = rng.integers(0, 4, (40_000, 3)).astype(np.float32)
    results = (rng.random(len(inputs)) < 1 / (1 + np.exp(-(inputs @ weights)))).astype(float)
    np.testing.assert_allclose(
        fit_gomoku.fit(inputs, results, np.full(3, 0.01)), weights, atol=0.08
    )


@pytest.mark.slow
def test_the_written_file_has_the_form_of_the_one_that_ships(tmp_path: Path):
    records = []
    for seed in range(12):
        position, rng = GAME.start(seed), np.random.default_rng(seed)
        while not position.is_over and len(position.actions) < 60:
            position.play(int(rng.choice(position.legal_actions())))
        record = record_of(position, ("a", "b"))
        records.append(replace(record, payoffs=record.payoffs or (1.0, 0.0)))
    games, out = tmp_path / "games.jsonl", tmp_path / "weights.py"
    games.write_text("".join(one.to_json() + "\n" for one in records))
    fit_gomoku.main([str(games), "--output", str(out)])
    found: dict[str, Any] = {}
    exec(out.read_text(), found)
    assert isinstance(found["BIAS"], type(BIAS))
    assert np.shape(found["BY_CLASS"]) == np.shape(BY_CLASS)
    assert len(found["BY_CLASSES"]) == len(BY_CLASSES)
