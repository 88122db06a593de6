"""The trainer of a network: on the processor in place, on an accelerator with a copy.

The caller's network stays on the processor. Saving, matches and self-play read it; after `finish`
it has the trained weights.
"""

import copy
import functools

import numpy as np
import torch

from meeple.nets.architecture import Architecture
from meeple.nets.devices import CPU, report_full_memory
from meeple.nets.graph import Batch, head_widths
from meeple.nets.inference import TIMED_RUNS, faster_format, fastest_run
from meeple.nets.network import ActorNetwork
from meeple.nets.training import Recipe, train_step


class Trainer:
    """Trains a network on batches."""

    optimizer: torch.optim.Optimizer
    """The caller may change its settings between steps, and save its state after `finish`."""

    def __init__(
        self,
        network: ActorNetwork,
        optimizer: torch.optim.Optimizer,
        recipe: Recipe,
        *,
        device: str = CPU,
        format: str = "float32",
    ) -> None:
        """Prepare the training; an accelerator gets a copy of the weights and the optimizer.

        Args:
            network: the network to train, on the processor.
            optimizer: the optimizer of its parameters, made by `recipe`.
            recipe: settings of the optimizer and the loss.
            device: "cpu", or an accelerator as `devices.choose_device` names it.
            format: "float32", or "bfloat16" for mixed precision.

        Raises:
            MeepleError: the accelerator has too little memory.
        """
        self._network, self._recipe = network, recipe
        self._device, self._bfloat16 = device, format == "bfloat16"
        self._trained, self.optimizer = network, optimizer
        if device != CPU:
            with report_full_memory(device):
                self._trained, self.optimizer = copy_to_device(network, optimizer, recipe, device)

    def step(self, batch: Batch) -> dict[str, float]:
        """Update the network once; arguments, result and errors are those of `train_step`."""
        with report_full_memory(self._device):
            return train_step(
                self._trained, self.optimizer, batch, self._recipe, bfloat16=self._bfloat16
            )

    def finish(self) -> None:
        """Copy the trained weights into the caller's network; call it after a series of steps."""
        if self._trained is not self._network:
            with torch.no_grad():
                pairs = zip(self._network.parameters(), self._trained.parameters(), strict=True)
                for parameter, trained in pairs:
                    parameter.copy_(trained)


def copy_to_device(
    network: ActorNetwork, optimizer: torch.optim.Optimizer, recipe: Recipe, device: str
) -> tuple[ActorNetwork, torch.optim.Optimizer]:
    """Return copies of a network and of its optimizer, with its state, on a device."""
    network = ActorNetwork.of(network.weights).to(torch.device(device))
    copied = recipe.make_optimizer(network.parameters())
    copied.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    return network, copied


# ---------------------------------------------------------------- number format


def training_format(
    wanted: str, architecture: Architecture, recipe: Recipe, batch: int, device: str
) -> str:
    """Choose the number format of training, "float32" or "bfloat16".

    Args:
        wanted: "float32", "bfloat16", or "fastest": bfloat16 if it is faster by the factor
            `MIN_SPEEDUP`, since it is less exact; or "auto": the same on an accelerator, and
            float32 on the processor, where equal seeds then give equal networks.
        architecture: of the network.
        recipe: settings of the optimizer and the loss.
        batch: positions in a batch.
        device: as for `Trainer`.
    """
    if wanted == "fastest" or (wanted == "auto" and device != CPU):
        return fastest_training(architecture, recipe, batch, device)
    return "float32" if wanted == "auto" else wanted


@functools.cache
def fastest_training(architecture: Architecture, recipe: Recipe, batch: int, device: str) -> str:
    """Measure a few steps on a random batch in each format, and return the faster one."""
    random = random_batch(architecture, batch)
    return faster_format(
        lambda format: seconds_of_step(architecture, recipe, random, device, format)
    )


def random_batch(architecture: Architecture, size: int) -> Batch:
    """Return random observations with uniform targets for all heads, for measurements."""
    rng = np.random.default_rng(0)
    targets = {
        name: np.full((size, width), 1 / width, dtype=np.float32)
        for name, width in head_widths(architecture).items()
    }
    return Batch(rng.random((size, *architecture.observation_shape), dtype=np.float32), targets)


def seconds_of_step(
    architecture: Architecture, recipe: Recipe, batch: Batch, device: str, format: str
) -> float:
    """Return the seconds of the fastest of `TIMED_RUNS` steps, after as many to warm up."""
    network = ActorNetwork(architecture, seed=0)
    optimizer = recipe.make_optimizer(network.parameters())
    trainer = Trainer(network, optimizer, recipe, device=device, format=format)
    return fastest_run(lambda: trainer.step(batch), warm_up=TIMED_RUNS)
