"""The runs of a folder: how far each is, its curves, ratings and games; begun, stopped, rated.

A name from outside is looked up in the folder's own list, so it leads nowhere else. All calls
block, some for a while: they are made in threads.
"""

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from meeple.agents.networks import shipped_networks
from meeple.errors import MeepleError, RunError, UsageError
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.games.contract.registry import file_of
from meeple.learn.config import AnyConfig
from meeple.learn.evaluation.diagnosis import findings, sentence
from meeple.learn.evaluation.findings import RunFinding
from meeple.learn.evaluation.results import progress
from meeple.learn.run.cluster_view import view_of
from meeple.learn.run.folder import CONFIG, GAMES, RunFolder, config_of, holds_run, is_being_trained
from meeple.learn.run.games import games_after, last_games
from meeple.learn.run.logs import last_lines, log_names
from meeple.learn.run.schema import WaveMetrics
from meeple.learn.view import (
    RunView,
    last_episode,
    networks_of,
    place_of,
    runs_in,
    time_left,
    title_of,
    tournament_result,
    view_run,
)
from meeple.server.errors import Busy, NotFound
from meeple.server.training.facts import (
    AT_WORK,
    is_unrated,
    listing,
    problem_of,
    sample_of,
    settings_of,
    spec_of,
    status_of,
)
from meeple.server.training.figures import Curves
from meeple.server.training.form import settle
from meeple.server.training.jobs import Job, Jobs, Kind

NAME = r"[a-z0-9][a-z0-9._-]{0,63}"
AT_ONCE = 1  # runs that train at a time, and as many that are rated
MOST_LISTED = 200  # the last changed
MOST_LOGS, LOG_LINES = 1000, 40  # names of logs that are told, and last lines of one
MOST_FOLLOWED = 16  # runs whose curves are kept in memory


_Read = tuple[AnyConfig, Game, int]  # a configuration, its game, when it was written


class _Figures(NamedTuple):
    """What the figures of a run say."""

    since: int  # the episode that the curves begin after
    curves: list[dict[str, Any]]
    speed: float | None  # episodes a second, lately
    waves: list[WaveMetrics]


