"""The workers of a run as the training loop uses them, in this process or on a cluster."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from meeple.executors.executor import Executor
from meeple.learn.fit.update import Losses, Update
from meeple.learn.selfplay.replay import ReplayPositions
from meeple.learn.selfplay.wave import Numbers, Wave


class Workers(Protocol):
    """The workers of one session of training: players, replay buffer and learner.

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
