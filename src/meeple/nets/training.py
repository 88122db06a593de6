"""One training step: the optimizers by name, the loss and the update. The loop is in `learn`.

What learns on an accelerator, or by several processes, is in `replica.py` and `trainer.py`.
"""

import contextlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from meeple.errors import MeepleError, UsageError
from meeple.nets.network import ActorNetwork

OPTIMIZERS = ("adagrad", "sgd", "rmsprop", "adam")  # by name
WITH_MOMENTUM = ("sgd", "rmsprop")  # the optimizers that take one

MASKED = -1e9  # an illegal action's logit; finite, so that zero target times it stays zero


def optimizer(
    name: str,
    parameters: Iterable[torch.nn.Parameter],
    *,
    learning_rate: float,
    weight_decay: float = 0.0,
    momentum: float = 0.0,
) -> torch.optim.Optimizer:
    """The optimizer called `name`, one of `OPTIMIZERS`; a wrong value is a UsageError naming it.

    Args:
        learning_rate: above 0; typically 0.001 for adam and rmsprop, 0.01 to 0.1 for the others.
        weight_decay: L2 penalty added to the gradient, 0 or more; typically 0 to 0.001.
        momentum: 0 up to below 1, for the optimizers of `WITH_MOMENTUM` alone.
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
    """How a network learns; the fields' meaning and range are those of `optimizer`, `train_step`"""

    optimizer: str
    learning_rate: float  # at the beginning; then it is the optimizer's own
    weight_decay: float = 0.0
    momentum: float = 0.0
    value_weight: float = 1.0
    ownership_weight: float = 0.1
    max_gradient_norm: float = math.inf

    def make_optimizer(self, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
        """The optimizer of these parameters. Raises UsageError."""
        return optimizer(
            self.optimizer,
            parameters,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            momentum=self.momentum,
        )


class Examples(NamedTuple):
    """A minibatch, for a network to learn; see `train_step`."""

    observations: NDArray[np.float32]  # [B, *observation_shape]
    policies: NDArray[np.float32]  # [B, A]
    values: NDArray[np.float32] | None = None  # [B, P], where there is a critic
    ownership: NDArray[np.float32] | None = None  # [B, cells], where there is such a head


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
) -> dict[str, float]:
    """One update of the network on a minibatch.

    Args:
        observations: [B, *observation_shape].
        target_policy: [B, A], rows of visit shares; an all-zero row teaches no policy.
        target_value: [B, P], rows of shares of the win; None leaves a critic as it is.
        target_ownership: [B, cells], chance in [0, 1] that the mover owns each cell at the end;
            None leaves such a head as it is.
        legal: [B, A]; given, the softmax runs over the legal actions alone, otherwise over all,
            so that illegal actions are learned to be zero.
        value_weight: the value loss's weight beside the policy loss.
        ownership_weight: the same for the mean loss of a cell's owner.
        max_gradient_norm: gradients longer than this (2-norm over all parameters) are shortened.

    Returns:
        The batch's "loss" before the update, its parts "policy" and, when trained, "value" and
        "ownership" (cross-entropies in nats), and "gradient_norm" before shortening.

    Raises:
        UsageError: a target for a head that the network lacks.
        MeepleError: the loss or its gradient is not finite; the weights are left as they were.
    """
    inputs = torch.from_numpy(observations)
    policy_logits, value_logits, owner_logits = network.judge(inputs)
    if legal is not None:
        policy_logits = policy_logits.masked_fill(~torch.from_numpy(legal), MASKED)
    loss = policy_loss = cross_entropy(policy_logits, torch.from_numpy(target_policy))
    losses = {"policy": policy_loss.item()}
    if target_value is not None:
        if value_logits is None:
            raise UsageError("target values need a network with a critic, and this one has none")
        value_loss = cross_entropy(value_logits, torch.from_numpy(target_value))
        losses["value"] = value_loss.item()
        loss = loss + value_weight * value_loss
    if target_ownership is not None:
        if owner_logits is None:
            raise UsageError("target ownership needs a network with such a head")
        owner_loss = torch.nn.functional.binary_cross_entropy_with_logits(
            owner_logits, torch.from_numpy(target_ownership)
        )
        losses["ownership"] = owner_loss.item()
        loss = loss + ownership_weight * owner_loss
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]  # untyped in torch
    norm = torch.nn.utils.clip_grad_norm_(network.parameters(), max_gradient_norm).item()
    losses |= {"loss": loss.item(), "gradient_norm": norm}
    refuse_divergence(losses)
    optimizer.step()
    return losses


def refuse_divergence(losses: dict[str, float]) -> None:
    """Raise MeepleError where the loss or its gradient is not finite."""
    if not (math.isfinite(losses["loss"]) and math.isfinite(losses["gradient_norm"])):
        raise MeepleError(
            f"training diverged (loss {losses['loss']}, "
            f"gradient norm {losses['gradient_norm']}); "
            "lower the learning rate or the largest gradient norm"
        )


@contextlib.contextmanager
def flushing_subnormals() -> Iterator[None]:
    """Let this thread take numbers below 1.2e-38 for 0, where the processor can.

    Weight decay makes many of them, and each costs a hundred times as much as another: minibatches
    of networks that had learned for hours took up to nine times as long.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@contextlib.contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """So many threads of PyTorch for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
