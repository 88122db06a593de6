"""Studies: experiments with their published results, which are run again and saved."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from meeple.agents.agent import Agent
from meeple.arena.figures.match_result import MatchResult
from meeple.arena.figures.statistics import wilson_interval
from meeple.arena.match import match
from meeple.errors import RunError, Stopped, UsageError
from meeple.executors.backend import Place
from meeple.files import save
from meeple.games.contract.game import Game
from meeple.options import Option, OptionValue, check_options

RESULTS = "results.json"  # in a study's folder
GAMES = "games"  # subfolder with the games of matches

Progress = Callable[[int, int], None]  # called with the number done and the total


@dataclass(frozen=True)
class Effort:
    """The size of a reproduction."""

    games: int | None = None
    """Games or positions of each experiment; None: the experiment's default."""
    seed: int = 7
    pace: float = 1.0
    """Factor of the seconds a move and of the training games."""
    workers: int | None = None
    """Games at once; None: one a core, or one if an agent stops by the clock."""
    on: Place | None = None
    """Where matches between specs are played; None: in this process."""
    folder: Path = Path()
    """The study's folder, for files besides the results; `reproduce` sets it."""
    settings: Mapping[str, OptionValue] = field(default_factory=dict)
    """The study's settings; `reproduce` adds the defaults."""

    def seconds(self, meant: float) -> str:
        """Return the wall-clock seconds a move, as text for an agent spec."""
        return f"{max(meant * self.pace, 0.001):g}"

    def training_games(self, meant: int) -> int:
        """Return the number of training games before the evaluated games."""
        return max(round(meant * self.pace), 1)


@dataclass(frozen=True)
class ExperimentResult:
    """The result of an experiment: a share of `count` games or positions, with its interval.

    With a count of 0, since an agent may have no seat in few games, the share has no meaning.
    """

    share: float
    count: int  # games or positions
    interval: tuple[float, float]  # Wilson, 95 %
    detail: str = ""  # "12 won, 1 drawn, 7 lost"


@dataclass(frozen=True)
class Experiment:
    """One question of a study."""

    name: str  # key in the file of results
    question: str
    theirs: str  # the published result, as text; "" if there is none
    games: int  # default number of games or positions
    run: Callable[[Effort, int, Progress], ExperimentResult]  # called with the number of games


@dataclass(frozen=True)
class Statistic:
    """A line below the table of results: a name, and numbers by name."""

    name: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Study:
    """A study: its experiments in order, and notes for the comparison."""

    name: str
    title: str
    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...] = field(default=())
    needs: tuple[str, ...] = ()  # optional libraries
    settings: Mapping[str, Option] = field(default_factory=dict)  # that a user may change
    statistics: Callable[[Path], Sequence[Statistic]] = lambda folder: ()
    """Returns further statistics of the files in the study's folder."""


def reproduce(
    study: Study,
    effort: Effort,
    folder: Path,
    *,
    only: Sequence[str] = (),
    on_found: Callable[[Experiment, ExperimentResult, bool], None],
    progress_of: Callable[[Experiment], Any],
) -> None:
    """Run a study's experiments, except those whose results for the same effort are saved.

    Args:
        study: the study.
        effort: games, seed, pace and settings.
        folder: saves each result as soon as it is there; created if missing.
        only: names of experiments; empty means all.
        on_found: called with each experiment, its result, and whether it was saved before.
        progress_of: returns a context manager for an experiment, whose value is called with the
            number done and the total.

    Raises:
        UsageError: an experiment's name is unknown.
        OptionError: a setting is wrong.
        RunError: the folder cannot be read or written.
        Stopped: Ctrl-C was pressed (or KeyboardInterrupt is raised); all finished experiments are
            saved.
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
        save(folder / RESULTS, json.dumps(kept, indent=2) + "\n")
        on_found(experiment, found, False)


def _read(path: Path) -> dict[str, Any]:
    """Return the saved results; empty if there are none."""
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


# ---------------------------------------------------------------- parts of experiments


def whole_match(
    game: Game, agents: Sequence[str | Agent], effort: Effort, games: int, progress: Progress
) -> MatchResult:
    """Play the match of an experiment. Raises Stopped at Ctrl-C.

    Games between specs are saved in the study's folder, from which an interrupted experiment
    resumes. A match of ready-made agents begins anew, since they may have state that is not saved.
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
    """Return the folder of a match's games, named by a hash of all that they depend on."""
    if effort.folder == Path() or not all(isinstance(agent, str) for agent in agents):
        return None
    terms = json.dumps([game.name, dict(game.options), list(map(str, agents)), effort.seed])
    return effort.folder / GAMES / hashlib.sha256(terms.encode()).hexdigest()[:16]


def share_of_match(
    game: Game, agents: Sequence[str | Agent], effort: Effort, games: int, progress: Progress
) -> ExperimentResult:
    """Return the first agent's share in a match. Raises Stopped at Ctrl-C."""
    first = whole_match(game, agents, effort, games, progress).agents[0]
    detail = f"{first.wins} won, {first.draws} drawn, {first.losses} lost"
    if "seconds=" in first.spec:
        detail += f"; {first.simulations_per_move:,.0f} simulations a move"
    return ExperimentResult(first.share, first.games, first.interval, detail)


def share_of(hits: int, count: int, detail: str = "") -> ExperimentResult:
    """Return the share `hits` / `count` with its Wilson interval."""
    if count == 0:
        return ExperimentResult(0.0, 0, (0.0, 1.0), detail)
    return ExperimentResult(hits / count, count, wilson_interval(hits, count), detail)
