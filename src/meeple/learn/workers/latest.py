"""A network that a process is told again and again, in one thread, and uses in others."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.errors import RunError
from meeple.executors.newest import Newest
from meeple.learn.config import Config
from meeple.nets.architecture import Weights
from meeple.nets.graph import weight_shapes

NETWORK_TIMEOUT_SECONDS = 120.0  # seconds to wait for a network that is on its way


class LatestNetwork:
    """The weights that were taken over last, and the newest that were told."""

    def __init__(self, config: Config) -> None:
        architecture = config.architecture(config.make_game())
        tensors = {
            name: np.zeros(shape, dtype=np.float32)
            for name, shape in weight_shapes(architecture).items()
        }
        self.weights = Weights(architecture, tensors)
        self.generation = -1  # of these weights; -1: nobody's
        self._newest: Newest[Mapping[str, Any]] = Newest({})
        self._taking = threading.Lock()

    def take(self, network: Mapping[str, Any]) -> None:
        """Hear of a network: {"generation", "tensors"}."""
        self._newest.tell(network["generation"], network["tensors"])

    def take_over(self, at_least: int, refresh: Callable[[], None]) -> None:
        """Make the newest network, of that generation or a later one, the weights.

        `refresh` is called where they are others than before. Any thread may call this. Raises
        RunError where no such network comes.
        """
        newest = self._newest.wait(lambda told: told.number >= at_least, NETWORK_TIMEOUT_SECONDS)
        if newest is None:
            raise RunError("no network came to play with")
        with self._taking:  # never while one waits: another may be told of meanwhile
            if newest.number > self.generation:
                for name, array in self.weights.tensors.items():
                    array[...] = newest.value[name]
                refresh()
                self.generation = newest.number
