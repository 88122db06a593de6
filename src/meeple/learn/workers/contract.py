"""The workers of a run as the methods use them, and what starts them.

`local.py` implements them in this process, a `meeple.executors.backend.Backend` elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from meeple.executors.executor import Executor, Stop
from meeple.learn.fit.learner import Losses, Update
from meeple.learn.run.cluster import Snapshot
from meeple.learn.run.metrics import Reporter
from meeple.learn.run.run import NetworkRun
from meeple.learn.selfplay.episode import EpisodeNumbers, Wave
from meeple.learn.selfplay.trajectory import Trajectory
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.labels import LabelWorkers


class SelfPlayWorkers(Protocol):
    """The workers of a session of self-play: players, replay buffer and learner.

    Close them at the end.
    """

    @property
    def players(self) -> Executor[EpisodeNumbers, Wave]:
        """An executor that plays waves of self-play."""

    @property
    def stored_steps(self) -> int:
        """Number of positions in the replay buffer."""

    def learn(self, update: Update, trajectories: Sequence[Trajectory]) -> Losses:
        """Add positions to the replay buffer and update the network; players then use it.

        Returns:
            The losses, and the figures of an evaluation on `trajectories` before the update.

        Raises:
            Stopped: the run is to stop, and the batches would take long.
        """

    def fetch(self) -> None:
        """Bring the run's network and optimizer up to date, to be saved."""

    def matches(
        self, seconds: float, save: Callable[[], None], *, at_end: bool
    ) -> Mapping[str, float]:
        """Return the figures of matches that were due and have ended, see `Matches`.

        `save` is called before matches that the trainer itself plays.
        """

    def close(self) -> None:
        """Release all processes and devices."""


class TrainingBackend(Protocol):
    """Starts the workers of a run, in this process or elsewhere.

    Both methods raise UsageError or RunError if the workers cannot be used.
    """

    def selfplay(self, run: NetworkRun, reporter: Reporter, stop: Stop) -> SelfPlayWorkers:
        """Start the workers of a run of self-play."""

    def labels(
        self, run: ValuesRun, snapshot: Callable[[], Snapshot], reporter: Reporter, stop: Stop
    ) -> LabelWorkers:
        """Start the workers of a run of values; `snapshot` describes it for display."""
