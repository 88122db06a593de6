"""A process that plays waves of self-play with the newest published network."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from meeple.arena.games.remote import load_same_files
from meeple.errors import NetworkError, Stopped
from meeple.learn.config import Config
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.wave import diverged, wave_of
from meeple.learn.workers.inference import AskedNetwork, LatestNetwork
from meeple.learn.workers.wire import config_of, wave_to_plain
from meeple.nets.inference import Predictor
from meeple.search.evaluators import Predict

TARGET = "meeple.learn.workers.player:make_player"
ASKED = "network"  # name of the peer that computes the network, if any
WARM_UP_SECONDS = 2.0  # of play at the start, which compiles all kernels


def make_player(arguments: Mapping[str, Any]) -> "WavePlayer":
    """Make a player from {"config", "format", "files", "name", "peers"}; compile its kernels."""
    load_same_files(arguments["files"])
    config, peers = config_of(arguments["config"]), arguments.get("peers", {})
    network: PlayersNetwork
    if ASKED in peers:
        network = AskedNetwork(peers[ASKED])
    else:
        network = OwnNetwork(config, arguments["format"])
        warm_up(config, network)
    return WavePlayer(config, network, arguments["name"])


class PlayersNetwork(Protocol):
    """The network of a player: in its own process or in a peer."""

    generation: int  # of the network in use: number of episodes that it was trained on

    @property
    def predicts(self) -> Sequence[Predict]:
        """One function for each search thread."""
        ...

    def take(self, network: Mapping[str, Any]) -> None:
        """Receive a newer network: {"generation", "tensors"}."""
        ...

    def take_over(self, at_least: int) -> object:
        """Switch to the newest network, once it is of generation `at_least`. Raises RunError."""
        ...


class OwnNetwork:
    """A network that is computed in the player's own process."""

    def __init__(self, config: Config, format: str) -> None:
        self._latest = LatestNetwork(config)
        self._predictor = Predictor(self._latest.weights, format)
        self.predicts: Sequence[Predict] = [self._predictor]
        self.generation = -1
        self.take = self._latest.take

    def take_over(self, at_least: int) -> None:
        self._latest.take_over(at_least, self._predictor.refresh)
        self.generation = self._latest.generation


class WavePlayer:
    """Plays waves. Another thread than the playing one receives new networks."""

    def __init__(self, config: Config, network: PlayersNetwork, name: str) -> None:
        self._config, self._game = config, config.make_game()
        self._game.compile()
        self._network, self._name = network, name
        self.take = network.take

    def do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Play a wave: {"numbers", "generation"}.

        The network is of that generation or a newer one. Returns a `Wave` as plain values.
        """
        numbers = job["numbers"]
        self._network.take_over(job["generation"])
        generation = self._network.generation
        try:
            wave = play_wave(self._game, self._config, self._network.predicts, numbers)
        except NetworkError as error:
            raise diverged(error, numbers) from None
        return wave_to_plain(wave_of(self._config, numbers, wave, generation, self._name))


def warm_up(config: Config, network: PlayersNetwork) -> None:
    """Play for `WARM_UP_SECONDS`."""
    until = time.monotonic() + WARM_UP_SECONDS
    with contextlib.suppress(Stopped):
        play_wave(
            config.make_game(),
            config,
            network.predicts,
            range(1),
            lambda: time.monotonic() > until,
        )
