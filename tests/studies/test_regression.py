"""Gradient descent of the small network against PyTorch's."""

import numpy as np
import torch

from meeple.search.perceptron import new_perceptron
from meeple.studies.regression import Descent, descend, gradient, learn, no_velocity, outputs

RNG = np.random.default_rng(1)
SCALE = RNG.uniform(0.1, 1, 12).astype(np.float32)
FEATURES = RNG.normal(size=(64, 12)).astype(np.float32)
TARGETS = RNG.dirichlet(np.ones(4), size=64).astype(np.float32)


def twin(network):
    """The same network in PyTorch."""
    model = torch.nn.Sequential(torch.nn.Linear(12, 6), torch.nn.ReLU(), torch.nn.Linear(6, 4))
    with torch.no_grad():
        for parameter, weights in zip(model.parameters(), network[1:], strict=True):
            parameter.copy_(torch.from_numpy(weights.copy()))
    return model


def test_steps_are_those_of_pytorch():
    network = new_perceptron(SCALE, 6, 4, seed=3)
    model, velocity, descent = twin(network), no_velocity(network), Descent(rate=0.05, momentum=0.9)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=0.01)
    inputs, targets = torch.from_numpy(FEATURES * SCALE), torch.from_numpy(TARGETS)
    for _ in range(30):
        loss = torch.nn.functional.mse_loss(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        error, steps = gradient(network, FEATURES, TARGETS)
        assert abs(error - loss.item()) < 1e-6
        for parameter, step in zip(model.parameters(), steps, strict=True):
            np.testing.assert_allclose(step, parameter.grad.numpy(), atol=1e-6)
        optimizer.step()
        descend(network, velocity, steps, descent)
        for parameter, weights in zip(model.parameters(), network[1:], strict=True):
            np.testing.assert_allclose(weights, parameter.detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(outputs(network, FEATURES), model(inputs).detach(), atol=1e-5)


def test_learning_brings_the_error_down_and_goes_over_every_position():
    network = new_perceptron(SCALE, 6, 4, seed=3)
    velocity, rng = no_velocity(network), np.random.default_rng(0)
    before, _ = gradient(network, FEATURES, TARGETS)
    even = float(np.square(TARGETS - 0.25).mean())
    for _ in range(400):
        learn(network, velocity, FEATURES, TARGETS, Descent(decay=0.0, batch=10), rng)
    after, _ = gradient(network, FEATURES, TARGETS)
    assert after < 0.9 * even < before


def test_whole_batches_are_one_step():
    one, other = (new_perceptron(SCALE, 6, 4, seed=3) for _ in range(2))
    learn(one, no_velocity(one), FEATURES, TARGETS, Descent(), np.random.default_rng(0))
    _, steps = gradient(other, FEATURES, TARGETS)
    descend(other, no_velocity(other), steps, Descent())
    for mine, its in zip(one, other, strict=True):
        np.testing.assert_allclose(mine, its, atol=1e-7)
