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
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import NetworkError, RunError, Stopped
from meeple.learn.config import Config
from meeple.learn.selfplay.episode import diverged
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.predictors import (
    BATCHES_IN_FLIGHT,
    MAX_BATCH_POSITIONS,
    device_for,
    known_format,
)
from meeple.nets.architecture import Weights
from meeple.nets.batching import Batching, Prediction
from meeple.nets.graph import weight_shapes
from meeple.nets.inference import Predictor
from meeple.search.evaluators import Predict
from meeple_ray.learning.newest import Newest
from meeple_ray.learning.wire import bits_of, pack, to_plain, unpack
from meeple_ray.same_files import load_same_files

PLAYER_TARGET = "meeple_ray.learning.player:WavePlayer"
INFERENCE_TARGET = "meeple_ray.learning.player:Inference"
SEARCH_THREADS = 2  # of a player that requests the network from an inference process
NETWORK_TIMEOUT_SECONDS = 120.0  # to wait for a network that was published
INFERENCE_PEER = "network"  # name of the peer that computes the network, if any
WARM_UP_SECONDS = 2.0  # of play at the start, which compiles all kernels


class LatestNetwork:
    """The weights in use, and the newest ones received.

    One thread receives networks, others switch to them. Weights are copied in place.
    """

    refresh: Callable[[], None]  # called after the weights changed

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

    def switch(self, at_least: int) -> int:
        """Switch to the newest network; wait until it is of generation `at_least`. Thread-safe.

        Returns:
            The generation of the network in use: number of episodes that it was trained on.

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
                self.refresh()
                self.generation = newest.number
            return self.generation


class OwnNetwork(LatestNetwork):
    """A network that is computed in the player's own process."""

    def __init__(self, config: Config, format: str) -> None:
        super().__init__(config)
        predictor = Predictor(self.weights, format)
        self.predicts: Sequence[Predict] = [predictor]
        self.refresh = predictor.refresh


class RemoteNetwork:
    """A network that an inference process computes for a player."""

    def __init__(self, peer: Any) -> None:
        """Take the inference process, as `Cluster.start` returns it."""
        self._peer = peer
        self.predicts: Sequence[Predict] = [self._request] * SEARCH_THREADS

    def receive(self, network: Mapping[str, Any]) -> None:
        """Do nothing: the inference process receives networks itself."""

    def switch(self, at_least: int) -> int:
        """Wait for a network of that generation or a later one; it may change during a wave."""
        return int(self._peer.ask("switch", at_least))

    def _request(
        self, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        policy, value = self._peer.ask("ask", pack(observations), bits_of(legal))
        return policy, value


class WavePlayer:
    """Plays waves. Another thread than the playing one receives new networks."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        """Make a player of {"config", "format", "files", "name", "peers"}; compile its kernels."""
        load_same_files(arguments["files"])
        self._config, self._name = Config.model_validate(arguments["config"]), arguments["name"]
        self._game = self._config.make_game()
        self._game.compile()
        peer = arguments.get("peers", {}).get(INFERENCE_PEER)
        self._network: OwnNetwork | RemoteNetwork
        if peer is None:
            self._network = OwnNetwork(self._config, arguments["format"])
            warm_up(self._config, self._network.predicts)
        else:
            self._network = RemoteNetwork(peer)
        self.receive = self._network.receive

    def do(self, job: Mapping[str, Any]) -> Any:
        """Play a wave: {"numbers", "generation"}.

        The network is of that generation or a newer one. Returns a `Wave` as plain values.
        """
        numbers = job["numbers"]
        generation = self._network.switch(job["generation"])
        try:
            wave = play_wave(self._game, self._config, self._network.predicts, numbers)
        except NetworkError as error:
            raise diverged(error, numbers) from None
        episodes = tuple(one.without_moves() for one in wave.episodes)
        sent = replace(wave, episodes=episodes, generation=generation, worker=self._name)
        return to_plain(sent)


def warm_up(config: Config, predicts: Sequence[Predict]) -> None:
    """Play for `WARM_UP_SECONDS`."""
    until = time.monotonic() + WARM_UP_SECONDS
    with contextlib.suppress(Stopped):
        play_wave(config.make_game(), config, predicts, range(1), lambda: time.monotonic() > until)


# ------------------------------------------------------------ inference


class Inference(LatestNetwork):
    """Computes the newest published network for players, in waves that begin later."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        """Make an inference process from {"config", "format", "files", "clients"}: threads."""
        load_same_files(arguments["files"])
        config = Config.model_validate(arguments["config"])
        super().__init__(config)
        device = device_for(config.selfplay.device, config.network.kind)
        known = known_format(arguments["format"], self.weights, device)
        predictors = [
            Predictor(self.weights, known, batch=MAX_BATCH_POSITIONS, device=device)
            for _ in range(BATCHES_IN_FLIGHT)
        ]
        self._batching = Batching(predictors, arguments["clients"], MAX_BATCH_POSITIONS)
        self.refresh = self._batching.refresh

    def ask(self, observations: Mapping[str, Any], legal: Mapping[str, Any]) -> Prediction:
        """Evaluate the network on packed observations and legal actions."""
        return self._batching(unpack(observations), unpack(legal).astype(np.bool_))

    def figures(self) -> dict[str, int]:
        """Return counts since the start: {"requests", "positions", "batches", "max_in_flight"}."""
        names = ("requests", "positions", "batches", "max_in_flight")
        return {name: getattr(self._batching, name) for name in names}
