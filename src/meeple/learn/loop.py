"""The training loop, for every method: collect, fit, gate, evaluate, report, save.

`_train` is the whole of it on one page. What each phase does is up to the method: self-play
(`methods/selfplay.py`) or records of games (`methods/records.py`). The loop alone saves the run.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import torch

from meeple.arena.lockstep import Stop
from meeple.errors import RunError, Stopped
from meeple.learn.config import Config, documented
from meeple.learn.fit.update import Losses
from meeple.learn.methods.records import RecordsMethod
from meeple.learn.methods.selfplay import MakeWorkers, SelfPlayMethod, local_workers
from meeple.learn.run.folder import CONFIG, RunFolder, holds_run
from meeple.learn.run.lock import sole_trainer
from meeple.learn.run.reporter import Reporter, Silent
from meeple.learn.run.run import Run, open_run, start_from
from meeple.learn.run.schema import RunState
from meeple.nets.training import flushing_subnormals, torch_threads

SAVE_SECONDS = 5.0  # minimum time between two saves of the state


class Method(Protocol):
    """One way of learning: what the phases of the training loop do. Close it at the end."""

    @property
    def is_over(self) -> bool:
        """Whether the run has reached its end."""
        ...

    def open(self) -> None:
        """Start the workers, or read what is learned from. Raises Stopped."""
        ...

    def collect(self) -> Any | None:
        """Return what is learned from next, or `None` if nothing is ready yet. Raises Stopped."""
        ...

    def fit(self, batch: Any) -> Losses:
        """Update the network. Raises Stopped if the run is to stop and updates would take long."""
        ...

    def count(self, batch: Any) -> None:
        """Count a batch's episodes as learned from."""
        ...

    def gate(self, batch: Any) -> Mapping[str, float]:
        """Decide whether the network becomes a checkpoint; return the figures. Raises Stopped."""
        ...

    def evaluate(self, save: Callable[[], None]) -> Mapping[str, float]:
        """Play matches if they are due; return the figures. `save` is called before they begin."""
        ...

    def report(self, batch: Any, losses: Losses, figures: Mapping[str, float]) -> None:
        """Report a batch as learned from."""
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


def start_run(config: Config, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError if it holds a run already."""
    RunFolder(folder).create(documented(config))


def train(
    folder: str | Path,
    reporter: Reporter | None = None,
    stop: Stop = lambda: False,
    make_workers: MakeWorkers = local_workers,
) -> RunState:
    """Train a run from its saved state to its end, or until `stop` turns true.

    Args:
        folder: the run's folder.
        reporter: receives messages, games and figures.
        stop: turns true if training is to stop.
        make_workers: makes the workers of a run of self-play.

    Returns:
        The state at the end. All of it is saved, except for a batch that was stopped half way and,
        if that was partly learned from, what was learned since the last save, seconds before.

    Raises:
        RunError, CheckpointError: the folder cannot be read or written, or another process trains
            that run.
        NetworkError: the network's output is not finite; what was saved last stays whole.
    """
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run: it has no {CONFIG}")
    with sole_trainer(folder):
        return _trained(Path(folder), reporter or Silent(), stop, make_workers)


def _trained(folder: Path, reporter: Reporter, stop: Stop, make_workers: MakeWorkers) -> RunState:
    config = RunFolder(folder).config()
    run = open_run(config, RunFolder(folder), reporter.message)
    method: Method
    if config.records:
        method = RecordsMethod(run, reporter, stop)
    else:
        method = SelfPlayMethod(run, reporter, stop, make_workers)
    # Two threads took 70 times as long for a small mlp's minibatch.
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals():
        if run.state.episodes == 0:
            _save_untrained(run)
        try:
            method.open()
            return _train(run, method, stop)
        except Stopped:
            return run.state
        finally:
            method.close()


def _train(run: Run, method: Method, stop: Stop) -> RunState:
    """Repeat the phases until the run is over or `stop` turns true."""
    session = _Session(run, method)
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
        except Stopped:  # half learned batches are not saved
            return run.folder.standing()[0] or run.state
        session.is_changed = True
        session.advance_clock()
        figures = {**figures, **method.evaluate(session.save)}
        session.advance_clock()
        method.report(batch, losses, figures)
        if method.must_save(batch) or session.is_save_due:
            session.save()
    method.end()
    session.save()
    return run.state


class _Session:
    """The clock of a session of training, and the one owner of saving."""

    def __init__(self, run: Run, method: Method) -> None:
        self._run, self._method = run, method
        self.is_changed = False  # since the last save
        self._saved_at = time.perf_counter()
        self._began = self._saved_at - run.state.seconds

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


def _save_untrained(run: Run) -> None:
    """Save the network before any training, as the first checkpoint."""
    if run.config.run.start:
        start_from(run.network, run.config.run.start, run.game)
    run.keep_network()
    run.save()
