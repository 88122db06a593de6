"""The processes of a cluster that play waves, and that compute the network for them.

A player plays with the newest published network, which it computes itself or requests from an
inference process. An inference process joins the requests of several players for an accelerator. A
player that requests has two threads of searches, so that one grows its trees while the other waits.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from meeple.arena.games.remote import load_same_files
from meeple.errors import NetworkError, RunError, Stopped
from meeple.executors.newest import Newest
from meeple.learn.config import Config
from meeple.learn.selfplay.episode import diverged
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.predictors import (
    BATCHES_IN_FLIGHT,
    MAX_BATCH_POSITIONS,
    device_for,
    known_format,
)
from meeple.learn.workers.wire import bits_of, config_of, pack, unpack, wave_to_plain
from meeple.nets.architecture import Weights
from meeple.nets.batching import Batching, Prediction
from meeple.nets.graph import weight_shapes
from meeple.nets.inference import Predictor
from meeple.search.evaluators import Predict

PLAYER_TARGET = "meeple.learn.workers.player:make_player"
INFERENCE_TARGET = "meeple.learn.workers.player:make_inference"
SEARCH_THREADS = 2  # of a player that requests the network from an inference process
NETWORK_TIMEOUT_SECONDS = 120.0  # to wait for a network that was published
INFERENCE_PEER = "network"  # name of the peer that computes the network, if any
WARM_UP_SECONDS = 2.0  # of play at the start, which compiles all kernels


def make_player(arguments: Mapping[str, Any]) -> "WavePlayer":
    """Make a player from {"config", "format", "files", "name", "peers"}; compile its kernels."""
    load_same_files(arguments["files"])
    config, peers = config_of(arguments["config"]), arguments.get("peers", {})
    network: PlayersNetwork
    if INFERENCE_PEER in peers:
        network = RemoteNetwork(peers[INFERENCE_PEER])
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

    def receive(self, network: Mapping[str, Any]) -> None:
        """Receive a newer network: {"generation", "tensors"}."""
        ...

    def switch(self, at_least: int) -> object:
        """Switch to the newest network, once it is of generation `at_least`. Raises RunError."""
        ...


class LatestNetwork:
    """The weights in use, and the newest ones received.

    One thread receives networks, others switch to them. Weights are copied in place.
    """

    def __init__(self, config: Config) -> None:
        architecture = config.architecture(config.make_game())
        tensors = {
            name: np.zeros(shape, dtype=np.float32)
            for name, shape in weight_shapes(architecture).items()
        }
        self.weights = Weights(architecture, tensors)
        self.generation = -1  # of these weights; -1: none yet
        self._newest: Newest[Mapping[str, Any]] = Newest({})
        self._switching = threading.Lock()

    def receive(self, network: Mapping[str, Any]) -> None:
        """Receive a network: {"generation", "tensors"}."""
        self._newest.tell(network["generation"], network["tensors"])

    def switch(self, at_least: int, refresh: Callable[[], None]) -> None:
        """Switch to the newest network; wait until it is of generation `at_least`. Thread-safe.

        Args:
            at_least: minimum generation.
            refresh: called after the weights changed.

        Raises:
            RunError: no such network arrived within `NETWORK_TIMEOUT_SECONDS`.
        """
        newest = self._newest.wait(
            lambda received: received.number >= at_least, NETWORK_TIMEOUT_SECONDS
        )
        if newest is None:
            raise RunError("no network came to play with")
        with self._switching:  # not while waiting: a newer one may arrive
            if newest.number > self.generation:
                for name, array in self.weights.tensors.items():
                    array[...] = newest.value[name]
                refresh()
                self.generation = newest.number


class OwnNetwork:
    """A network that is computed in the player's own process."""

    def __init__(self, config: Config, format: str) -> None:
        self._latest = LatestNetwork(config)
        self._predictor = Predictor(self._latest.weights, format)
        self.predicts: Sequence[Predict] = [self._predictor]
        self.generation = -1
        self.receive = self._latest.receive

    def switch(self, at_least: int) -> None:
        self._latest.switch(at_least, self._predictor.refresh)
        self.generation = self._latest.generation


class RemoteNetwork:
    """A network that an inference process computes for a player."""

    def __init__(self, peer: Any) -> None:
        """Take the inference process, as `Cluster.start` returns it."""
        self._peer = peer
        self.predicts = [self._request] * SEARCH_THREADS
        self.generation = -1

    def receive(self, network: Mapping[str, Any]) -> None:
        """Do nothing: the inference process receives networks itself."""

    def switch(self, at_least: int) -> None:
        """Wait for a network of that generation or a later one; it may change during a wave."""
        self.generation = self._peer.ask("generation", at_least)

    def _request(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        policy, value = self._peer.ask("ask", pack(observations), bits_of(legal))
        return policy, value


class WavePlayer:
    """Plays waves. Another thread than the playing one receives new networks."""

    def __init__(self, config: Config, network: PlayersNetwork, name: str) -> None:
        self._config, self._game = config, config.make_game()
        self._game.compile()
        self._network, self._name = network, name
        self.receive = network.receive

    def do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Play a wave: {"numbers", "generation"}.

        The network is of that generation or a newer one. Returns a `Wave` as plain values.
        """
        numbers = job["numbers"]
        self._network.switch(job["generation"])
        generation = self._network.generation
        try:
            wave = play_wave(self._game, self._config, self._network.predicts, numbers)
        except NetworkError as error:
            raise diverged(error, numbers) from None
        return wave_to_plain(replace(wave, generation=generation, worker=self._name))


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


# ------------------------------------------------------------ inference


def make_inference(arguments: Mapping[str, Any]) -> "Inference":
    """Make an inference process from {"config", "format", "files", "clients"}: client threads."""
    load_same_files(arguments["files"])
    return Inference(config_of(arguments["config"]), arguments["format"], arguments["clients"])


class Inference:
    """Computes the newest published network for players."""

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

    def receive(self, network: Mapping[str, Any]) -> None:
        """Receive a network for waves that begin later: {"generation", "tensors"}."""
        self._latest.receive(network)

    def generation(self, at_least: int) -> int:
        """Switch to the newest network, at least of a generation; return its generation."""
        self._latest.switch(at_least, self._batching.refresh)
        return self._latest.generation

    def ask(self, observations: Mapping[str, Any], legal: Mapping[str, Any]) -> Prediction:
        """Evaluate the network on packed observations and legal actions."""
        return self._batching(unpack(observations), unpack(legal).astype(np.bool_))

    def figures(self) -> dict[str, int]:
        """Return counts since the start: {"requests", "positions", "batches", "max_in_flight"}."""
        names = ("requests", "positions", "batches", "max_in_flight")
        return {name: getattr(self._batching, name) for name in names}
