"""A process that plays waves of self-play, by the newest network that it was told."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from meeple.arena.remote import load_same_files
from meeple.errors import NetworkError, Stopped
from meeple.learn.config import Config
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.wave import arrival_of, diverged
from meeple.learn.workers.inference import AskedNetwork
from meeple.learn.workers.told import ToldNetwork
from meeple.learn.workers.wire import arrival_to_plain, config_of
from meeple.nets.inference import Predictor
from meeple.search.evaluators import Predict

TARGET = "meeple.learn.workers.player:make_player"
ASKED = "network"  # the peer that computes the network, where there is one
WARM_UP = 2.0  # seconds that a wave is tried for, so that all kernels are there


def make_player(arguments: Mapping[str, Any]) -> "Player":
    """A player, its kernels compiled: {"config", "format", "files", "name", "peers"}."""
    load_same_files(arguments["files"])
    config, peers = config_of(arguments["config"]), arguments.get("peers", {})
    network: PlayersNetwork
    if ASKED in peers:
        network = AskedNetwork(peers[ASKED])
    else:
        network = OwnNetwork(config, arguments["format"])
        warm_up(config, network)
    return Player(config, network, arguments["name"])


class PlayersNetwork(Protocol):
    """The network that a player plays with."""

    generation: int  # that was taken over

    @property
    def predicts(self) -> Sequence[Predict]:
        """One for each thread of searches."""
        ...

    def take(self, network: Mapping[str, Any]) -> None:
        """Hear of a newer network."""
        ...

    def take_over(self, at_least: int) -> object:
        """Play by the newest network, of that generation or a later one. Raises RunError."""
        ...


class OwnNetwork:
    """A network that is computed in the player's own process."""

    def __init__(self, config: Config, format: str) -> None:
        self._told = ToldNetwork(config)
        self._predictor = Predictor(self._told.weights, format)
        self.predicts: Sequence[Predict] = [self._predictor]
        self.generation = -1
        self.take = self._told.take

    def take_over(self, at_least: int) -> None:
        self._told.take_over(at_least, self._predictor.refresh)
        self.generation = self._told.generation


class Player:
    """Plays waves. Its network is told from another thread than the one that plays."""

    def __init__(self, config: Config, network: PlayersNetwork, name: str) -> None:
        self._config, self._game = config, config.make_game()
        self._game.compile()
        self._network, self._name = network, name
        self.take = network.take

    def do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Play the episodes of these numbers, by a network of that generation or a newer one:
        {"numbers", "generation"}. An `Arrival`, as plain values.
        """
        numbers = job["numbers"]
        self._network.take_over(job["generation"])
        generation = self._network.generation
        try:
            wave = play_wave(self._game, self._config, self._network.predicts, numbers)
        except NetworkError as error:
            raise diverged(error, numbers) from None
        return arrival_to_plain(arrival_of(self._config, numbers, wave, generation, self._name))


def warm_up(config: Config, network: PlayersNetwork) -> None:
    """Play for a moment."""
    until = time.monotonic() + WARM_UP
    with contextlib.suppress(Stopped):
        play_wave(
            config.make_game(),
            config,
            network.predicts,
            range(1),
            lambda: time.monotonic() > until,
        )
