"""Training from Python: `meeple.train` starts or resumes a run and returns it."""

import json
import math
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeple.agents.allowed import allowed_within
from meeple.agents.loaded import LoadedAgent, load
from meeple.agents.networks import RUNS
from meeple.errors import RunError, UsageError
from meeple.executors.executor import Stop
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.learn.config import (
    AnyConfig,
    Config,
    check_resumed,
    find_config,
    parse_sections,
    texts_in,
)
from meeple.learn.config import load as load_config
from meeple.learn.evaluation.results import pairings_in
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run, sole_trainer
from meeple.learn.run.metrics import MetricsLog, Silent, all_waves
from meeple.learn.run.view import read_run
from meeple.tables import data_frame, html_table

MANY_EPISODES = 1_000_000  # of a run that ends by its minutes
MAX_RANDOM_PLIES = 4  # of an episode: its first moves, for variety
NO_LOSS = "loss/gradient_norm"  # a metric among the losses
PRINT_SECONDS = 2.0  # between two lines of progress


@dataclass(frozen=True, repr=False)
class TrainingRun:
    """A run in its folder: its network as an agent, its figures and its curves."""

    folder: Path

    @property
    def config(self) -> AnyConfig:
        """The configuration. Raises RunError or ConfigError if it cannot be read."""
        return config_of(self.folder)

    @property
    def game(self) -> Game:
        """The game that is learned."""
        return self.config.make_game()

    def agent(self, **options: Any) -> LoadedAgent:
        """Return the newest network as an agent: see `meeple.load`."""
        return load(self.folder, game=self.game, **options)

    def to_pandas(self) -> Any:
        """Return a data frame with a row for each wave: episodes, seconds, and the metrics by name.

        Raises:
            UsageError: pandas is not installed.
            RunError: the file of metrics cannot be read.
        """
        return data_frame(
            {"episodes": wave.episodes, "seconds": wave.seconds, **wave.metrics}
            for wave in all_waves(self.folder)
        )

    def plot(self) -> Any:
        """Draw the losses, and the results of the matches during training.

        Returns:
            A `matplotlib.figure.Figure`: losses on the left, the share of the win against each
            opponent on the right, over the minutes of training.

        Raises:
            UsageError: Matplotlib is not installed.
            RunError: the file of metrics cannot be read.
        """
        need("matplotlib", "plot")
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10, 3.5), layout="constrained")
        losses, shares = figure.subplots(1, 2)
        curves: dict[str, list[tuple[float, float]]] = {}
        results: dict[str, list[tuple[float, float]]] = {}
        for wave in all_waves(self.folder):
            minutes = wave.seconds / 60
            matches = {pairing.metric for pairing in pairings_in(wave.metrics)}
            for name, value in wave.metrics.items():
                if name.startswith("loss/") and name != NO_LOSS:
                    curves.setdefault(name.removeprefix("loss/"), []).append((minutes, value))
                elif name in matches:
                    title = name.removeprefix("match/")
                    results.setdefault(title, []).append((minutes, 100 * value))
        for axes, lines, what in ((losses, curves, "loss"), (shares, results, "% of the win")):
            for title, points in lines.items():
                axes.plot(
                    *zip(*points, strict=True), label=title, marker="." if axes is shares else ""
                )
            axes.set(xlabel="minutes of training", ylabel=what)
            if lines:
                axes.legend(fontsize="small")
        shares.set_ylim(0, 100)
        return figure

    def __repr__(self) -> str:
        run = read_run(self.folder)
        unit = run.config.unit
        return f"{run.game.title}: {run.episodes:,} {unit}s in {run.seconds:.0f} s, {self.folder}"

    def _repr_html_(self) -> str:
        """Return the run as a table, for notebooks."""
        run = read_run(self.folder)
        rows = [
            ("game", run.game.title),
            ("method", run.config.mode),
            (f"{run.config.unit}s", f"{run.episodes:,}"),
            ("minutes of training", f"{run.seconds / 60:.1f}"),
            ("folder", str(self.folder)),
        ]
        return html_table(("run", self.folder.name), rows)


