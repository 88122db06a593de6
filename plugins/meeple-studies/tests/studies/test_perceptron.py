"""The kernel of the small network agrees with NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from meeple_studies.perceptron import (
    ACTIVATIONS,
    new_perceptron,
    new_units,
    no_perceptron,
    number_of_weights,
    predict,
)

FORMULAS: dict[str, Callable[[Any], Any]] = {
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(), (5,), (9, 4), (3, 8, 2)])
def test_kernel_agrees_with_matrix_products(hidden, activation):
    rng = np.random.default_rng(0)
    scale = rng.uniform(0, 1, 7).astype(np.float32)
    network = new_perceptron(scale, hidden, 3, 2, activation)
    units, shares = new_units(network), np.zeros(3)
    for _ in range(20):
        features = rng.normal(size=7).astype(np.float32)
        features[rng.integers(7)] = 0
        predict(network, features, units, shares)
        values = features.astype(float) * scale
        *before, (matrix, bias) = network.layers
        for inner, inner_bias in before:
            values = FORMULAS[activation](values @ inner + inner_bias)
        np.testing.assert_allclose(shares, values @ matrix + bias, atol=1e-6)


def test_layers_are_views_of_all_weights():
    network = new_perceptron(np.ones(7, dtype=np.float32), (5, 4), 3, seed=1)
    shapes = [(matrix.shape, bias.shape) for matrix, bias in network.layers]
    assert shapes == [((7, 5), (5,)), ((5, 4), (4,)), ((4, 3), (3,))]
    assert len(network.weights) == number_of_weights(network.widths) == 7 * 5 + 5 + 24 + 15
    for matrix, bias in network.layers:
        matrix[:] = bias[:] = 2
    assert np.all(network.weights == 2)


def test_initial_weights_depend_on_the_seed_and_are_bounded_by_layer():
    scale = np.ones(100, dtype=np.float32)
    one, again, other = (new_perceptron(scale, (16,), 4, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.weights, again.weights)
    assert not np.array_equal(one.weights, other.weights)
    (first, first_bias), (second, _) = one.layers
    assert 0.09 < np.abs(first).max() <= 0.1
    assert 0 < np.abs(first_bias).max() <= 0.1
    assert 0.2 < np.abs(second).max() <= 0.25


def test_empty_network_has_the_same_types():
    network, lack = new_perceptron(np.ones(2, dtype=np.float32), (2,), 3, 0), no_perceptron()
    assert [np.asarray(a).dtype for a in network] == [np.asarray(a).dtype for a in lack]
    assert len(lack.widths) == 0 == len(new_units(lack).one)
