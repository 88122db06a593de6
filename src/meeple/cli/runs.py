"""`meeple runs`: the runs of a folder, or one of them whole, as their files say."""

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.arguments import AsJson
from meeple.cli.runs_shown import console, list_shown, progress_line, run_shown
from meeple.cli.train import RUNS
from meeple.errors import MeepleError, RunError, UsageError
from meeple.learn.evaluation.diagnosis import findings, sentence
from meeple.learn.evaluation.results import pairing_results, progress
from meeple.learn.run.cluster_view import brief_view_of, view_of
from meeple.learn.run.folder import holds_run, is_being_trained
from meeple.learn.run.logs import last_lines, log_names, log_path
from meeple.learn.run.metrics import TAIL_BYTES, all_waves, speed_of
from meeple.learn.run.schema import WaveMetrics
from meeple.learn.view import (
    RunView,
    networks_of,
    place_of,
    read_run,
    runs_in,
    state_of,
    time_left,
    title_of,
    tournament_result,
)

PAUSE, PLAIN_PAUSE = 2.0, 10.0  # seconds between two looks, on a terminal and elsewhere
MOST_LOGS, LOG_LINES = 24, 3  # whose last lines are shown, and how many of each
HERE = "here"  # where a run learns that is not on a cluster


def runs(
    folder: Annotated[
        Path,
        typer.Argument(metavar="[FOLDER]", help="A folder of runs, or one run."),
    ] = RUNS,
    as_json: AsJson = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Look again every few seconds, until Ctrl-C.")
    ] = False,
) -> None:
    """Show how the runs of training fare, and where.

    A run's name alone stands for the run in runs/.
    """
    if follow and as_json:
        raise UsageError("--follow shows a run to people; for a program, ask again with --json")
    place = _found(folder)
    if follow:
        _follow(place)
    found = facts_of(place)
    if as_json:
        print(json.dumps(found, indent=2))
    else:
        console().print(_shown(found))


def facts_of(place: Path) -> dict[str, Any]:
    """All that is told of a folder of runs, or of a run, as data. Raises MeepleError of a run."""
    if holds_run(place):
        return whole(read_run(place))
    return {"folder": str(place), "runs": [_listed(path) for path in runs_in(place)]}


def short(run: RunView, waves: list[WaveMetrics], problems: list[str]) -> dict[str, Any]:
    """A run in a line, as data; `waves` are its last."""
    state = state_of(run)
    report = tournament_result(run.folder)
    if isinstance(report, str):
        problems = [*problems, report]
    done = run.done if state == "running" else run.episodes
    figures = waves[-1].metrics if waves else {}
    return {
        "name": run.name,
        "folder": str(run.folder),
        "game": run.game.name,
        "title": title_of(run.game),
        "options": dict(run.game.options),
        "mode": run.mode,
        "state": state,
        "done": done,
        "of": run.target,
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
    """All of a run, as data."""
    waves, problems = _waves(run.folder, None)
    found = short(run, waves, problems)
    running = found["state"] == "running"
    trained = is_being_trained(run.folder)
    return {
        **found,
        "left": time_left(run, speed_of(waves)) if running else None,
        "networks": list(networks_of(run.folder)),
        "progress": [f"{line}." for line in progress(waves, run.game.players)],
        "advice": [f"{sentence(one)}." for one in findings(waves, run.config)],
        "cluster": view_of(run.cluster, trained) if run.cluster else None,
        "logs": _logs(run),
    }


def _listed(folder: Path) -> dict[str, Any]:
    """A run of a list; one that cannot be read with the sentence that says why."""
    try:
        return short(read_run(folder), *_waves(folder, TAIL_BYTES))
    except MeepleError as error:
        return {
            "name": folder.name,
            "folder": str(folder),
            "state": "damaged",
            "problems": [str(error)],
        }


def _waves(folder: Path, last_bytes: int | None) -> tuple[list[WaveMetrics], list[str]]:
    """A run's waves, and what is damaged there."""
    try:
        return all_waves(folder, last_bytes), []
    except RunError as error:
        return [], [str(error)]


def _logs(run: RunView) -> list[dict[str, Any]]:
    """The logs of a run's actors with their last lines, the dead ones' first."""
    dead = {actor.name for actor in run.cluster.actors if not actor.alive} if run.cluster else ()
    names = sorted(log_names(run.folder), key=lambda name: name not in dead)
    found = []
    for name in names[:MOST_LOGS]:
        try:
            lines = last_lines(run.folder, name, LOG_LINES)
        except RunError as error:
            lines = [f"{error}."]
        found.append({"name": name, "path": str(log_path(run.folder, name)), "lines": lines})
    return found


def _finite(number: float | None) -> float | None:
    """A number that JSON has; None for another."""
    return None if number is None or number - number != 0 else number


def _found(folder: Path) -> Path:
    """The folder that a word names. Raises RunError."""
    if holds_run(folder) or folder.is_dir():
        return folder
    if len(folder.parts) == 1 and holds_run(RUNS / folder):
        return RUNS / folder
    if folder == RUNS:
        return folder  # nothing was trained here yet
    raise RunError(f"there is no folder of runs, and no run, called {folder}")


def _shown(found: dict[str, Any]) -> Any:
    return list_shown(found) if "runs" in found else run_shown(found)


def _is_watched() -> bool:
    """Whether there is a terminal to draw on."""
    return sys.stdout.isatty()


def _follow(place: Path) -> None:
    """Show it again and again, until KeyboardInterrupt; lines where nobody looks."""
    if not _is_watched():
        said = ""
        while True:
            line = progress_line(facts_of(place))
            if line != said:
                print(line, flush=True)
            said = line
            time.sleep(PLAIN_PAUSE)
    from rich.live import Live

    with Live(console=console(), auto_refresh=False) as live:
        while True:
            live.update(_shown(facts_of(place)), refresh=True)
            time.sleep(PAUSE)
