"""A perceptron small enough to be evaluated inside the search kernel: features to shares by seat.

Larger networks are evaluated in batches by PyTorch; see `search/evaluators.py`. The training is in
`regression.py`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import inlined, kernel
from meeple.search.layers import add_products, copy_values

ACTIVATIONS = ("relu", "tanh", "sigmoid")
_RELU, _TANH = 0, 1


class Perceptron(NamedTuple):
    """A multilayer perceptron: x <- scale x, then x <- f(x W + b) by layer, the last without f.

    It has F features, any number of hidden layers, and P seats.
    """

    scale: npt.NDArray[np.float32]  # [F] factor of each feature
    widths: npt.NDArray[np.int64]  # [layers + 1] F, the units of each hidden layer, P
    weights: npt.NDArray[np.float32]  # for each layer W [inputs, outputs], row by row, then b
    activation: int  # f, an index of ACTIVATIONS

    @property
    def layers(self) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
        """W [inputs, outputs] and b [outputs] of each layer, as views of `weights`."""
        found, place = [], 0
        for inputs, outputs in zip(self.widths[:-1], self.widths[1:], strict=True):
            end = place + inputs * outputs
            matrix = self.weights[place:end].reshape(inputs, outputs)
            found.append((matrix, self.weights[end : end + outputs]))
            place = end + outputs
        return found


class Units(NamedTuple):
    """The working memory of a perceptron."""

    one: npt.NDArray[np.float32]  # [largest width]
    other: npt.NDArray[np.float32]  # [largest width]
    found: npt.NDArray[np.int64]  # [largest width]


def new_perceptron(
    scale: npt.NDArray[np.float32],
    hidden: Sequence[int],
    seats: int,
    seed: int,
    activation: str = "relu",
) -> Perceptron:
    """Create an untrained perceptron: weights uniform within 1 / sqrt(inputs), as in PyTorch."""
    widths = np.array([len(scale), *hidden, seats], dtype=np.int64)
    size = number_of_weights(widths)
    network = Perceptron(
        scale.astype(np.float32), widths, np.zeros(size, np.float32), ACTIVATIONS.index(activation)
    )
    rng = np.random.default_rng(seed)
    for matrix, bias in network.layers:
        bound = len(matrix) ** -0.5
        for part in (matrix, bias):
            part[:] = rng.uniform(-bound, bound, part.shape)
    return network


def number_of_weights(widths: npt.NDArray[np.int64]) -> int:
    """Return the number of weights of a perceptron of these widths, including biases."""
    return int((widths[:-1] * widths[1:] + widths[1:]).sum())


def no_perceptron() -> Perceptron:
    """Return the placeholder for no network: a perceptron without widths."""
    nothing = np.zeros(0, dtype=np.float32)
    return Perceptron(nothing, np.zeros(0, dtype=np.int64), nothing, _RELU)


def new_units(network: Perceptron) -> Units:
    """Create the working memory of a perceptron, which may be `no_perceptron()`."""
    widest = int(network.widths.max(initial=0))
    return Units(
        np.zeros(widest, dtype=np.float32),
        np.zeros(widest, dtype=np.float32),
        np.zeros(widest, dtype=np.int64),
    )


@kernel
def predict(network: Any, features: Any, units: Any, shares: Any) -> None:
    """Evaluate float32 features [F] into float64 `shares` [P]; `units` are its working memory."""
    widths, scale = network.widths, network.scale
    one, other = units.one, units.other
    for feature in range(features.shape[0]):
        one[feature] = features[feature] * scale[feature]
    place = 0
    last = widths.shape[0] - 2
    for layer in range(last + 1):
        inputs, outputs = widths[layer], widths[layer + 1]
        end = place + inputs * outputs
        sums = other[:outputs]
        copy_values(network.weights[end : end + outputs], sums)
        matrix = network.weights[place:end].reshape(inputs, outputs)
        add_products(one[:inputs], matrix, sums, units.found)
        if layer < last:
            _activate(sums, network.activation)
        one, other = other, one
        place = end + outputs
    for seat in range(shares.shape[0]):
        shares[seat] = one[seat]


@inlined
def _activate(values: Any, activation: int) -> None:
    """Apply f in place."""
    nothing, whole = np.float32(0.0), np.float32(1.0)
    for index in range(values.shape[0]):
        value = values[index]
        if activation == _RELU:
            values[index] = max(value, nothing)
        elif activation == _TANH:
            values[index] = np.tanh(value)
        else:
            values[index] = whole / (whole + np.exp(-value))
