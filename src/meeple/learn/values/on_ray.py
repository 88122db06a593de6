"""A run's work on a Ray cluster, as the trainer has it.

Networks are told to all workers at once, and are kept by the cluster for those who come later.
"""

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from meeple.executors.on_ray import OnRay, Task, WorkerState
from meeple.executors.place import Place
from meeple.executors.ray_cluster import Cluster
from meeple.learn.config import ValuesConfig
from meeple.learn.run.cluster_report import ClusterReport, counts_before
from meeple.learn.run.cluster_state import ClusterState
from meeple.learn.values.jobs import Job, Result, games_of
from meeple.learn.values.remote import (
    TARGET,
    arguments_of,
    job_to_plain,
    known_to_plain,
    result_of,
)
from meeple.learn.values.work import Glance, Known, Work

PAIRS = 16  # of games in a job: about half a second in Catan, less in most games
POLL = 0.5  # seconds after which the trainer looks around while it waits for workers


class WorkOnRay(Work):
    """Work by processes of a cluster, one for each of its processors, or fewer."""

    _report: ClusterReport | None = None
    _glance: Callable[[], Glance]

    def __init__(
        self,
        config: ValuesConfig,
        folder: Path,
        place: Place,
        workers: int | None,
        log: Callable[[str, str], None] = lambda worker, text: None,
        tell: Callable[[ClusterState], None] = lambda state: None,
    ) -> None:
        """Connect to a cluster and start its workers.

        The run's `folder` need not exist before `show`. `log` is called with each line that a
        worker prints, `tell` with the state of the cluster. The errors are those of `Cluster` and
        `OnRay`.
        """
        self._folder, self._tell, self._numbers = folder, tell, count()
        self._cluster = Cluster(place, "learning on Ray")
        task: Task[Job, Result] = Task(
            TARGET,
            arguments_of(config),
            job_to_plain,
            result_of,
            size=games_of,
            most=1,
            log=log,
            look=self.look,
        )
        try:
            self._pool = OnRay(self._cluster, workers, task, poll=POLL)
        except BaseException:
            self._cluster.close()
            raise
        super().__init__(self._pool, PAIRS)

    @property
    def workers(self) -> int:
        return len(self._pool.workers())

    def teach(self, known: Known) -> None:
        told = {"number": next(self._numbers), "networks": known_to_plain(known)}
        self._pool.tell("know", told)

    def show(self, glance: Callable[[], Glance]) -> None:
        now = glance()
        before = counts_before(self._folder, now.stored, now.learned, stores_all=False)
        self._report, self._glance = ClusterReport(self._folder, self._cluster, before), glance

    def look(self) -> None:
        if self._report is not None and self._report.is_due():
            self._say(self._report, self._pool.workers())

    def close(self) -> None:
        workers = self._pool.workers()
        self._pool.close()
        try:
            if self._report is not None:
                self._say(self._report, workers, running=False)
        finally:
            self._cluster.close()

    def _say(
        self, report: ClusterReport, workers: Sequence[WorkerState], *, running: bool = True
    ) -> None:
        now = self._glance()
        counts = report.counts(self._pool.account, now.stored, now.learned)
        doing = now.doing if running else ""
        self._tell(report.write(workers, (), counts, now.network, running=running, doing=doing))
