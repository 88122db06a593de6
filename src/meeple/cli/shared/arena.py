"""Arguments of commands that play or train with many agents, and the text for faults."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from meeple.arena.games.conditions import MAX_REMOTE, MAX_WORKERS
from meeple.executors.backend import Place, place_of

Specs = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC SPEC...", help="Agents, such as random, uct:sims=1000, policy:PATH."
    ),
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


def place_asked(on: str | None, without_token: bool) -> Place | None:
    """Return the cluster of the options, which reports to stderr; raise UsageError."""
    place = place_of(on)
    if place is None:
        return None
    return replace(
        place, without_token=without_token, say=lambda sentence: typer.echo(sentence, err=True)
    )


def print_first_faults(sentences: Iterable[str]) -> None:
    """Print the first message of each failed agent to stderr."""
    for sentence in sentences:
        print(f"A fault: {sentence}", file=sys.stderr)
