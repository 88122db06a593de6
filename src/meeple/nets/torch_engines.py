"""Engines of PyTorch: a plain one for the processor, and one with CUDA graphs for accelerators.

A small network is a few dozen kernels of some microseconds each, and launching them one by one
takes longer than computing them. A CUDA graph launches them together
(https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs). It computes one batch size, from
fixed addresses to fixed addresses: so batches are padded, and weights are copied in place.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from meeple.nets.architecture import Weights
from meeple.nets.devices import CPU, report_full_memory
from meeple.nets.graph import weight_shapes
from meeple.nets.network import ActorNetwork

Array = NDArray[np.float32]

MIN_BATCH_POSITIONS = 8  # positions in the smallest padded batch
WARM_UP_RUNS = 3  # runs before a capture, in which libraries choose kernels and allocate memory

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
"""PyTorch's types by the names of number formats."""


class TorchEngine:
    """A copy of a network on the processor, in float32 or bfloat16."""

    def __init__(self, weights: Weights, *, bfloat16: bool) -> None:
        self._weights = weights
        self._dtype = torch.bfloat16 if bfloat16 else torch.float32
        self._network = ActorNetwork(weights.architecture, seed=0).to(self._dtype)
        self.refresh()

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        with torch.inference_mode():
            planes = torch.from_numpy(np.ascontiguousarray(observations)).to(self._dtype)
            policy, value = self._network(planes)
            return policy.float().numpy(), None if value is None else value.float().numpy()

    def refresh(self) -> None:
        self._network.set_weights(self._weights.without_subnormals())


class _PaddedBatch(NamedTuple):
    """A batch size: the call that computes it, and the device's arrays of its logits."""

    compute: Callable[[], None]
    policy: Tensor  # [size, A] float32
    value: Tensor | None  # [size, P] float32


