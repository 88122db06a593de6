"""Fitting a value network to labels: who wins, and by how much siblings differ."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from meeple.learn.values.module import ValueModule
from meeple.learn.values.shards import ValueExamples


@dataclass(frozen=True)
class Fit:
    """How a network is fitted."""

    learning_rate: float = 1e-3
    """At first; it falls in a straight line, to a tenth at the last step."""
    siblings: float = 1.0
    """Weight of the squared error of the decider's share, against the mean of the siblings."""
    averaging: float = 0.999
    """What is kept of the averaged weights in each step."""


class Batch(NamedTuple):
    """Some decisions with all their siblings."""

    own: Tensor
    sites: Tensor
    table: Tensor
    taken: Tensor  # [B, P] whether a game has that seat
    shares: Tensor  # [B, P]
    seats: Tensor  # [B] who decided
    groups: Tensor  # [B] 0, 1, 2...: siblings have one number


class Losses(NamedTuple):
    """What a batch says of a network."""

    entropy: Tensor  # of the shares
    siblings: Tensor  # squared error of centred shares


def batch_of(cases: ValueExamples, rows: npt.NDArray[np.int64]) -> Batch:
    """These rows, which hold whole decisions, in ascending order."""
    _, groups = np.unique(cases.decisions[rows], return_inverse=True)
    return Batch(
        torch.from_numpy(cases.own[rows].astype(np.float32)),
        torch.from_numpy(cases.sites[rows].astype(np.float32)),
        torch.from_numpy(cases.table[rows].astype(np.float32)),
        torch.from_numpy(np.arange(cases.shares.shape[1]) < cases.players[rows, None]),
        torch.from_numpy(cases.shares[rows]),
        torch.from_numpy(cases.seats[rows].astype(np.int64)),
        torch.from_numpy(groups.astype(np.int64)),
    )


def minibatches(cases: ValueExamples, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """All decisions once, in random order."""
    first = np.flatnonzero(np.diff(cases.decisions, prepend=-1))
    ends = np.append(first[1:], cases.size)
    rows: list[npt.NDArray[np.int64]] = []
    held = 0
    for decision in rng.permutation(len(first)):
        rows.append(np.arange(first[decision], ends[decision]))
        held += len(rows[-1])
        if held >= size:
            yield batch_of(cases, np.sort(np.concatenate(rows)))
            rows, held = [], 0
    if rows:
        yield batch_of(cases, np.sort(np.concatenate(rows)))


def losses(module: ValueModule, batch: Batch) -> Losses:
    """Cross entropy to the labels, and how wrongly siblings differ."""
    logits = module(batch.own, batch.sites, batch.table, batch.taken)
    entropy = functional.cross_entropy(logits, batch.shares)
    picked = batch.seats[:, None]
    found = torch.softmax(logits, dim=1).gather(1, picked)[:, 0]
    error = found - batch.shares.gather(1, picked)[:, 0]
    return Losses(entropy, (error - _means(error, batch.groups)).square().mean())


def _means(values: Tensor, groups: Tensor) -> Tensor:
    """For each value the mean of its group."""
    count = int(groups.max()) + 1
    sums = torch.zeros(count).index_add(0, groups, values)
    sizes = torch.zeros(count).index_add(0, groups, torch.ones_like(values))
    return (sums / sizes)[groups]


class Fitting:
    """A network in training, with its optimizer and the mean of its weights."""

    def __init__(self, module: ValueModule, fit: Fit, steps: int) -> None:
        """`steps`: of the whole fitting, for the learning rate."""
        self.module, self.fit, self.steps = module, fit, max(steps, 1)
        self.averaged = copy.deepcopy(module)
        self.done = 0
        self.optimizer = torch.optim.Adam(module.parameters(), lr=fit.learning_rate)

    def step(self, batch: Batch) -> Losses:
        """One update; the losses before it."""
        fit, progress = self.fit, min(1.0, self.done / self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = fit.learning_rate * (1 - 0.9 * progress)
        found = losses(self.module, batch)
        self.optimizer.zero_grad()
        loss = found.entropy + fit.siblings * found.siblings
        loss.backward()  # type: ignore[no-untyped-call]  # of PyTorch
        self.optimizer.step()
        self.done += 1
        self._average()
        return found

    @torch.no_grad()
    def _average(self) -> None:
        """Take the weights into their mean, which forgets the first steps sooner."""
        kept = min(self.fit.averaging, self.done / (self.done + 9))
        pairs = zip(self.averaged.parameters(), self.module.parameters(), strict=True)
        for mean, value in pairs:
            mean.lerp_(value, 1 - kept)
