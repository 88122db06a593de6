"""Networks over planes in OpenVINO, which computes them faster on processors than PyTorch does.

The graph is built layer by layer from the description in `graph.py`, in milliseconds: the library's
own conversion of a PyTorch module takes a second, too long after every training wave.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import NDArray
from openvino import opset13 as op

from meeple.nets.architecture import Activation
from meeple.nets.graph import outputs
from meeple.nets.weights import Weights

Array = NDArray[np.float32]
Node = Any  # of an OpenVINO graph

BOARD = [2, 3]  # the axes of rows and columns


class OpenVinoEngine:
    """A network as a compiled graph; one thread at a time may call it."""

    def __init__(self, weights: Weights, *, threads: int, bfloat16: bool) -> None:
        """Computes on so many threads, in float32 or bfloat16."""
        self._weights = weights
        self._config = {
            "INFERENCE_PRECISION_HINT": "bf16" if bfloat16 else "f32",
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,  # two engines would share a core
        }
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        """Logits of policy [B, A] and value [B, P] of observations [B, planes, R, K]."""
        found = self._request.infer({0: np.ascontiguousarray(observations)}, share_inputs=True)
        return found[0], found[1] if self._weights.architecture.critic else None

    def refresh(self) -> None:
        """Take over the network's present weights."""
        compiled = _core().compile_model(graph_of(self._weights), "CPU", self._config)
        self._request = compiled.create_infer_request()


_CORE: list[Any] = []


def _core() -> Any:
    """The library's core, made once: it looks for devices."""
    if not _CORE:
        _CORE.append(ov.Core())
    return _CORE[0]


def graph_of(weights: Weights) -> Any:
    """A network's graph, from observations of any number to logits of policy and, if any, value."""
    architecture = weights.architecture.played
    observations = op.parameter([-1, *architecture.observation_shape], np.float32)
    found = outputs(architecture, _GraphLayers(weights), observations)
    results = [found.policy] if found.value is None else [found.policy, found.value]
    return ov.Model([op.result(result) for result in results], [observations])


class _GraphLayers:
    """Layers as nodes of a graph."""

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
        return op.add(x, op.unsqueeze(y, BOARD))

    def split(self, x: Node, first: int) -> tuple[Node, Node]:
        parts = op.variadic_split(x, 1, [first, -1])
        return parts.output(0), parts.output(1)

    def pool(self, x: Node) -> Node:
        means, greatest = op.reduce_mean(x, BOARD, False), op.reduce_max(x, BOARD, False)
        return op.concat([means, greatest], 1)

    def join(self, x: Node, y: Node) -> Node:
        return op.concat([x, y], 1)

    def flatten(self, x: Node) -> Node:
        return op.reshape(x, [0, -1], True)


def _same(x: Node) -> Node:
    return x


_ACTIVATIONS: dict[Activation, Callable[[Node], Node]] = {
    "linear": _same,
    "sigmoid": op.sigmoid,
    "tanh": op.tanh,
    "relu": op.relu,
}
