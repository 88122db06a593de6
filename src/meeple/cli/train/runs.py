"""`meeple runs`: show the runs of a folder, or all of one run, from their files."""

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.agents.exploitability import network_exploitability
from meeple.agents.networks import RUNS, checkpoint_files
from meeple.cli.shared.arguments import AsJson
from meeple.cli.shared.progress import progress_line as shown_progress
from meeple.cli.train.runs_csv import csv_of
from meeple.cli.train.runs_shown import (
    DAMAGED,
    UNKNOWN_GAME,
    list_shown,
    progress_line,
    run_shown,
    wide_console,
)
from meeple.errors import MeepleError, RunError, UsageError
from meeple.games.contract.registry import game_class
from meeple.learn.config.sections import read_config, read_toml
from meeple.learn.evaluation.diagnosis import sentence
from meeple.learn.evaluation.findings import findings
from meeple.learn.evaluation.results import pairing_results, progress
from meeple.learn.run.chosen import read_race
from meeple.learn.run.cluster import brief_view_of, view_of
from meeple.learn.run.folder import CONFIG, holds_run, is_being_trained
from meeple.learn.run.logs import last_lines, log_names, log_path
from meeple.learn.run.metrics import TAIL_BYTES, all_waves, speed_of
from meeple.learn.run.schema import WaveMetrics
from meeple.learn.run.view import (
    RunView,
    networks_of,
    place_of,
    read_run,
    runs_in,
    state_of,
    time_left,
    topp_result,
)
from meeple.search.exact.information_tree import information_tree

PAUSE, PLAIN_PAUSE = 2.0, 10.0  # seconds between two updates, on a terminal and elsewhere
MAX_LOGS, LOG_LINES = 24, 3  # logs that are shown, and last lines of each
HERE = "here"  # the place of a run that is not on a cluster


def runs(
    folder: Annotated[
        Path,
        typer.Argument(metavar="[FOLDER]", help="A folder of runs, or one run."),
    ] = RUNS,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a line for each run, for a spreadsheet.")
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Update every few seconds, until Ctrl-C.")
    ] = False,
    exploitability: Annotated[
        bool,
        typer.Option(
            "--exploitability",
            help="With one run of a small game: how much a best response wins against each saved "
            "network.",
        ),
    ] = False,
) -> None:
    """Show the progress of training runs.

    A run's name alone means the run of this name in runs/.
    """
    if follow + as_json + as_csv > 1:
        raise UsageError(
            "choose one of --follow, which prints text for people, --json and --csv; a program can "
            "repeat the call"
        )
    place = _found(folder)
    if exploitability and (follow or not holds_run(place)):
        raise UsageError("--exploitability takes one run, without --follow")
    if follow:
        _follow(place)
    found = facts_of(place)
    if exploitability:
        found["exploitability"] = exploitabilities(place)
    if as_json:
        print(json.dumps(found, indent=2))
    elif as_csv:
        print(csv_of(found), end="")
    else:
        wide_console().print(_shown(found))


def facts_of(place: Path) -> dict[str, Any]:
    """Return a folder of runs, or a run, as data; raise MeepleError for an unreadable run."""
    if holds_run(place):
        return whole(read_run(place))
    return {"folder": str(place), "runs": [listed(path) for path in runs_in(place)]}


def short(run: RunView, waves: list[WaveMetrics], problems: list[str]) -> dict[str, Any]:
    """Return the data of a run's line in the list; `waves` are the run's last ones."""
    state = state_of(run)
    report = topp_result(run.folder)
    if isinstance(report, str):
        problems = [*problems, report]
    done = run.done if state == "running" else run.episodes
    figures = waves[-1].metrics if waves else {}
    return {
        "name": run.name,
        "folder": str(run.folder),
        "game": run.game.name,
        "title": run.game.title,
        "options": dict(run.game.options),
        "mode": run.config.mode,
        "state": state,
        "done": done,
        "of": run.config.length,
        "unit": run.config.unit,
        "seconds": round(run.seconds, 1),
        "changed": round(run.changed, 1),
        "matches": [
            {
                "player": one.pairing.player,
                "opponent": one.pairing.opponent,
                "share": round(one.share, 4),
                "interval": [round(end, 4) for end in one.interval],
                "games": one.games,
                "after": one.episodes,
            }
            for one in pairing_results(waves)
        ],
        "loss": _finite(figures.get("loss/loss")),
        "gain": report["gain"] if isinstance(report, dict) else None,
        "place": place_of(run) or HERE,
        "cluster": brief_view_of(run.cluster) if run.cluster else None,
        "problems": [*run.damages, *problems],
    }


