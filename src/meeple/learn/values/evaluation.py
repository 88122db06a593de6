"""Evaluates a value network on held-out labels."""

from typing import NamedTuple

import numpy as np
import torch

from meeple.learn.values.module import ValueModule
from meeple.learn.values.shards import ValueExamples
from meeple.learn.values.training import batch_of

_BATCH_ROWS = 8192


class Fitness(NamedTuple):
    """Metrics of a value network, as means over positions or over decisions."""

    entropy: float  # cross entropy of the shares, in nats
    siblings: float  # squared error of the decider's share, relative to the mean of its siblings
    gained: float  # label of the sibling that the network prefers, minus the siblings' mean
    possible: float  # the same for the sibling with the best label, which includes noise

    def words(self) -> dict[str, float]:
        """Return the metrics by name, rounded."""
        return {name: round(float(value), 5) for name, value in self._asdict().items()}


@torch.no_grad()
def fitness(module: ValueModule, cases: ValueExamples) -> Fitness:
    """Evaluate a network on the labels of held-out decisions.

    The label of the chosen sibling is an unbiased estimate of the value of the choice.
    """
    own_shares, entropy = [], 0.0
    for first in range(0, cases.size, _BATCH_ROWS):
        rows = np.arange(first, min(first + _BATCH_ROWS, cases.size))
        batch = batch_of(cases, rows)
        outputs = module(batch.own, batch.sites, batch.table, batch.taken)
        logits = torch.log_softmax(outputs, dim=1)
        entropy -= float((logits * batch.shares).sum())
        own_shares.append(logits.exp().numpy()[rows - first, cases.seats[rows]])
    found = np.concatenate(own_shares)
    labels = cases.shares[np.arange(cases.size), cases.seats]
    starts = np.flatnonzero(np.diff(cases.decisions, prepend=-1))
    sizes = np.diff(np.append(starts, cases.size))
    means = np.add.reduceat(labels, starts) / sizes
    error = found - labels
    centred = error - np.repeat(np.add.reduceat(error, starts) / sizes, sizes)
    chosen = [s + int(found[s : s + n].argmax()) for s, n in zip(starts, sizes, strict=True)]
    return Fitness(
        entropy=entropy / cases.size,
        siblings=float(np.square(centred).mean()),
        gained=float((labels[chosen] - means).mean()),
        possible=float((np.maximum.reduceat(labels, starts) - means).mean()),
    )
