"""A network that a process is told again and again, in one thread, and uses in others."""

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple.errors import RunError
from meeple.learn.config import Config
from meeple.nets.graph import weight_shapes
from meeple.nets.weights import Weights

PATIENCE = 120.0  # seconds to wait for a network that is on its way


class ToldNetwork:
    """The weights that were taken over last, and the newest that were told."""

    def __init__(self, config: Config) -> None:
        architecture = config.architecture(config.make_game())
        tensors = {
            name: np.zeros(shape, dtype=np.float32)
            for name, shape in weight_shapes(architecture).items()
        }
        self.weights = Weights(architecture, tensors)
        self.generation = -1  # of these weights; -1: nobody's
        self._newest: Mapping[str, Any] = {"generation": -1}
        self._told = threading.Condition()

    def take(self, network: Mapping[str, Any]) -> None:
        """Hear of a network: {"generation", "tensors"}."""
        with self._told:
            if network["generation"] >= self._newest["generation"]:
                self._newest = network
                self._told.notify_all()

    def take_over(self, at_least: int) -> bool:
        """Make the newest network, of that generation or a later one, the weights.

        Returns whether they are others than before. Raises RunError where none comes.
        """

        def is_told() -> bool:
            return bool(self._newest["generation"] >= at_least)

        with self._told:
            if not self._told.wait_for(is_told, PATIENCE):
                raise RunError("no network came to play with")
            newest = self._newest
        if newest["generation"] == self.generation:
            return False
        for name, array in self.weights.tensors.items():
            array[...] = newest["tensors"][name]
        self.generation = newest["generation"]
        return True
