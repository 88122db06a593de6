"""What is learned after a wave, and what came of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Update:
    """What is learned after a wave."""

    first: int  # episodes of the run before the wave
    last: int  # and with it
    minibatches: int
    learning_rate: float


@dataclass(frozen=True)
class Losses:
    """What the minibatches after a wave gave."""

    means: Mapping[str, float]
    """By name: `loss/...`, see `train_step`, where a minibatch was due, and those of unseen.py."""
    seconds: float
    threads: int  # that learned


def minibatches_due(batches: float, first: int, last: int) -> int:
    """How many minibatches are due when so many episodes become more, at so many an episode."""
    return math.floor(last * batches) - math.floor(first * batches)
