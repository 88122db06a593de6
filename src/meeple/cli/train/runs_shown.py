"""The data of `meeple runs` as tables and lines for a terminal."""

import shutil
import sys
import time
from collections.abc import Iterable
from typing import Any

from meeple.cli.shared.progress import duration
from meeple.cli.shared.terminal import console
from meeple.learn.evaluation.results import ALONE
from meeple.learn.run.cluster import ActorState, actor_status, rate

MAX_TITLE = 60  # characters of a game with its options that are shown
PLAIN_WIDTH = 160  # columns without a terminal
DAMAGED, UNKNOWN_GAME = "damaged", "unknown game"  # states of runs that cannot be read
_ACTOR_HEADS = (
    "actor",
    "games/s",
    "state",
    "games",
    "node",
    "process",
    "network of {}",
    "restarts",
)
_COLOURS = {"running": "green", "stopped": "yellow", DAMAGED: "red", UNKNOWN_GAME: "yellow"}


def wide_console() -> Any:
    """Return a console to print tables to; without a terminal it has `PLAIN_WIDTH` columns."""
    wide = max(PLAIN_WIDTH, shutil.get_terminal_size().columns)
    return console(None if sys.stdout.isatty() else wide)


def list_shown(found: dict[str, Any]) -> Any:
    """Return the table of a folder's runs, and a sentence on each problem."""
    from rich.console import Group

    runs = found["runs"]
    if not runs:
        return _text(f"There are no runs in {found['folder']}. Start one: meeple train nim")
    table = _table(("run", "game", "mode", "state", "done", "time", "newest", "where"), (4, 5))
    for run in runs:
        if run["state"] in (DAMAGED, UNKNOWN_GAME):
            table.add_row(_text(run["name"]), "", "", _state(run["state"]), "", "", "", "")
            continue
        table.add_row(
            *map(_text, (run["name"], run["title"][:MAX_TITLE], run["mode"])),
            _state(run["state"]),
            _text(f"{run['done']:,} of {run['of']:,} {run['unit']}s"),
            duration(run["seconds"]),
            *map(_text, (_newest(run), run["place"])),
        )
    lines = [
        f"{run['name']}: {run['cluster']['summary']}"
        for run in runs
        if run["state"] == "running" and run["cluster"] and run["cluster"]["running"]
    ]
    problems = _problems(line for run in runs for line in run["problems"])
    return Group(table, *map(_text, lines), *problems)


def sweep_shown(found: dict[str, Any]) -> Any:
    """Return the table of a sweep's runs with the results of their last matches.

    `found`: the field of the sweep, and its runs, each with its value.
    """
    pairings = dict.fromkeys(
        (one["player"], one["opponent"]) for run in found["runs"] for one in run.get("matches", ())
    )
    heads = [f"% {plain(player)}\n{plain(opponent)}" for player, opponent in pairings]
    table = _table((plain(found["field"]), "done", "time", "loss", *heads), (1, 2, 3))
    table.columns[0].no_wrap = True
    for run in found["runs"]:
        results = {(one["player"], one["opponent"]): one for one in run.get("matches", ())}
        loss = run.get("loss")
        table.add_row(
            _text(run["value"]),
            f"{run['done']:,} {run['unit']}s" if "done" in run else _state(run["state"]),
            duration(run.get("seconds", 0.0)),
            "" if loss is None else f"{loss:.3f}",
            *(_share(results.get(pairing)) for pairing in pairings),
        )
    return table


def _share(result: dict[str, Any] | None) -> str:
    """Return a share in percent with its interval: "75 (60 to 86)"."""
    if result is None:
        return ""
    share, low, high = (100 * part for part in (result["share"], *result["interval"]))
    return f"{share:.0f} ({low:.0f} to {high:.0f})"


def run_shown(run: dict[str, Any]) -> Any:
    """Return all data of a run for the terminal."""
    from rich.console import Group
    from rich.text import Text

    head = Text.assemble(
        plain(run["name"]), ": ", run["title"][:MAX_TITLE], " · ", run["mode"], " · "
    )
    parts = [
        head + _state(run["state"]),
        _text(_progress(run)),
        *map(_text, run["race"]["sentences"] if run["race"] else ()),
        *map(_text, run["progress"]),
        *(_text(f"Note: {line}") for line in run["advice"]),
        *_problems(run["problems"]),
    ]
    if run.get("exploitability"):
        parts.append(_exploitability(run["exploitability"], run["unit"]))
    if run["cluster"]:
        parts += _cluster(run["cluster"], run["unit"])
    else:
        parts.append(_text("On this machine alone."))
    for log in run["logs"]:
        parts += [_text(log["path"]), *(_text(f"    {line}") for line in log["lines"])]
    return Group(*parts)


