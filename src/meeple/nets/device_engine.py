"""Networks on an accelerator: batches of a few padded sizes, each a captured graph.

A small network is a few dozen kernels of microseconds; to launch them one by one takes longer than
to compute them. A captured graph launches them together
(https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs). It computes one size of batch,
from fixed addresses to fixed addresses: so batches are padded, and weights copied in place. On the
processor the same code runs, with a plain call in the graph's place.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from meeple.nets.devices import CPU, report_full_memory
from meeple.nets.graph import weight_shapes
from meeple.nets.network import ActorNetwork
from meeple.nets.weights import Weights, without_subnormals

Array = NDArray[np.float32]

SMALLEST = 8  # positions in the smallest padded batch
WARM_UPS = 3  # runs before a capture, in which libraries choose kernels and take memory

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
"""PyTorch's types by the names of number formats."""


class _Padded(NamedTuple):
    """A size of batch: what computes it, and where the logits then are, on the device."""

    compute: Callable[[], None]
    policy: Tensor  # [size, A] float32
    value: Tensor | None  # [size, P] float32


class DeviceEngine:
    """A network of its own on a device, with buffers that are reused; for one thread at a time."""

    def __init__(
        self, weights: Weights, *, device: str, format: str, batch: int, graphs: bool = True
    ) -> None:
        """All sizes are prepared here, so that no work of another thread falls into a capture.

        Args:
            device: "cuda:0" and so on, or "cpu".
            format: of the numbers it computes with, one of `DTYPES`.
            batch: positions of the largest batch that is computed at once; more are cut up.
            graphs: whether to capture graphs, where the device can.

        Raises MeepleError where the device has too little memory.
        """
        architecture = weights.architecture.played
        self._weights = weights
        self._device = torch.device(device)
        self._dtype = DTYPES[format]
        self._on_cpu = device == CPU
        self._graphs = graphs and not self._on_cpu
        self._stream = self._done = None
        if not self._on_cpu:
            self._stream = torch.cuda.Stream(self._device)  # type: ignore[no-untyped-call]
            # Waits without taking a core from the search.
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
            # Largest first: the smaller ones then find its memory in the pool they share.
            self._padded = {size: self._prepared(size) for size in reversed(self._sizes)}

    def __call__(self, observations: Array) -> tuple[Array, Array | None]:
        """Logits of policy [B, A] and value [B, P] of observations [B, *observation_shape]."""
        count, most = len(observations), self._sizes[-1]
        policy = np.empty((count, self._host_policy.shape[1]), dtype=np.float32)
        value = None
        if self._host_value is not None:
            value = np.empty((count, self._host_value.shape[1]), dtype=np.float32)
        with self._on_device():
            for first in range(0, count, most):
                rows = slice(first, min(first + most, count))
                size = rows.stop - rows.start
                self._compute(observations[rows])
                policy[rows] = self._host_policy[:size].numpy()
                if value is not None and self._host_value is not None:
                    value[rows] = self._host_value[:size].numpy()
        return policy, value

    def refresh(self) -> None:
        """Take over the network's present weights, at the addresses that graphs know."""
        tensors = self._weights.tensors
        with self._on_device():
            names = weight_shapes(self._network.architecture)
            self._network.set_weights({name: without_subnormals(tensors[name]) for name in names})

    def _compute(self, observations: Array) -> None:
        """Compute a batch of at most the largest size, to the buffers of the host."""
        size = len(observations)
        padded = self._padded[next(one for one in self._sizes if one >= size)]
        self._host[:size].numpy()[...] = observations
        self._input[:size].copy_(self._host[:size], non_blocking=True)
        padded.compute()  # rows beyond hold what was there: no result depends on another row
        self._host_policy[:size].copy_(padded.policy[:size], non_blocking=True)
        if self._host_value is not None and padded.value is not None:
            self._host_value[:size].copy_(padded.value[:size], non_blocking=True)
        if self._done is not None:
            self._done.record()
            self._done.synchronize()

    def _prepared(self, size: int) -> _Padded:
        """A size of batch, ready to be computed."""
        planes = self._input[:size]
        policy, value = self._logits(planes)
        if not self._graphs:

            def call() -> None:
                found = self._logits(planes)
                policy.copy_(found[0])
                if value is not None and found[1] is not None:
                    value.copy_(found[1])

            return _Padded(call, policy, value)
        for _ in range(WARM_UPS):
            self._logits(planes)
        torch.cuda.current_stream().synchronize()
        graph = torch.cuda.CUDAGraph()
        # Other threads may use the device meanwhile, such as for another network.
        with torch.cuda.graph(
            graph, pool=self._pool, stream=self._stream, capture_error_mode="thread_local"
        ):
            policy, value = self._logits(planes)
        return _Padded(graph.replay, policy, value)

    def _logits(self, planes: Tensor) -> tuple[Tensor, Tensor | None]:
        """Logits as float32, of observations on the device as float32."""
        exact = self._dtype == torch.float32 and not self._on_cpu
        with _exact() if exact else contextlib.nullcontext():
            policy, value = self._network(planes.to(self._dtype))
        return policy.float(), None if value is None else value.float()

    def _pinned(self, shape: tuple[int, ...]) -> Tensor:
        """Memory of the host, from and to which the device copies by itself."""
        return torch.zeros(shape, pin_memory=not self._on_cpu)

    @contextlib.contextmanager
    def _on_device(self) -> Iterator[None]:
        """On the device, in a stream of this engine's own, without gradients."""
        with torch.no_grad():
            if self._stream is None:
                yield
                return
            with torch.cuda.device(self._device), torch.cuda.stream(self._stream):
                yield


def padded_sizes(most: int) -> tuple[int, ...]:
    """The sizes that batches of at most `most` are padded to, rising: each twice the one before.

    The last is `most`, rounded up.
    """
    last = -(-max(most, 1) // SMALLEST) * SMALLEST
    sizes = [SMALLEST]
    while sizes[-1] * 2 < last:
        sizes.append(sizes[-1] * 2)
    return tuple(dict.fromkeys([*sizes, last]))


@contextlib.contextmanager
def _exact() -> Iterator[None]:
    """Convolutions of float32 in float32: cuDNN would round to TF32, with 10 bits, by default."""
    with torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
        yield
