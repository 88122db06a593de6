"""Training on minibatches: optimizers by name, the loss and one update of a network."""

import contextlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from meeple.errors import MeepleError, UsageError
from meeple.nets.devices import CPU
from meeple.nets.graph import Outputs
from meeple.nets.network import ActorNetwork

OPTIMIZERS = ("adagrad", "sgd", "rmsprop", "adam")  # their names
WITH_MOMENTUM = ("sgd", "rmsprop")  # the names of those that have a momentum

MASKED = -1e9  # logit of an illegal action; finite, so that 0 target * MASKED is 0


def optimizer(
    name: str,
    parameters: Iterable[torch.nn.Parameter],
    *,
    learning_rate: float,
    weight_decay: float = 0.0,
    momentum: float = 0.0,
) -> torch.optim.Optimizer:
    """Build the optimizer called `name`.

    Args:
        name: one of `OPTIMIZERS`.
        parameters: the weights to update.
        learning_rate: above 0; typically 0.001 for adam and rmsprop, 0.01 to 0.1 for the others.
        weight_decay: L2 penalty added to the gradient, 0 or more; typically 0 to 0.001.
        momentum: 0 or more and below 1; above 0 only for the optimizers of `WITH_MOMENTUM`.

    Raises:
        UsageError: a setting is invalid; the message names it.
    """
    if name not in OPTIMIZERS:
        raise UsageError(f"unknown optimizer '{name}' (known: {', '.join(OPTIMIZERS)})")
    if not (math.isfinite(learning_rate) and learning_rate > 0):
        raise UsageError(f"learning_rate is {learning_rate}; it must be above 0")
    if not (math.isfinite(weight_decay) and weight_decay >= 0):
        raise UsageError(f"weight_decay is {weight_decay}; it must be 0 or more")
    if not 0 <= momentum < 1:
        raise UsageError(f"momentum is {momentum}; it must be 0 or more and below 1")
    if momentum and name not in WITH_MOMENTUM:
        raise UsageError(
            f"optimizer '{name}' has no momentum; set it to 0, or use {' or '.join(WITH_MOMENTUM)}"
        )
    rate, decay = learning_rate, weight_decay
    if name == "adagrad":
        return torch.optim.Adagrad(parameters, lr=rate, weight_decay=decay)
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=rate, weight_decay=decay, momentum=momentum)
    if name == "rmsprop":
        return torch.optim.RMSprop(parameters, lr=rate, weight_decay=decay, momentum=momentum)
    return torch.optim.Adam(parameters, lr=rate, weight_decay=decay)


@dataclass(frozen=True)
class Recipe:
    """Settings of an optimizer and of the loss, as `optimizer` and `train_step` describe them."""

    optimizer: str
    learning_rate: float  # the initial one; the optimizer's own setting may change later
    weight_decay: float = 0.0
    momentum: float = 0.0
    value_weight: float = 1.0
    ownership_weight: float = 0.1
    max_gradient_norm: float = math.inf

    def make_optimizer(self, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
        """Build the optimizer of these parameters. Raises UsageError if a setting is invalid."""
        return optimizer(
            self.optimizer,
            parameters,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            momentum=self.momentum,
        )


class TrainingBatch(NamedTuple):
    """Observations and targets of a minibatch; `train_step` describes them."""

    observations: NDArray[np.float32]  # [B, *observation_shape]
    policies: NDArray[np.float32]  # [B, A]
    values: NDArray[np.float32] | None = None  # [B, P]; None without a critic
    ownership: NDArray[np.float32] | None = None  # [B, cells]; None without an ownership head


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """Mean over the batch of -sum(target * log softmax(logits)); both [B, N], in nats."""
    return -(target * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()


def train_step(
    network: ActorNetwork,
    optimizer: torch.optim.Optimizer,
    observations: NDArray[np.float32],
    target_policy: NDArray[np.float32],
    target_value: NDArray[np.float32] | None = None,
    target_ownership: NDArray[np.float32] | None = None,
    *,
    legal: NDArray[np.bool_] | None = None,
    value_weight: float = 1.0,
    ownership_weight: float = 0.1,
    max_gradient_norm: float = math.inf,
    bfloat16: bool = False,
) -> dict[str, float]:
    """Update the network once on a minibatch, on the device where its weights are.

    Args:
        network: the network to train.
        optimizer: the optimizer of its parameters.
        observations: [B, *observation_shape].
        target_policy: [B, A], visit shares; a row of zeros adds nothing to the policy loss.
        target_value: [B, P], shares of the win; None leaves the critic unchanged.
        target_ownership: [B, cells], chance in [0, 1] that the player to move owns the cell at
            the end; None leaves the ownership head unchanged.
        legal: [B, A], the legal actions; None trains the policy over all actions.
        value_weight: weight of the value loss relative to the policy loss.
        ownership_weight: weight of the ownership loss relative to the policy loss.
        max_gradient_norm: upper limit of the gradient's length; longer gradients are scaled down.
        bfloat16: whether to use mixed precision; weights, losses and updates stay float32.

    Returns:
        The total "loss" before the update, its parts "policy" and, if trained, "value" and
        "ownership" (cross-entropies in nats), and "gradient_norm" before scaling down.

    Raises:
        UsageError: there is a target for a head that the network lacks.
        MeepleError: the loss or its gradient is not finite; the weights are unchanged.
    """
    device = next(network.parameters()).device
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=bfloat16):
        predicted = network.all_outputs(_tensor(observations, device))
    if bfloat16:
        policy, value, ownership = predicted
        predicted = Outputs(
            policy.float(),
            None if value is None else value.float(),
            None if ownership is None else ownership.float(),
        )
    if legal is not None:
        masked = predicted.policy.masked_fill(~_tensor(legal, device), MASKED)
        predicted = predicted._replace(policy=masked)
    loss = policy_loss = cross_entropy(predicted.policy, _tensor(target_policy, device))
    losses = {"policy": policy_loss}
    if target_value is not None:
        losses["value"] = _value_loss(predicted, _tensor(target_value, device))
        loss = loss + value_weight * losses["value"]
    if target_ownership is not None:
        losses["ownership"] = _ownership_loss(predicted, _tensor(target_ownership, device))
        loss = loss + ownership_weight * losses["ownership"]
    losses["loss"] = loss
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]  # untyped in torch
    norm = torch.nn.utils.clip_grad_norm_(network.parameters(), max_gradient_norm)
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


def _value_loss(predicted: Outputs[Tensor], target: Tensor) -> Tensor:
    if predicted.value is None:
        raise UsageError("target values need a network with a critic, and this one has none")
    return cross_entropy(predicted.value, target)


def _ownership_loss(predicted: Outputs[Tensor], target: Tensor) -> Tensor:
    if predicted.ownership is None:
        raise UsageError("target ownership needs a network with an ownership head")
    return torch.nn.functional.binary_cross_entropy_with_logits(predicted.ownership, target)


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