class DeviceEngine:
    """A copy of a network on an accelerator, with reused buffers, for one thread at a time.

    It also runs on the processor, without graphs, so that the rest can be tested there.
    """

    def __init__(
        self, weights: Weights, *, device: str, format: str, batch: int, graphs: bool = True
    ) -> None:
        """Prepare all batch sizes.

        Args:
            weights: of the network.
            device: "cuda:0" and so on, or "cpu".
            format: number format of the computation, one of `DTYPES`.
            batch: positions of the largest batch computed at once; larger ones are split.
            graphs: whether to capture CUDA graphs, if the device is an accelerator.

        Raises:
            MeepleError: the device has too little memory.
        """
        architecture = weights.architecture.without_auxiliary
        self._weights = weights
        self._device = torch.device(device)
        self._dtype = DTYPES[format]
        self._on_cpu = device == CPU
        self._graphs = graphs and not self._on_cpu
        self._stream = self._done = None
        if not self._on_cpu:
            self._stream = torch.cuda.Stream(self._device)  # type: ignore[no-untyped-call]
            # Blocks the thread, so that the search can use the core.
            self._done = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]
        self._sizes = padded_sizes(batch)
        largest = self._sizes[-1]
        with report_full_memory(device), self._on_device():
            self._network = ActorNetwork(architecture, seed=0).to(self._device, self._dtype)
            self._network.requires_grad_(False)
            self.refresh()
            shape = (largest, *architecture.observation_shape)
            self._host = self._pinned(shape)
            self._input = torch.zeros(shape, device=self._device)
            self._host_policy = self._pinned((largest, architecture.num_actions))
            self._host_value = (
                self._pinned((largest, architecture.players)) if architecture.critic else None
            )
            self._pool = torch.cuda.graph_pool_handle() if self._graphs else None
            # The largest first: smaller sizes reuse its memory from the shared pool.
            self._padded = {size: self._prepare(size) for size in reversed(self._sizes)}

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        count, largest = len(observations), self._sizes[-1]
        policy = np.empty((count, self._host_policy.shape[1]), dtype=np.float32)
        value = None
        if self._host_value is not None:
            value = np.empty((count, self._host_value.shape[1]), dtype=np.float32)
        with self._on_device():
            for first in range(0, count, largest):
                rows = slice(first, min(first + largest, count))
                size = rows.stop - rows.start
                self._compute(observations[rows])
                policy[rows] = self._host_policy[:size].numpy()
                if value is not None and self._host_value is not None:
                    value[rows] = self._host_value[:size].numpy()
        return policy, value

    def refresh(self) -> None:
        """Read the network's current weights, into the addresses that the graphs use."""
        tensors = self._weights.without_subnormals()
        names = weight_shapes(self._network.architecture)
        with self._on_device():
            self._network.set_weights({name: tensors[name] for name in names})

    def _compute(self, observations: Array) -> None:
        """Compute a batch of at most the largest size, into the buffers of the host."""
        size = len(observations)
        padded = self._padded[next(padded for padded in self._sizes if padded >= size)]
        self._host[:size].numpy()[...] = observations
        self._input[:size].copy_(self._host[:size], non_blocking=True)
        padded.compute()  # padding rows keep old content; no result depends on other rows
        self._host_policy[:size].copy_(padded.policy[:size], non_blocking=True)
        if self._host_value is not None and padded.value is not None:
            self._host_value[:size].copy_(padded.value[:size], non_blocking=True)
        if self._done is not None:
            self._done.record()
            self._done.synchronize()

    def _prepare(self, size: int) -> _PaddedBatch:
        """Capture the graph of a batch size."""
        planes = self._input[:size]
        policy, value = self._logits(planes)
        if not self._graphs:

            def call() -> None:
                found = self._logits(planes)
                policy.copy_(found[0])
                if value is not None and found[1] is not None:
                    value.copy_(found[1])

            return _PaddedBatch(call, policy, value)
        for _ in range(WARM_UP_RUNS):
            self._logits(planes)
        torch.cuda.current_stream().synchronize()
        graph = torch.cuda.CUDAGraph()
        # "thread_local" lets other threads use the device meanwhile, e.g. for another network.
        with torch.cuda.graph(
            graph, pool=self._pool, stream=self._stream, capture_error_mode="thread_local"
        ):
            policy, value = self._logits(planes)
        return _PaddedBatch(graph.replay, policy, value)

    def _logits(self, planes: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return logits in float32 of observations in float32, both on the device."""
        exact = self._dtype == torch.float32 and not self._on_cpu
        with _without_tf32() if exact else contextlib.nullcontext():
            policy, value = self._network(planes.to(self._dtype))
        return policy.float(), None if value is None else value.float()

    def _pinned(self, shape: tuple[int, ...]) -> Tensor:
        """Allocate pinned memory of the host, which the device copies asynchronously."""
        return torch.zeros(shape, pin_memory=not self._on_cpu)

    @contextlib.contextmanager
    def _on_device(self) -> Iterator[None]:
        """Make the device and this engine's stream the current ones, without gradients."""
        with torch.no_grad():
            if self._stream is None:
                yield
                return
            with torch.cuda.device(self._device), torch.cuda.stream(self._stream):
                yield


def padded_sizes(largest: int) -> tuple[int, ...]:
    """Return the padded batch sizes, in ascending order.

    Each is twice the previous one; the last is `largest`, rounded up to a multiple of
    `MIN_BATCH_POSITIONS`.
    """
    last = -(-max(largest, 1) // MIN_BATCH_POSITIONS) * MIN_BATCH_POSITIONS
    sizes = [MIN_BATCH_POSITIONS]
    while sizes[-1] * 2 < last:
        sizes.append(sizes[-1] * 2)
    return tuple(dict.fromkeys([*sizes, last]))


@contextlib.contextmanager
def _without_tf32() -> Iterator[None]:
    """Compute convolutions of float32 exactly; by default cuDNN rounds to TF32, with 10 bits."""
    with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
        yield
