"""Options that `match`, `tournament` and `ladder` share, and what they print of faults."""

import enum
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.book import read_book
from meeple.arena.forfeit import MARGIN, FaultRule
from meeple.arena.openings import Opening
from meeple.arena.runner import MAX_REMOTE, MAX_WORKERS
from meeple.executors.place import Place, place_of
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
        help=f"Games at once, at most {MAX_WORKERS} without --on; by default one a core, or one "
        "if an agent stops by the clock.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Work on a Ray cluster: one of this machine alone, or that whose head is there.",
    ),
]
WithoutToken = Annotated[
    bool,
    typer.Option("--without-token", help="Use a cluster even if it asks nobody for a token."),
]
Openings = Annotated[
    bool,
    typer.Option(
        "--openings",
        help="Begin every round of seats after other first moves: for agents that would play "
        "the same game again and again.",
    ),
]
Book = Annotated[
    Path | None,
    typer.Option(
        "--book",
        metavar="FILE",
        help="Begin every round of seats from an opening of this file: records of games (.jsonl), "
        "or a line of moves each.",
    ),
]
Run = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="FOLDER",
        help="Keeps every game as it ends; the same command goes on from there.",
    ),
]


class Fate(enum.StrEnum):
    """What becomes of a game in which an agent fails."""

    lose = "lose"
    stop = "stop"


OnFault = Annotated[
    Fate | None,
    typer.Option(
        "--on-fault",
        help="An agent that crashes, breaks the rules or is too late loses the game, or stops "
        "everything with its error. By default it loses, but an agent of a file stops a match.",
    ),
]
MoveSeconds = Annotated[
    float | None,
    typer.Option(
        "--move-seconds",
        metavar="SECONDS",
        help=f"A choice that takes longer, by more than {MARGIN:g} s, loses the game.",
    ),
]


def fault_rule(on_fault: Fate | None, seconds: float | None, usual: Fate | None) -> FaultRule:
    """The rule that a command line asks for. Raises UsageError for seconds that are not above 0."""
    fate = on_fault or usual
    rule = FaultRule(None if fate is None else fate.value, seconds)
    rule.check()
    return rule


def place_asked(on: str | None, without_token: bool) -> Place | None:
    """The cluster that a command line asks for, whose news go to stderr. Raises UsageError."""
    place = place_of(on)
    if place is None:
        return None
    return replace(
        place, without_token=without_token, say=lambda sentence: typer.echo(sentence, err=True)
    )


def openings_of(game: Game, wanted: bool, book: Path | None, seed: int) -> bool | list[Opening]:
    """The openings that a command line asks for. Raises UsageError for a book that is wrong."""
    return wanted if book is None else read_book(book, game, seed)


def faults_as_text(faults: Mapping[str, int]) -> str:
    """Games lost by failing: "3 lost by crash, 1 by time"; "" for none."""
    words = ", ".join(f"{count} by {kind}" for kind, count in faults.items())
    return words and f"lost by failing: {words}"


def say_first_faults(sentences: Iterable[str]) -> None:
    """Tell on stderr what failed agents said first."""
    for sentence in sentences:
        print(f"A fault: {sentence}", file=sys.stderr)


def say_stopped(run: Path | None, words: str) -> None:
    """Tell on stderr that games were stopped, and how they go on."""
    on = "" if run is None else f" They are kept in {run}: the same command goes on."
    typer.echo(f"{words}{on}", err=True)
