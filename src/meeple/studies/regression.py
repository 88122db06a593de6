"""How a perceptron of shares learns: PyTorch's stochastic gradient descent, on its own arrays.

Float32 sums come out in another order on another processor or in another version of PyTorch, so the
last bits of a weight may differ there, and after many games of self-play the games. On one machine
the same seed gives the same network, also where training was stopped and goes on.
"""

from typing import Any, NamedTuple

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
    inputs = features * network.scale
    hidden = np.maximum(inputs @ network.first.T + network.first_bias, 0)
    return (hidden @ network.second.T + network.second_bias).astype(np.float32)


def error(network: Perceptron, features: Array, targets: Array) -> float:
    """The mean squared error over shares [B, P] of features [B, F]."""
    return float(np.square(outputs(network, features) - targets).mean())


def no_velocity(network: Perceptron) -> list[Array]:
    """The momentum before the first step."""
    return [np.zeros_like(weights) for weights in network[1:]]


def learn(
    network: Perceptron,
    velocity: list[Array],
    features: Array,
    targets: Array,
    descent: Descent,
    rng: np.random.Generator,
) -> None:
    """Go once through positions [B, F] and their shares [B, P], in a random order.

    Changes the arrays of the network and of the velocity in place, so that a search which holds
    them plays by what was learned.
    """
    import torch

    from meeple.nets.training import optimizer, torch_threads

    weights = [torch.nn.Parameter(torch.from_numpy(array)) for array in network[1:]]
    sgd = optimizer(
        "sgd",
        weights,
        learning_rate=descent.rate,
        momentum=descent.momentum,
        weight_decay=descent.decay,
    )
    for weight, speed in zip(weights, velocity, strict=True):
        sgd.state[weight]["momentum_buffer"] = torch.from_numpy(speed)
    inputs, shares = torch.from_numpy(features * network.scale), torch.from_numpy(targets)
    order = torch.from_numpy(rng.permutation(len(features)))
    size = descent.batch or len(order)
    with torch_threads(1):  # too little to share, and the same sums on any number of cores
        for first in range(0, len(order), size):
            rows = order[first : first + size]
            sgd.zero_grad()
            _loss(weights, inputs[rows], shares[rows]).backward()
            sgd.step()


def _loss(weights: list[Any], inputs: Any, shares: Any) -> Any:
    """The mean squared error, as PyTorch differentiates it; inputs [B, F] are scaled."""
    from torch.nn.functional import linear, mse_loss

    first, first_bias, second, second_bias = weights
    hidden = linear(inputs, first, first_bias).relu()
    return mse_loss(linear(hidden, second, second_bias), shares)
