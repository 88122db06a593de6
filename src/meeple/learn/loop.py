"""The training loop of every method: collect, fit, count, gate, evaluate, report, save.

`_train` is the whole loop on one page. A method implements the phases: self-play
(`methods/selfplay.py`), records of games (`methods/records.py`), values (`methods/values.py`) or
patterns (`methods/patterns.py`).
Only the loop saves the run.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from meeple.errors import RunError, Stopped
from meeple.executors.executor import Stop
from meeple.learn.config import AnyConfig, PatternsConfig, ValuesConfig
from meeple.learn.fit.learner import Losses
from meeple.learn.methods.patterns import PatternsMethod, open_patterns_run
from meeple.learn.methods.records import RecordsMethod
from meeple.learn.methods.selfplay import SelfPlayMethod
from meeple.learn.methods.values import ValuesMethod
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run, sole_trainer
from meeple.learn.run.metrics import Reporter, Silent
from meeple.learn.run.run import Run, open_run
from meeple.learn.run.schema import RunState
from meeple.learn.values.run import open_values_run
from meeple.learn.workers.contract import Backend
from meeple.learn.workers.local import LocalBackend

SAVE_SECONDS = 5.0  # minimum time between two saves of the state


class Method(Protocol):
    """The phases of the training loop for one way of learning. Close it at the end."""

    @property
    def run(self) -> Run:
        """The run that it trains."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the run has reached its end."""
        ...

    def open(self) -> None:
        """Start the workers, or read the training data. Raises Stopped."""
        ...

    def collect(self) -> Any | None:
        """Return the next batch, or `None` if none is ready yet. Raises Stopped."""
        ...

    def fit(self, batch: Any) -> Losses:
        """Update the network. Raises Stopped if the run is to stop and updates would take long."""
        ...

    def count(self, batch: Any) -> None:
        """Count the batch's episodes in the state of the run."""
        ...

    def gate(self, batch: Any) -> Mapping[str, float]:
        """Decide whether the network is accepted; return the figures. Raises Stopped."""
        ...

    def evaluate(self, save: Callable[[], None]) -> Mapping[str, float]:
        """Play matches if they are due; return the figures. `save` is called before they begin."""
        ...

    def report(self, batch: Any, losses: Losses, figures: Mapping[str, float]) -> None:
        """Report the batch."""
        ...

    def must_save(self, batch: Any) -> bool:
        """Make a checkpoint if one is due; return whether the run must be saved at once."""
        ...

    def fetch(self) -> None:
        """Bring the run's network and optimizer up to date, to be saved."""
        ...

    def end(self) -> None:
        """Finish a session that was not interrupted."""
        ...

    def close(self) -> None:
        """Release the workers and devices."""
        ...


def start_run(config: AnyConfig, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError if it contains a run already."""
    RunFolder(folder).create(config)


def train(
    folder: str | Path,
    reporter: Reporter | None = None,
    stop: Stop = lambda: False,
    backend: Backend | None = None,
) -> RunState:
    """Train a run from its saved state to its end, or until `stop` turns true.

    Args:
        folder: the run's folder.
        reporter: receives messages, games and figures.
        stop: turns true if training is to stop.
        backend: starts the workers; None: in this process.

    Returns:
        The state at the end. All of it is saved, except for a batch that was stopped half way and,
        if that was partly learned from, what was learned since the last save, seconds before.

    Raises:
        RunError, CheckpointError: the folder cannot be read or written, or another process trains
            that run.
        NetworkError: the network's output is not finite; the last saved state is intact.
        MeepleError: an opponent of the run's matches cannot play the game.
    """
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run: it has no {CONFIG}")
    with sole_trainer(folder):
        backend = backend or LocalBackend()
        method = _method_of(RunFolder(folder), reporter or Silent(), stop, backend)
        try:
            method.open()
            return _train(method, stop)
        except Stopped:
            return method.run.state
        finally:
            method.close()


def _method_of(folder: RunFolder, reporter: Reporter, stop: Stop, backend: Backend) -> Method:
    """Open a run, and return the method of its configuration."""
    config = config_of(folder.path)
    if isinstance(config, ValuesConfig):
        values_run = open_values_run(config, folder, reporter.message)
        return ValuesMethod(values_run, reporter, stop, backend)
    if isinstance(config, PatternsConfig):
        return PatternsMethod(open_patterns_run(config, folder, reporter.message), reporter, stop)
    run = open_run(config, folder, reporter.message)
    if config.records:
        return RecordsMethod(run, reporter, stop)
    return SelfPlayMethod(run, reporter, stop, backend)


def _train(method: Method, stop: Stop) -> RunState:
    """Repeat the phases until the run is over or `stop` turns true."""
    run, session = method.run, _Session(method)
    while not method.is_over and not stop():
        try:
            batch = method.collect()
        except Stopped:
            break
        except KeyboardInterrupt:
            session.save()
            raise
        if batch is None:
            continue
        try:
            losses = method.fit(batch)
            session.advance_clock()
            method.count(batch)
            figures = method.gate(batch)
        except Stopped:  # a batch that was partly learned from is not saved
            return run.folder.newest_state()[0] or run.state
        session.is_changed = True
        session.advance_clock()
        results = method.evaluate(session.save)
        session.is_changed |= bool(results)  # the clock has advanced
        session.advance_clock()
        method.report(batch, losses, {**figures, **results})
        if method.must_save(batch) or session.is_save_due:
            session.save()
    method.end()
    session.save()
    return run.state


class _Session:
    """The clock of a session of training, and the one owner of saving."""

    def __init__(self, method: Method) -> None:
        self._run, self._method = method.run, method
        self.is_changed = False  # since the last save
        self._saved_at = time.perf_counter()
        self._began = self._saved_at - self._run.state.seconds

    def advance_clock(self) -> None:
        """Set the seconds that the run has taken."""
        self._run.state.seconds = time.perf_counter() - self._began

    @property
    def is_save_due(self) -> bool:
        """Whether the last save was over `SAVE_SECONDS` ago."""
        return time.perf_counter() - self._saved_at > SAVE_SECONDS

    def save(self) -> None:
        """Save everything, if anything changed."""
        if self.is_changed:
            self._method.fetch()
            self._run.save()
            self.is_changed = False
        self._saved_at = time.perf_counter()
