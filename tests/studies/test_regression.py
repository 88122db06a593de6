"""Gradient descent of the small network against the formulas, in NumPy and in float64."""

import numpy as np
import pytest

from meeple.search.perceptron import new_perceptron
from meeple.studies.regression import Descent, error, learn, no_velocity, outputs

RNG = np.random.default_rng(1)
SCALE = RNG.uniform(0.1, 1, 12).astype(np.float32)
FEATURES = RNG.normal(size=(64, 12)).astype(np.float32)
TARGETS = RNG.dirichlet(np.ones(4), size=64).astype(np.float32)


class Written:
    """The same network and descent, as the formulas say them: no library differentiates anything.

    v <- momentum v + gradient + decay w, and w <- w - rate v.
    """

    def __init__(self, network, descent):
        self.weights = [weights.astype(np.float64) for weights in network[1:]]
        self.speeds = [np.zeros_like(weights) for weights in self.weights]
        self.descent = descent

    def outputs(self, features):
        first, first_bias, second, second_bias = self.weights
        self.inputs = features.astype(np.float64) * SCALE
        self.hidden = np.maximum(self.inputs @ first.T + first_bias, 0)
        return self.hidden @ second.T + second_bias

    def step(self, features, targets):
        errors = self.outputs(features) - targets
        slope = 2 * errors / errors.size
        below = (slope @ self.weights[2]) * (self.hidden > 0)
        steps = (below.T @ self.inputs, below.sum(0), slope.T @ self.hidden, slope.sum(0))
        for weights, speed, step in zip(self.weights, self.speeds, steps, strict=True):
            speed *= self.descent.momentum
            speed += step + self.descent.decay * weights
            weights -= self.descent.rate * speed


@pytest.mark.parametrize("batch", [None, 10])
def test_steps_are_those_of_the_formulas(batch):
    network, descent = new_perceptron(SCALE, 6, 4, seed=3), Descent(0.05, 0.9, 0.01, batch)
    velocity, written = no_velocity(network), Written(network, descent)
    rng, same = np.random.default_rng(0), np.random.default_rng(0)
    for _ in range(30):
        expected = np.square(written.outputs(FEATURES) - TARGETS).mean()
        assert error(network, FEATURES, TARGETS) == pytest.approx(expected, abs=1e-6)
        learn(network, velocity, FEATURES, TARGETS, descent, rng)
        order = same.permutation(len(FEATURES))
        for first in range(0, len(order), batch or len(order)):
            rows = order[first : first + (batch or len(order))]
            written.step(FEATURES[rows], TARGETS[rows])
        for mine, its in zip(network[1:], written.weights, strict=True):
            np.testing.assert_allclose(mine, its, atol=1e-5)
        for mine, its in zip(velocity, written.speeds, strict=True):
            np.testing.assert_allclose(mine, its, atol=1e-5)
    np.testing.assert_allclose(outputs(network, FEATURES), written.outputs(FEATURES), atol=1e-5)


def test_learning_brings_the_error_down_and_goes_over_every_position():
    network = new_perceptron(SCALE, 6, 4, seed=3)
    velocity, rng = no_velocity(network), np.random.default_rng(0)
    before = error(network, FEATURES, TARGETS)
    even = float(np.square(TARGETS - 0.25).mean())
    for _ in range(400):
        learn(network, velocity, FEATURES, TARGETS, Descent(decay=0.0, batch=10), rng)
    assert error(network, FEATURES, TARGETS) < 0.9 * even < before


def test_the_arrays_that_a_search_holds_are_those_that_learn():
    network = new_perceptron(SCALE, 6, 4, seed=3)
    velocity = no_velocity(network)
    held = [*network[1:], *velocity]
    before = [array.copy() for array in held]
    learn(network, velocity, FEATURES, TARGETS, Descent(), np.random.default_rng(0))
    assert all(np.any(array != old) for array, old in zip(held, before, strict=True))
    assert all(array is mine for array, mine in zip(held, [*network[1:], *velocity], strict=True))


def test_the_same_seed_gives_the_same_network_bit_for_bit():
    one, other = (new_perceptron(SCALE, 6, 4, seed=3) for _ in range(2))
    for network in (one, other):
        velocity, rng = no_velocity(network), np.random.default_rng(0)
        for _ in range(5):
            learn(network, velocity, FEATURES, TARGETS, Descent(batch=10), rng)
    assert all(np.array_equal(mine, its) for mine, its in zip(one, other, strict=True))
