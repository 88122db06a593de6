"""A process that plays waves of self-play, by the newest network that it was told."""

import contextlib
import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple.arena.remote import load_same_files
from meeple.errors import NetworkError, RunError, Stopped
from meeple.learn.cluster.wire import arrival_to_plain, config_of
from meeple.learn.config import Config
from meeple.learn.crew import arrival_of, diverged
from meeple.learn.selfplay import play_wave
from meeple.nets.graph import weight_shapes
from meeple.nets.inference import Predictor
from meeple.nets.weights import Weights

TARGET = "meeple.learn.cluster.player:make_player"
WARM_UP = 2.0  # seconds that a wave is tried for, so that all kernels are there
PATIENCE = 120.0  # seconds to wait for a network that is on its way


def make_player(arguments: Mapping[str, Any]) -> "Player":
    """A player, its kernels compiled: {"config", "format", "files", "name"}."""
    load_same_files(arguments["files"])
    config = config_of(arguments["config"])
    player = Player(config, arguments["format"], arguments["name"])
    player.warm_up()
    return player


class Player:
    """Plays waves. Its network is told from another thread than the one that plays."""

    def __init__(self, config: Config, format: str, name: str) -> None:
        self._name = name
        self._config, self._game = config, config.make_game()
        self._game.compile()
        architecture = config.architecture(self._game)
        tensors = {
            name: np.zeros(shape, dtype=np.float32)
            for name, shape in weight_shapes(architecture).items()
        }
        self._weights = Weights(architecture, tensors)
        self._predictor = Predictor(self._weights, format)
        self._newest: Mapping[str, Any] = {"generation": -1}
        self._told = threading.Condition()
        self._generation = -1

    def warm_up(self) -> None:
        """Play for a moment."""
        until = time.monotonic() + WARM_UP
        with contextlib.suppress(Stopped):
            play_wave(
                self._game,
                self._config,
                [self._predictor],
                range(1),
                lambda: time.monotonic() > until,
            )

    def take(self, network: Mapping[str, Any]) -> None:
        """Play by this network from the next wave on: {"generation", "tensors"}."""
        with self._told:
            self._newest = network
            self._told.notify_all()

    def do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Play the episodes of these numbers, by a network of that generation or a newer one:
        {"numbers", "generation"}. An `Arrival`, as plain values.
        """
        numbers = job["numbers"]
        self._take_over(job["generation"])
        try:
            wave = play_wave(self._game, self._config, [self._predictor], numbers)
        except NetworkError as error:
            raise diverged(error, numbers) from None
        arrival = arrival_of(self._config, numbers, wave, self._generation, self._name)
        return arrival_to_plain(arrival)

    def _take_over(self, generation: int) -> None:
        def is_told() -> bool:
            return bool(self._newest["generation"] >= generation)

        with self._told:
            if not self._told.wait_for(is_told, PATIENCE):
                raise RunError("no network came to play with")
            newest = self._newest
        if newest["generation"] != self._generation:
            for name, array in self._weights.tensors.items():
                array[...] = newest["tensors"][name]
            self._predictor.refresh()
            self._generation = newest["generation"]
