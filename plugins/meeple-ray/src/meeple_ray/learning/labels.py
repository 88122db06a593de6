"""The workers of a run of values on a Ray cluster, as the trainer uses them."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from meeple.errors import RunError
from meeple.executors.executor import lost_in_words
from meeple.games.contract.registry import make_from
from meeple.learn.config import ValuesConfig
from meeple.learn.run.cluster import Snapshot
from meeple.learn.run.metrics import Reporter
from meeple.learn.values.jobs import Job, Result, games_of
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.labels import (
    GATE,
    LABELLING,
    GameTally,
    LabelWorker,
    LabelWorkers,
    warm_up,
)
from meeple.search.values.network import Widths
from meeple.tensor_file import SavedWeights
from meeple_ray.cluster import Cluster
from meeple_ray.executor import OnRay, Task, WorkerState
from meeple_ray.learning.newest import Newest
from meeple_ray.learning.report import ClusterReport, counts_before
from meeple_ray.learning.wire import of_plain, to_plain
from meeple_ray.same_files import hashes_of_files, load_same_files

TARGET = "meeple_ray.learning.labels:RemoteLabelWorker"
NETWORK_TIMEOUT_SECONDS = 120.0  # to wait for the networks of a job
PAIRS_PER_JOB = 16  # about half a second in Catan, less in most games
POLL_SECONDS = 0.5  # between two calls of `look` while the trainer waits for workers


class ClusterLabelWorkers(LabelWorkers):
    """Processes of a cluster, see `LabelWorkers`.

    A network is sent to all workers at once; the cluster stores it for workers that start later.
    """

    def __init__(
        self,
        run: ValuesRun,
        snapshot: Callable[[], Snapshot],
        reporter: Reporter,
        cluster: Cluster,
        workers: int | None = None,
    ) -> None:
        """Start the workers.

        Args:
            run: the run.
            snapshot: describes what the run is doing.
            reporter: receives the state of the cluster, and messages.
            cluster: where they run; it is not closed here.
            workers: their number; None: one for each processor.

        Raises:
            UsageError: the cluster has too few processors.
            RunError: no worker can be used.
        """
        self._snapshot, self._reporter = snapshot, reporter
        self._numbers = count()
        self._cluster = cluster
        now = snapshot()
        before = counts_before(run.folder.path, now.stored, now.learned, stores_all=False)
        self._report = ClusterReport(run.folder.path, cluster, before, reporter)
        task: Task[Job, Result] = Task(
            TARGET,
            arguments_of(run.config),
            to_plain,
            of_plain,
            size=games_of,
            most=1,
            log=self._report.logs.write,
            look=self.look,
        )
        self._pool: OnRay[Job, Result] | None = None  # `look` is called while it starts
        self._pool = OnRay(cluster, workers, task, poll=POLL_SECONDS)
        super().__init__(self._pool, PAIRS_PER_JOB)

    @property
    def count(self) -> int:
        return len(self._workers())

    def publish(self, networks: Mapping[str, SavedWeights]) -> None:
        assert self._pool is not None
        message = {"number": next(self._numbers), "networks": to_plain(networks)}
        self._pool.tell("receive", message)

    def look(self) -> None:
        if self._pool is not None and self._report.is_due():
            self._write_report(self._workers())

    def close(self) -> None:
        workers = self._workers()
        super().close()
        self._write_report(workers, running=False)
        self._reporter.message(self._account())

    def _workers(self) -> Sequence[WorkerState]:
        return self._pool.workers() if self._pool is not None else ()

    def _write_report(self, workers: Sequence[WorkerState], *, running: bool = True) -> None:
        account = self._executor.account
        self._report.write(workers, (), account, self._snapshot(), running=running)

    def _account(self) -> str:
        """Return a sentence on all games that the cluster was given."""
        labels = _counts_in_words(self.tally(LABELLING), "stored")
        gate = _counts_in_words(self.tally(GATE), "counted")
        return f"{self._cluster.place.name}: {LABELLING} {labels}; {GATE} {gate}"


def _counts_in_words(tally: GameTally, used: str) -> str:
    besides = lost_in_words(tally.lost, tally.deaths, tally.dropped)
    counts = [f"begun {tally.begun}", f"finished {tally.finished}", f"{used} {tally.used}"]
    return ", ".join([*counts, *besides])


# ------------------------------------------------------------ the process of a worker


def arguments_of(config: ValuesConfig) -> dict[str, Any]:
    """Return the arguments of `RemoteLabelWorker` as plain values."""
    return {
        "files": hashes_of_files(),
        "games": [[game.name, dict(game.options)] for game in config.make_games()],
        "seed": config.run.seed,
        "widths": list(config.widths),
    }


class RemoteLabelWorker:
    """Does jobs in a process of a cluster, where another thread receives networks."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        """Make the worker of a process, with its kernels compiled.

        Raises:
            RunError: the file of a game is missing on this machine, or differs.
        """
        load_same_files(arguments["files"])
        games = tuple(make_from(name, options) for name, options in arguments["games"])
        warm_up(games, Widths(*arguments["widths"]))
        self._worker = LabelWorker(games, arguments["seed"])
        self._newest: Newest[Mapping[str, SavedWeights]] = Newest({})
        self._taken = -1

    def receive(self, message: Mapping[str, Any]) -> None:
        """Receive {"number", "networks"}; older numbers than the newest are ignored."""
        self._newest.tell(message["number"], of_plain(message["networks"]))

    def do(self, job: Mapping[str, Any]) -> Any:
        """Do a job; job and result are plain values. Raises RunError if its networks are late."""
        wanted: Job = of_plain(job)
        names = {name for name in wanted.networks if name is not None}
        found = self._newest.wait(lambda new: names <= new.value.keys(), NETWORK_TIMEOUT_SECONDS)
        if found is None:
            raise RunError(f"the networks of a job did not come: {', '.join(sorted(names))}")
        if found.number > self._taken:
            self._taken = found.number
            self._worker.receive(found.value)
        return to_plain(self._worker.do(wanted))
