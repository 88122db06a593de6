"""The phases of the training loop: ways of learning differ in how they collect and fit a batch."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from meeple.executors.executor import Stop
from meeple.learn.evaluation.matches import Matches
from meeple.learn.fit.learner import Losses
from meeple.learn.run.metrics import Reporter
from meeple.learn.run.run import Run
from meeple.learn.workers.contract import TrainingBackend

_Run = TypeVar("_Run", bound=Run)
_Batch = TypeVar("_Batch")


class Method(ABC, Generic[_Run, _Batch]):
    """The phases for one way of learning, as one with rounds has them. Close it at the end."""

    _matches: Matches  # of the network in training, unless `evaluate` is overridden

    def __init__(self, run: _Run, reporter: Reporter, stop: Stop, backend: TrainingBackend) -> None:
        """Take the run, and the backend that starts its workers."""
        self.run, self._reporter = run, reporter
        self._stop, self._backend = stop, backend
        self._open = contextlib.ExitStack()  # workers and devices

    @property
    def is_over(self) -> bool:
        """Whether the run has reached its end."""
        return self.run.is_over

    @abstractmethod
    def open(self) -> None:
        """Start the workers, or read the training data. Raises Stopped."""

    @abstractmethod
    def collect(self) -> _Batch | None:
        """Return the next batch, or `None` if none is ready yet. Raises Stopped."""

    @abstractmethod
    def fit(self, batch: _Batch) -> Losses:
        """Update the network. Raises Stopped if the run is to stop and updates would take long."""

    def count(self, batch: _Batch) -> None:
        """Count the batch's episodes in the state of the run."""
        self.run.state.episodes += 1

    def gate(self, batch: _Batch) -> Mapping[str, float]:
        """Decide whether the network is accepted; return the figures. Raises Stopped."""
        return {}

    def evaluate(self, save: Callable[[], None]) -> Mapping[str, float]:
        """Play matches if they are due; return the figures. `save` is called before they begin."""
        seconds = self.run.state.seconds
        return self._matches.round(seconds, save, self._stop, at_end=self.is_over)

    def report(self, batch: _Batch, losses: Losses, figures: Mapping[str, float]) -> None:
        """Report the batch."""
        state = self.run.state
        self._reporter.wave(
            state.episodes, state.seconds, {**self.metrics(batch, losses), **figures}
        )

    def metrics(self, batch: _Batch, losses: Losses) -> Mapping[str, float]:
        """Return the metrics of a batch besides those of `gate` and `evaluate`."""
        return {**losses.means, "time/learning_seconds": losses.seconds}

    @abstractmethod
    def must_save(self, batch: _Batch) -> bool:
        """Make a checkpoint if one is due; return whether the run must be saved at once."""

    def fetch(self) -> None:
        """Bring the run's network and optimizer up to date, to be saved, if they are elsewhere."""

    def end(self) -> None:
        """Finish a session that was not interrupted."""

    def close(self) -> None:
        """Release the workers and devices."""
        self._open.close()
