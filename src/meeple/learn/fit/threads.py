"""Settings of PyTorch for training, and the number of threads: the faster one, as measured.

More threads are faster on idle cores and many times slower on busy ones: a convolutional learner
with two threads took 20 to 25 s a wave beside other programs, with one 2.7 s.
"""

import contextlib
from collections.abc import Iterator

import torch

from meeple.learn.config import Config
from meeple.nets.training import flushing_subnormals, torch_threads

WAVES_BETWEEN_TRIALS = 30  # waves until the slower number is tried once more


@contextlib.contextmanager
def training_settings(config: Config) -> Iterator[None]:
    """Set the threads of PyTorch, and flush subnormal numbers, in a `with` block."""
    # Two threads took 70 times as long for a small mlp's minibatch.
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals():
        yield


class LearningThreads:
    """Chooses the threads of PyTorch for every wave's minibatches."""

    def __init__(self, config: Config) -> None:
        most = torch.get_num_threads()
        if config.training.threads:
            self._seconds: dict[int, float | None] = {config.training.threads: None}
        elif config.network.kind == "mlp":  # two threads took 70 times as long for a minibatch
            self._seconds = {1: None}
        else:
            self._seconds = {1: None, most: None}
        self._waves = 0  # since the slower number was tried

    def choose(self) -> int:
        """Threads for the next wave's minibatches."""
        for count, seconds in self._seconds.items():
            if seconds is None:
                return count
        ranked = sorted(self._seconds, key=lambda count: self._seconds[count] or 0.0)
        self._waves += 1
        if self._waves > WAVES_BETWEEN_TRIALS:
            self._waves = 0
            return ranked[-1]
        return ranked[0]

    def note(self, count: int, seconds: float) -> None:
        """A minibatch took so long with so many threads."""
        self._seconds[count] = seconds
