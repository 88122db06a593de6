"""How a perceptron of shares learns: PyTorch's stochastic gradient descent, on its own arrays.

Float32 sums come out in another order on another processor or in another version of PyTorch, so the
last bits of a weight may differ there, and after many games of self-play the games. On one machine
the same seed gives the same network, also where training was stopped and goes on.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.studies.perceptron import ACTIVATIONS, Perceptron

Array = npt.NDArray[np.float32]


class Descent(NamedTuple):
    """How a perceptron learns: by the gradient of the mean squared error."""

    rate: float = 0.001  # of learning
    momentum: float = 0.99  # of it left after a step
    decay: float = 0.01  # times every weight and bias, added to its gradient
    batch: int | None = None  # positions of a step; None: all there are


class Schedule(NamedTuple):
    """How often it goes over the positions of a game, and what it leaves out to judge by."""

    epochs: int = 1  # at most
    test: float = 0.0  # of all positions, never learned from
    validation: float = 0.0  # of the rest: whether to stop is judged by these
    patience: int = 0  # epochs without a smaller error of validation, after which it stops


class PerceptronLosses(NamedTuple):
    """Mean squared errors after learning; NaN where there are no such positions."""

    training: float
    validation: float
    test: float


def outputs(network: Perceptron, features: Array) -> Array:
    """Shares [B, P] of features [B, F]."""
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
    """The mean squared error over shares [B, P] of features [B, F]; NaN for none."""
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
    """Learn from positions [B, F] and their shares [B, P], epoch by epoch.

    Where some are kept for validation, it begins from rest, and the weights of the epoch with the
    smallest error of these stay, those from before among them: momentum that was gathered in
    another game would spoil the first epochs of each.
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
    """Go once through positions [B, F] and their shares [B, P], in a random order.

    Changes the weights of the network and its velocity, of the same shape, in place, so that a
    search which holds them plays by what was learned.
    """
    import torch

    from meeple.nets.training import optimizer, torch_threads

    weights = torch.nn.Parameter(torch.from_numpy(network.weights))
    sgd = optimizer(
        "sgd",
        [weights],
        learning_rate=descent.rate,
        momentum=descent.momentum,
        weight_decay=descent.decay,
    )
    sgd.state[weights]["momentum_buffer"] = torch.from_numpy(velocity)
    inputs, shares = torch.from_numpy(features * network.scale), torch.from_numpy(targets)
    order = torch.from_numpy(rng.permutation(len(features)))
    size = descent.batch or len(order)
    with torch_threads(1):  # too little to share, and the same sums on any number of cores
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            sgd.zero_grad()
            _loss(network, weights, inputs[rows], shares[rows]).backward()
            sgd.step()


def _loss(network: Perceptron, weights: Any, inputs: Any, shares: Any) -> Any:
    """The mean squared error, as PyTorch differentiates it; inputs [B, F] are scaled."""
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
