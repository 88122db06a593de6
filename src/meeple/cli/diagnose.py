"""`meeple train --diagnose`: a few minutes of training, and what they say should be changed."""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from meeple.cli.board.words import title
from meeple.cli.interrupt import stopping
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import Messages, Several, TrainingProgress, duration
from meeple.errors import Stopped
from meeple.kernels.compile_process import usable_cores
from meeple.learn.config import Config, ValuesConfig
from meeple.learn.evaluation.diagnosis import Adviser, findings, lacking, sentence
from meeple.learn.evaluation.findings import FIGURES, MIN_GAMES, ends_of, worsened
from meeple.learn.evaluation.results import progress
from meeple.learn.run.metrics import MetricsLog, all_waves
from meeple.learn.run.schema import WaveMetrics

if TYPE_CHECKING:  # PyTorch takes a second to import
    from meeple.arena.lockstep import Stop

MINUTES = 5.0
WORTH = 1.15  # times as fast is worth a change
LONGEST = 30.0  # seconds that playing a wave for its speed may take

SPENT = (
    ("time/labelling_seconds", "labelling"),
    ("time/learning_seconds", "learning"),
    ("time/gate_seconds", "games that decide"),
)
"""What the time of a round goes to: name, words."""

_FIRST = {"episode": "wave of episodes", "round": "round"}  # by what a run counts


def print_diagnosis(settings: Config | ValuesConfig) -> None:
    """Train for a few minutes in a folder that is removed again, and say what to change."""
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
        advice = []
        if isinstance(trial, Config) and not stopped():
            advice = _faster_workers(trial, folder, stopped)
    print("\n".join(report(settings, waves, advice)))


def _train(
    trial: Config | ValuesConfig, folder: Path, metrics: MetricsLog, stopped: "Stop"
) -> None:
    """Run a trial in a new folder, and tell how it goes."""
    players = trial.make_game().players
    if isinstance(trial, ValuesConfig):
        from meeple.learn.values.loop import start_run as start_values
        from meeple.learn.values.loop import train as train_values

        printed = Messages()
        start_values(trial, folder)
        adviser = Adviser(trial, players, (), printed.message)
        train_values(folder, Several(printed, metrics, adviser), stopped)
        return
    from meeple.learn.loop import start_run
    from meeple.learn.loop import train as train_run

    start_run(trial, folder)
    with TrainingProgress(trial.run.episodes, trial.run.minutes) as shown:
        adviser = Adviser(trial, players, (), shown.message)
        train_run(folder, Several(shown, metrics, adviser), stopped)


def trial_of(settings: Config | ValuesConfig) -> Config | ValuesConfig:
    """The configuration for some minutes, with matches half way and at the end.

    They have enough games to show something, if there is time for them.
    """
    minutes = min(settings.run.minutes or MINUTES, MINUTES)
    run = settings.run.model_copy(update={"minutes": minutes})
    games = max(settings.matches.games, MIN_GAMES)
    matches = settings.matches.model_copy(update={"minutes": minutes / 2, "games": games})
    return settings.model_copy(update={"run": run, "matches": matches})


def report(
    settings: Config | ValuesConfig, waves: Sequence[WaveMetrics], advice: Sequence[str] = ()
) -> list[str]:
    """What a trial's waves say, in lines; `advice` is added to what is seen in them."""
    game = settings.make_game()
    if isinstance(settings, ValuesConfig):
        lines = [_speed_of_rounds(settings, waves)]
    else:
        lines = [_speed(settings, waves)]
    lines += [*_figures(waves), *(f"{line}." for line in progress(waves, game.players))]
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


def _speed(settings: Config, waves: Sequence[WaveMetrics]) -> str:
    """How fast it was, and where the time went."""
    last = waves[-1]
    playing = sum(wave.metrics["time/selfplay_seconds"] for wave in waves)
    playing /= settings.selfplay.workers
    learning = sum(wave.metrics["time/learning_seconds"] for wave in waves)
    whole = duration(last.seconds * settings.run.episodes / last.episodes)
    return (
        f"{last.episodes:,} episodes in {duration(last.seconds)}: {playing / last.seconds:.0%} of "
        f"it self-play, {learning / last.seconds:.0%} learning; all {settings.run.episodes:,} "
        f"would take {whole}."
    )


def _speed_of_rounds(settings: ValuesConfig, waves: Sequence[WaveMetrics]) -> str:
    """How fast it was, and where the time went, where values are learned."""
    last = waves[-1]
    parts = []
    for name, words in SPENT:
        seconds = sum(wave.metrics.get(name, 0.0) for wave in waves)
        parts.append(f"{seconds / last.seconds:.0%} of it {words}")
    whole = duration(last.seconds * (settings.run.rounds + 1) / last.episodes)
    return (
        f"{last.episodes:,} rounds in {duration(last.seconds)}: {', '.join(parts)}; all "
        f"{settings.run.rounds + 1:,} would take {whole}."
    )


def _figures(waves: Sequence[WaveMetrics]) -> list[str]:
    lines = []
    for figure in FIGURES:
        ends = ends_of(waves, figure.name)
        if ends is not None:
            first, last = (figure.form.format(end) for end in ends)
            lines.append(f"  {figure.words:<44} {first} -> {last}")
    return lines


def _faster_workers(trial: Config, folder: Path, stop: "Stop") -> list[str]:
    """Whether another number of workers plays faster, in a sentence; or nothing."""
    now, cores = trial.selfplay.workers, usable_cores()
    other = cores if now == 1 else 1
    if other == now:
        return []
    seconds = [_seconds_of_wave(trial, folder, workers, stop) for workers in (now, other)]
    if None in seconds:
        return []
    ratio = (seconds[0] or 0.0) / (seconds[1] or 1.0)
    if ratio < WORTH:
        return []
    return [f"Self-play is {ratio:.1f} times as fast with selfplay.workers = {other}."]


def _seconds_of_wave(trial: Config, folder: Path, workers: int, stop: "Stop") -> float | None:
    """Seconds for a wave of self-play by the trial's network; None where it takes too long."""
    from meeple.agents.networks import load_predictor
    from meeple.learn.selfplay.play import play_wave

    game = trial.make_game()
    predictors = [load_predictor(folder, game) for _ in range(workers)]
    began = time.perf_counter()

    def late() -> bool:
        return stop() or time.perf_counter() - began > LONGEST

    try:
        play_wave(game, trial, predictors, range(trial.selfplay.games), late)
    except Stopped:
        return None
    return time.perf_counter() - began
