"""Training a run from the command line: progress on the terminal, workers, Ctrl-C."""

import contextlib
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from meeple.cli.shared.interrupt import say_stopped, stopping
from meeple.cli.shared.progress import Several, TrainingProgress, Watch
from meeple.errors import Stopped
from meeple.executors.backend import BACKENDS, Place
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import game_words
from meeple.learn.config import AnyConfig
from meeple.learn.evaluation.diagnosis import Adviser
from meeple.learn.run.schema import RunState
from meeple.shell import Word

if TYPE_CHECKING:
    from meeple.learn.workers.contract import TrainingBackend


def workers_on(
    place: Place | None, workers: int | None
) -> AbstractContextManager["TrainingBackend"]:
    """Return a context manager with the backend that starts workers, here or at a place.

    Raises:
        UsageError, RunError: the number of workers is out of range, or the place cannot be used.
    """
    from meeple.learn.workers.local import LocalBackend

    if place is None:
        return contextlib.nullcontext(LocalBackend(workers))
    found: AbstractContextManager[TrainingBackend]
    found = BACKENDS.target(place.backend, "training")(place, workers)
    return found


def learn(
    folder: Path,
    settings: AnyConfig,
    *,
    watch: Watch | None,
    fresh: bool,
    on: Place | None = None,
    workers: int | None = None,
    again: Sequence[Word] = (),
) -> RunState | None:
    """Train a run to its end; the run is saved however it ends.

    Args:
        folder: the run's folder.
        settings: the configuration of the run.
        watch: shows the first episode of each wave.
        fresh: whether to create the run first.
        on: where a backend plays and learns; None: this process.
        workers: their number.
        again: the command that resumes after Ctrl-C; by default that of this run.

    Returns:
        The state at the end; None if Ctrl-C stopped the run, which has been reported.

    Raises:
        RunError, CheckpointError: the folder cannot be read or written.
    """
    from meeple.learn.loop import start_run

    with workers_on(on, workers) as backend, stopping() as stopped:
        if fresh:
            start_run(settings, folder)
        try:
            state = _train(folder, settings, stopped, backend, watch)
        except KeyboardInterrupt:
            state = None
    if state is None or (stopped() and state.episodes < settings.length):
        say_stopped(settings.make_game(), *(again or ("train", "--resume", "--run", folder)))
        return None
    return state


def learn_game(game: Game, minutes: float, folder: Path) -> bool:
    """Train a game by the method that wins a race; the run is saved however it ends.

    Returns:
        Whether it ended; False if Ctrl-C stopped it, which has been reported.

    Raises:
        RunError: the folder cannot be used, or its run is of another game.
    """
    from meeple.learn.race import train_chosen
    from meeple.learn.workers.local import LocalBackend

    with stopping() as stopped:

        def train(place: Path, settings: AnyConfig, late: Stop) -> bool:
            _train(place, settings, lambda: stopped() or late(), LocalBackend())
            return not stopped()

        try:
            train_chosen(game, folder, minutes, train, _say, stopped)
        except (KeyboardInterrupt, Stopped):
            words = [*game_words(game), "--minutes", f"{minutes:g}"]
            say_stopped(game, "train", *words, "--run", folder)
            return False
    return True


def _say(sentence: str) -> None:
    print(f"{sentence}.", file=sys.stderr)


def _train(
    folder: Path,
    settings: AnyConfig,
    stopped: Stop,
    backend: "TrainingBackend",
    watch: Watch | None = None,
) -> RunState:
    """Train a run in a folder, with its progress on the terminal. Raises KeyboardInterrupt."""
    from meeple.learn.loop import train
    from meeple.learn.run.metrics import MetricsLog, all_waves

    with (
        contextlib.closing(MetricsLog(folder)) as metrics,
        TrainingProgress(
            settings.length, settings.run.minutes, watch, unit=settings.unit
        ) as progress,
    ):
        players = len(settings.make_game().sides)
        adviser = Adviser(settings, players, all_waves(folder), progress.message)
        return train(folder, Several(progress, metrics, adviser), stopped, backend)
