"""Options that `match`, `tournament` and `ladder` share, and the text for faults."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.games.conditions import MAX_REMOTE, MAX_WORKERS
from meeple.arena.games.forfeit import MARGIN
from meeple.arena.games.forfeit import OnFault as FaultChoice
from meeple.arena.plan.book import read_book
from meeple.arena.plan.openings import Opening
from meeple.executors.backend import Place, place_of
from meeple.games.contract.game import Game

Specs = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC SPEC...", help="Agents, such as random, uct:sims=1000, policy:PATH."
    ),
]
Show = Annotated[
    bool, typer.Option("--show", help="Draw the games as they are played, one at a time.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MAX_REMOTE,
        help=f"Number of parallel games, at most {MAX_WORKERS} without --on; by default one a "
        "core, or one if an agent stops by the clock.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Run by a backend of a plug-in: its name, for this machine alone, or NAME://HOST:PORT.",
    ),
]
WithoutToken = Annotated[
    bool,
    typer.Option("--without-token", help="Use a cluster even if it requires no token."),
]
Openings = Annotated[
    bool,
    typer.Option(
        "--openings",
        help="Begin each round of seats with different first moves, so that deterministic agents "
        "play different games.",
    ),
]
Book = Annotated[
    Path | None,
    typer.Option(
        "--book",
        metavar="FILE",
        help="Begin each round of seats from an opening of this file: records of games (.jsonl), "
        "or one line of moves an opening.",
    ),
]
Run = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="FOLDER",
        help="Save every finished game in this folder; the same command resumes from it.",
    ),
]


OnFault = Annotated[
    FaultChoice | None,
    typer.Option(
        "--on-fault",
        help="Whether an agent that crashes, breaks the rules or is too late loses the game, or "
        "stops all games with its error. By default it loses; in a match, an agent of a file "
        "stops all games.",
    ),
]
MoveSeconds = Annotated[
    float | None,
    typer.Option(
        "--move-seconds",
        metavar="SECONDS",
        help=f"Time limit of a move; an agent that exceeds it by more than {MARGIN:g} s loses "
        "the game.",
    ),
]


def place_asked(on: str | None, without_token: bool) -> Place | None:
    """Return the cluster of the options, which reports to stderr; raise UsageError."""
    place = place_of(on)
    if place is None:
        return None
    return replace(
        place, without_token=without_token, say=lambda sentence: typer.echo(sentence, err=True)
    )


def openings_of(game: Game, wanted: bool, book: Path | None, seed: int) -> bool | list[Opening]:
    """Return the openings of the options; raise UsageError for an invalid book."""
    return wanted if book is None else read_book(book, game, seed)


def print_first_faults(sentences: Iterable[str]) -> None:
    """Print the first message of each failed agent to stderr."""
    for sentence in sentences:
        print(f"A fault: {sentence}", file=sys.stderr)


def print_stopped(run: Path | None, words: str) -> None:
    """Print to stderr that the games were stopped, and how to resume them."""
    on = "" if run is None else f" They are saved in {run}; the same command resumes."
    typer.echo(f"{words}{on}", err=True)
