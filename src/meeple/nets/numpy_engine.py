"""The engine in NumPy: the fastest for dense networks; for convolutions if no other is installed.

Planes have their channels last, [B, R, K, C], so that a convolution is one matrix product.
"""

import functools
import math
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from meeple.nets.architecture import Activation, Weights
from meeple.nets.graph import outputs

Array = NDArray[np.float32]


class NumpyEngine:
    """A network as matrix products on one thread."""

    def __init__(self, weights: Weights) -> None:
        _one_blas_thread()
        self._weights = weights
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        x = observations
        if x.ndim == 4:
            x = x.transpose(0, 2, 3, 1)
        found = outputs(self._architecture, self._layers, x)
        return found["policy"], found.get("value")

    def refresh(self) -> None:
        architecture = self._weights.architecture
        self._architecture = architecture.without_auxiliary
        self._layers = _NumpyLayers(architecture.activation)
        tensors = self._weights.without_subnormals()
        for name, bias in tensors.items():
            if name.endswith(".bias"):
                layer = name.removesuffix(".bias")
                self._layers.weights[layer] = _matrix(tensors[f"{layer}.weight"]), bias


@functools.cache
def _one_blas_thread() -> None:
    """Limit matrix products of this process to one thread.

    Those of small networks are too short to share. When other programs used a core, threads that
    waited for each other made self-play twenty times slower.
    """
    threadpool_limits(1, user_api="blas")


def _matrix(weights: Array) -> Array:
    """Return weights as [inputs, outputs]; a convolution's inputs are (row, column, plane)."""
    if weights.ndim == 2:
        return weights.T
    return np.ascontiguousarray(weights.transpose(2, 3, 1, 0)).reshape(-1, len(weights))


class _NumpyLayers:
    """Layers that compute NumPy arrays; planes are [B, R, K, C]."""

    def __init__(self, activation: Activation) -> None:
        self.weights: dict[str, tuple[Array, Array]] = {}  # matrix [inputs, outputs] and bias
        self.activate = _ACTIVATIONS[activation]

    def dense(self, name: str, x: Array, outputs: int) -> Array:
        weights, bias = self.weights[name]
        product: Array = x @ weights
        product += bias
        return product

    def convolution(self, name: str, x: Array, outputs: int, size: int) -> Array:
        patches = x if size == 1 else _patches(x, size)
        flat = patches.reshape(math.prod(x.shape[:3]), size * size * x.shape[3])
        return self.dense(name, flat, outputs).reshape(*x.shape[:3], outputs)

    def add(self, x: Array, y: Array) -> Array:
        return x + y

    def add_to_cells(self, x: Array, y: Array) -> Array:
        return x + y[:, None, None, :]

    def split(self, x: Array, first: int) -> tuple[Array, Array]:
        return x[..., :first], x[..., first:]

    def pool(self, x: Array) -> Array:
        return np.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=1)

    def join(self, x: Array, y: Array) -> Array:
        return np.concatenate([x, y], axis=1)

    def flatten(self, x: Array) -> Array:
        if x.ndim == 4:
            x = x.transpose(0, 3, 1, 2)  # in the order of training: plane by plane
        return x.reshape(len(x), math.prod(x.shape[1:]))


def _patches(x: Array, size: int) -> Array:
    """Return the neighbourhood of each cell: [B, R, K, C] -> [B, R, K, size, size, C]."""
    margin = size // 2
    padded = np.pad(x, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    windows: Array = sliding_window_view(padded, (size, size), axis=(1, 2))
    return windows.transpose(0, 1, 2, 4, 5, 3)


def _sigmoid(x: Array) -> Array:
    # Equal to 1 / (1 + exp(-x)), but cannot overflow.
    half: Array = np.tanh(np.float32(0.5) * x)
    return np.float32(0.5) * (half + np.float32(1))


_ACTIVATIONS: dict[Activation, Callable[[Array], Array]] = {
    "linear": lambda x: x,
    "sigmoid": _sigmoid,
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, np.float32(0)),
}
