"""Who does the jobs of a run, in whatever place, and what became of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from meeple.executors.executor import Account, Executor, run_all
from meeple.executors.threads import InThisThread, InThreads, Stop
from meeple.games.contract.game import Game
from meeple.learn.values.jobs import Job, Result
from meeple.learn.values.worker import ValuesWorker
from meeple.search.values.file import SavedNetwork

Known = Mapping[str, SavedNetwork]  # networks by the names that jobs have for them
Take = Callable[[Result], bool]  # returns whether that was enough


@dataclass
class Tally(Account):
    """What became of the jobs of a kind."""

    kept: int = 0  # of those that finished: stored, or counted

    def add(self, before: Account, after: Account) -> None:
        """Count what an account has grown by."""
        for name in (field.name for field in fields(Account)):
            grown = getattr(after, name) - getattr(before, name)
            setattr(self, name, getattr(self, name) + grown)


class Work:
    """Has jobs done by an executor, one kind after the other."""

    def __init__(
        self,
        executor: Executor[Job, Result],
        teach: Callable[[Known], None],
        workers: Callable[[], int],
        pairs: int,
        close: Callable[[], None],
    ) -> None:
        """`teach`: tells all workers what networks there are; `workers`: how many are at work;
        `pairs`: of games, that a job has; `close`: lets go of the workers.
        """
        self.teach, self.workers, self.pairs, self.close = teach, workers, pairs, close
        self._executor = executor
        self._tallies: dict[str, Tally] = {}

    def tally(self, what: str) -> Tally:
        """Of the jobs of a kind, so far."""
        return self._tallies.setdefault(what, Tally())

    def do(self, what: str, jobs: Iterable[Job], take: Take) -> None:
        """Have jobs of a kind done, and `take` called with each result as it comes, see `run_all`.

        Raises what a job raised, and KeyboardInterrupt, once nothing is in flight.
        """
        before = replace(self._executor.account)
        try:
            if not run_all(self._executor, jobs, take):
                raise KeyboardInterrupt
        finally:
            self.tally(what).add(before, self._executor.account)


def work_here(games: Sequence[Game], seed: int, stop: Stop, workers: int = 1) -> Work:
    """Work in this process, in so many threads; it is broken off where `stop` turns true.

    `games` and `seed`: of the run.
    """
    own = [ValuesWorker(games, seed) for _ in range(workers)]

    def do(worker: ValuesWorker, job: Job, stopped: Stop) -> Result:
        return worker.do(job, lambda: stop() or stopped())

    def teach(known: Known) -> None:
        for worker in own:
            worker.know(known)

    executor = InThisThread(own[0], do) if workers == 1 else InThreads(own, do)
    return Work(executor, teach, lambda: workers, 1, executor.close)