def whole(run: RunView) -> dict[str, Any]:
    """Return all data of a run."""
    waves, problems = _waves(run.folder, None)
    try:
        chosen = read_race(run.folder)
    except RunError as error:
        chosen, problems = None, [*problems, str(error)]
    race = chosen and {**chosen.model_dump(), "sentences": chosen.sentences}
    found = short(run, waves, problems)
    running = found["state"] == "running"
    trained = is_being_trained(run.folder)
    return {
        **found,
        "left": time_left(run, speed_of(waves)) if running else None,
        "networks": list(networks_of(run.folder)),
        "progress": [f"{line}." for line in progress(waves, len(run.game.sides))],
        "advice": [f"{sentence(one)}." for one in findings(waves, run.config)],
        "cluster": view_of(run.cluster, trained) if run.cluster else None,
        "logs": _logs(run),
        "race": race,
    }


def exploitabilities(folder: Path) -> list[dict[str, Any]]:
    """Return how much a best response wins against each saved network of a run.

    Raises:
        TooLarge: the game's tree is too large.
        MeepleError: a network cannot be read.
    """
    game = read_run(folder).game
    with shown_progress() as report:
        tree = information_tree(game, progress=lambda nodes: report(f"{nodes:,} nodes"))
        found = []
        for episode, file in checkpoint_files(folder):
            report(f"the network of {episode:,}")
            found.append({"episode": episode, "exploitability": network_exploitability(file, tree)})
    return found


def listed(folder: Path) -> dict[str, Any]:
    """Return the data of a run in the list; an unreadable run has the reason."""
    try:
        return short(read_run(folder), *_waves(folder, TAIL_BYTES))
    except MeepleError as error:
        return {
            "name": folder.name,
            "folder": str(folder),
            "state": DAMAGED if _knows_game(folder) else UNKNOWN_GAME,
            "problems": [str(error)],
        }


def _knows_game(folder: Path) -> bool:
    """Return False if a run's configuration names a game that is not loaded."""
    try:
        name = read_toml(read_config(folder / CONFIG))["game"]["name"]
    except (MeepleError, ValueError, LookupError, TypeError):
        return True
    try:
        game_class(name)
    except MeepleError:
        return False
    return True


def _waves(folder: Path, last_bytes: int | None) -> tuple[list[WaveMetrics], list[str]]:
    """Return a run's waves, and what is damaged in the file."""
    try:
        return all_waves(folder, last_bytes), []
    except RunError as error:
        return [], [str(error)]


def _logs(run: RunView) -> list[dict[str, Any]]:
    """Return the logs of a run's actors with their last lines, those of dead actors first."""
    dead = {actor.name for actor in run.cluster.actors if not actor.alive} if run.cluster else ()
    names = sorted(log_names(run.folder), key=lambda name: name not in dead)
    found = []
    for name in names[:MAX_LOGS]:
        try:
            lines = last_lines(run.folder, name, LOG_LINES)
        except RunError as error:
            lines = [f"{error}."]
        found.append({"name": name, "path": str(log_path(run.folder, name)), "lines": lines})
    return found


def _finite(number: float | None) -> float | None:
    """Return a number, or None if it is not finite, since JSON has no such numbers."""
    return None if number is None or number - number != 0 else number


def _found(folder: Path) -> Path:
    """Return the folder of a path or of a run's name; raise RunError."""
    if holds_run(folder) or folder.is_dir():
        return folder
    if len(folder.parts) == 1 and holds_run(RUNS / folder):
        return RUNS / folder
    if folder == RUNS:
        return folder  # no run has been trained yet
    raise RunError(f"there is no folder of runs, and no run, called {folder}")


def _shown(found: dict[str, Any]) -> Any:
    return list_shown(found) if "runs" in found else run_shown(found)


def _is_watched() -> bool:
    return sys.stdout.isatty()


def _follow(place: Path) -> None:
    """Update the display until KeyboardInterrupt; without a terminal, print lines."""
    if not _is_watched():
        said = ""
        while True:
            line = progress_line(facts_of(place))
            if line != said:
                print(line, flush=True)
            said = line
            time.sleep(PLAIN_PAUSE)
    from rich.live import Live

    with Live(console=wide_console(), auto_refresh=False) as live:
        while True:
            live.update(_shown(facts_of(place)), refresh=True)
            time.sleep(PAUSE)
