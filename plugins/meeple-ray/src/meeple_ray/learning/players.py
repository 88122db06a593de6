"""The player and inference processes of a run on a cluster, as the trainer uses them.

The newest networks that were published to them are on disk, so that it is known which one played a
game. Networks to be saved for good are checkpoints.
"""

import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from meeple.errors import NetworkError, RunError
from meeple.files import remove_leftovers, reported
from meeple.games.contract.game import Game
from meeple.learn.run.schema import SUFFIX, file_after
from meeple.learn.selfplay.episode import EpisodeNumbers, Wave, with_advice
from meeple.nets import checkpoint
from meeple.nets.architecture import Weights
from meeple_ray.cluster import Actor, Cluster, Needs, Reference
from meeple_ray.executor import OnRay, Task
from meeple_ray.learning.player import (
    INFERENCE_PEER,
    INFERENCE_TARGET,
    PLAYER_TARGET,
    SEARCH_THREADS,
)
from meeple_ray.learning.wire import of_plain
from meeple_ray.service import Service, ServiceLost

GENERATIONS = "generations"  # the folder in a run's folder
MAX_GENERATIONS = 20  # networks on disk; the oldest are deleted
MAX_DEATHS = 5  # of an inference process in a row
POLL_SECONDS = 0.5  # after which `gather` returns nothing, so that its caller can do other work


class Players(OnRay[EpisodeNumbers, Wave]):
    """Processes that play waves, each with the network that was newest when it began the wave."""

    def __init__(
        self,
        cluster: Cluster,
        count: int,
        ahead: int,
        run: Path,
        arguments: Mapping[str, Any],
        **more: Any,
    ) -> None:
        """Start `count` processes.

        Args:
            cluster: where they run.
            count: number of processes.
            ahead: batches in flight for each process. A batch has the waves that fit in a second.
            run: the run's folder, for error messages.
            arguments: see `player.WavePlayer`.
            more: further fields of the `Task`.
        """
        self._run = run
        self._generation = 0  # of the newest network that was published
        self.together: float = 1  # episodes after which `gather` returns
        task: Task[EpisodeNumbers, Wave] = Task(
            PLAYER_TARGET, arguments, self._encode, of_plain, size=len, **more
        )
        super().__init__(cluster, count, task, name="self-play", poll=POLL_SECONDS, ahead=ahead)

    def gather(self) -> Sequence[Wave]:
        """Return the waves that have arrived, at most one batch of each player.

        They make one update, and the network is published once for all of them. The other waves in
        flight are left, so that some arrive during the update.
        """
        try:
            waves = list(super().gather())
            for _ in range(self._count - 1 if waves else 0):
                if sum(len(one.episodes) for one in waves) >= self.together:
                    break
                waves += self.ready()
            return waves
        except NetworkError as error:
            raise with_advice(error, self._run) from None

    def publish(self, network: Mapping[str, Any]) -> None:
        """Publish a network, for waves that begin later: {"generation", "tensors"}."""
        self._generation = network["generation"]
        self.tell("receive", network)

    def _encode(self, numbers: EpisodeNumbers) -> dict[str, Any]:
        return {"numbers": [int(one) for one in numbers], "generation": self._generation}


class InferenceServices:
    """The inference processes of a run; each player requests the network from one of them."""

    def __init__(
        self,
        cluster: Cluster,
        count: int,
        players: int,
        accelerators: float,
        arguments: Mapping[str, Any],
        log: Callable[[str, str], None],
    ) -> None:
        """Start `count` processes with `accelerators` each; 0: players evaluate the network."""
        clients = SEARCH_THREADS * -(-players // max(count, 1))
        needs = Needs(processors=0, accelerators=accelerators, at_once=clients + 2)
        given = {**arguments, "clients": clients}
        self.services: Sequence[Service] = [
            Service(cluster, f"inference-{number + 1}", needs, INFERENCE_TARGET, given, log)
            for number in range(count)
        ]
        self._cluster = cluster
        self._newest: Reference | None = None
        self._publishing: list[Reference] = []
        for service in self.services:
            service.launch()

    def publish(self, network: Mapping[str, Any]) -> None:
        """Publish a network to all processes: {"generation", "tensors"}."""
        self._newest = self._cluster.put(network)
        self._publishing = [service.tell("receive", self._newest) for service in self.services]

    def peers(self, player: str) -> Mapping[str, Actor] | None:
        """Return the inference process of a new player, by name; it is restarted if it died.

        Returns:
            None if players compute the network themselves.

        Raises:
            RunError: the process died `MAX_DEATHS` times in a row.
        """
        if not self.services:
            return None
        service = self.services[int(player.rpartition("-")[2]) % len(self.services)]
        reason = ""
        for _ in range(MAX_DEATHS):
            try:
                if not service.is_begun:
                    service.begin()
                    if self._newest is not None:
                        self._publishing.append(service.tell("receive", self._newest))
                service.ask("figures")  # fails if it died
            except ServiceLost as lost:
                reason = str(lost)
                service.launch()
            else:
                return {INFERENCE_PEER: service.actor}
        raise RunError(f"the processes that compute the network die again and again: {reason}")

    def close(self) -> None:
        """End the processes."""
        for service in self.services:
            service.end()


class Generations:
    """Saves the newest networks of a run."""

    def __init__(self, run: Path, game: Game) -> None:
        """Make the folder. Raises RunError if that fails."""
        self._folder, self._game = run / GENERATIONS, game
        with reported(f"cannot make {self._folder}"):
            self._folder.mkdir(exist_ok=True)
            remove_leftovers(self._folder)
        self._files = deque(sorted(self._folder.glob(f"*{SUFFIX}")))

    def save(self, weights: Weights, episodes: int) -> None:
        """Save a network after `episodes` episodes of training. Raises CheckpointError."""
        path = self._folder / file_after(episodes)
        about = {"episodes": episodes}
        options = dict(self._game.options)
        checkpoint.save(path, weights, game=self._game.name, options=options, extra=about)
        if path not in self._files:
            self._files.append(path)
        while len(self._files) > MAX_GENERATIONS:
            with contextlib.suppress(OSError):
                self._files.popleft().unlink()
