"""What a study is: experiments with what they found there, run here one by one and kept."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from meeple.agents.agent import Agent
from meeple.arena.match import match
from meeple.arena.result import MatchResult
from meeple.arena.statistics import wilson_interval
from meeple.errors import RunError, Stopped, UsageError
from meeple.executors.place import Place
from meeple.files import write_atomically
from meeple.games.contract.game import Game
from meeple.options import Option, OptionValue, check_options

RESULTS = "results.json"  # in a study's folder
GAMES = "games"  # the folder there with the games of matches
STUDIES = "reproduce"  # of all studies' folders, in that of runs

Progress = Callable[[int, int], None]  # called with how many are done, and of all


@dataclass(frozen=True)
class Effort:
    """How much an experiment may take."""

    games: int | None = None
    """Games or positions of each experiment; None: as many as it is meant to have."""
    seed: int = 7
    pace: float = 1.0
    """Seconds a move, and games that are learned from before, are multiplied by it."""
    workers: int | None = None
    """Games at once; None: one a core, or one where an agent stops by the clock."""
    on: Place | None = None
    """Where matches between specs are played; None: here."""
    folder: Path = Path()
    """Where a study may keep more than its results; `reproduce` sets it."""
    settings: Mapping[str, OptionValue] = field(default_factory=dict)
    """Of the study, all that it has."""

    def seconds(self, meant: float) -> str:
        """Wall clock a move, as an agent spec takes it."""
        return f"{max(meant * self.pace, 0.001):g}"

    def lessons(self, meant: int) -> int:
        """Games that are learned from before those that count."""
        return max(round(meant * self.pace), 1)


@dataclass(frozen=True)
class ExperimentResult:
    """What an experiment found: a share of so many games or positions, with its interval.

    Where it counted none, as an agent may have no seat in few games, there is no share to show.
    """

    share: float
    count: int
    interval: tuple[float, float]  # Wilson, 95 %
    detail: str = ""  # "12 won, 1 drawn, 7 lost"


@dataclass(frozen=True)
class Experiment:
    """One question of a study."""

    name: str  # in the file of results
    question: str
    theirs: str  # what the study found, in words; "" where it did not ask
    games: int  # that it is meant to have
    run: Callable[[Effort, int, Progress], ExperimentResult]  # with its games or positions


@dataclass(frozen=True)
class Statistic:
    """A line that is told beside the table: what it is of, and its numbers by name."""

    name: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Study:
    """A study: its experiments in order, and what a reader must know to compare."""

    name: str
    title: str
    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...] = field(default=())
    needs: tuple[str, ...] = ()  # libraries of extras
    settings: Mapping[str, Option] = field(default_factory=dict)  # that may be set otherwise
    statistics: Callable[[Path], Sequence[Statistic]] = lambda folder: ()
    """What else the files in its folder tell, once they are there."""


def reproduce(
    study: Study,
    effort: Effort,
    folder: Path,
    *,
    only: Sequence[str] = (),
    on_found: Callable[[Experiment, ExperimentResult, bool], None],
    progress_of: Callable[[Experiment], Any],
) -> None:
    """Run a study's experiments; those that the folder has of the same effort are only read.

    Args:
        folder: where results are kept, each as soon as it is there; made if need be.
        only: names of experiments; none means all.
        on_found: called with each experiment, what it found, and whether that was kept before.
        progress_of: gives a context whose value is called with what is done, and of all.

    Raises UsageError for an unknown name, OptionError for a wrong setting, RunError where the
    folder cannot be read or written; Stopped or KeyboardInterrupt at Ctrl-C, when all experiments
    that were finished are kept.
    """
    names = [experiment.name for experiment in study.experiments]
    if unknown := sorted(set(only) - set(names)):
        raise UsageError(f"{study.name} has no experiment {unknown[0]}; it has {', '.join(names)}")
    kept = _read(folder / RESULTS)
    settings = check_options(study.name, study.settings, effort.settings, word="setting")
    effort = replace(effort, folder=folder, settings=settings)
    for experiment in study.experiments:
        if only and experiment.name not in only:
            continue
        count = experiment.games if effort.games is None else effort.games
        terms: dict[str, Any] = {"games": count, "seed": effort.seed, "pace": effort.pace}
        if study.settings:
            terms["settings"] = dict(settings)
        entry = kept.get(experiment.name)
        if entry is not None and entry["terms"] == terms:
            on_found(experiment, _as_found(entry, folder), True)
            continue
        with progress_of(experiment) as progress:
            found = experiment.run(effort, count, progress)
        kept[experiment.name] = {"terms": terms, "found": asdict(found)}
        _write(folder / RESULTS, kept)
        on_found(experiment, found, False)


def _read(path: Path) -> dict[str, Any]:
    """The results kept before, or none."""
    try:
        kept = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise RunError(f"cannot read {path}: {error}") from None
    if not isinstance(kept, dict) or not all(
        isinstance(entry, dict) and {"terms", "found"} <= entry.keys() for entry in kept.values()
    ):
        raise RunError(f"{path} holds no results of a study; choose another folder")
    return kept


def _as_found(entry: Mapping[str, Any], folder: Path) -> ExperimentResult:
    try:
        found = ExperimentResult(**entry["found"])
        return ExperimentResult(
            found.share, found.count, (found.interval[0], found.interval[1]), found.detail
        )
    except (TypeError, LookupError):
        raise RunError(f"{folder / RESULTS} holds no results of a study") from None


def _write(path: Path, kept: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(kept, indent=2) + "\n")
    except OSError as error:
        raise RunError(f"cannot save {path}: {error.strerror or error}") from error


# ---------------------------------------------------------------- what experiments are made of


def whole_match(
    game: Game, agents: Sequence[str | Agent], effort: Effort, games: int, progress: Progress
) -> MatchResult:
    """A match as an experiment plays it. Raises Stopped where Ctrl-C broke it off.

    Between specs each game is kept in the study's folder, and an experiment that was broken off
    goes on from there. Ready-made agents may have learned what no folder knows: their match begins
    anew.
    """
    result = match(
        game,
        agents,
        games,
        effort.seed,
        run=_games_folder(game, agents, effort),
        workers=effort.workers,
        on=effort.on if all(isinstance(agent, str) for agent in agents) else None,
        progress=progress,
    )
    if result.interrupted:
        raise Stopped
    return result


def _games_folder(game: Game, agents: Sequence[str | Agent], effort: Effort) -> Path | None:
    """Where a match's games are kept: by all that they depend on, as a store asks."""
    if effort.folder == Path() or not all(isinstance(agent, str) for agent in agents):
        return None
    terms = json.dumps([game.name, dict(game.options), list(map(str, agents)), effort.seed])
    return effort.folder / GAMES / hashlib.sha256(terms.encode()).hexdigest()[:16]


def share_of_match(
    game: Game, agents: Sequence[str | Agent], effort: Effort, games: int, progress: Progress
) -> ExperimentResult:
    """The first agent's share in a match. Raises Stopped where Ctrl-C broke it off."""
    first = whole_match(game, agents, effort, games, progress).agents[0]
    detail = f"{first.wins} won, {first.draws} drawn, {first.losses} lost"
    if "seconds=" in first.spec:
        detail += f"; {first.simulations_per_move:,.0f} simulations a move"
    return ExperimentResult(first.share, first.games, first.interval, detail)


def share_of(hits: int, count: int, detail: str = "") -> ExperimentResult:
    """A share of things counted one by one."""
    if count == 0:
        return ExperimentResult(0.0, 0, (0.0, 1.0), detail)
    return ExperimentResult(hits / count, count, wilson_interval(hits, count), detail)
