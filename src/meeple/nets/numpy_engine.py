"""Networks in NumPy: the fastest engine of dense ones, and the one of towers that needs no other.

Planes lie with their channels last, [B, R, K, C], so that a convolution is one product of matrices.
"""

import functools
import math
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from meeple.nets.architecture import Activation
from meeple.nets.graph import outputs
from meeple.nets.weights import Weights, without_subnormals

Array = NDArray[np.float32]


class NumpyEngine:
    """A network as products of matrices, on one thread."""

    def __init__(self, weights: Weights) -> None:
        _one_blas_thread()
        self._weights = weights
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        """Logits of policy [B, A] and value [B, P] of observations [B, *observation_shape]."""
        x = observations
        if x.ndim == 4:
            x = x.transpose(0, 2, 3, 1)
        found = outputs(self._played, self._layers, x)
        return found.policy, found.value

    def refresh(self) -> None:
        """Take over the network's present weights."""
        architecture, tensors = self._weights
        self._played = architecture.played
        self._layers = _NumpyLayers(architecture.activation)
        present = {name: without_subnormals(tensor) for name, tensor in tensors.items()}
        for name, bias in present.items():
            if name.endswith(".bias"):
                layer = name.removesuffix(".bias")
                self._layers.weights[layer] = _matrix(present[f"{layer}.weight"]), bias


@functools.cache
def _one_blas_thread() -> None:
    """Let NumPy multiply on one thread, from now on in this process.

    A small network's products are too short to share. Where other work holds a core, threads that
    wait for each other there made self-play twenty times slower.
    """
    threadpool_limits(1, user_api="blas")


def _matrix(weights: Array) -> Array:
    """[inputs, outputs], of a dense layer; the inputs of a convolution are (row, column, plane)."""
    if weights.ndim == 2:
        return weights.T
    return np.ascontiguousarray(weights.transpose(2, 3, 1, 0)).reshape(-1, len(weights))


class _NumpyLayers:
    """Layers of arrays; planes are [B, R, K, C]."""

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
            x = x.transpose(0, 3, 1, 2)  # as networks are trained: plane by plane
        return x.reshape(len(x), math.prod(x.shape[1:]))


def _patches(x: Array, size: int) -> Array:
    """What a convolution sees from each cell: [B, R, K, C] -> [B, R, K, size, size, C]."""
    margin = size // 2
    padded = np.pad(x, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    windows: Array = sliding_window_view(padded, (size, size), axis=(1, 2))
    return windows.transpose(0, 1, 2, 4, 5, 3)


def _linear(x: Array) -> Array:
    return x


def _sigmoid(x: Array) -> Array:
    # The same function as 1 / (1 + exp(-x)), and cannot overflow.
    half: Array = np.tanh(np.float32(0.5) * x)
    return np.float32(0.5) * (half + np.float32(1))


def _relu(x: Array) -> Array:
    return np.maximum(x, np.float32(0))


_ACTIVATIONS: dict[Activation, Callable[[Array], Array]] = {
    "linear": _linear,
    "sigmoid": _sigmoid,
    "tanh": np.tanh,
    "relu": _relu,
}
