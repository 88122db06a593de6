"""`meeple train --diagnose`: a few minutes of training, and advice on what to change."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.interrupt import stopping
from meeple.cli.shared.progress import Several, TrainingProgress, duration
from meeple.cli.shared.words import title
from meeple.learn.config import AnyConfig
from meeple.learn.evaluation.diagnosis import (
    Adviser,
    advice_on_workers,
    sentence,
    speed_sentence,
)
from meeple.learn.evaluation.findings import MIN_GAMES, findings, lacking
from meeple.learn.evaluation.results import FIGURES, ends_of, progress, worsened
from meeple.learn.run.metrics import MetricsLog, all_waves
from meeple.learn.run.schema import WaveMetrics

if TYPE_CHECKING:  # PyTorch takes a second to import
    from meeple.executors.executor import Stop

MINUTES = 5.0

_FIRST = {"episode": "wave of episodes", "round": "round"}  # by what a run counts


def print_diagnosis(settings: AnyConfig) -> None:
    """Train for a few minutes in a temporary folder, and print what to change."""
    trial = trial_of(settings)
    with tempfile.TemporaryDirectory(prefix="meeple-diagnosis-") as place, stopping() as stopped:
        folder = Path(place) / "run"
        metrics = MetricsLog(folder)
        try:
            _train(trial, folder, metrics, stopped)
        except KeyboardInterrupt:
            print("Stopped at once.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        finally:
            metrics.close()
        waves = all_waves(folder)
        if not waves:
            print(f"Stopped before the first {_FIRST[trial.unit]} had ended.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED)
        advice = advice_on_workers(trial, folder, stopped)
    print("\n".join(report(settings, waves, advice)))


def _train(trial: AnyConfig, folder: Path, metrics: MetricsLog, stopped: "Stop") -> None:
    """Run a trial in a new folder, and report its progress."""
    from meeple.learn.loop import start_run
    from meeple.learn.loop import train as train_run

    players = len(trial.make_game().sides)
    start_run(trial, folder)
    with TrainingProgress(trial.length, trial.run.minutes, unit=trial.unit) as shown:
        adviser = Adviser(trial, players, (), shown.message)
        train_run(folder, Several(shown, metrics, adviser), stopped)


def trial_of(settings: AnyConfig) -> AnyConfig:
    """Return the configuration of a trial of some minutes, with matches half way and at the end."""
    minutes = min(settings.run.minutes or MINUTES, MINUTES)
    run = settings.run.model_copy(update={"minutes": minutes})
    games = max(settings.matches.games, MIN_GAMES)
    matches = settings.matches.model_copy(update={"minutes": minutes / 2, "games": games})
    return settings.model_copy(update={"run": run, "matches": matches})


def report(
    settings: AnyConfig, waves: Sequence[WaveMetrics], advice: Sequence[str] = ()
) -> list[str]:
    """Return the report of a trial as lines; `advice` is added to the findings."""
    game = settings.make_game()
    lines = [speed_sentence(settings, waves, duration)]
    lines += [*_figures(waves), *(f"{line}." for line in progress(waves, len(game.sides)))]
    changes = [f"{sentence(found)}." for found in findings(waves, settings)] + list(advice)
    worse = worsened(waves)
    if changes:
        lines.append("What to change:")
    elif too_few := lacking(waves, settings):
        lines.append(f"Too little was seen to say what to change: {too_few}.")
    elif not worse:
        lines.append("Nothing to change was seen.")
    lines += [f"- {change}" for change in changes]
    if worse:
        lines.append(f"Figures that got worse: {'; '.join(worse)}.")
    return [f"{title(game)}:", *lines]


def _figures(waves: Sequence[WaveMetrics]) -> list[str]:
    lines = []
    for figure in FIGURES:
        ends = ends_of(waves, figure.name)
        if ends is not None:
            first, last = (figure.form.format(end) for end in ends)
            lines.append(f"  {figure.words:<44} {first} -> {last}")
    return lines
