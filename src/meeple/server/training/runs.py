"""The runs of a folder: progress, curves, ratings and games; start, stop and rate runs.

A client's name is looked up in the folder's listing, so it cannot lead outside. All calls block,
some for seconds: make them in threads.
"""

import contextlib
import itertools
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from meeple.agents.networks import shipped_networks
from meeple.errors import MeepleError, RunError, UsageError
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.games.contract.registry import file_of
from meeple.learn.config import AnyConfig
from meeple.learn.evaluation.findings import RunFinding, findings
from meeple.learn.evaluation.results import progress
from meeple.learn.run.chosen import RACE, enter, read_race
from meeple.learn.run.cluster import view_of
from meeple.learn.run.folder import CONFIG, GAMES, RunFolder, config_of, holds_run, is_being_trained
from meeple.learn.run.games import games_after, last_games
from meeple.learn.run.logs import last_lines, log_names
from meeple.learn.run.schema import WaveMetrics
from meeple.learn.run.view import (
    RunView,
    last_episode,
    networks_of,
    place_of,
    runs_in,
    time_left,
    topp_result,
    view_run,
)
from meeple.learn.usual import MANY
from meeple.sentences import in_turn, with_replaced
from meeple.server.errors import Busy, Forbidden, NotFound, refusal
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.play.seats import digest, new_token
from meeple.server.training.answers import (
    ClusterFacts,
    CurveData,
    Finding,
    LogTail,
    Report,
    RunFacts,
    RunWords,
    Samples,
    Unit,
    Unreadable,
)
from meeple.server.training.budget import check_budget, check_room, excess_of, size_of
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
from meeple.server.training.processes import Kind, RunProcess, RunProcesses

NAME = r"[a-z0-9][a-z0-9._-]{0,63}"

_Read = tuple[AnyConfig, Game, int]  # a configuration, its game, when it was written


class _Figures(NamedTuple):
    """The curves and waves of a run."""

    since: int  # episode after which the curves begin
    curves: list[CurveData]
    speed: float | None  # recent episodes a second
    waves: list[WaveMetrics]


