"""Regression of pattern weights on labels: against its formula."""

import numpy as np
import pytest

from meeple.search.patterns.regression import fitted_weights, shares_of

WEIGHTS = 12


def examples(positions: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random weights before the fit, the weights that positions use, and labels."""
    rng = np.random.default_rng(seed)
    used = rng.integers(0, WEIGHTS - 1, (positions, 4)).astype(np.uint32)
    used[:, -1] = WEIGHTS - 2  # a bias; the last weight is never used
    true = rng.normal(0, 0.5, WEIGHTS)
    return rng.normal(0, 0.5, WEIGHTS), used, shares_of(true, used)


def loss(
    weights: np.ndarray,
    before: np.ndarray,
    used: np.ndarray,
    labels: np.ndarray,
    smoothing: float,
) -> float:
    """The formula of the module, term by term."""
    total = 0.0
    for row, label in zip(used.tolist(), labels.tolist(), strict=True):
        share = 1 / (1 + np.exp(-sum(weights[number] for number in row)))
        total -= label * np.log(share) + (1 - label) * np.log(1 - share)
    return total + smoothing / 8 * float(((weights - before) ** 2).sum())


@pytest.mark.parametrize("smoothing", [0.5, 30.0])
def test_fitted_weights_minimize_the_formula(smoothing: float) -> None:
    before, used, labels = examples(60, 1)
    fitted = fitted_weights(before, used, labels, smoothing, steps=50)
    least = loss(fitted, before, used, labels, smoothing)
    assert least < loss(before, before, used, labels, smoothing)
    for number in range(WEIGHTS):
        for step in (-0.01, 0.01):
            other = fitted.copy()
            other[number] += step
            assert loss(other, before, used, labels, smoothing) > least


def test_many_positions_give_the_weights_of_their_labels_and_leave_unused_ones() -> None:
    before, used, labels = examples(5000, 2)
    fitted = fitted_weights(before, used, labels, 0.01, steps=50)
    assert np.abs(shares_of(fitted, used) - labels).max() < 0.001
    assert fitted[-1] == before[-1]
