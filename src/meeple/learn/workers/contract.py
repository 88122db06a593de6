"""Who plays and who learns in a run: what the loop knows of them, wherever they are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from meeple.executors.executor import Executor
from meeple.learn.fit.update import Lesson, Losses
from meeple.learn.selfplay.replay import Cases
from meeple.learn.selfplay.wave import Arrival, Numbers


class Crew(Protocol):
    """Those who work for one session of training. Close it at the end."""

    @property
    def players(self) -> Executor[Numbers, Arrival]:
        """Those who play."""
        ...

    @property
    def cases(self) -> int:
        """How many are in the replay buffer."""
        ...

    def learn(self, lesson: Lesson, cases: Sequence[Cases]) -> Losses:
        """Take cases into the replay buffer and learn from it; the run's network follows, and those
        who play take it over.

        What it gives has what the network knew of the cases before, too. Raises Stopped where the
        run is to stop and minibatches would take long.
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
        """Let go of all that was begun."""
        ...
