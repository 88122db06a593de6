"""The players of a run on a cluster, as an executor."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from meeple.errors import NetworkError
from meeple.executors.executor import Account
from meeple.executors.on_ray import OnRay, Task, WorkerState
from meeple.executors.ray_cluster import Actor, Cluster
from meeple.learn.selfplay.wave import Arrival, Numbers, kept_as_saved
from meeple.learn.workers.player import TARGET
from meeple.learn.workers.wire import arrival_of_plain

POLL = 0.5  # seconds after which `gather` gives nothing, so that its caller looks around


class Players:
    """Processes that play waves, each by the newest network that it was told when it began."""

    def __init__(
        self,
        cluster: Cluster,
        count: int,
        arguments: Mapping[str, Any],
        run: Path,
        look: Callable[[], None],
        ahead: int,
        peers: Callable[[str], Mapping[str, Actor] | None],
        log: Callable[[str, str], None],
        most: int = 1,
    ) -> None:
        """`arguments`: see `player.make_player`. `look` is called now and then. `ahead`: batches of
        each in flight, of as many waves as fit in a second, at `most`. `peers`: whom a player of
        that name may ask. `log`: see `Task`.
        """
        self._run, self._count = run, count
        self._generation = 0  # the newest that all were told
        self.together: float = 1  # episodes that are enough for `gather` to give at a time
        task: Task[Numbers, Arrival] = Task(
            TARGET,
            arguments,
            encode=self._encode,
            decode=arrival_of_plain,
            size=len,
            most=most,
            peers=peers,
            log=log,
            look=look,
        )
        self._pool = OnRay(cluster, count, task, name="self-play", poll=POLL, ahead=ahead)
        self.account: Account = self._pool.account  # of episodes

    @property
    def wanted(self) -> int:
        return self._pool.wanted

    def submit(self, jobs: Sequence[Numbers]) -> None:
        self._pool.submit(jobs)

    def gather(self) -> Sequence[Arrival]:
        """The waves that have come, in one batch of each player at most: they are learned from
        together, and a network is told once for all of them. The rest of the waves in flight are
        left, so that some come while these are learned from.
        """
        try:
            arrivals = list(self._pool.gather())
            for _ in range(self._count - 1 if arrivals else 0):
                if sum(len(one.episodes) for one in arrivals) >= self.together:
                    break
                arrivals += self._pool.ready()
            return arrivals
        except NetworkError as error:
            raise kept_as_saved(error, self._run) from None

    def stop(self) -> None:
        self._pool.stop()

    def close(self) -> None:
        self._pool.close()

    def take(self, network: Mapping[str, Any]) -> None:
        """Have all play by this network from their next wave on: {"generation", "tensors"}."""
        self._generation = network["generation"]
        self._pool.tell("take", network)

    def states(self) -> list[WorkerState]:
        """How each does."""
        return self._pool.workers()

    def _encode(self, numbers: Numbers) -> dict[str, Any]:
        return {"numbers": [int(one) for one in numbers], "generation": self._generation}
