"""A process that computes the network for players, on an accelerator: their questions are joined.

A player has two threads of searches, so that one grows its trees while the other waits.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.arena.games.remote import load_same_files
from meeple.errors import RunError
from meeple.executors.newest import Newest
from meeple.learn.config import Config
from meeple.learn.selfplay.predictors import (
    BATCHES_IN_FLIGHT,
    MAX_BATCH_POSITIONS,
    device_for,
    known_format,
)
from meeple.learn.workers.wire import bits_of, config_of, pack, unpack
from meeple.nets.architecture import Weights
from meeple.nets.batching import Batching, Prediction
from meeple.nets.graph import weight_shapes
from meeple.nets.inference import Predictor

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
        self.generation = -1  # of these weights; -1: none yet
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
        with self._taking:  # not during a wait, in which another may be published
            if newest.number > self.generation:
                for name, array in self.weights.tensors.items():
                    array[...] = newest.value[name]
                refresh()
                self.generation = newest.number


TARGET = "meeple.learn.workers.inference:make_inference"
THREADS = 2  # of a player that asks


def make_inference(arguments: Mapping[str, Any]) -> "Inference":
    """What answers players: {"config", "format", "files", "clients"}, that is threads who ask."""
    load_same_files(arguments["files"])
    return Inference(config_of(arguments["config"]), arguments["format"], arguments["clients"])


class Inference:
    """The newest network that it was told, as players ask it."""

    def __init__(self, config: Config, format: str, clients: int) -> None:
        self._latest = LatestNetwork(config)
        weights = self._latest.weights
        device = device_for(config.selfplay.device, config.network.kind)
        known = known_format(format, weights, device)
        predictors = [
            Predictor(weights, known, batch=MAX_BATCH_POSITIONS, device=device)
            for _ in range(BATCHES_IN_FLIGHT)
        ]
        self._batching = Batching(predictors, clients, MAX_BATCH_POSITIONS)

    def take(self, network: Mapping[str, Any]) -> None:
        """Hear of a network, by which the next wave is played: {"generation", "tensors"}."""
        self._latest.take(network)

    def generation(self, at_least: int) -> int:
        """Which network answers from now on: the newest, of that generation or a later one."""
        self._latest.take_over(at_least, self._batching.refresh)
        return self._latest.generation

    def ask(self, observations: Mapping[str, Any], legal: Mapping[str, Any]) -> Prediction:
        """The network's answer on packed observations and legal actions."""
        return self._batching.predict(unpack(observations), unpack(legal).astype(np.bool_))

    def figures(self) -> dict[str, int]:
        """Counts so far: {"requests", "positions", "batches", "max_in_flight"}."""
        names = ("requests", "positions", "batches", "max_in_flight")
        return {name: getattr(self._batching, name) for name in names}


class AskedNetwork:
    """A network that a player asks elsewhere."""

    def __init__(self, peer: Any) -> None:
        """`peer`: the process, as `Cluster.start` gives it."""
        self._peer = peer
        self.predicts = [self._ask] * THREADS
        self.generation = -1

    def take(self, network: Mapping[str, Any]) -> None:
        """Nothing: who is asked is told."""

    def take_over(self, at_least: int) -> None:
        """Wait for a network of that generation or a later one; others may follow in a wave."""
        self.generation = self._peer.ask("generation", at_least)

    def _ask(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        policy, value = self._peer.ask("ask", pack(observations), bits_of(legal))
        return policy, value
