"""Fits a value network in PyTorch to labels, and evaluates it on held-out labels."""

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from meeple.errors import Stopped
from meeple.learn.config.values import ValuesTrainingSection
from meeple.nets.training import Recipe, descend, torch_threads
from meeple.search.values.examples import ValueExamples
from meeple.search.values.network import Weights

EVALUATED_ROWS = 8192  # per batch of an evaluation
NO_SHARE_LOGIT = -1e9  # softmax gives 0; finite, so that 0 times it is 0


class ValueModule(nn.Module):
    """The network of `search.values.network` for batches, with the same names of weights."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(value.copy())) for name, value in weights.items()}
        )

    def forward(self, own: Tensor, sites: Tensor, table: Tensor, taken: Tensor) -> Tensor:
        """Return the logits of the shares [B, P]; a missing seat gets `NO_SHARE_LOGIT`.

        Args:
            own: [B, P, F].
            sites: [B, P, S, G].
            table: [B, T].
            taken: [B, P], whether a game has that seat.
        """
        w = self.weights
        there = (sites[..., :1] != 0).to(sites.dtype)
        site = torch.relu(sites @ w["site_weights"] + w["site_bias"]) * there
        pooled = torch.cat([site.sum(dim=2), site.amax(dim=2)], dim=-1)
        seat = own @ w["own_weights"] + pooled @ w["pooled_weights"] + w["seat_bias"]
        seat = torch.relu(seat) * taken[..., None]
        common = seat.sum(dim=1) @ w["sum_weights"] + table @ w["table_weights"] + w["first_bias"]
        first = seat @ w["self_weights"] + max_over_others(seat) @ w["most_weights"]
        first = torch.relu(first + common[:, None])
        second = torch.relu(first @ w["second_weights"] + w["second_bias"])
        logits: Tensor = second @ w["last_weights"]
        return logits.masked_fill(~taken, NO_SHARE_LOGIT)


def max_over_others(seats: Tensor) -> Tensor:
    """Return for each of P seats the maximum over the others: [B, P, H]."""
    count = seats.shape[1]
    others = [[other for other in range(count) if other != seat] for seat in range(count)]
    return torch.stack([seats[:, other].amax(dim=1) for other in others], dim=1)


def weights_of(module: ValueModule) -> Weights:
    """Return copies of the weights as NumPy arrays."""
    return {
        name: np.ascontiguousarray(value.detach().numpy()).copy()
        for name, value in module.weights.items()
    }


class ValueBatch(NamedTuple):
    """A minibatch: decisions with all their siblings; B rows, P seats."""

    own: Tensor
    sites: Tensor
    table: Tensor
    taken: Tensor  # [B, P] whether a game has that seat
    shares: Tensor  # [B, P]
    seats: Tensor  # [B] the deciders
    groups: Tensor  # [B] 0, 1, 2...: siblings have one number


def batch_of(examples: ValueExamples, rows: npt.NDArray[np.int64]) -> ValueBatch:
    """Return the rows of whole decisions, given in ascending order, as a minibatch."""
    _, groups = np.unique(examples.decisions[rows], return_inverse=True)
    return ValueBatch(
        torch.from_numpy(examples.own[rows].astype(np.float32)),
        torch.from_numpy(examples.sites[rows].astype(np.float32)),
        torch.from_numpy(examples.table[rows].astype(np.float32)),
        torch.from_numpy(np.arange(examples.shares.shape[1]) < examples.players[rows, None]),
        torch.from_numpy(examples.shares[rows]),
        torch.from_numpy(examples.seats[rows].astype(np.int64)),
        torch.from_numpy(groups.astype(np.int64)),
    )


def minibatches(
    examples: ValueExamples, size: int, rng: np.random.Generator
) -> Iterator[ValueBatch]:
    """Yield every decision once, in random order; a minibatch has at least `size` rows."""
    first = np.flatnonzero(np.diff(examples.decisions, prepend=-1))
    ends = np.append(first[1:], examples.size)
    rows: list[npt.NDArray[np.int64]] = []
    held = 0
    for decision in rng.permutation(len(first)):
        rows.append(np.arange(first[decision], ends[decision]))
        held += len(rows[-1])
        if held >= size:
            yield batch_of(examples, np.sort(np.concatenate(rows)))
            rows, held = [], 0
    if rows:
        yield batch_of(examples, np.sort(np.concatenate(rows)))


def losses(module: ValueModule, batch: ValueBatch) -> dict[str, Tensor]:
    """Return the losses of a minibatch.

    - `entropy`: cross entropy of the shares;
    - `siblings`: squared error of the decider's share, relative to the mean of the siblings.
    """
    logits = module(batch.own, batch.sites, batch.table, batch.taken)
    entropy = functional.cross_entropy(logits, batch.shares)
    deciders = batch.seats[:, None]
    predicted = torch.softmax(logits, dim=1).gather(1, deciders)[:, 0]
    error = predicted - batch.shares.gather(1, deciders)[:, 0]
    siblings = (error - _means(error, batch.groups)).square().mean()
    return {"entropy": entropy, "siblings": siblings}


def _means(values: Tensor, groups: Tensor) -> Tensor:
    count = int(groups.max()) + 1
    sums = torch.zeros(count).index_add(0, groups, values)
    sizes = torch.zeros(count).index_add(0, groups, torch.ones_like(values))
    return (sums / sizes)[groups]


def fit_network(
    training: ValuesTrainingSection,
    recipe: Recipe,
    begin: Weights,
    examples: tuple[ValueExamples, ValueExamples],
    seed: tuple[int, ...],
    log: Callable[[str], None],
    stop: Callable[[], bool],
) -> tuple[Weights, dict[str, Any]]:
    """Fit a network to labels, and evaluate it on held-out labels.

    Args:
        training: the configuration.
        recipe: settings of the optimizer and the loss. The learning rate is that of the first step;
            it decreases linearly to a tenth at the last one.
        begin: the weights to start from.
        examples: the labels to learn from, and the held-out ones.
        seed: of the order of the labels.
        log: receives sentences on the progress.
        stop: turns true if training is to stop.

    Returns:
        The weights, averaged over the fits of the round; and the results for the history.

    Raises:
        Stopped: `stop` turned true between two minibatches.
    """
    learned, held = examples
    found: dict[str, Any] = {"labels": learned.size, "held": held.size}
    found["before"] = fitness(ValueModule(begin), held).rounded()
    draws = []
    for draw in range(training.draws):
        rng = np.random.default_rng((*seed, draw))
        draws.append(_one_fit(training, recipe, begin, learned, rng, log, stop))
    mean = {name: np.mean([draw[name] for draw in draws], axis=0) for name in begin}
    found["after"] = fitness(ValueModule(mean), held).rounded()
    log(f"fitted to {learned.size:,} labels; of {held.size:,} others, {_change(found)}")
    return mean, found


def _change(found: dict[str, Any]) -> str:
    """Return a clause on the error on held-out labels before and after the fit."""
    before, after = found["before"], found["after"]
    words = f"cross entropy {before['entropy']:.4f} before and {after['entropy']:.4f} after"
    if not after["possible"]:
        return words
    return (
        f"{words}, the best sibling by the network {100 * after['gained']:+.2f} points above the "
        f"mean of its siblings ({100 * before['gained']:+.2f} before)"
    )


def _one_fit(
    training: ValuesTrainingSection,
    recipe: Recipe,
    begin: Weights,
    learned: ValueExamples,
    rng: np.random.Generator,
    log: Callable[[str], None],
    stop: Callable[[], bool],
) -> Weights:
    """Return the moving average of the weights of one fit."""
    module = ValueModule(begin)
    averaged, optimizer = copy.deepcopy(module), recipe.make_optimizer(module.parameters())
    done, steps = 0, max(training.epochs * learned.size // training.batch, 1)
    with torch_threads(1):  # more threads are slower with small layers
        for epoch in range(training.epochs):
            found = []
            for batch in minibatches(learned, training.batch, rng):
                if stop():
                    raise Stopped
                for group in optimizer.param_groups:
                    group["lr"] = recipe.learning_rate * (1 - 0.9 * min(1.0, done / steps))
                found.append(descend(module, optimizer, losses(module, batch), recipe))
                done += 1
                # The factor is smaller at the first steps.
                _average(averaged, module, min(training.averaging, done / (done + 9)))
            means = {name: np.mean([one[name] for one in found]) for name in found[0]}
            log(
                f"epoch {epoch + 1}: cross entropy {means['entropy']:.4f}, "
                f"squared error of siblings {means['siblings']:.5f}"
            )
    return weights_of(averaged)


@torch.no_grad()
def _average(averaged: ValueModule, module: ValueModule, factor: float) -> None:
    for mean, value in zip(averaged.parameters(), module.parameters(), strict=True):
        mean.lerp_(value, 1 - factor)


class Fitness(NamedTuple):
    """Metrics of a value network, as means over positions or over decisions."""

    entropy: float  # cross entropy of the shares, in nats
    siblings: float  # squared error of the decider's share, relative to the mean of its siblings
    gained: float  # label of the sibling that the network prefers, minus the siblings' mean
    possible: float  # the same for the sibling with the best label, which includes noise

    def rounded(self) -> dict[str, float]:
        """Return the metrics by name, rounded."""
        return {name: round(float(value), 5) for name, value in self._asdict().items()}


@torch.no_grad()
def fitness(module: ValueModule, examples: ValueExamples) -> Fitness:
    """Evaluate a network on the labels of held-out decisions.

    The label of the chosen sibling is an unbiased estimate of the value of the choice.
    """
    own_shares, entropy = [], 0.0
    for first in range(0, examples.size, EVALUATED_ROWS):
        rows = np.arange(first, min(first + EVALUATED_ROWS, examples.size))
        batch = batch_of(examples, rows)
        outputs = module(batch.own, batch.sites, batch.table, batch.taken)
        logits = torch.log_softmax(outputs, dim=1)
        entropy -= float((logits * batch.shares).sum())
        own_shares.append(logits.exp().numpy()[rows - first, examples.seats[rows]])
    predicted = np.concatenate(own_shares)
    labels = examples.shares[np.arange(examples.size), examples.seats]
    starts = np.flatnonzero(np.diff(examples.decisions, prepend=-1))
    sizes = np.diff(np.append(starts, examples.size))
    means = np.add.reduceat(labels, starts) / sizes
    error = predicted - labels
    centred = error - np.repeat(np.add.reduceat(error, starts) / sizes, sizes)
    chosen = [s + int(predicted[s : s + n].argmax()) for s, n in zip(starts, sizes, strict=True)]
    return Fitness(
        entropy=entropy / examples.size,
        siblings=float(np.square(centred).mean()),
        gained=float((labels[chosen] - means).mean()),
        possible=float((np.maximum.reduceat(labels, starts) - means).mean()),
    )
