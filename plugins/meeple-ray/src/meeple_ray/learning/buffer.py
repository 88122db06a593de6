"""The process of a cluster that holds the replay buffer; it needs no PyTorch."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple.learn.config import Config
from meeple.learn.selfplay.replay import new_buffer
from meeple_ray.learning.wire import of_plain, to_plain
from meeple_ray.same_files import load_same_files

BUFFER_TARGET = "meeple_ray.learning.buffer:Buffer"


class Buffer:
    """The replay buffer of a run."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        """Make an empty buffer from {"config", "files"}."""
        load_same_files(arguments["files"])
        self._config = Config.model_validate(arguments["config"])
        self._buffer = new_buffer(self._config, self._config.make_game())
        self._drawing: tuple[int, int] = (-1, 0)  # the update, and batches drawn for it
        self._rng = np.random.default_rng(0)

    def add(self, trajectory: Mapping[str, Any]) -> int:
        """Add steps in order; return their number in the buffer."""
        self._buffer.add(of_plain(trajectory))
        return len(self._buffer)

    def sample(self, update: int, first: int, count: int) -> list[dict[str, Any]]:
        """Return `count` batches of an update, from number `first` on.

        They are sampled as in a run in one process. After a restart, earlier batches are
        sampled again, from the present content of the buffer.
        """
        size = self._config.training.batch_size
        if self._drawing[0] != update or self._drawing[1] > first:
            self._rng = np.random.default_rng((self._config.run.seed, update, 1))
            self._drawing = update, 0
        for _ in range(first - self._drawing[1]):
            self._buffer.sample(size, self._rng)
        self._drawing = update, first + count
        return [to_plain(self._buffer.sample(size, self._rng)) for _ in range(count)]
