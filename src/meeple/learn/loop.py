"""The training loop of every method: collect, fit, count, gate, evaluate, report, save.

`_train` is the whole loop on one page. A method implements the phases (`methods/method.py`): it
learns from self-play, records of games, values or patterns. Only the loop saves the run.
"""

import time
from pathlib import Path
from typing import Any

from meeple.errors import RunError, Stopped
from meeple.executors.executor import Stop
from meeple.learn.config import AnyConfig
from meeple.learn.methods.method import Method
from meeple.learn.methods.patterns import PatternsMethod, PatternsRun
from meeple.learn.methods.records import RecordsMethod
from meeple.learn.methods.selfplay import SelfPlayMethod
from meeple.learn.methods.values import ValuesMethod
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run, sole_trainer
from meeple.learn.run.metrics import Reporter, Silent
from meeple.learn.run.run import NetworkRun, Run, open_run
from meeple.learn.run.schema import RunState
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.contract import TrainingBackend
from meeple.learn.workers.local import LocalBackend

SAVE_SECONDS = 5.0  # minimum time between two saves of the state

AnyMethod = Method[Any, Any]  # the phases of any way of learning

_LEARNING: dict[str, tuple[type[Run], type[AnyMethod]]] = {
    "self-play": (NetworkRun, SelfPlayMethod),
    "records": (NetworkRun, RecordsMethod),
    "values": (ValuesRun, ValuesMethod),
    "patterns": (PatternsRun, PatternsMethod),
}
"""The class of the run and the phases of the loop, by the method of a configuration."""


def start_run(config: AnyConfig, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError if it contains a run already."""
    RunFolder(folder).create(config)


def train(
    folder: str | Path,
    reporter: Reporter | None = None,
    stop: Stop = lambda: False,
    backend: TrainingBackend | None = None,
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
        run: Run = method.run
        try:
            method.open()
            return _train(method, stop)
        except Stopped:
            return run.state
        finally:
            method.close()


def _method_of(
    folder: RunFolder, reporter: Reporter, stop: Stop, backend: TrainingBackend
) -> AnyMethod:
    """Open a run, and return the method of its configuration."""
    config = config_of(folder.path)
    run, method = _LEARNING[config.method]
    return method(open_run(run, config, folder, reporter.message), reporter, stop, backend)


def _train(method: AnyMethod, stop: Stop) -> RunState:
    """Repeat the phases until the run is over or `stop` turns true."""
    run: Run = method.run
    session = _Session(method)
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

    def __init__(self, method: AnyMethod) -> None:
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