class Runs:
    """The runs of one folder; may be called by several threads."""

    def __init__(self, folder: Path, game_files: Sequence[str] = (), at_once: int = AT_ONCE):
        self.folder, self.at_once = folder.resolve(), at_once
        self.jobs = Jobs(game_files)
        self._starting = threading.Lock()
        self._reading = threading.Lock()  # of curves
        self._curves: OrderedDict[tuple[str, int], Curves] = OrderedDict()
        self._configs: OrderedDict[tuple[Path, int, int], _Read] = OrderedDict()

    # ------------------------------------------------------------ looking

    def names(self) -> list[str]:
        """The runs of the folder, the last changed first."""
        names = [path.name for path in runs_in(self.folder) if re.fullmatch(NAME, path.name)]
        return names[:MOST_LISTED]

    def all(self) -> list[dict[str, Any]]:
        """All runs in short; one that cannot be read with the sentence that says why."""
        found = []
        for name in self.names():
            try:
                found.append(self._short(self._run(name)))
            except MeepleError as error:
                found.append({"name": name, "problem": str(error)})
        return found

    def facts(self, name: str, since: int = 0) -> dict[str, Any]:
        """All that is known of a run; of its curves, what came after the episode `since`."""
        run = self._run(name)
        train, topp = self.jobs.look(run.folder, "train"), self.jobs.look(run.folder, "topp")
        status = status_of(run, train)
        networks, report = networks_of(run.folder), tournament_result(run.folder)
        figures, damage = self._figures(run, since)
        damages = [*run.damages, damage, report if isinstance(report, str) else None]
        sentences = [self._placeless(one) for one in damages if one]
        return {
            **self._short(run),
            "seconds": round(run.seconds, 1),
            "left": time_left(run, figures.speed) if status in AT_WORK else None,
            "networks": networks,
            "marks": run.config.planned_networks,
            "since": figures.since,
            "curves": figures.curves,
            "progress": [f"{line}." for line in progress(figures.waves, run.game.players)],
            "advice": [self._advice(run, one) for one in findings(figures.waves, run.config)],
            "topp": report if isinstance(report, dict) else None,
            "problem": problem_of(name, status, train, topp) or "; ".join(sentences) or None,
            "output": self._output(run, status, train, topp),
            "spec": spec_of(name, run.config) if networks else None,
            "settings": settings_of(run.config),
            "cluster": view_of(run.cluster, is_being_trained(run.folder)) if run.cluster else None,
            "logs": log_names(run.folder)[:MOST_LOGS],
        }

    def games(self, name: str, after: int | None, limit: int) -> dict[str, Any]:
        """The first games of self-play after an episode, or the last ones."""
        run = self._run(name)
        file = run.folder / GAMES
        try:
            lines = last_games(file, limit) if after is None else games_after(file, after, limit)
        except RunError as error:
            raise RunError(self._placeless(str(error))) from None
        samples = (sample_of(run.game, line) for line in lines)
        return {"games": [one for one in samples if one], "last": last_episode(file)}

    def log(self, name: str, actor: str) -> dict[str, Any]:
        """The last lines of the log of one of a run's actors. Raises NotFound where it has none."""
        run = self._run(name)
        if actor not in log_names(run.folder):
            raise NotFound(f"{name} has no log of {actor[:64]!r}")
        try:
            lines = last_lines(run.folder, actor, LOG_LINES)
        except RunError as error:
            raise RunError(self._placeless(str(error))) from None
        return {"name": actor, "lines": [self._placeless(line) for line in lines]}

    # ------------------------------------------------------------ doing

    def begin(self, name: str, config: str, changes: Mapping[str, Any]) -> None:
        """Make a run of a ready configuration with changes, and start it.

        Raises MeepleError in a sentence: for a name that is taken, a field that is wrong, or Busy
        where as many runs as may are at it.
        """
        need("torch", "training")
        if not re.fullmatch(NAME, name):
            raise UsageError(
                "a run's name is made of small letters, digits, '-', '_' and '.', and begins with "
                "a letter or digit"
            )
        if name in shipped_networks():
            raise UsageError(f"'{name}' is the name of a network that ships; choose another")
        settled = settle(config, changes, self.folder)
        with self._starting:
            self._refuse_more("train")
            if (self.folder / name).exists():
                raise UsageError(f"there is something called '{name}' already; choose another name")
            RunFolder(self.folder / name).create(settled)
            self.jobs.start(self.folder / name, "train")

    def resume(self, name: str) -> None:
        """Go on with a run. Raises Busy as `begin`, UsageError where it is at its end."""
        need("torch", "training")
        run = self._run(name)
        with self._starting:
            status = status_of(run, self.jobs.look(run.folder, "train"))
            if status == "elsewhere":
                raise Busy(f"{name} is being trained by another program; its files change")
            if status == "finished":
                raise UsageError(f"{name} has finished; begin a new run that starts from it")
            self._refuse_more("train")
            self.jobs.start(run.folder, "train")

    def rate(self, name: str) -> None:
        """Let the networks that a run kept play each other. Raises Busy or UsageError."""
        run = self._run(name)
        if len(networks_of(run.folder)) < 2:
            raise UsageError(f"{name} has kept one network so far; rating needs at least two")
        with self._starting:
            self._refuse_more("topp")
            self.jobs.start(run.folder, "topp")

    def stop(self, name: str) -> None:
        """Ask a run's training to save all and end, or else its rating."""
        run = self._run(name)
        for kind in ("train", "topp"):
            if self.jobs.look(run.folder, kind).running:
                self.jobs.stop(run.folder, kind)
                return
        if status_of(run, self.jobs.look(run.folder, "train")) == "elsewhere":
            raise UsageError(f"{name} was not started from here; stop it where it runs, by Ctrl-C")
        raise UsageError(f"{name} does not run")

    def actor_status(self, kind: Kind) -> list[str]:
        """The runs that train, or are rated, as children of this or an earlier server."""
        return [name for name in self.names() if self.jobs.look(self.folder / name, kind).running]

    def _refuse_more(self, kind: Kind) -> None:
        busy = self.actor_status(kind)
        if len(busy) >= self.at_once:
            what = "trains" if kind == "train" else "is being rated"
            raise Busy(f"{busy[0]} {what} now; stop it first, or wait for its end")

    # ------------------------------------------------------------ reading

    def _run(self, name: str) -> RunView:
        """Raises NotFound, or MeepleError where its files cannot be read."""
        folder = self.folder / name
        known = re.fullmatch(NAME, name) and name in listing(self.folder)
        if not known or not holds_run(folder):
            raise NotFound(f"there is no run {name[:64]!r} here")
        config, game, since = self._config(folder / CONFIG)
        return view_run(folder, config, game, since)

    def _config(self, file: Path) -> _Read:
        """A run's configuration, its game, and when its file was written."""
        try:
            stat = file.stat()
        except OSError as error:
            raise RunError(f"cannot read {file.name}: {error.strerror}") from None
        key = (file, stat.st_mtime_ns, stat.st_size)
        found = self._configs.get(key)
        if found is None:
            try:
                config = config_of(file.parent)
                found = config, config.make_game(), stat.st_mtime_ns
            except MeepleError as error:
                raise RunError(self._placeless(str(error))) from None
            self._configs[key] = found
            while len(self._configs) > 2 * MOST_LISTED:
                self._configs.popitem(last=False)
        return found

    def _short(self, run: RunView) -> dict[str, Any]:
        train = self.jobs.look(run.folder, "train")
        status = status_of(run, train)
        report = tournament_result(run.folder)
        return {
            "name": run.name,
            "game": run.game.name,
            "title": title_of(run.game),
            "options": dict(run.game.options),
            "status": status,
            "late": train.late,
            "rating": self.jobs.look(run.folder, "topp").running,
            "episodes": run.done if status in AT_WORK else run.episodes,
            "of": run.target,
            "unit": run.config.unit,
            "changed": round(run.changed, 1),
            "gain": report["gain"] if isinstance(report, dict) else None,
            "place": place_of(run),
            "problem": self._placeless("; ".join(run.damages)) or None,
        }

    def _advice(self, run: RunView, found: RunFinding) -> str:
        """A finding in a sentence, without the place of the game's file."""
        file = file_of(run.game)
        text = f"{sentence(found)}."
        return text if file is None else text.replace(str(file), file.name)

    def _placeless(self, sentence: str) -> str:
        """A sentence without the place of the folder of runs."""
        return sentence.replace(f"{self.folder}{os.sep}", "")

    def _figures(self, run: RunView, since: int) -> tuple[_Figures, str | None]:
        """A run's curves after an episode, and what is damaged there."""
        key = (run.name, run.configured)
        with self._reading:
            curves = self._curves.pop(key, None) or Curves(run.folder, run.target)
            self._curves[key] = curves
            while len(self._curves) > MOST_FOLLOWED:
                self._curves.popitem(last=False)
            try:
                curves.update()
                damage = None
            except RunError as error:
                damage = str(error)
            return _Figures(*curves.since(since), curves.speed, curves.history.waves[:]), damage

    def _output(self, run: RunView, status: str, train: Job, topp: Job) -> list[str]:
        """What a child said that failed, was stopped, or is still getting ready."""
        if is_unrated(train, topp):
            return self.jobs.output(run.folder, "topp")
        ready = run.episodes > 0 or status in ("finished", "elsewhere")
        silent = ready and status not in ("failed", "stopped")
        return [] if silent else self.jobs.output(run.folder, "train")
