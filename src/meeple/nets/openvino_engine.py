"""Networks over planes in OpenVINO, which computes them faster on processors than PyTorch does.

The graph is built layer by layer from the modules of `meeple.nets.network`, in milliseconds: the
library's own conversion of a PyTorch module takes a second, too long after every training wave.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import openvino as ov
import torch
from numpy.typing import NDArray
from openvino import opset13 as op
from torch import nn

from meeple.nets.architecture import Activation
from meeple.nets.network import (
    ActorNetwork,
    Block,
    BoardPolicy,
    Classic,
    DensePolicy,
    Tower,
)

Array = NDArray[np.float32]
Node = Any  # of an OpenVINO graph

BOARD = [2, 3]  # the axes of rows and columns


class OpenVinoEngine:
    """A tower as a compiled graph; one thread at a time may call it."""

    def __init__(self, network: ActorNetwork, *, bfloat16: bool) -> None:
        """Computes on as many threads as PyTorch would, in float32 or bfloat16."""
        self._source = network
        self._config = {
            "INFERENCE_PRECISION_HINT": "bf16" if bfloat16 else "f32",
            "INFERENCE_NUM_THREADS": torch.get_num_threads(),
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,  # two engines would share a core
        }
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        """Logits of policy [B, A] and value [B, P] of observations [B, planes, R, K]."""
        found = self._request.infer({0: np.ascontiguousarray(observations)}, share_inputs=True)
        return found[0], found[1] if self._has_value else None

    def refresh(self) -> None:
        """Take over the network's present weights."""
        compiled = _core().compile_model(graph(self._source), "CPU", self._config)
        self._has_value = self._source.architecture.critic
        self._request = compiled.create_infer_request()


_CORE: list[Any] = []


def _core() -> Any:
    """The library's core, made once: it looks for devices."""
    if not _CORE:
        _CORE.append(ov.Core())
    return _CORE[0]


def graph(network: ActorNetwork) -> Any:
    """A tower's graph, from observations of any number to logits of policy and, if any, value."""
    architecture = network.architecture
    builder = _Builder(architecture.activation)
    planes = op.parameter([-1, *architecture.observation_shape], np.float32)
    if isinstance(network.body, Tower):
        results = builder.tower(planes, network.body)
    else:
        results = builder.classic(planes, cast(Classic, network.body))
    return ov.Model([op.result(result) for result in results], [planes])


class _Builder:
    """Each kind of module as the nodes of a graph."""

    def __init__(self, activation: Activation) -> None:
        self.activate = _ACTIVATIONS[activation]

    def tower(self, x: Node, tower: Tower) -> list[Node]:
        x = self.convolution(x, tower.entry)
        for block in tower.blocks:
            x = self.block(x, cast(Block, block))
        x = self.activate(x)
        pooled = self.pool(x)
        if isinstance(tower.policy, BoardPolicy):
            policy = self.board_policy(x, pooled, tower.policy)
        else:
            policy = self.dense_policy(x, pooled, tower.policy)
        return [policy] if tower.value is None else [policy, self.sequence(pooled, tower.value)]

    def classic(self, x: Node, network: Classic) -> list[Node]:
        x = self.sequence(x, network.trunk)
        heads = [network.policy] if network.value is None else [network.policy, network.value]
        return [self.sequence(x, head) for head in heads]

    def block(self, x: Node, block: Block) -> Node:
        inner = self.convolution(self.activate(x), block.first)
        if block.bias is not None:
            rest = block.first.out_channels - block.watchers
            parts = op.variadic_split(inner, 1, [block.watchers, rest])
            pooled = self.pool(self.activate(parts.output(0)))
            inner = op.add(parts.output(1), self.everywhere(self.dense(pooled, block.bias)))
        return op.add(x, self.convolution(self.activate(inner), block.second))

    def board_policy(self, x: Node, pooled: Node, policy: BoardPolicy) -> Node:
        overall = self.everywhere(self.dense(pooled, policy.overall))
        mixed = op.add(self.convolution(x, policy.local), overall)
        cells = self.flat(self.convolution(self.activate(mixed), policy.cells))
        if policy.extra is None:
            return cells
        return op.concat([cells, self.dense(pooled, policy.extra)], 1)

    def dense_policy(self, x: Node, pooled: Node, policy: DensePolicy) -> Node:
        local = self.flat(self.activate(self.convolution(x, policy.local)))
        return self.dense(op.concat([local, pooled], 1), policy.actions)

    def sequence(self, x: Node, layers: nn.Sequential) -> Node:
        for layer in layers:
            if isinstance(layer, nn.Conv2d):
                x = self.convolution(x, layer)
            elif isinstance(layer, nn.Linear):
                x = self.dense(x, layer)
            else:
                x = self.flat(x) if isinstance(layer, nn.Flatten) else self.activate(x)
        return x

    def convolution(self, x: Node, layer: nn.Conv2d) -> Node:
        pads = [layer.kernel_size[0] // 2] * 2
        weights = _numbers(layer.weight)
        x = op.convolution(x, op.constant(weights), [1, 1], pads, pads, [1, 1])
        return op.add(x, op.constant(_numbers(layer.bias).reshape(1, -1, 1, 1)))

    def dense(self, x: Node, layer: nn.Linear) -> Node:
        product = op.matmul(x, op.constant(_numbers(layer.weight)), False, True)
        return op.add(product, op.constant(_numbers(layer.bias).reshape(1, -1)))

    def pool(self, x: Node) -> Node:
        means, greatest = op.reduce_mean(x, BOARD, False), op.reduce_max(x, BOARD, False)
        return op.concat([means, greatest], 1)

    def everywhere(self, x: Node) -> Node:
        """[B, C] as [B, C, 1, 1]."""
        return op.unsqueeze(x, BOARD)

    def flat(self, x: Node) -> Node:
        return op.reshape(x, [0, -1], True)


def _numbers(weights: torch.Tensor | None) -> Array:
    assert weights is not None  # every layer of the house has a bias
    return weights.detach().contiguous().numpy()


def _same(x: Node) -> Node:
    return x


_ACTIVATIONS: dict[Activation, Callable[[Node], Node]] = {
    "linear": _same,
    "sigmoid": op.sigmoid,
    "tanh": op.tanh,
    "relu": op.relu,
}
