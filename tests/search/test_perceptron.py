"""The small network's kernel against NumPy's matrices."""

import numpy as np

from meeple.search.perceptron import new_perceptron, no_perceptron, predict


def test_the_kernel_computes_what_matrices_do():
    rng = np.random.default_rng(0)
    scale = rng.uniform(0, 1, 7).astype(np.float32)
    network = new_perceptron(scale, 5, 3, seed=2)
    hidden, shares = np.zeros(5, dtype=np.float32), np.zeros(3)
    clipped = 0
    for _ in range(20):
        features = rng.normal(size=7).astype(np.float32)
        predict(network, features, hidden, shares)
        below = network.first.astype(float) @ (features * scale) + network.first_bias
        clipped += int((below < 0).sum())
        expected = network.second @ np.maximum(below, 0) + network.second_bias
        np.testing.assert_allclose(shares, expected, atol=1e-6)
    assert 0 < clipped < 100


def test_it_begins_by_its_seed_within_the_bounds_of_its_layers():
    scale = np.ones(100, dtype=np.float32)
    one, again, other = (new_perceptron(scale, 16, 4, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.first, other.first)
    assert 0.09 < np.abs(one.first).max() <= 0.1
    assert 0.2 < np.abs(one.second).max() <= 0.25


def test_the_lack_of_a_network_has_the_same_types():
    network, lack = new_perceptron(np.ones(2, dtype=np.float32), 2, 3, 0), no_perceptron(3)
    assert [(a.dtype, a.ndim) for a in network] == [(a.dtype, a.ndim) for a in lack]
    assert len(lack.first_bias) == 0
