"""Gradient descent of the small network agrees with the formulas in NumPy and float64."""

import numpy as np
import pytest

from meeple_studies.perceptron import ACTIVATIONS, new_perceptron
from meeple_studies.regression import Descent, Schedule, error, fit, learn, outputs

RNG = np.random.default_rng(1)
SCALE = RNG.uniform(0.1, 1, 12).astype(np.float32)
FEATURES = RNG.normal(size=(64, 12)).astype(np.float32)
TARGETS = RNG.dirichlet(np.ones(4), size=64).astype(np.float32)


class Written:
    """The same network and descent by explicit formulas, without automatic differentiation.

    v <- momentum v + gradient + decay w, and w <- w - rate v.
    """

    def __init__(self, network, descent):
        self.weights = [part.astype(np.float64) for layer in network.layers for part in layer]
        self.speeds = [np.zeros_like(weights) for weights in self.weights]
        self.descent = descent

    def outputs(self, features):
        first, first_bias, second, second_bias = self.weights
        self.inputs = features.astype(np.float64) * SCALE
        self.hidden = np.maximum(self.inputs @ first + first_bias, 0)
        return self.hidden @ second + second_bias

    def step(self, features, targets):
        errors = self.outputs(features) - targets
        slope = 2 * errors / errors.size
        below = (slope @ self.weights[2].T) * (self.hidden > 0)
        steps = (self.inputs.T @ below, below.sum(0), self.hidden.T @ slope, slope.sum(0))
        for weights, speed, step in zip(self.weights, self.speeds, steps, strict=True):
            speed *= self.descent.momentum
            speed += step + self.descent.decay * weights
            weights -= self.descent.rate * speed


def flat(parts):
    return np.concatenate([np.ravel(part) for part in parts])


def small(*hidden, activation="relu"):
    return new_perceptron(SCALE, hidden or (6,), 4, 3, activation)


def still(network):
    return np.zeros_like(network.weights)


@pytest.mark.parametrize("batch", [None, 10])
def test_steps_agree_with_the_formulas(batch):
    network, descent = small(), Descent(0.05, 0.9, 0.01, batch)
    velocity, written = still(network), Written(network, descent)
    rng, same = np.random.default_rng(0), np.random.default_rng(0)
    for _ in range(30):
        expected = np.square(written.outputs(FEATURES) - TARGETS).mean()
        assert error(network, FEATURES, TARGETS) == pytest.approx(expected, abs=1e-6)
        learn(network, velocity, FEATURES, TARGETS, descent, rng)
        order = same.permutation(len(FEATURES))
        for first in range(0, len(order), batch or len(order)):
            rows = order[first : first + (batch or len(order))]
            written.step(FEATURES[rows], TARGETS[rows])
        np.testing.assert_allclose(network.weights, flat(written.weights), atol=1e-5)
        np.testing.assert_allclose(velocity, flat(written.speeds), atol=1e-5)
    np.testing.assert_allclose(outputs(network, FEATURES), written.outputs(FEATURES), atol=1e-5)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_step_follows_the_gradient_of_any_network(activation):
    """Compare each weight's gradient with finite differences."""
    network = small(5, 3, activation=activation)
    before, slope = network.weights.copy(), np.zeros(len(network.weights))
    for index in range(len(slope)):
        for sign in (1, -1):
            network.weights[:] = before
            network.weights[index] += sign * 2e-3
            slope[index] += sign * error(network, FEATURES, TARGETS) / 4e-3
    network.weights[:] = before
    learn(network, still(network), FEATURES, TARGETS, Descent(0.1, 0, 0), np.random.default_rng(0))
    np.testing.assert_allclose(before - network.weights, 0.1 * slope, atol=2e-5)


@pytest.mark.slow
def test_learning_reduces_the_error_and_uses_every_position():
    network = small()
    velocity, rng = still(network), np.random.default_rng(0)
    before = error(network, FEATURES, TARGETS)
    even = float(np.square(TARGETS - 0.25).mean())
    for _ in range(400):
        learn(network, velocity, FEATURES, TARGETS, Descent(decay=0.0, batch=10), rng)
    assert error(network, FEATURES, TARGETS) < 0.9 * even < before


def test_training_updates_the_arrays_of_a_search_in_place():
    network = small()
    velocity = still(network)
    held = network.weights, velocity
    before = [array.copy() for array in held]
    learn(network, velocity, FEATURES, TARGETS, Descent(), np.random.default_rng(0))
    assert all(np.any(array != old) for array, old in zip(held, before, strict=True))
    assert network.weights is held[0]


def test_equal_seeds_give_bit_identical_networks():
    one, other = small(), small()
    for network in (one, other):
        velocity, rng = still(network), np.random.default_rng(0)
        for _ in range(5):
            learn(network, velocity, FEATURES, TARGETS, Descent(batch=10), rng)
    assert np.array_equal(one.weights, other.weights)


# ---------------------------------------------------------------- with validation

QUICK = Descent(rate=0.05, momentum=0.9, decay=0.0, batch=10)


def fitted(schedule, features=FEATURES, targets=TARGETS, seed=4):
    network = small()
    losses = fit(
        network, still(network), features, targets, QUICK, schedule, np.random.default_rng(seed)
    )
    return network, losses


def test_one_epoch_without_validation_is_one_pass_over_all():
    network, losses = fitted(Schedule())
    twin = small()
    rng = np.random.default_rng(4)
    order = rng.permutation(len(FEATURES))
    learn(twin, still(twin), FEATURES[order], TARGETS[order], QUICK, rng)
    assert np.array_equal(network.weights, twin.weights)
    assert losses.training == pytest.approx(error(twin, FEATURES, TARGETS))
    assert np.isnan([losses.validation, losses.test]).all()


def test_a_fifth_is_for_test_and_a_fifth_of_the_rest_for_validation(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "meeple_studies.regression.learn", lambda *given: seen.append(given[2].tolist())
    )
    fitted(Schedule(epochs=3, test=0.2, validation=0.2, patience=9))
    assert [len(rows) for rows in seen] == [
        41
    ] * 3  # of 64 rows: 13 for test, then 10 of 51 for validation
    assert seen[0] == seen[1] == seen[2]


def test_momentum_is_reset_for_each_game_with_validation():
    schedule = Schedule(3, 0.2, 0.2, 3)
    calm, driven = small(), small()
    for network, speed in ((calm, 0), (driven, 1e3)):
        velocity = np.full_like(network.weights, speed)
        rng = np.random.default_rng(4)
        fit(network, velocity, FEATURES, TARGETS, QUICK, schedule, rng)
    assert np.array_equal(calm.weights, driven.weights)


def test_training_stops_without_improved_validation_and_keeps_the_best(monkeypatch):
    errors = []

    def noted(network, features, targets):
        found = error(network, features, targets)
        errors.append((len(features), found))
        return found

    monkeypatch.setattr("meeple_studies.regression.error", noted)
    random = np.random.default_rng(2).dirichlet(np.ones(4), size=64).astype(np.float32)
    _, losses = fitted(Schedule(100, 0.2, 0.2, 5), targets=random)
    checked = [found for count, found in errors[:-3] if count == 10]
    assert len(checked) < 101  # training on noise stops early
    assert losses.validation == pytest.approx(min(checked))
    assert checked.index(min(checked)) == len(checked) - 1 - 5
    assert np.isfinite(losses.test)
