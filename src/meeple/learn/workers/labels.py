"""The workers of a run of values: what both implementations share, and threads of this process."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from meeple.executors.executor import Executor, Stop, run_all
from meeple.executors.threads import InThisThread, InThreads
from meeple.games.contract.game import Game
from meeple.learn.values.jobs import Job, Result, games_of
from meeple.learn.workers.contract import GameTally
from meeple.learn.workers.label_worker import LabelWorker
from meeple.search.values.file import SavedNetwork


class JobRunner(ABC):
    """Runs jobs with an executor, one kind after the other; see `contract.LabelWorkers`."""

    def __init__(self, executor: Executor[Job, Result], pairs_per_job: int) -> None:
        """Take an executor that counts jobs by their games."""
        self.pairs_per_job = pairs_per_job
        self._executor = executor
        self._tallies: dict[str, GameTally] = {}

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of workers."""

    @abstractmethod
    def publish(self, networks: Mapping[str, SavedNetwork]) -> None:
        """Send networks to all workers."""

    @abstractmethod
    def look(self) -> None:
        """Publish the run's snapshot if that is due."""

    def close(self) -> None:
        """Release the workers."""
        self._executor.close()

    def tally(self, kind: str) -> GameTally:
        """Return the counts of a kind of jobs."""
        return self._tallies.setdefault(kind, GameTally())

    def do(self, kind: str, jobs: Iterable[Job], take: Callable[[Result], bool]) -> None:
        """Run jobs of a kind."""
        before = replace(self._executor.account)
        try:
            if not run_all(self._executor, jobs, take):
                raise KeyboardInterrupt
        finally:
            self.tally(kind).add(before, self._executor.account)


class LocalLabelWorkers(JobRunner):
    """Workers in this process: this thread, or several threads."""

    def __init__(self, games: Sequence[Game], seed: int, stop: Stop, threads: int = 1) -> None:
        """Start no thread yet.

        Args:
            games: the games of the run.
            seed: the seed of the run.
            stop: turns true if jobs are to be cancelled.
            threads: number of workers.
        """
        self._workers = [LabelWorker(games, seed) for _ in range(threads)]

        def do(worker: LabelWorker, job: Job, stopped: Stop) -> Result:
            return worker.do(job, lambda: stop() or stopped())

        super().__init__(
            InThisThread(self._workers[0], do, games_of)
            if threads == 1
            else InThreads(self._workers, do, games_of),
            pairs_per_job=1,
        )

    @property
    def count(self) -> int:
        return len(self._workers)

    def publish(self, networks: Mapping[str, SavedNetwork]) -> None:
        for worker in self._workers:
            worker.receive(networks)

    def look(self) -> None:
        pass
