"""How many threads learn: as many as prove faster, measured while they do.

More threads are faster on idle cores and many times slower on busy ones: a convolutional learner
with two threads took 20 to 25 s a wave beside other programs, with one 2.7 s.
"""

import torch

from meeple.learn.config import Config

WAVES_BETWEEN_TRIALS = 30  # waves until the slower number is tried once more


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
