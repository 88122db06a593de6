"""Training of a perceptron by PyTorch's stochastic gradient descent, in place on its arrays.

Another processor or version of PyTorch may sum float32 numbers in another order, so that the last
bits of weights differ there, and eventually the games of self-play. On one machine the same seed
gives the same network, even if training is interrupted and resumed.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple_studies.perceptron import ACTIVATIONS, Perceptron

Array = npt.NDArray[np.float32]


class Descent(NamedTuple):
    """The settings of gradient descent on the mean squared error."""

    rate: float = 0.001  # learning rate
    momentum: float = 0.99
    decay: float = 0.01  # weight decay, also of biases
    batch: int | None = None  # positions a step; None: all


class Schedule(NamedTuple):
    """The number of epochs over a game's positions, and the held-out parts."""

    epochs: int = 1  # at most
    test: float = 0.0  # fraction of the positions for the test error
    validation: float = 0.0  # fraction of the rest for early stopping
    patience: int = 0  # epochs without a smaller validation error, after which training stops


class PerceptronLosses(NamedTuple):
    """Mean squared errors after an update; NaN without such positions."""

    training: float
    validation: float
    test: float


def outputs(network: Perceptron, features: Array) -> Array:
    """Return the shares [B, P] of features [B, F]."""
    values = features * network.scale
    *inner, (matrix, bias) = network.layers
    for weights, offsets in inner:
        values = _ACTIVATE[ACTIVATIONS[network.activation]](values @ weights + offsets)
    return (values @ matrix + bias).astype(np.float32)


_ACTIVATE: dict[str, Callable[[Any], Any]] = {
    "relu": lambda values: np.maximum(values, 0),
    "tanh": np.tanh,
    "sigmoid": lambda values: 1 / (1 + np.exp(-values)),
}


def error(network: Perceptron, features: Array, targets: Array) -> float:
    """Return the mean squared error of the shares [B, P] of features [B, F]; NaN if B is 0."""
    if len(features) == 0:
        return float("nan")
    return float(np.square(outputs(network, features) - targets).mean())


def fit(
    network: Perceptron,
    velocity: Array,
    features: Array,
    targets: Array,
    descent: Descent,
    schedule: Schedule,
    rng: np.random.Generator,
) -> PerceptronLosses:
    """Train on positions [B, F] and their shares [B, P], epoch by epoch.

    With validation, the momentum is reset first, as that of another game would spoil the first
    epochs, and the weights with the smallest validation error are kept, which may be the weights
    before the training.
    """
    order = rng.permutation(len(features))
    tested, rest = np.split(order, [round(schedule.test * len(order))])
    checked, learned = np.split(rest, [round(schedule.validation * len(rest))])
    best, kept, waited = error(network, features[checked], targets[checked]), None, 0
    if len(checked):
        velocity[:] = 0
        kept = network.weights.copy()
    for _ in range(schedule.epochs):
        learn(network, velocity, features[learned], targets[learned], descent, rng)
        if kept is None:
            continue
        found = error(network, features[checked], targets[checked])
        waited += 1
        if found < best:
            best, kept, waited = found, network.weights.copy(), 0
        if waited >= schedule.patience:
            break
    if kept is not None:
        network.weights[:] = kept
    return PerceptronLosses(
        *(error(network, features[on], targets[on]) for on in (learned, checked, tested))
    )


def learn(
    network: Perceptron,
    velocity: Array,
    features: Array,
    targets: Array,
    descent: Descent,
    rng: np.random.Generator,
) -> None:
    """Train one epoch on positions [B, F] and their shares [B, P], in a random order.

    The weights and the velocity, of the same shape, change in place, so that a search that holds
    the network uses the new weights.
    """
    import torch

    from meeple.nets.training import Recipe, torch_threads

    weights = torch.nn.Parameter(torch.from_numpy(network.weights))
    recipe = Recipe("sgd", descent.rate, weight_decay=descent.decay, momentum=descent.momentum)
    sgd = recipe.make_optimizer([weights])
    sgd.state[weights]["momentum_buffer"] = torch.from_numpy(velocity)
    inputs, shares = torch.from_numpy(features * network.scale), torch.from_numpy(targets)
    order = torch.from_numpy(rng.permutation(len(features)))
    size = descent.batch or len(order)
    with torch_threads(1):  # small work, and the same sums on any number of cores
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            sgd.zero_grad()
            _loss(network, weights, inputs[rows], shares[rows]).backward()
            sgd.step()


def _loss(network: Perceptron, weights: Any, inputs: Any, shares: Any) -> Any:
    """Return the mean squared error as a PyTorch tensor; inputs [B, F] are already scaled."""
    import torch

    widths = network.widths.tolist()
    place, values = 0, inputs
    for layer, (before, after) in enumerate(pairwise(widths)):
        end = place + before * after
        values = values @ weights[place:end].view(before, after) + weights[end : end + after]
        if layer < len(widths) - 2:
            values = getattr(torch, ACTIVATIONS[network.activation])(values)
        place = end + after
    return torch.nn.functional.mse_loss(values, shares)