def _exploitability(networks: list[dict[str, Any]], unit: str) -> Any:
    """Return the exploitability of each network as a table."""
    table = _table((f"network of {unit}", "a best response wins more"), (0, 1))
    for network in networks:
        table.add_row(f"{network['episode']:,}", f"{100 * network['exploitability']:.2f} %")
    return table


def progress_line(found: dict[str, Any]) -> str:
    """Return the progress of a run, or of a list's running runs, as a line."""
    return plain(_progress_line(found))


def _progress_line(found: dict[str, Any]) -> str:
    if "runs" not in found:
        parts = [found["state"], _progress(found)]
        if found["cluster"] and found["cluster"]["running"]:
            parts.append(found["cluster"]["summary"])
        return " · ".join(parts)
    running = [run for run in found["runs"] if run["state"] == "running"]
    parts = [f"{run['name']} {run['done']:,} of {run['of']:,} {run['unit']}s" for run in running]
    return f"{len(running)} of {len(found['runs'])} running" + "".join(
        f" · {part}" for part in parts
    )


def _progress(run: dict[str, Any]) -> str:
    parts = [
        f"{run['done']:,} of {run['of']:,} {run['unit']}s",
        f"{duration(run['seconds'])} of training",
    ]
    if run["left"] is not None:
        parts.append(f"about {duration(run['left'])} left")
    kept = len(run["networks"])
    parts.append(f"{kept} network{'' if kept == 1 else 's'} saved")
    return " · ".join(parts)


def _cluster(cluster: dict[str, Any], unit: str) -> list[Any]:
    """Return the state of a run's cluster as a line, sentences and tables.

    `unit`: the unit of the networks' numbers, such as episode.
    """
    age = duration(max(0.0, time.time() - cluster["time"]))
    on = "On" if cluster["running"] else "Last on"
    parts = [
        _text(f"{on} {cluster['place']}: {cluster['summary']} ({age} ago)"),
        *(_text(f"{_capital(line)}.", "red") for line in cluster["problems"]),
        *(_text(f"{_capital(line)}.") for line in cluster["account_words"]),
    ]
    nodes = _table(("node", "state", "processors", "accelerators", "address"), (2,))
    for node in cluster["nodes"]:
        state = "alive" if node["alive"] else "dead"
        nodes.add_row(
            _text(node["name"]),
            _text(state, "" if node["alive"] else "red"),
            *map(_text, (f"{node['processors']:g}", node["accelerators"], node["address"])),
        )
    actors = _table([head.format(unit) for head in _ACTOR_HEADS], (1, 3, 5, 6, 7))
    for fields in cluster["actors"]:
        actor = ActorState(**fields)
        actors.add_row(
            actor.name,
            rate(actor.games_per_second) if actor.games_per_second else "",
            _text(actor_status(actor), "" if actor.alive else "red"),
            f"{actor.games:,}" if actor.games else "",
            _text(actor.node),
            str(actor.pid or ""),
            "" if actor.generation is None else f"{actor.generation:,}",
            str(actor.restarts or ""),
        )
    for what, table in (("nodes", nodes), ("actors", actors)):
        more = cluster[f"more_{what}"]
        parts += [table] if table.row_count else []
        parts += [_text(f"... and {more:,} more {what}")] if more else []
    return parts


def _table(heads: Iterable[str], numbers: Iterable[int]) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number in numbers else "left", overflow="fold")
    return table


def _text(words: str, colour: str = "") -> Any:
    """Return text from a file without interpreting its mark-up or control characters."""
    from rich.text import Text

    return Text(plain(words), style=colour)


def plain(text: str) -> str:
    """Return text with a space for each character that cannot be printed."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _state(state: str) -> Any:
    return _text(state, _COLOURS.get(state, ""))


def _problems(lines: Iterable[str]) -> list[Any]:
    return [_text(f"{_capital(line)}.", "red") for line in lines]


def _capital(line: str) -> str:
    """Return a sentence with a capital and without its full stop; a path keeps its case."""
    word = line.partition(" ")[0]
    return line if "/" in word or "\\" in word else f"{line[:1].upper()}{line[1:]}"


def _newest(run: dict[str, Any]) -> str:
    """Return the shares of the last round of matches, or else the loss."""
    shares = [
        f"{one['opponent']} {100 * one['share']:.0f} %"
        for one in run["matches"]
        if one["player"] == ALONE
    ]
    if shares:
        return f"against {', '.join(shares)}"
    return "" if run["loss"] is None else f"loss {run['loss']:.3f}"
