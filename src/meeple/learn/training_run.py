"""Training from Python: `meeple.train` starts or resumes a run and returns it."""

import contextlib
import io
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeple.agents.allowed import allowed_within
from meeple.agents.loaded import LoadedAgent, load
from meeple.agents.networks import RUNS
from meeple.errors import RunError, Stopped, UsageError
from meeple.executors.executor import Stop
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.learn.config import AnyConfig, check_resumed, find_config, texts_in
from meeple.learn.config import load as load_config
from meeple.learn.evaluation.results import pairings_in
from meeple.learn.run.chosen import Race, read_race
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run, sole_trainer
from meeple.learn.run.metrics import MetricsLog, Silent, all_waves
from meeple.learn.run.view import read_run
from meeple.tables import data_frame, html_table

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

    @property
    def race(self) -> Race | None:
        """The race in which the method was chosen, or None. Raises RunError if it is damaged."""
        return read_race(self.folder)

    def agent(self, **options: Any) -> LoadedAgent:
        """Return the newest network as an agent: see `meeple.load`."""
        return load(self.folder, game=self.game, **options)

    def to_pandas(self) -> Any:
        """Return a data frame with a row for each wave: episodes, seconds, and the metrics by name.

        Raises UsageError without pandas, RunError if the file of metrics cannot be read.
        """
        return data_frame(
            {"episodes": wave.episodes, "seconds": wave.seconds, **wave.metrics}
            for wave in all_waves(self.folder)
        )

    def plot(self) -> Any:
        """Draw the losses, and the results of the matches during training.

        Returns:
            A `matplotlib.figure.Figure`, which a notebook draws: losses on the left, the share of
            the win against each opponent on the right, over the minutes of training.

        Raises UsageError without Matplotlib, RunError if the file of metrics cannot be read.
        """
        need("matplotlib", "plot")
        figure = _figure()
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
                marker = "." if axes is shares else ""
                axes.plot(*zip(*points, strict=True), label=title, marker=marker)
            axes.set(xlabel="minutes of training", ylabel=what)
            if lines:
                axes.legend(fontsize="small")
        shares.set_ylim(0, 100)
        return figure

    def __repr__(self) -> str:
        run = read_run(self.folder)
        unit = run.config.unit
        lines = [
            f"{run.game.title}: {run.episodes:,} {unit}s in {run.seconds:.0f} s, {self.folder}"
        ]
        return "\n".join([*lines, *(self.race.sentences if self.race else ())])

    def _repr_html_(self) -> str:
        """Return the run as a table, for notebooks."""
        run = read_run(self.folder)
        race = self.race
        rows = [
            ("game", run.game.title),
            ("method", race.sentence if race else run.config.mode),
            (f"{run.config.unit}s", f"{run.episodes:,}"),
            ("minutes of training", f"{run.seconds / 60:.1f}"),
            ("folder", str(self.folder)),
        ]
        if race and race.final:
            rows.append(("strength", race.final.words))
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
    """Train a game's agent, or continue the run in a folder that holds one.

    A game without changes is learned by the method that wins a race of those that fit it, in the
    first tenth of the time; see `meeple.learn.race`.

    Ctrl-C, or the interruption of a notebook's cell, ends training; everything so far is saved, and
    the same call continues.

    Args:
        game: a game; or a configuration: a .toml file, or the name of a ready one such as "hex5".
        minutes: limit of the wall-clock time, of all calls together and without that of compiling;
            needed with a game.
        run: the folder; by default `runs/` with the name of the configuration, or of the game.
        changes: fields of the configuration, such as "search.simulations=64"; a game is then
            learned by the AlphaZero method with a small network.
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
    from meeple.learn.race import train_chosen

    if isinstance(game, Game) and minutes is not None and not changes:
        folder = RUNS / game.name if run is None else Path(run)
        say = (lambda sentence: None) if quiet else _say

        def train(place: Path, config: AnyConfig, late: Stop) -> bool:
            _learn(place, config, lambda: stop() or late(), quiet=quiet)
            return not stop()

        with _interruptible(folder), contextlib.suppress(Stopped):
            train_chosen(game, folder, minutes, train, say, stop)
        return TrainingRun(folder)
    if minutes is not None:
        changes = (*changes, f"run.minutes={minutes}")
    with allowed_within(texts_in(changes), everything=allow_engines):
        folder, config = _planned(game, minutes, changes)
        folder = folder if run is None else Path(run)
        if holds_run(folder):
            resumed_config(folder, changes=changes)
        else:
            loop.start_run(config, folder)
        with _interruptible(folder):
            _learn(folder, config, stop, quiet=quiet)
    return TrainingRun(folder)


@contextlib.contextmanager
def _interruptible(folder: Path) -> Iterator[None]:
    """Let Ctrl-C end a `with` block with a message."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write(f"\nStopped; the run is saved in {folder}.\n")


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}.\n")


def _learn(folder: Path, config: AnyConfig, stop: Stop, *, quiet: bool) -> None:
    from meeple.learn import loop

    with contextlib.closing(MetricsLog(folder)) as log:
        loop.train(folder, _Progress(log, config, quiet=quiet), stop)


def _planned(
    game: Game | str | Path, minutes: float | None, changes: tuple[str, ...]
) -> tuple[Path, AnyConfig]:
    """Return the default folder and the configuration of a run."""
    from meeple.learn.usual import config_for

    if not isinstance(game, Game):
        file = find_config(str(game))
        return RUNS / file.stem, load_config(file, changes)
    if minutes is None:
        raise UsageError("say how long to train: meeple.train(game, minutes=5)")
    return RUNS / game.name, config_for(game, changes)


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


def _figure() -> Any:
    """Return a wide figure that a notebook draws although nothing has loaded pyplot."""
    from matplotlib.figure import Figure

    class Curves(Figure):
        def _repr_png_(self) -> bytes:
            png = io.BytesIO()
            self.savefig(png, format="png", dpi=80)
            return png.getvalue()

    return Curves(figsize=(10, 3.5), layout="constrained")


class _Progress(Silent):
    """A reporter that writes the metrics to their file, and a line to stderr now and then."""

    def __init__(self, log: MetricsLog, config: AnyConfig, *, quiet: bool) -> None:
        self._log, self._unit, self._quiet = log, config.unit, quiet
        self._printed = -math.inf

    def message(self, text: str) -> None:
        if not self._quiet:
            _say(text)

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
