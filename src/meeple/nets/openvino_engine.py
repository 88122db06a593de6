"""The engine in OpenVINO, which computes convolutions on processors faster than PyTorch.

The OpenVINO graph is built layer by layer from the description in `graph.py`, in milliseconds. The
library's conversion of a PyTorch module takes a second, too long to repeat during training.

In int8 the convolutions of a tower's blocks take whole numbers of 8 bits: inputs from 0 to the
largest number seen among random planes, weights from minus to plus the largest of each filter. The
rest is computed in bfloat16. notes/networks.md has the errors of shipped networks.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import openvino as ov
from numpy.typing import NDArray
from openvino import opset13 as op

from meeple.nets.architecture import Activation, Weights
from meeple.nets.graph import BLOCKS, outputs

Array = NDArray[np.float32]
Node = Any  # of an OpenVINO graph

ANY_SIZE = -1  # of a batch, in the library's shapes
BOARD_AXES = [2, 3]  # rows and columns of [B, C, R, K]
NOT_NEGATIVE: tuple[Activation, ...] = ("relu", "sigmoid")  # outputs that int8 represents
SCALING_BATCHES = 8  # of random positions, by which int8 is scaled
SCALING_BATCH = 64  # positions in each
MAX_FIXED_BATCH = 16  # positions; a graph for 4 took 12 % less time, one for 64 only 5 %
MAX_SHARE = 0.6  # of ones in a random position
LEAST_RANGE = 1e-3  # of inputs and weights, which may all be 0
LEAST_FILTER = 0.01  # range of a filter's weights, as a share of the layer's: the library does not
# compute a layer in whole numbers if a filter is nearly 0, as weight decay makes some


class OpenVinoEngine:
    """A network as a compiled graph, for one thread at a time."""

    def __init__(
        self,
        weights: Weights,
        *,
        threads: int,
        format: Literal["float32", "bfloat16", "int8"],
        batch: int = 0,
    ) -> None:
        """Compile the graph for a number of threads, in a number format.

        `batch`: the usual number of positions; if it is small, a second graph is for this size.
        """
        self._weights, self._int8 = weights, format == "int8"
        self._sizes = (ANY_SIZE, batch) if 0 < batch <= MAX_FIXED_BATCH else (ANY_SIZE,)
        self._config = {
            "INFERENCE_PRECISION_HINT": "f32" if format == "float32" else "bf16",
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,  # pinning would put two engines on the same core
        }
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        request = self._requests.get(len(observations), self._requests[ANY_SIZE])
        found = request.infer({0: np.ascontiguousarray(observations)}, share_inputs=True)
        return found[0], found[1] if self._weights.architecture.critic else None

    def refresh(self) -> None:
        ranges = input_ranges(self._weights, self._config) if self._int8 else {}
        graphs = {size: graph_of(self._weights, ranges, size) for size in self._sizes}
        self._requests = {
            size: _core().compile_model(graph, "CPU", self._config).create_infer_request()
            for size, graph in graphs.items()
        }


@functools.cache
def _core() -> Any:
    """Return the library's core, created once because it searches for devices."""
    return ov.Core()


def graph_of(weights: Weights, ranges: Mapping[str, float], size: int) -> Any:
    """Build the graph from observations to policy logits and, with a critic, value logits.

    `ranges`: the largest input of each convolution that is computed in int8, by its name. `size`:
    positions in a batch, or ANY_SIZE.
    """
    observations, _, found = _nodes_of(weights, ranges, size)
    return ov.Model([op.result(logits) for logits in found.values()], [observations])


def input_ranges(weights: Weights, config: Mapping[str, Any]) -> dict[str, float]:
    """Return the largest input of each convolution of a tower's blocks, among random planes.

    The planes are zeros and ones, the share of ones is different in each position. Empty if the
    activation function has negative outputs. `config`: settings of the library.
    """
    if weights.architecture.activation not in NOT_NEGATIVE:
        return {}
    observations, layers, _ = _nodes_of(weights, {}, ANY_SIZE)
    if not layers.inputs:
        return {}
    largest = [op.result(op.reduce_max(x, [0, 1, 2, 3], False)) for x in layers.inputs.values()]
    exact = {**config, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = _core().compile_model(ov.Model(largest, [observations]), "CPU", exact)
    request, rng = compiled.create_infer_request(), np.random.default_rng(0)
    shape = (SCALING_BATCH, *weights.architecture.observation_shape)
    seen = []
    for _ in range(SCALING_BATCHES):
        shares = rng.uniform(0, MAX_SHARE, size=(SCALING_BATCH, 1, 1, 1))
        found = request.infer([(rng.random(shape) < shares).astype(np.float32)])
        seen.append([float(found[index]) for index in range(len(largest))])
    return dict(zip(layers.inputs, np.max(seen, axis=0).tolist(), strict=True))


def _nodes_of(
    weights: Weights, ranges: Mapping[str, float], size: int
) -> tuple[Node, "_GraphLayers", dict[str, Node]]:
    """Return the nodes of the observations, the layers, and the nodes of the logits by head."""
    architecture = weights.architecture.without_auxiliary
    observations = op.parameter([size, *architecture.observation_shape], np.float32)
    layers = _GraphLayers(weights, ranges)
    return observations, layers, outputs(architecture, layers, observations)


class _GraphLayers:
    """Layers as nodes of an OpenVINO graph."""

    def __init__(self, weights: Weights, ranges: Mapping[str, float]) -> None:
        self._tensors, self._ranges = weights.tensors, ranges
        self.inputs: dict[str, Node] = {}  # of the convolutions of blocks, by name
        self.activate = _ACTIVATIONS[weights.architecture.activation]

    def dense(self, name: str, x: Node, outputs: int) -> Node:
        product = op.matmul(x, self._constant(f"{name}.weight"), False, True)
        return op.add(product, self._constant(f"{name}.bias", 1, -1))

    def convolution(self, name: str, x: Node, outputs: int, size: int) -> Node:
        pads = [size // 2] * 2
        weights = self._constant(f"{name}.weight")
        if name.startswith(BLOCKS):
            self.inputs[name] = x
        if name in self._ranges:
            x = _rounded(x, 0.0, np.float32(self._ranges[name]), levels=256)
            largest = np.abs(self._tensors[f"{name}.weight"]).max(axis=(1, 2, 3), keepdims=True)
            largest = np.maximum(largest, LEAST_FILTER * largest.max())
            weights = _rounded(weights, -largest, largest, levels=255)
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


def _rounded(x: Node, least: Any, largest: Any, levels: int) -> Node:
    """Round to a number of levels, as which the library computes convolutions in whole numbers."""
    ends = [op.constant(np.float32(end)) for end in (least, np.maximum(largest, LEAST_RANGE))]
    return op.fake_quantize(x, *ends, *ends, levels)


_ACTIVATIONS: dict[Activation, Callable[[Node], Node]] = {
    "linear": lambda x: x,
    "sigmoid": op.sigmoid,
    "tanh": op.tanh,
    "relu": op.relu,
}
