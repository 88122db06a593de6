"""`python -m bench`: how fast this machine searches, plays, starts and learns."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from bench.speed.measuring import Figures
from bench.speed.subjects import (
    GAME,
    PEERS,
    PUCT_SIMULATIONS,
    REPEATS,
    SIMULATIONS,
    SUBJECTS,
    BenchOptions,
    find,
    flag,
    takers,
)
from meeple.cli.main import run
from meeple.cli.shared.arguments import AsJson, GameOptions
from meeple.errors import UsageError

_LIST = "; ".join(f"{name}: {subject.help}" for name, subject in SUBJECTS.items())
_PEERS = ", ".join(f"for {subject} {peer}" for peer, subject in PEERS.items())

SubjectName = Annotated[
    str | None, typer.Argument(metavar="[SUBJECT]", help=f"{_LIST}. Without: all, as a table.")
]
GameName = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        help=f"For {takers('game')}: the game (default {GAME}; for belief catan).",
    ),
]
Simulations = Annotated[
    int | None,
    typer.Option(
        "--sims",
        min=2,
        max=10_000_000,
        help=f"For {takers('sims')}: simulations of each search (default {SIMULATIONS}; "
        f"for puct {PUCT_SIMULATIONS}).",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        min=1,
        help=f"For {takers('depth')}: plies. A game that ended earlier counts 1, and the moves of "
        "the last ply are counted, not played; the speed with all of them played is printed too.",
    ),
]
Peer = Annotated[str | None, typer.Option("--vs", help=f"A peer to compare with: {_PEERS}.")]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads", min=1, max=64, help=f"For {takers('threads')}: threads to compare with one."
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help=f"For {takers('config')}: a training configuration."
    ),
]
Repeats = Annotated[
    int | None,
    typer.Option(
        "--repeats",
        min=1,
        help=f"Repetitions, of which the best and the median are printed (default {REPEATS}); for "
        "belief: games.",
    ),
]


app = typer.Typer(add_completion=False)


@app.command()
def bench(
    subject: SubjectName = None,
    game: GameName = None,
    option: GameOptions = None,
    sims: Simulations = None,
    depth: Depth = None,
    vs: Peer = None,
    threads: Threads = None,
    config: ConfigFile = None,
    repeats: Repeats = None,
    as_json: AsJson = False,
) -> None:
    """Measure speed, also against other programs."""
    options = BenchOptions(game, option, sims, depth, vs, threads, config, repeats)
    if subject is None:
        show_all(options, as_json)
        return
    figures = find(subject, options).measure(options)
    print(json.dumps(figures) if as_json else "\n".join(lines(figures)))


def main(words: list[str], *, debug: bool = False) -> int:
    """Run a command line and return its exit code, as `meeple` does."""
    return run(words, debug=debug, app=app, name="python -m bench")


def show_all(options: BenchOptions, as_json: bool) -> None:
    """Measure all subjects, and print each line of the table once it is measured."""
    from bench.speed.overview import every_row

    if others := [flag(name) for name in options.given if name != "repeats"]:
        given = ", ".join(others)
        raise UsageError(f"{given} needs a subject; without one, only --repeats is allowed")
    rows = []
    for row in every_row(options.times):
        rows.append(row._asdict())
        if not as_json:
            print(f"{row.what:<44}{row.figure:>24}  {row.against}", flush=True)
    if as_json:
        print(json.dumps(rows))


def lines(figures: Figures) -> Iterator[str]:
    """Yield the figures as text, one a line; an item of a list has its own line."""
    for name, value in figures.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from (f"{name.replace('_', ' '):<36}{json.dumps(one)}" for one in value)
            continue
        words = json.dumps(value) if isinstance(value, dict) else with_commas(value)
        yield f"{name.replace('_', ' '):<36}{words}"


def with_commas(value: Any) -> str:
    """Return a figure with separated thousands."""
    return f"{value:,}" if isinstance(value, int) else str(value)
