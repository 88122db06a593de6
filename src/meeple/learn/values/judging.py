"""How well a value network fits labels that it has not learned from."""

from typing import NamedTuple

import numpy as np
import torch

from meeple.learn.values.module import ValueModule
from meeple.learn.values.shards import Cases
from meeple.learn.values.training import batch_of

_ROWS = 8192  # at once


class Fitness(NamedTuple):
    """Means over cases, or over decisions."""

    entropy: float  # cross entropy of the shares, in nats
    siblings: float  # squared error of the decider's share against its siblings' mean
    gained: float  # share of the chosen sibling beyond its siblings' mean, by the labels
    possible: float  # of the sibling with the best label: noise and all

    def words(self) -> dict[str, float]:
        """By name, rounded."""
        return {name: round(float(value), 5) for name, value in self._asdict().items()}


@torch.no_grad()
def fitness(module: ValueModule, cases: Cases) -> Fitness:
    """Judge a network by labels of held-out decisions.

    The label of the sibling that it chooses is an unbiased sample of what the choice is worth.
    """
    own_shares, entropy = [], 0.0
    for first in range(0, cases.size, _ROWS):
        rows = np.arange(first, min(first + _ROWS, cases.size))
        batch = batch_of(cases, rows)
        judged = module(batch.own, batch.sites, batch.table, batch.taken)
        logits = torch.log_softmax(judged, dim=1)
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