class Runs:
    """The runs of one folder; thread-safe."""

    def __init__(
        self,
        folder: Path,
        game_files: Sequence[str] = (),
        limits: ServerLimits = LIMITS,
        *,
        only_here: bool = True,
    ) -> None:
        """Create the runs; `only_here`: every visitor is on this machine, and may do all."""
        self.folder, self._limits, self._only_here = folder.resolve(), limits, only_here
        self.processes = RunProcesses(game_files, limits.stop_seconds)
        self._starting = threading.Lock()
        self._reading = threading.Lock()  # of curves
        self._curves: OrderedDict[tuple[str, int], Curves] = OrderedDict()
        self._configs: OrderedDict[tuple[Path, int, int], _Read] = OrderedDict()

    # ------------------------------------------------------------ queries

    def names(self) -> list[str]:
        """Return the names of the folder's runs, the last changed first."""
        races = [path.parent for path in self.folder.glob(f"*/{RACE}")]
        runs = [*(path for path in races if not holds_run(path)), *runs_in(self.folder)]
        names = [path.name for path in runs if re.fullmatch(NAME, path.name)]
        return names[: self._limits.max_listed_runs]

    def all(self) -> list[RunWords | Unreadable]:
        """Return a summary of every run; of an unreadable one, the reason."""
        found: list[RunWords | Unreadable] = []
        for name in self.names():
            try:
                found.append(self._summary(self._run(name)))
            except MeepleError as error:
                found.append(Unreadable(name=name, problem=str(error)))
        return found

    def facts(self, name: str, since: int = 0, tokens: Iterable[str] = ()) -> RunFacts:
        """Return all facts of a run; the points of its curves after the episode `since`."""
        run = self._run(name)
        home = self.folder / name
        train, topp = self.processes.look(home, "train"), self.processes.look(home, "topp")
        status = status_of(run, train)
        networks, report = self._networks(run), _report(run)
        figures, damage = self._figures(run, since)
        damages = [*run.damages, damage, report if isinstance(report, str) else None]
        sentences = [self._without_folder(one) for one in damages if one]
        problem = problem_of(name, status, train, topp) or (
            in_turn(sentences) if sentences else None
        )
        return RunFacts(
            **{**dict(self._summary(run)), "problem": problem},
            race=run.folder.name if run.races else None,
            seconds=round(run.seconds, 1),
            left=time_left(run, figures.speed) if status in AT_WORK else None,
            networks=list(networks),
            marks=None if run.config.length >= MANY else run.config.planned_networks,
            since=figures.since,
            curves=figures.curves,
            progress=[*_race(home), *progress(figures.waves, len(run.game.sides))],
            findings=[_finding(run, one) for one in findings(figures.waves, run.config)],
            topp=report if isinstance(report, Report) else None,
            output=self._output(run, status, train, topp),
            spec=spec_of(name, run.config) if networks else None,
            settings=settings_of(run.config),
            yours=self._may_command(tokens, train, topp),
            cluster=_cluster(run),
            logs=log_names(run.folder)[: self._limits.max_listed_logs],
        )

    def games(self, name: str, after: int | None, limit: int) -> Samples:
        """Return the first games of self-play after an episode, or the last ones."""
        run = self._run(name)
        file = run.folder / GAMES
        try:
            lines = last_games(file, limit) if after is None else games_after(file, after, limit)
        except RunError as error:
            raise RunError(self._without_folder(str(error))) from None
        samples = (sample_of(run.game, line) for line in lines)
        return Samples(games=[one for one in samples if one], last=last_episode(file))

    def log(self, name: str, actor: str) -> LogTail:
        """Return the last lines of the log of a run's actor; raise NotFound without one."""
        run = self._run(name)
        if actor not in log_names(run.folder):
            raise refusal(NotFound, "no_log", name=name, actor=actor[:64])
        try:
            lines = last_lines(run.folder, actor, self._limits.max_log_lines)
        except RunError as error:
            raise RunError(self._without_folder(str(error))) from None
        return LogTail(name=actor, lines=[self._without_folder(line) for line in lines])

    # ------------------------------------------------------------ commands

    def begin(self, name: str, config: str, changes: Mapping[str, Any]) -> str:
        """Create a run of a ready configuration with changes, and start it.

        Returns:
            The token with which its visitor may stop and resume it.

        Raises:
            UsageError: The name is invalid or taken.
            ConfigError: A field is wrong, or the run needs more than a page may.
            TooMuch: The folder of runs is full.
            Busy: The maximum number of runs is being trained.
        """
        need("torch", "training")
        if not re.fullmatch(NAME, name):
            raise refusal(UsageError, "run_name")
        if name in shipped_networks():
            raise refusal(UsageError, "shipped_name", name=name)
        settled = settle(config, changes, self.folder)
        with self._starting:
            self._refuse_more("train")
            if (self.folder / name).exists():
                raise refusal(UsageError, "run_exists", name=name)
            check_budget(settled, self.folder, self._limits)
            token = new_token()
            RunFolder(self.folder / name).create(settled)
            self.processes.start(self.folder / name, "train", digest(token))
            return token

    def learn(self, game: Game, minutes: float) -> tuple[str, str]:
        """Start a run that learns a game for some minutes by the method that wins a race.

        Returns:
            The name of the run, and the token of `begin`.

        Raises:
            UsageError: No method fits the game.
            TooMuch, Busy: As for `begin`.
        """
        need("torch", "training")
        base = re.sub("[^a-z0-9._-]", "-", game.name.lower())[:48]
        with self._starting:
            self._refuse_more("train")
            check_room(self.folder, self._limits)
            taken = {*shipped_networks(), *listing(self.folder)}
            names = itertools.chain([base], (f"{base}-{n}" for n in itertools.count(2)))
            name = next(name for name in names if name not in taken)
            enter(game, self.folder / name, minutes)
            token = new_token()
            self.processes.start(self.folder / name, "train", digest(token), game, minutes)
            return name, token

    def resume(self, name: str, tokens: Iterable[str] = ()) -> None:
        """Resume a run; raise Busy and TooMuch as `begin`, UsageError if it is finished."""
        need("torch", "training")
        run = self._run(name)
        home = self.folder / name
        with self._starting:
            train = self.processes.look(home, "train")
            status = status_of(run, train)
            if status == "elsewhere":
                raise refusal(Busy, "trained_elsewhere", name=name)
            if status == "finished":
                raise refusal(UsageError, "run_finished", name=name)
            self._refuse_more("train")
            self._check_command(name, tokens, train)
            check_room(self.folder, self._limits)
            self.processes.start(home, "train", train.owner, run.game, train.minutes)

    def rate(self, name: str) -> str:
        """Start the TOPP of a run's saved networks; raise Busy, TooMuch or UsageError.

        Returns:
            The token with which its visitor may stop it.
        """
        run = self._run(name)
        if len(self._networks(run)) < 2:
            raise refusal(UsageError, "one_network", name=name)
        with self._starting:
            self._refuse_more("topp")
            check_room(self.folder, self._limits)
            token = new_token()
            self.processes.start(run.folder, "topp", digest(token))
        return token

    def stop(self, name: str, tokens: Iterable[str] = ()) -> None:
        """Ask a run's training to save and end, or else its rating; raise Forbidden."""
        run, tokens = self._run(name), tuple(tokens)
        for kind in ("train", "topp"):
            process = self.processes.look(self.folder / name, kind)
            if process.running:
                self._check_command(name, tokens, process)
                self.processes.stop(self.folder / name, kind)
                return
        if status_of(run, self.processes.look(self.folder / name, "train")) == "elsewhere":
            raise refusal(UsageError, "started_elsewhere", name=name)
        raise refusal(UsageError, "run_does_not_run", name=name)

    def running(self, kind: Kind) -> list[str]:
        """Return the runs whose child process of this kind is running."""
        return [
            name for name in self.names() if self.processes.look(self.folder / name, kind).running
        ]

    def stop_excess(self) -> None:
        """Stop the running processes that take more memory or disk than they may."""
        kinds: tuple[Kind, ...] = ("train", "topp")
        found = [(self.folder / name, kind) for kind in kinds for name in self.running(kind)]
        used = size_of(self.folder) if found else 0
        for folder, kind in found:
            process = self.processes.look(folder, kind)
            excess = excess_of(process, used, self._limits, only_here=self._only_here)
            if process.owner and excess and not process.excess:
                self.processes.stop(folder, kind, excess)

    def _may_command(self, tokens: Iterable[str], *processes: RunProcess) -> bool:
        """Return whether a visitor may stop and resume one of these processes."""
        owners = {process.owner for process in processes}
        return self._only_here or not owners.isdisjoint(map(digest, tokens))

    def _check_command(self, name: str, tokens: Iterable[str], process: RunProcess) -> None:
        if not self._may_command(tokens, process):
            raise refusal(Forbidden, "not_your_run", name=name)

    def _refuse_more(self, kind: Kind) -> None:
        busy = self.running(kind)
        if len(busy) >= self._limits.max_runs_at_once:
            raise refusal(Busy, f"{kind}_busy", name=busy[0])

    # ------------------------------------------------------------ reading

    def _run(self, name: str) -> RunView:
        """Return a run; raise NotFound, or another MeepleError if its files cannot be read."""
        known = re.fullmatch(NAME, name) and name in listing(self.folder)
        folder = self.folder / name
        if known and not holds_run(folder):
            methods = runs_in(folder / RACE)
            folder = next(filter(is_being_trained, methods), methods[0] if methods else folder)
        if not known or not holds_run(folder):
            raise refusal(NotFound, "no_run", name=name[:64])
        config, game, since = self._config(folder / CONFIG)
        return replace(view_run(folder, config, game, since), name=name)

    def _networks(self, run: RunView) -> Sequence[int]:
        """Return the episodes of the saved networks; those of a race are not the run's yet."""
        return () if run.races else networks_of(run.folder)

    def _config(self, file: Path) -> _Read:
        """Return a run's configuration, its game, and the time of its file in ns."""
        try:
            stat = file.stat()
        except OSError as error:
            raise refusal(RunError, "cannot_read", name=file.name, reason=error.strerror) from None
        key = (file, stat.st_mtime_ns, stat.st_size)
        found = self._configs.get(key)
        if found is None:
            try:
                config = config_of(file.parent)
                found = config, config.make_game(), stat.st_mtime_ns
            except MeepleError as error:
                raise RunError(self._without_folder(str(error))) from None
            self._configs[key] = found
            while len(self._configs) > 2 * self._limits.max_listed_runs:
                self._configs.popitem(last=False)
        return found

    def _summary(self, run: RunView) -> RunWords:
        home = self.folder / run.name
        train = self.processes.look(home, "train")
        status = status_of(run, train)
        report = _report(run)
        return RunWords(
            name=run.name,
            game=run.game.name,
            title=run.game.title,
            options=dict(run.game.options),
            status=status,
            late=train.late,
            rating=self.processes.look(home, "topp").running,
            episodes=run.done if status in AT_WORK else run.episodes,
            of=None if run.config.length >= MANY else run.config.length,
            unit=cast(Unit, run.config.unit),
            changed=round(run.changed, 1),
            gain=report.gain if isinstance(report, Report) else None,
            place=place_of(run),
            problem=self._without_folder(in_turn(run.damages)) if run.damages else None,
        )

    def _without_folder(self, sentence: str) -> str:
        """Return a sentence without the path of the folder of runs."""
        return str(with_replaced(sentence, f"{self.folder}{os.sep}", ""))

    def _figures(self, run: RunView, since: int) -> tuple[_Figures, str | None]:
        """Return a run's curves after an episode, and the error of damaged ones."""
        key = (run.name, run.configured)
        with self._reading:
            curves = self._curves.pop(key, None) or Curves(run.folder, run.config.length)
            self._curves[key] = curves
            while len(self._curves) > self._limits.max_runs_with_curves:
                self._curves.popitem(last=False)
            try:
                curves.update()
                damage = None
            except RunError as error:
                damage = str(error)
            return _Figures(*curves.since(since), curves.speed, curves.history.waves[:]), damage

    def _output(self, run: RunView, status: str, train: RunProcess, topp: RunProcess) -> list[str]:
        """Return the output of a child that failed, was stopped, or is still starting."""
        if is_unrated(train, topp):
            return self.processes.output(self.folder / run.name, "topp")
        ready = (run.episodes > 0 and not run.races) or status in ("finished", "elsewhere")
        silent = ready and status not in ("failed", "stopped")
        return [] if silent else self.processes.output(self.folder / run.name, "train")


def _race(home: Path) -> list[str]:
    """Return what decided the race of a run, if it was made by one and its record can be read."""
    with contextlib.suppress(RunError):
        race = read_race(home)
        return race.sentences if race else []
    return []


def _report(run: RunView) -> Report | str | None:
    """Return the TOPP of a run's networks; a sentence if its file is damaged."""
    found = topp_result(run.folder)
    return Report.model_validate(found) if isinstance(found, dict) else found


def _finding(run: RunView, found: RunFinding) -> Finding:
    """Return a finding without the path of the game's file."""
    file = file_of(run.game)
    advice = found.advice if file is None else with_replaced(found.advice, str(file), file.name)
    return Finding(problem=found.words, advice=advice)


def _cluster(run: RunView) -> ClusterFacts | None:
    if not run.cluster:
        return None
    return ClusterFacts.model_validate(view_of(run.cluster, is_being_trained(run.folder)))
