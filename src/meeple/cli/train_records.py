"""`meeple train --from-records`: learn from recorded games, or resume such a run."""

from collections.abc import Sequence
from pathlib import Path

import typer

from meeple.cli.interrupt import say_stopped, stopping
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import Several, TrainingProgress, duration, progress_bar
from meeple.cli.resumed import next_steps, resumed_config
from meeple.errors import RunError, UsageError
from meeple.extras import need
from meeple.learn.config import Config, find_config, load_config
from meeple.learn.evaluation.diagnosis import Adviser, summary
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.metrics import MetricsLog, all_waves
from meeple.learn.run.schema import RunState


def train_on_records(
    folder: Path, config: str | None, changes: Sequence[str], files: Sequence[Path], *, resume: bool
) -> None:
    """Learn from the games of files by a configuration, or resume the run in the folder.

    Ctrl-C loses only the current part of an epoch.

    Raises:
        RunError, ConfigError, CheckpointError: The run or its configuration is wrong.
        MeepleError: A file cannot be read.
    """
    need("torch", "training")
    if resume:
        if files:
            raise UsageError("a run resumes with the games that it has: leave out --from-records")
        resumed_config(folder, config, changes)
    else:
        settings = load_config(find_config(config or ""), changes)
        if not files:
            raise UsageError(f"{config} learns from records: name files after --from-records")
        _begin(folder, settings, files)
    settings = RunFolder(folder).config()
    state = _learn(folder, settings)
    if state is None:
        raise typer.Exit(INTERRUPTED)
    losses = state.held_out
    print(
        f"Learned from {state.episodes:,} games, summed over epochs, in "
        f"{duration(state.seconds)}; the best of {len(losses)} epochs is epoch "
        f"{losses.index(min(losses)) + 1}."
    )
    for line in summary(folder, settings):
        print(line)
    for words, line in next_steps(folder, settings, state):
        print(f"{words}: {line}")


def _begin(folder: Path, settings: Config, files: Sequence[Path]) -> None:
    """Create the run, with the games in it."""
    from meeple.learn.methods.records import start_records_run

    with stopping() as stopped, progress_bar("reading") as progress:
        gathered = start_records_run(settings, folder, files, stopped, progress)
    for line in gathered.sentences():
        typer.echo(f"{line}.", err=True)


def _learn(folder: Path, settings: Config) -> RunState | None:
    """Train to the end and return the run's state, or None, with a message, after Ctrl-C.

    Raises:
        RunError, CheckpointError: The run cannot be read or written.
    """
    from meeple.learn.loop import train

    game, limits = settings.make_game(), settings.run
    metrics = MetricsLog(folder)
    with (
        stopping() as stopped,
        TrainingProgress(limits.episodes, limits.minutes, unit=settings.unit) as progress,
    ):
        adviser = Adviser(settings, game.players, all_waves(folder), progress.message)
        try:
            state = train(folder, Several(progress, metrics, adviser), stopped)
        except KeyboardInterrupt:
            state = None
        finally:
            metrics.close()
    if state is None or (stopped() and state.episodes < limits.episodes):
        say_stopped(game, folder)
        return None
    if not state.held_out:
        raise RunError(f"{folder} had no time for an epoch: increase run.minutes")
    return state
