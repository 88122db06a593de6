"""Training on batches: the optimizer, the losses of the heads, and one update of a network."""

import contextlib
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from meeple.errors import MeepleError, UsageError
from meeple.nets.devices import CPU
from meeple.nets.graph import HEADS, ILLEGAL, Batch
from meeple.nets.network import ActorNetwork

_MAKERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "adagrad": torch.optim.Adagrad,
    "sgd": torch.optim.SGD,
    "rmsprop": torch.optim.RMSprop,
    "adam": torch.optim.Adam,
}
OPTIMIZERS = tuple(_MAKERS)  # their names
WITH_MOMENTUM = ("sgd", "rmsprop")  # the names of those that have a momentum

MASKED = -1e9  # logit of an illegal action, finite


@dataclass(frozen=True)
class Recipe:
    """Settings of the optimizer and of the loss, which the configuration of a run checks."""

    optimizer: str
    """One of `OPTIMIZERS`."""
    learning_rate: float
    """The initial one, above 0; typically 0.001 for adam and rmsprop, 0.01 to 0.1 for the others.
    The optimizer's own setting may change later."""
    weight_decay: float = 0.0
    """L2 penalty added to the gradient, 0 or more; typically 0 to 0.001."""
    momentum: float = 0.0
    """0 or more and below 1; above 0 only for the optimizers of `WITH_MOMENTUM`."""
    loss_weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Weight of the loss of each head, by name; 1 for those that are missing."""
    max_gradient_norm: float = math.inf
    """Upper limit of the gradient's length; longer gradients are scaled down."""

    def make_optimizer(self, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
        """Build the optimizer of these parameters."""
        momentum = {"momentum": self.momentum} if self.optimizer in WITH_MOMENTUM else {}
        return _MAKERS[self.optimizer](
            parameters, lr=self.learning_rate, weight_decay=self.weight_decay, **momentum
        )


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """Mean over the batch of -sum(target * log softmax(logits)); both [B, N], in nats.

    The softmax is over all but those whose target is `ILLEGAL`.
    """
    logs = torch.log_softmax(logits.masked_fill(target == ILLEGAL, MASKED), dim=1)
    return -(target.clamp(min=0) * logs).sum(dim=1).mean()


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "softmax": cross_entropy,
    "sigmoid": torch.nn.functional.binary_cross_entropy_with_logits,
}
"""Loss in nats of logits and targets [B, N], by the `output` of a head."""


def losses_of_heads(logits: Mapping[str, Tensor], batch: Batch) -> dict[str, Tensor]:
    """Return the loss of each head that the batch has a target for, by name.

    `logits`: [B, N] by head, of the batch's observations. Raises UsageError if there is a target
    for a head that the network lacks.
    """
    if missing := batch.targets.keys() - logits.keys():
        raise UsageError(
            f"a target '{min(missing)}' needs a network with that head, and this one has only "
            f"{', '.join(logits)}"
        )
    return {
        name: LOSSES[HEADS[name].output](found, _tensor(batch.targets[name], found.device))
        for name, found in logits.items()
        if name in batch.targets
    }


def train_step(
    network: ActorNetwork,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    recipe: Recipe,
    *,
    bfloat16: bool = False,
) -> dict[str, float]:
    """Update the network once on a batch, on the device where its weights are, see `descend`.

    With `bfloat16` it is computed in mixed precision; weights, losses and updates stay float32.
    Raises errors of `losses_of_heads`, too.
    """
    device = next(network.parameters()).device
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=bfloat16):
        logits = network.all_outputs(_tensor(batch.observations, device))
    losses = losses_of_heads({name: found.float() for name, found in logits.items()}, batch)
    return descend(network, optimizer, losses, recipe)


def descend(
    network: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    losses: dict[str, Tensor],
    recipe: Recipe,
) -> dict[str, float]:
    """Update any network once by the gradient of the weighted sum of its losses.

    Args:
        network: the network to train.
        optimizer: the optimizer of its parameters.
        losses: of a batch, by name.
        recipe: the weights of the losses and the largest gradient norm.

    Returns:
        The losses by name, their weighted sum "loss" before the update, and "gradient_norm" before
        scaling down.

    Raises:
        MeepleError: the loss or its gradient is not finite; the weights are unchanged.
    """
    weighted = [recipe.loss_weights.get(name, 1.0) * loss for name, loss in losses.items()]
    losses["loss"] = functools.reduce(torch.add, weighted)
    optimizer.zero_grad()
    losses["loss"].backward()  # type: ignore[no-untyped-call]  # untyped in torch
    norm = torch.nn.utils.clip_grad_norm_(network.parameters(), recipe.max_gradient_norm)
    losses["gradient_norm"] = norm
    # One tensor, so that an accelerator is waited for only once.
    values = torch.stack([value.detach() for value in losses.values()]).tolist()
    figures: dict[str, float] = dict(zip(losses, values, strict=True))
    _refuse_divergence(figures)
    optimizer.step()
    return figures


def _tensor(array: NDArray[Any], device: torch.device) -> Tensor:
    """Return the array on the device; an accelerator copies it from pinned memory."""
    tensor = torch.from_numpy(array)
    if device.type == CPU:
        return tensor
    return tensor.pin_memory().to(device, non_blocking=True)


def _refuse_divergence(figures: dict[str, float]) -> None:
    if not (math.isfinite(figures["loss"]) and math.isfinite(figures["gradient_norm"])):
        raise MeepleError(
            f"training diverged (loss {figures['loss']}, "
            f"gradient norm {figures['gradient_norm']}); "
            "lower the learning rate or the largest gradient norm"
        )


@contextlib.contextmanager
def flushing_subnormals() -> Iterator[None]:
    """Round numbers below 1.2e-38 to 0 in this thread, if the processor supports it.

    Weight decay produces many such numbers, and arithmetic with each is a hundred times slower:
    minibatches of networks trained for hours took up to nine times as long.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@contextlib.contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Use `count` PyTorch threads inside the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