def train(
    game: Game | str | Path,
    minutes: float | None = None,
    run: str | Path | None = None,
    *changes: str,
    quiet: bool = False,
    stop: Stop = lambda: False,
    allow_engines: bool = False,
) -> TrainingRun:
    """Train a network, or continue the run in a folder that holds one.

    Ctrl-C, or the interruption of a notebook's cell, ends training; everything so far is saved, and
    the same call continues.

    Args:
        game: a game, which is learned by the AlphaZero method with a small network; or a
            configuration: a .toml file, or the name of a ready one such as "hex5".
        minutes: limit of the training time, of all calls together; needed with a game.
        run: the folder; by default `runs/` with the name of the configuration, or of the game.
        changes: fields of the configuration, such as "search.simulations=64".
        quiet: whether to print no progress to stderr.
        stop: training ends when it returns true.
        allow_engines: allow a configuration that was read to name programs as opponents, and
            networks in any folder; `changes` may always.

    Returns:
        The run.

    Raises:
        UsageError: PyTorch is not installed, or a game comes without `minutes`.
        ConfigError: the configuration is wrong; the message names the field.
        SpecError: the configuration names what it may not.
        RunError: the folder cannot be used, or another process trains that run.
    """
    need("torch", "training")
    from meeple.learn import loop

    if minutes is not None:
        changes = (*changes, f"run.minutes={minutes}")
    with allowed_within(texts_in(changes), everything=allow_engines):
        folder, config = _planned(game, minutes, changes)
        folder = folder if run is None else Path(run)
        if holds_run(folder):
            resumed_config(folder, changes=changes)
        else:
            loop.start_run(config, folder)
        log = MetricsLog(folder)
        try:
            loop.train(folder, _Progress(log, config, quiet=quiet), stop)
        except KeyboardInterrupt:
            sys.stderr.write(f"\nStopped; the run is saved in {folder}.\n")
        finally:
            log.close()
    return TrainingRun(folder)


def _planned(
    game: Game | str | Path, minutes: float | None, changes: tuple[str, ...]
) -> tuple[Path, AnyConfig]:
    """Return the default folder and the configuration of a run."""
    if not isinstance(game, Game):
        file = find_config(str(game))
        return RUNS / file.stem, load_config(file, changes)
    if minutes is None:
        raise UsageError("say how long to train: meeple.train(game, minutes=5)")
    return RUNS / game.name, config_for(game, changes)


def config_for(game: Game, changes: Iterable[str] = ()) -> Config:
    """Return a configuration that learns a game by self-play with a small network.

    Args:
        game: the game, built-in or of a file.
        changes: fields that differ, such as "search.simulations=64".

    Raises:
        ConfigError: a change is wrong.
    """
    options = ", ".join(f"{name} = {json.dumps(value)}" for name, value in game.options.items())
    text = f"""
        [run]
        episodes = {MANY_EPISODES}
        networks = 6
        [game]
        name = {json.dumps(game.name)}
        options = {{ {options} }}
        [network]
        hidden = [128, 64]
        [search]
        mode = "alphazero"
        simulations = 32
        [selfplay]
        games = 32
        random_plies = {min(MAX_RANDOM_PLIES, game.max_plies // 4)}
        [training]
        learning_rate = 0.001
        batches = 2.0
    """
    return parse_sections(Config, text, changes, f"the configuration of {game.name}")


def resumed_config(
    folder: Path, config: str | None = None, changes: Sequence[str] = ()
) -> AnyConfig:
    """Return the configuration to resume a run with, and save it; only its length may change.

    Args:
        folder: the run's folder.
        config: another configuration, a file or the name of a ready one; None: the run's own.
        changes: changes of fields.

    Raises:
        RunError: there is no run, its configuration cannot be read, or it is longer already.
        ConfigError: a field was changed that is neither of its length nor a device.
    """
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run to resume")
    saved = config_of(folder)
    if config is None and not changes:
        return saved
    wanted = load_config(folder / CONFIG if config is None else find_config(config), changes)
    check_resumed(saved, wanted, str(folder))
    if wanted != saved:
        with sole_trainer(folder):
            RunFolder(folder).prolong(wanted)
    return wanted


class _Progress(Silent):
    """A reporter that writes the metrics to their file, and a line to stderr now and then."""

    def __init__(self, log: MetricsLog, config: AnyConfig, *, quiet: bool) -> None:
        self._log, self._unit, self._quiet = log, config.unit, quiet
        self._printed = -math.inf

    def message(self, text: str) -> None:
        if not self._quiet:
            sys.stderr.write(f"{text}.\n")

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        self._log.wave(episodes, seconds, metrics)
        if self._quiet or time.monotonic() - self._printed < PRINT_SECONDS:
            return
        self._printed = time.monotonic()
        losses = ", ".join(
            f"{name.removeprefix('loss/')} {value:.3f}"
            for name, value in metrics.items()
            if name.startswith("loss/") and name != NO_LOSS
        )
        sys.stderr.write(f"{episodes:,} {self._unit}s, {seconds:.0f} s; losses: {losses}\n")
