"""The engine in OpenVINO, which computes convolutions on processors faster than PyTorch.

The OpenVINO graph is built layer by layer from the description in `graph.py`, in milliseconds. The
library's conversion of a PyTorch module takes a second, too long to repeat during training.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import NDArray
from openvino import opset13 as op

from meeple.nets.architecture import Activation, Weights
from meeple.nets.graph import outputs

Array = NDArray[np.float32]
Node = Any  # of an OpenVINO graph

BOARD_AXES = [2, 3]  # rows and columns of [B, C, R, K]


class OpenVinoEngine:
    """A network as a compiled graph, for one thread at a time."""

    def __init__(self, weights: Weights, *, threads: int, bfloat16: bool) -> None:
        """Compile the graph for a number of threads, in float32 or bfloat16."""
        self._weights = weights
        self._config = {
            "INFERENCE_PRECISION_HINT": "bf16" if bfloat16 else "f32",
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,  # pinning would put two engines on the same core
        }
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        """Return policy logits [B, A] and value logits [B, P] of [B, planes, R, K]."""
        found = self._request.infer({0: np.ascontiguousarray(observations)}, share_inputs=True)
        return found[0], found[1] if self._weights.architecture.critic else None

    def refresh(self) -> None:
        """Read the network's current weights."""
        compiled = _core().compile_model(graph_of(self._weights), "CPU", self._config)
        self._request = compiled.create_infer_request()


@functools.cache
def _core() -> Any:
    """Return the library's core, created once because it searches for devices."""
    return ov.Core()


def graph_of(weights: Weights) -> Any:
    """Build the graph from observations to policy logits and, with a critic, value logits."""
    architecture = weights.architecture.without_auxiliary
    observations = op.parameter([-1, *architecture.observation_shape], np.float32)
    found = outputs(architecture, _GraphLayers(weights), observations)
    return ov.Model([op.result(logits) for logits in found.values()], [observations])


class _GraphLayers:
    """Layers as nodes of an OpenVINO graph."""

    def __init__(self, weights: Weights) -> None:
        self._tensors = weights.tensors
        self.activate = _ACTIVATIONS[weights.architecture.activation]

    def dense(self, name: str, x: Node, outputs: int) -> Node:
        product = op.matmul(x, self._constant(f"{name}.weight"), False, True)
        return op.add(product, self._constant(f"{name}.bias", 1, -1))

    def convolution(self, name: str, x: Node, outputs: int, size: int) -> Node:
        pads = [size // 2] * 2
        weights = self._constant(f"{name}.weight")
        product = op.convolution(x, weights, [1, 1], pads, pads, [1, 1])
        return op.add(product, self._constant(f"{name}.bias", 1, -1, 1, 1))

    def _constant(self, name: str, *shape: int) -> Node:
        tensor = np.ascontiguousarray(self._tensors[name])
        return op.constant(tensor.reshape(shape) if shape else tensor)

    def add(self, x: Node, y: Node) -> Node:
        return op.add(x, y)

    def add_to_cells(self, x: Node, y: Node) -> Node:
        return op.add(x, op.unsqueeze(y, BOARD_AXES))

    def split(self, x: Node, first: int) -> tuple[Node, Node]:
        parts = op.variadic_split(x, 1, [first, -1])
        return parts.output(0), parts.output(1)

    def pool(self, x: Node) -> Node:
        means, greatest = op.reduce_mean(x, BOARD_AXES, False), op.reduce_max(x, BOARD_AXES, False)
        return op.concat([means, greatest], 1)

    def join(self, x: Node, y: Node) -> Node:
        return op.concat([x, y], 1)

    def flatten(self, x: Node) -> Node:
        return op.reshape(x, [0, -1], True)


_ACTIVATIONS: dict[Activation, Callable[[Node], Node]] = {
    "linear": lambda x: x,
    "sigmoid": op.sigmoid,
    "tanh": op.tanh,
    "relu": op.relu,
}
