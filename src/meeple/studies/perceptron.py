"""A network so small that search asks it inside its kernel: dense layers, shares for seats.

Larger networks are PyTorch's, asked in batches: see `evaluators.py`. How this one is trained is not
decided here.
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
    """x <- scale x, then x <- f(x W + b) layer by layer, the last one without f.

    For F features, any number of hidden layers, and P seats.
    """

    scale: npt.NDArray[np.float32]  # [F] what each feature is multiplied by
    widths: npt.NDArray[np.int64]  # [layers + 1] F, the units of each hidden layer, P
    weights: npt.NDArray[np.float32]  # of each layer W [inputs, outputs], row by row, and b
    activation: int  # f, a number of ACTIVATIONS

    @property
    def layers(self) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
        """W [inputs, outputs] and b [outputs] of each layer, where they lie in `weights`."""
        found, place = [], 0
        for inputs, outputs in zip(self.widths[:-1], self.widths[1:], strict=True):
            end = place + inputs * outputs
            matrix = self.weights[place:end].reshape(inputs, outputs)
            found.append((matrix, self.weights[end : end + outputs]))
            place = end + outputs
        return found


class Units(NamedTuple):
    """The working memory of a perceptron."""

    one: npt.NDArray[np.float32]  # [its greatest width]
    other: npt.NDArray[np.float32]  # the same
    found: npt.NDArray[np.int64]  # the same


def new_perceptron(
    scale: npt.NDArray[np.float32],
    hidden: Sequence[int],
    seats: int,
    seed: int,
    activation: str = "relu",
) -> Perceptron:
    """Untrained: weights and biases uniform within 1 / sqrt(inputs), as PyTorch's layers begin."""
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
    """Of a perceptron of these widths, biases among them."""
    return int((widths[:-1] * widths[1:] + widths[1:]).sum())


def no_perceptron() -> Perceptron:
    """What stands for the lack of a network: it has no widths."""
    nothing = np.zeros(0, dtype=np.float32)
    return Perceptron(nothing, np.zeros(0, dtype=np.int64), nothing, _RELU)


def new_units(network: Perceptron) -> Units:
    """Working memory for a perceptron, or for the lack of one."""
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
