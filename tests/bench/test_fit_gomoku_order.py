"""The fit of the order of Gomoku's candidates: its positions, its slopes, the file it writes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import fit_gomoku, fit_gomoku_order
from bench.fit_gomoku_order import Choices, learn_from
from meeple.tensor_file import read_tensors

CHOICES = Choices(
    cells=np.array(
        [[0, 1, 2, 3], [3, 3, 1, 0], [2, 2, 2, 1], [0, 0, 0, 0], [1, 2, 2, 0]], np.uint16
    ),
    first=np.array([0, 3, 5]),
    chosen=np.array([1, 4]),
    game=np.array([1, 2]),
)

AT_NIGHT = pytest.mark.nightly("Gomoku's order of cells is learned from moves, and written")


def test_the_slopes_are_those_of_the_loss():
    weights = np.array([0.3, -0.2, 0.5, 0.1])
    order, memory, later = np.arange(2), np.zeros(10), np.zeros(2, np.int64)
    sums = [weights[list(cell)].sum() for cell in CHOICES.cells]
    shares = [np.exp(sums[1]) / np.exp(sums[:3]).sum(), np.exp(sums[4]) / np.exp(sums[3:]).sum()]
    slopes = np.zeros(4)
    loss = learn_from(order, CHOICES, weights, slopes, memory, later)
    assert loss == pytest.approx(-np.log(shares).sum())
    assert later.tolist() == [sum(one > sums[1] for one in sums[:3]), int(sums[3] > sums[4])]
    for pattern in range(4):
        sides = []
        for step in (1e-5, -1e-5):
            moved = weights.copy()
            moved[pattern] += step
            sides.append(learn_from(order, CHOICES, moved, np.zeros(0), memory, later))
        assert slopes[pattern] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=1e-6)


@AT_NIGHT
def test_moves_of_games_are_learned(tmp_path: Path, capsys: Any):
    games, out = tmp_path / "games.jsonl", tmp_path / "order.safetensors"
    games.write_text("".join(fit_gomoku.play_games(0, 0.001) + fit_gomoku.play_games(10, 0.001)))
    choices = fit_gomoku_order.choices_of([games])
    assert 0 < len(choices.game) == len(choices.chosen) == len(choices.first) - 1
    assert (choices.chosen >= choices.first[:-1]).all()
    assert (choices.chosen < choices.first[1:]).all()

    copies = 600 // len(choices.game) + 2
    many = Choices(
        np.tile(choices.cells, (copies, 1)),
        np.append(0, np.cumsum(np.tile(np.diff(choices.first), copies))),
        np.concatenate([choices.chosen + copy * choices.first[-1] for copy in range(copies)]),
        np.tile(np.minimum(np.arange(len(choices.game)) // 5, 1), copies),  # five are held out
    )
    weights = fit_gomoku_order.fit(many, epochs=30, seed=1)
    assert capsys.readouterr().out.count("held-out log loss") == 30
    learned = np.flatnonzero(many.game)
    later = np.zeros(len(learned), np.int64)
    learn_from(learned, many, weights, np.zeros(0), np.zeros(fit_gomoku_order.CELLS), later)
    assert np.mean(later < 3) > 0.5

    fit_gomoku_order.main([str(games), "--epochs", "1", "--output", str(out)])
    found = read_tensors(out, "cell order", frozenset({"U8"}))[1]
    assert len(found["order"]) == len(weights)
    expected = np.clip(np.rint(10 * (weights + 2.3)), 0, 255)
    assert fit_gomoku_order.bytes_of(weights).tolist() == expected.tolist()
