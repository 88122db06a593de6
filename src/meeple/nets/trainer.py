"""What updates a network by minibatches: where it lies, or on a device.

Whatever learns, the network that the caller has is on the processor, and is what saves, matches and
self-play read: after `finish` it has the weights that were learned.
"""

import functools
import time
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from meeple.nets.architecture import Architecture
from meeple.nets.devices import CPU, memory_told
from meeple.nets.inference import TIMED_RUNS, WORTH
from meeple.nets.network import ActorNetwork
from meeple.nets.replica import Replica
from meeple.nets.training import Examples, Recipe, train_step

FORMATS = ("auto", "float32", "bfloat16")  # of training; "auto" is the fastest on the device


class Trainer(Protocol):
    """Updates a network."""

    optimizer: torch.optim.Optimizer
    """Its settings may be changed between steps, and its state saved after `finish`."""

    def step(self, examples: Examples) -> dict[str, float]:
        """One update by a minibatch, which is not empty; see `train_step`, also for what is raised.

        Raises RunError where a process that learns too has ended.
        """
        ...

    def finish(self) -> None:
        """Have the caller's network follow what was learned; once after some steps."""
        ...

    def close(self) -> None:
        """Let go of devices and processes."""
        ...


class LocalTrainer:
    """Updates the caller's network itself, on the processor."""

    def __init__(
        self, network: ActorNetwork, optimizer: torch.optim.Optimizer, recipe: Recipe
    ) -> None:
        self.optimizer = optimizer
        self._network, self._recipe = network, recipe

    def step(self, examples: Examples) -> dict[str, float]:
        return train_step(
            self._network,
            self.optimizer,
            *examples,
            value_weight=self._recipe.value_weight,
            ownership_weight=self._recipe.ownership_weight,
            max_gradient_norm=self._recipe.max_gradient_norm,
        )

    def finish(self) -> None:
        """Nothing: the network is the caller's."""

    def close(self) -> None:
        """Nothing."""


class DeviceTrainer:
    """Updates a copy of the network on a device; minibatches go there from pinned memory."""

    def __init__(
        self,
        network: ActorNetwork,
        optimizer: torch.optim.Optimizer,
        recipe: Recipe,
        *,
        device: str,
        format: str = "float32",
    ) -> None:
        self._network, self._device = network, device
        with memory_told(device):
            self._replica = Replica(network, optimizer, recipe, device=device, format=format)
        self.optimizer = self._replica.optimizer
        self._rows = PackedRows(self._replica)

    def step(self, examples: Examples) -> dict[str, float]:
        count = len(examples.policies)
        with memory_told(self._device):
            return self._replica.step(self._rows.sent(examples, count), count)

    def finish(self) -> None:
        self._replica.copy_to(self._network)

    def close(self) -> None:
        """Nothing: memory is freed with the copy."""


class PackedRows:
    """Pinned memory for minibatches, used again for each."""

    def __init__(self, replica: Replica) -> None:
        self._layout, self._device = replica.layout, replica.device
        self._host = self._pinned(0)

    def sent(self, examples: Examples, rows: int) -> Tensor:
        """Examples as so many packed rows [rows, width] on the device, or on their way there.

        The step before must be over: its figures were read.
        """
        if len(self._host) < rows:
            self._host = self._pinned(rows)
        host = self._host[:rows]
        self._layout.pack(examples, host.numpy())
        return host.to(self._device, non_blocking=True)

    def _pinned(self, rows: int) -> Tensor:
        return torch.zeros((rows, self._layout.width), pin_memory=self._device.type != CPU)


def training_format(
    wanted: str, architecture: Architecture, recipe: Recipe, batch: int, device: str
) -> str:
    """The number format to learn in: what is wanted, or for "auto" what proves faster.

    On the processor that is float32. On an accelerator mixed precision is tried, with minibatches
    of `batch` examples; it is less exact, so it must be faster by `WORTH`.
    """
    if wanted != "auto":
        return wanted
    return "float32" if device == CPU else fastest_training(architecture, recipe, batch, device)


@functools.cache
def fastest_training(architecture: Architecture, recipe: Recipe, batch: int, device: str) -> str:
    """Measure a few minibatches of random examples in each format."""
    examples = random_examples(architecture, batch)
    float32, bfloat16 = (
        seconds_of_step(architecture, recipe, examples, device, format)
        for format in ("float32", "bfloat16")
    )
    return "bfloat16" if bfloat16 * WORTH < float32 else "float32"


def random_examples(architecture: Architecture, batch: int) -> Examples:
    """Examples of a network's shapes, to measure with."""
    rng = np.random.default_rng(0)
    shape = architecture.observation_shape

    def shares(width: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return np.full((batch, width), 1 / width, dtype=np.float32)

    return Examples(
        rng.random((batch, *shape), dtype=np.float32),
        shares(architecture.num_actions),
        shares(architecture.players) if architecture.critic else None,
        shares(shape[1] * shape[2]) if architecture.ownership else None,
    )


def seconds_of_step(
    architecture: Architecture, recipe: Recipe, examples: Examples, device: str, format: str
) -> float:
    """The shortest of a few steps, after some that warm up."""
    network = ActorNetwork(architecture, seed=0)
    optimizer = recipe.make_optimizer(network.parameters())
    trainer = DeviceTrainer(network, optimizer, recipe, device=device, format=format)
    times = []
    for _ in range(2 * TIMED_RUNS):
        began = time.perf_counter()
        trainer.step(examples)
        times.append(time.perf_counter() - began)
    return min(times[TIMED_RUNS:])
