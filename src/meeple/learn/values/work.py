"""Who does the jobs of a run, in whatever place, and what became of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from meeple.executors.executor import Account, Executor, run_all
from meeple.executors.threads import InThisThread, InThreads, Stop
from meeple.games.contract.game import Game
from meeple.learn.values.jobs import Job, Result, games_of
from meeple.learn.values.worker import ValuesWorker
from meeple.search.values.file import SavedNetwork

Known = Mapping[str, SavedNetwork]  # networks by the names that jobs have for them
Take = Callable[[Result], bool]  # returns whether that was enough


@dataclass
class Tally(Account):
    """What became of the jobs of a kind, in games."""

    kept: int = 0  # of those that finished: stored, or counted

    def add(self, before: Account, after: Account) -> None:
        """Count what an account has grown by."""
        for name in (field.name for field in fields(Account)):
            grown = getattr(after, name) - getattr(before, name)
            setattr(self, name, getattr(self, name) + grown)


class Glance(NamedTuple):
    """What a run is at, for those who look on."""

    stored: int  # games whose labels are in its folder
    learned: int  # of these, games of rounds whose network was fitted
    network: int  # round of the network that plays
    doing: str  # what the trainer does itself; "" while workers are at work


class Work(ABC):
    """Has jobs done by an executor, one kind after the other."""

    def __init__(self, executor: Executor[Job, Result], pairs: int) -> None:
        """`pairs`: of games, that a job has. The executor counts jobs by their games."""
        self.pairs = pairs
        self._executor = executor
        self._tallies: dict[str, Tally] = {}

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many are at work."""

    @abstractmethod
    def teach(self, known: Known) -> None:
        """Tell all workers what networks there are."""

    @abstractmethod
    def show(self, glance: Callable[[], Glance]) -> None:
        """From now on let others see what the run is at, where it is on a cluster."""

    @abstractmethod
    def look(self) -> None:
        """Show it, where that is due; called as the run goes on."""

    def close(self) -> None:
        """Let go of the workers."""
        self._executor.close()

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


class WorkHere(Work):
    """Work in this process, in one thread or in several."""

    def __init__(self, games: Sequence[Game], seed: int, stop: Stop, workers: int = 1) -> None:
        """`games` and `seed`: of the run. A job is broken off where `stop` turns true."""
        self._own = [ValuesWorker(games, seed) for _ in range(workers)]

        def do(worker: ValuesWorker, job: Job, stopped: Stop) -> Result:
            return worker.do(job, lambda: stop() or stopped())

        super().__init__(
            InThisThread(self._own[0], do, games_of)
            if workers == 1
            else InThreads(self._own, do, games_of),
            pairs=1,
        )

    @property
    def workers(self) -> int:
        return len(self._own)

    def teach(self, known: Known) -> None:
        for worker in self._own:
            worker.know(known)

    def show(self, glance: Callable[[], Glance]) -> None:
        pass

    def look(self) -> None:
        pass
