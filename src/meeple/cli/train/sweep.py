"""`meeple train --sweep`: a run for each value of a field, and a table that compares them."""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from meeple.agents.networks import RUNS, find_checkpoint
from meeple.arena.figures.standings import Standings
from meeple.arena.topp import play_networks
from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.interrupt import say_stopped
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.reports import print_standings
from meeple.cli.train.learning import learn
from meeple.cli.train.runs import listed
from meeple.cli.train.runs_shown import sweep_shown, wide_console
from meeple.errors import ConfigError, RunError, UsageError, shown
from meeple.games.contract.game_words import game_words
from meeple.learn.config import AnyConfig, find_config, load, toml
from meeple.learn.config.sections import read_toml
from meeple.learn.run.folder import RunFolder, holds_run
from meeple.learn.run.view import SUPPORT, read_run
from meeple.learn.training_run import resumed_config
from meeple.shell import Word

MAX_SWEPT = 20  # values of a sweep
SEED = 7  # of the games between the networks
OF_GAMES = (
    "The intervals are those of the games: another seed trains other networks, so repeat the sweep "
    "with another run.seed."
)
_UNSAFE = re.compile(r"[^\w.=+-]+")  # in the name of a folder
_MAX_NAME_CHARS = 60


@dataclass(frozen=True)
class SweptRun:
    """The run of one value."""

    value: str
    changes: tuple[str, ...]  # of the configuration, that of the value included
    folder: Path
    settings: AnyConfig


@dataclass(frozen=True)
class Sweep:
    """The runs of all values of a field."""

    field: str
    folder: Path
    runs: tuple[SweptRun, ...]

    def check_folders(self, *, resume: bool) -> None:
        """Raise MeepleError if a run exists, or to resume, if none does or one differs."""
        begun = [run for run in self.runs if holds_run(run.folder)]
        if resume and not begun:
            raise RunError(f"{self.folder} holds no run of {self.field} to resume")
        for run in begun:
            if resume:
                resumed_config(run.folder, changes=run.changes)
            else:
                RunFolder(run.folder).refuse_existing()


def plan_sweep(
    text: str, config: str, changes: Sequence[str] = (), folder: Path | None = None
) -> Sweep:
    """Return the runs of a sweep, with a folder each.

    Args:
        text: such as "search.c=0.5,1,2".
        config: a .toml file, or the name of a ready configuration.
        changes: of every run, such as "run.episodes=200".
        folder: of the sweep; None: the default one, for the file of the configuration.

    Raises:
        UsageError: the text has another form, or too many values.
        ConfigError: a value is not allowed, or two give the same run.
    """
    field, values = _values(text)
    file = find_config(config)
    place = folder or RUNS / f"{file.stem}-sweep"
    runs: list[SweptRun] = []
    for value in values:
        all_changes = (*changes, f"{field}={value}")
        settings = load(file, all_changes)
        if not SUPPORT[settings.method].plays_games:
            raise UsageError("--sweep is for runs that play games, not for those on records")
        name = _UNSAFE.sub("-", f"{field}={value}")[:_MAX_NAME_CHARS].rstrip(".-")
        for other in runs:
            if settings == other.settings:
                raise ConfigError(f"--sweep: {shown(other.value)} and {shown(value)} are the same")
            if name == other.folder.name:
                name = f"{name}-{len(runs) + 1}"
        runs.append(SweptRun(value, all_changes, place / name, settings))
    return Sweep(field, place, tuple(runs))


def _values(text: str) -> tuple[str, list[str]]:
    """Return the field of a sweep, and its values as TOML or as words."""
    field, equals, listed = text.partition("=")
    if not equals:
        raise UsageError(f"{shown(text)} is no sweep; write section.field=value,value")
    try:
        values = [toml(value) for value in read_toml(f"values = [{listed}]")["values"]]
    except (ValueError, TypeError):
        values = [word.strip() for word in listed.split(",")]
    if not 2 <= len(values) <= MAX_SWEPT:
        raise UsageError(
            f"--sweep takes 2 to {MAX_SWEPT} values, not {len(values):,}: each is a whole run"
        )
    return field.strip(), values


def run_sweep(
    sweep: Sweep,
    again: Sequence[Word],
    as_json: bool,
) -> None:
    """Train all runs of a sweep that are not finished, one after the other, and print the table.

    Args:
        sweep: the runs.
        again: the command that resumes the sweep.
        as_json: print the table as JSON.

    Raises:
        RunError, CheckpointError: a folder cannot be read or written.
    """
    game = sweep.runs[0].settings.make_game()
    try:
        for number, run in enumerate(sweep.runs, start=1):
            fresh = not holds_run(run.folder)
            print(f"{number} of {len(sweep.runs)}: {run.folder}", file=sys.stderr, flush=True)
            if not fresh and read_run(run.folder).is_over:
                continue
            if learn(run.folder, run.settings, watch=None, fresh=fresh, again=again) is None:
                raise typer.Exit(INTERRUPTED)
        standings = _compare(sweep)
    except KeyboardInterrupt:
        say_stopped(game, *again)
        raise typer.Exit(INTERRUPTED) from None
    found = _data(sweep, standings)
    if as_json:
        print(json.dumps(found, indent=2))
        return
    print(f"{game.title}: {sweep.field} in {len(sweep.runs)} runs, in {sweep.folder}")
    wide_console().print(sweep_shown(found))
    if standings is not None:
        print(
            f"Games between the final networks, without search, policy {found['policy']}, "
            f"{found['games_per_pair']} for each pair, seed {SEED}"
        )
        print_standings(standings, standings.names, sweep.field, range(len(sweep.runs)))
        print(f"{found['verdict']} {OF_GAMES}")


def _compare(sweep: Sweep) -> Standings | None:
    """Let the final networks of all runs play each other; None if their games differ.

    Raises KeyboardInterrupt after Ctrl-C.
    """
    games = [run.settings.make_game() for run in sweep.runs]
    if len({str(game_words(game)) for game in games}) > 1 or len(games[0].sides) < 2:
        return None
    topp = sweep.runs[0].settings.topp
    files = [find_checkpoint(run.folder) for run in sweep.runs]
    names = [run.value for run in sweep.runs]
    chance = topp.epsilon if topp.policy == "epsilon" else 0.0
    with progress_bar("playing") as progress:
        _, standings, whole = play_networks(
            files, names, topp.games, topp.policy, chance, SEED, progress
        )
    if not whole:
        raise KeyboardInterrupt
    return standings


def _data(sweep: Sweep, standings: Standings | None) -> dict[str, Any]:
    """Return what every run measured, and the result of the games between the networks."""
    runs = [{"value": run.value, **listed(run.folder)} for run in sweep.runs]
    found = {"field": sweep.field, "folder": str(sweep.folder), "runs": runs, "networks": None}
    if standings is None:
        return found
    topp = sweep.runs[0].settings.topp
    return {
        **found,
        "policy": topp.policy,
        "games_per_pair": topp.games,
        "seed": SEED,
        "networks": standings.to_json(),
        "matrix": standings.matrix_json(),
        "verdict": _verdict(sweep.field, standings),
    }


def _verdict(field: str, standings: Standings) -> str:
    """Return whether one network is rated above all others, as a sentence."""
    best, *others = standings.ranking()
    lowest = min(standings.ratings.difference(best, other)[1] for other in others)
    if lowest > 0:
        return f"{field} = {standings.names[best]} is rated above all other values."
    return f"It is not shown that one value of {field} is better than all others."
