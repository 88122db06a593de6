"""Fitting a network to the labels of a round: epochs, the mean of draws, and how well it fits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from meeple.errors import Stopped
from meeple.learn.config import ValuesTrainingSection
from meeple.learn.values.evaluation import fitness
from meeple.learn.values.module import ValueModule, weights_of
from meeple.learn.values.shards import ValueExamples
from meeple.learn.values.training import Fit, Fitting, minibatches
from meeple.search.values.network import Weights


def fit_network(
    training: ValuesTrainingSection,
    fit: Fit,
    begin: Weights,
    cases: tuple[ValueExamples, ValueExamples],
    seed: tuple[int, ...],
    tell: Callable[[str], None],
    stop: Callable[[], bool],
) -> tuple[Weights, dict[str, Any]]:
    """Fit to the first cases, from some weights on; judge by the second, which are held out.

    Raises Stopped between two minibatches.
    """
    learned, held = cases
    found: dict[str, Any] = {"labels": learned.size, "held": held.size}
    found["before"] = fitness(ValueModule(begin), held).words()
    draws = []
    for draw in range(training.draws):
        rng = np.random.default_rng((*seed, draw))
        draws.append(_draw(training, fit, begin, learned, rng, tell, stop))
    mean = {name: np.mean([draw[name] for draw in draws], axis=0) for name in begin}
    found["after"] = fitness(ValueModule(mean), held).words()
    tell(f"fitted to {learned.size:,} labels; of {held.size:,} others, {_words(found)}")
    return mean, found


def _words(found: dict[str, Any]) -> str:
    """What fitting changed, by labels that were held out."""
    before, after = found["before"], found["after"]
    words = f"cross entropy {before['entropy']:.4f} before and {after['entropy']:.4f} after"
    if not after["possible"]:
        return words
    return (
        f"{words}, the best sibling by the network {100 * after['gained']:+.2f} points above the "
        f"mean of its siblings ({100 * before['gained']:+.2f} before)"
    )


def _draw(
    training: ValuesTrainingSection,
    fit: Fit,
    begin: Weights,
    learned: ValueExamples,
    rng: np.random.Generator,
    tell: Callable[[str], None],
    stop: Callable[[], bool],
) -> Weights:
    """One fit: the mean of its weights over the last steps."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # small layers are slower on more
    steps = training.epochs * learned.size // training.batch
    fitting = Fitting(ValueModule(begin), fit, steps)
    try:
        for epoch in range(training.epochs):
            losses = []
            for batch in minibatches(learned, training.batch, rng):
                if stop():
                    raise Stopped
                losses.append([float(loss.detach()) for loss in fitting.step(batch)])
            entropy, siblings = np.mean(losses, axis=0)
            words = f"cross entropy {entropy:.4f}, squared error of siblings {siblings:.5f}"
            tell(f"epoch {epoch + 1}: {words}")
    finally:
        torch.set_num_threads(threads)
    return weights_of(fitting.averaged)
