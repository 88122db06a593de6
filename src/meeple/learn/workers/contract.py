"""The workers of a run as the methods use them, and the backends that start them.

`local.py` and `labels.py` implement them in this process, `ray.py` and `labels_ray.py` on a
cluster.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

from meeple.executors.executor import Account, Executor, Stop
from meeple.learn.fit.learner import Losses, Update
from meeple.learn.run.reporter import Reporter
from meeple.learn.run.run import NetworkRun
from meeple.learn.selfplay.replay import ReplayPositions
from meeple.learn.selfplay.wave import Numbers, Wave
from meeple.learn.values.jobs import Job, Result
from meeple.learn.values.run import ValuesRun
from meeple.search.values.file import SavedNetwork

LABELLING, GATE = "games to label", "games that decide"  # kinds of jobs, as messages name them


class SelfPlayWorkers(Protocol):
    """The workers of a session of self-play: players, replay buffer and learner.

    Close them at the end.
    """

    @property
    def players(self) -> Executor[Numbers, Wave]:
        """An executor that plays waves of self-play."""
        ...

    @property
    def cases(self) -> int:
        """Number of positions in the replay buffer."""
        ...

    def learn(self, update: Update, cases: Sequence[ReplayPositions]) -> Losses:
        """Add positions to the replay buffer and update the network; players then use it.

        Returns:
            The losses, with the figures of an evaluation on `cases` before they are learned.

        Raises:
            Stopped: the run is to stop, and the minibatches would take long.
        """
        ...

    def fetch(self) -> None:
        """Bring the run's network and optimizer up to date, to be saved."""
        ...

    def matches(
        self, seconds: float, save: Callable[[], None], *, at_end: bool
    ) -> Mapping[str, float]:
        """Return the figures of matches that were due and have ended, see `Matches`.

        `save` is called before matches that the trainer itself plays.
        """
        ...

    def close(self) -> None:
        """Release all processes and devices."""
        ...


@dataclass
class GameTally(Account):
    """Counts of the games of one kind of jobs."""

    used: int = 0  # finished games whose results were stored or counted

    def add(self, before: Account, after: Account) -> None:
        """Add the difference of two accounts."""
        for name in (field.name for field in fields(Account)):
            grown = getattr(after, name) - getattr(before, name)
            setattr(self, name, getattr(self, name) + grown)


class Snapshot(NamedTuple):
    """What a run of values is doing, for display."""

    stored: int  # games whose labels are in its folder
    learned: int  # those of rounds whose network was fitted
    network: int  # round of the network that plays
    doing: str  # what the trainer itself does; "" while the workers have jobs


class LabelWorkers(Protocol):
    """The workers of a session of a run of values: they label games and play the gate's games.

    Close them at the end.
    """

    pairs_per_job: int  # games of the gate

    @property
    def count(self) -> int:
        """Number of workers."""
        ...

    def publish(self, networks: Mapping[str, SavedNetwork]) -> None:
        """Send all workers the networks of the next jobs, by name; they forget other ones."""
        ...

    def do(self, kind: str, jobs: Iterable[Job], take: Callable[[Result], bool]) -> None:
        """Run jobs, and call `take` with each result as it arrives, see `run_all`.

        Args:
            kind: LABELLING or GATE.
            jobs: read lazily.
            take: returns whether no more results are needed.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed; nothing is in flight.
            MeepleError: a job failed; nothing is in flight.
        """
        ...

    def tally(self, kind: str) -> GameTally:
        """Return the counts of a kind of jobs, in games."""
        ...

    def look(self) -> None:
        """Publish the run's snapshot if that is due; called regularly."""
        ...

    def close(self) -> None:
        """Release all workers."""
        ...


class Backend(Protocol):
    """Starts the workers of a run, in this process or on a cluster.

    Both methods raise UsageError or RunError if the workers cannot be used.
    """

    def selfplay(self, run: NetworkRun, reporter: Reporter, stop: Stop) -> SelfPlayWorkers:
        """Start the workers of a run of self-play."""
        ...

    def labels(
        self, run: ValuesRun, snapshot: Callable[[], Snapshot], reporter: Reporter, stop: Stop
    ) -> LabelWorkers:
        """Start the workers of a run of values; `snapshot` describes it for display."""
        ...
