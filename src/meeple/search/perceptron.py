"""A network so small that search asks it inside its kernel: one hidden layer, shares for seats.

Larger networks are PyTorch's, asked in batches: see `evaluators.py`. How this one is trained is not
decided here.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import kernel


class Perceptron(NamedTuple):
    """out = b2 + W2 max(0, b1 + W1 (scale x)), for F features, H hidden units and P seats."""

    scale: npt.NDArray[np.float32]  # [F] what each feature is multiplied by
    first: npt.NDArray[np.float32]  # [H, F] W1
    first_bias: npt.NDArray[np.float32]  # [H]
    second: npt.NDArray[np.float32]  # [P, H] W2
    second_bias: npt.NDArray[np.float32]  # [P]


def new_perceptron(
    scale: npt.NDArray[np.float32], hidden: int, seats: int, seed: int
) -> Perceptron:
    """Untrained: weights and biases uniform within 1 / sqrt(inputs), as PyTorch's layers begin."""
    rng = np.random.default_rng(seed)

    def layer(outputs: int, inputs: int) -> list[npt.NDArray[np.float32]]:
        bound = inputs**-0.5
        return [
            rng.uniform(-bound, bound, shape).astype(np.float32)
            for shape in ((outputs, inputs), (outputs,))
        ]

    return Perceptron(scale.astype(np.float32), *layer(hidden, len(scale)), *layer(seats, hidden))


def no_perceptron(seats: int) -> Perceptron:
    """What stands for the lack of a network: it has no hidden units."""
    nothing = np.zeros(0, dtype=np.float32)
    return Perceptron(
        nothing, nothing.reshape(0, 0), nothing, np.zeros((seats, 0), dtype=np.float32), nothing
    )


@kernel
def predict(network: Any, features: Any, hidden: Any, shares: Any) -> None:
    """Judge float32 features [F] into float64 `shares` [P]; `hidden` is float32 scratch [H]."""
    for unit in range(hidden.shape[0]):
        total = network.first_bias[unit]
        for feature in range(features.shape[0]):
            total += network.first[unit, feature] * (features[feature] * network.scale[feature])
        hidden[unit] = max(total, np.float32(0.0))
    for seat in range(shares.shape[0]):
        total = network.second_bias[seat]
        for unit in range(hidden.shape[0]):
            total += network.second[seat, unit] * hidden[unit]
        shares[seat] = total
