"""Stochastic gradient descent for a perceptron of shares, in NumPy: it is too small for PyTorch."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.search.perceptron import Perceptron

Array = npt.NDArray[np.float32]


class Descent(NamedTuple):
    """How a perceptron learns: by the gradient of the mean squared error."""

    rate: float = 0.001  # of learning
    momentum: float = 0.99  # of it left after a step
    decay: float = 0.01  # times every weight and bias, added to its gradient
    batch: int | None = None  # positions of a step; None: all there are


def outputs(network: Perceptron, features: Array) -> Array:
    """Shares [B, P] of features [B, F]."""
    return _hidden(network, features) @ network.second.T + network.second_bias


def _hidden(network: Perceptron, features: Array) -> Array:
    inputs = features * network.scale
    return np.maximum(inputs @ network.first.T + network.first_bias, 0).astype(np.float32)


def gradient(network: Perceptron, features: Array, targets: Array) -> tuple[float, list[Array]]:
    """The mean squared error over [B, P], and its gradient by the weights in their order."""
    hidden = _hidden(network, features)
    errors = hidden @ network.second.T + network.second_bias - targets
    slope = errors * np.float32(2 / errors.size)
    below = (slope @ network.second) * (hidden > 0)
    steps = [
        below.T @ (features * network.scale),
        below.sum(axis=0),
        slope.T @ hidden,
        slope.sum(axis=0),
    ]
    return float(np.square(errors).mean()), steps


def no_velocity(network: Perceptron) -> list[Array]:
    """The momentum before the first step."""
    return [np.zeros_like(weights) for weights in network[1:]]


def descend(
    network: Perceptron, velocity: list[Array], steps: list[Array], descent: Descent
) -> None:
    """One step, in place of weights and velocity, as PyTorch's SGD takes it."""
    for weights, speed, step in zip(network[1:], velocity, steps, strict=True):
        speed *= np.float32(descent.momentum)
        speed += step + np.float32(descent.decay) * weights
        weights -= np.float32(descent.rate) * speed


def learn(
    network: Perceptron,
    velocity: list[Array],
    features: Array,
    targets: Array,
    descent: Descent,
    rng: np.random.Generator,
) -> None:
    """Go once through positions [B, F] and their shares [B, P], in a random order."""
    order = rng.permutation(len(features))
    size = descent.batch or len(order)
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        _, steps = gradient(network, features[rows], targets[rows])
        descend(network, velocity, steps, descent)
