"""A network's copy on a device, with the optimizer that trains it there.

One of several copies that learn the same, each on its share of every minibatch, or the only one.
A minibatch travels as one array, a row for each example.
"""

import contextlib
import copy
import time
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from meeple.errors import UsageError
from meeple.nets.architecture import Architecture
from meeple.nets.devices import CPU
from meeple.nets.graph import Outputs
from meeple.nets.network import ActorNetwork
from meeple.nets.training import Examples, Recipe, refuse_divergence

GLANCE = 0.0002  # seconds from one look at the device to the next while it is waited for


class Parts(NamedTuple):
    """A minibatch on a device, or a share of one."""

    observations: Tensor  # [B, *observation_shape]
    policies: Tensor  # [B, A]
    values: Tensor | None  # [B, P]
    ownership: Tensor | None  # [B, cells]
    weights: Tensor  # [B] 1, or 0 for a row that only fills up


class Layout:
    """What a row of a packed minibatch holds: all that a network learns of one example."""

    def __init__(self, architecture: Architecture) -> None:
        self._shape = architecture.observation_shape
        cells = self._shape[1] * self._shape[2] if architecture.ownership else 0
        players = architecture.players if architecture.critic else 0
        widths = (architecture.observation_size, architecture.num_actions, players, cells, 1)
        ends = np.cumsum(widths).tolist()
        self._columns = [slice(end - n, end) for end, n in zip(ends, widths, strict=True)]
        self.width: int = ends[-1]

    def pack(self, examples: Examples, rows: NDArray[np.float32]) -> None:
        """Write examples to the first of [R, width] rows; the rest are copies that count nothing.

        There is at least one example, and no more than rows. Raises UsageError where they lack what
        a head of the network learns.
        """
        count = len(examples.policies)
        for name, columns, array in zip(Examples._fields, self._columns, examples, strict=False):
            if array is not None:
                rows[:count, columns] = array.reshape(count, -1)
            elif columns.start < columns.stop:
                raise UsageError(f"the network has a head for {name}, and the examples have none")
        rows[:count, -1] = 1.0
        rows[count:] = rows[0]
        rows[count:, -1] = 0.0

    def parts(self, rows: Tensor) -> Parts:
        """The examples of packed rows [B, width]."""
        observations, policies, values, ownership, weights = (
            rows[:, columns] for columns in self._columns
        )
        return Parts(
            observations.reshape(len(rows), *self._shape),
            policies,
            values if values.shape[1] else None,
            ownership if ownership.shape[1] else None,
            weights[:, 0],
        )


class Replica:
    """A copy of a network and its optimizer, apart from the network that it was made of."""

    def __init__(
        self,
        network: ActorNetwork,
        optimizer: torch.optim.Optimizer,
        recipe: Recipe,
        *,
        device: str,
        format: str = "float32",
        processes: int = 1,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """Copies weights and the optimizer's state.

        Args:
            recipe: by which `optimizer` was made.
            device: "cpu", "cuda:0" and so on.
            format: "float32", or "bfloat16" for mixed precision: weights, losses and updates are
                float32 in either.
            processes: that learn together; if more than one, they have joined a process group.
            watch: called now and then while an accelerator is waited for; it may raise.
        """
        self.layout = Layout(network.architecture)
        self.device = torch.device(device)
        self.network = ActorNetwork.of(network.weights).to(self.device)
        self.optimizer = recipe.make_optimizer(self.network.parameters())
        self.optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        self._recipe, self._processes, self._watch = recipe, processes, watch
        self._bfloat16 = format == "bfloat16"
        self._judge: nn.Module = _Judging(self.network)
        if processes > 1:
            ids = None if device == CPU else [self.device.index]
            self._judge = DistributedDataParallel(self._judge, device_ids=ids)

    def step(self, rows: Tensor, count: int) -> dict[str, float]:
        """One update by a minibatch of `count` examples, this copy's share of which is `rows`.

        Losses are those that `train_step` gives, of the whole minibatch, and so is what is raised.
        """
        with self._current():
            return self._step(rows, count)

    def copy_to(self, network: ActorNetwork) -> None:
        """Give a network on the processor the weights that were learned here."""
        with torch.no_grad():
            pairs = zip(network.parameters(), self.network.parameters(), strict=True)
            for own, learned in pairs:
                own.copy_(learned)

    def _step(self, rows: Tensor, count: int) -> dict[str, float]:
        parts = self.layout.parts(rows)
        with self._precision():
            found = Outputs(*self._judge(parts.observations))
        losses = _losses(found, parts, parts.weights / count)
        names, recipe = [*losses, "loss"], self._recipe
        loss = losses["policy"]
        if "value" in losses:
            loss = loss + recipe.value_weight * losses["value"]
        if "ownership" in losses:
            loss = loss + recipe.ownership_weight * losses["ownership"]
        self.optimizer.zero_grad()
        # The copies' gradients are averaged, and are to be added.
        (self._processes * loss).backward()  # type: ignore[no-untyped-call]  # untyped in torch
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), recipe.max_gradient_norm)
        figures = torch.stack([*losses.values(), loss]).detach()
        if self._processes > 1:
            dist.all_reduce(figures)
        *means, length = self._told(torch.cat([figures, norm.reshape(1)]))
        told = {**dict(zip(names, means, strict=True)), "gradient_norm": length}
        refuse_divergence(told)
        self.optimizer.step()
        return told

    def _current(self) -> contextlib.AbstractContextManager[Any]:
        """The device as the current one: events and streams are of that."""
        if self.device.type == CPU:
            return contextlib.nullcontext()
        return torch.cuda.device(self.device)

    def _precision(self) -> contextlib.AbstractContextManager[Any]:
        if not self._bfloat16:
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=torch.bfloat16)

    def _told(self, figures: Tensor) -> list[float]:
        """Numbers of the device, once it has computed them."""
        if self.device.type == CPU or self._processes == 1:
            return cast(list[float], figures.tolist())
        there = torch.empty(figures.shape, pin_memory=True)
        there.copy_(figures, non_blocking=True)
        done = torch.cuda.Event()  # type: ignore[no-untyped-call]
        done.record()
        while not done.query():  # type: ignore[no-untyped-call]
            self._watch()
            time.sleep(GLANCE)
        return cast(list[float], there.tolist())


class _Judging(nn.Module):
    """A network whose call gives all its outputs, ownership too."""

    def __init__(self, network: ActorNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Tensor) -> tuple[Tensor | None, ...]:
        return tuple(self.network.judge(observations))


def _losses(found: Outputs[Tensor], parts: Parts, shares: Tensor) -> dict[str, Tensor]:
    """Losses by name, each example's weighted by its share in the minibatch, [B]."""
    losses = {"policy": _cross_entropy(found.policy, parts.policies, shares)}
    if parts.values is not None and found.value is not None:
        losses["value"] = _cross_entropy(found.value, parts.values, shares)
    if parts.ownership is not None and found.ownership is not None:
        each = nn.functional.binary_cross_entropy_with_logits(
            found.ownership.float(), parts.ownership, reduction="none"
        )
        losses["ownership"] = (shares * each.mean(dim=1)).sum()
    return losses


def _cross_entropy(logits: Tensor, target: Tensor, shares: Tensor) -> Tensor:
    each = -(target * torch.log_softmax(logits.float(), dim=1)).sum(dim=1)
    return (shares * each).sum()
