"""`meeple engine`: run an agent as an engine for other programs."""

import contextlib
import importlib
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import Annotated, Literal, NamedTuple

import typer

from meeple.cli.shared.arguments import GameOptions, Seed, open_game
from meeple.engines.early import EarlyPiskvork
from meeple.engines.loop import LineEngine, serve

Protocol = Literal["gtp", "piskvork", "nboard", "json"]


class EngineKind(NamedTuple):
    """The engine of a protocol: its "module:class", its usual game, and the line that ends it."""

    target: str
    game: str
    end: str


ENGINES: dict[Protocol, EngineKind] = {
    "gtp": EngineKind("gtp:GtpEngine", "hex", "quit"),
    "piskvork": EngineKind("piskvork:PiskvorkEngine", "gomoku", "END"),
    "nboard": EngineKind("nboard:NBoardEngine", "reversi", "quit"),
    "json": EngineKind("json_lines:JsonLinesEngine", "hex", '{"type": "quit"}'),
}


def engine(
    protocol: Annotated[Protocol, typer.Argument(help="Protocol on standard input and output.")],
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent, such as uct:sims=1000.")],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="By default hex for gtp and json, gomoku for piskvork, reversi for nboard.",
        ),
    ] = None,
    option: GameOptions = None,
    seed: Seed = 0,
) -> None:
    """Run an agent as an engine for other programs, by a protocol.

    meeple engine gtp uct:seconds=2 -o swap=on for HexGui, or: engine json states:catan -g catan
    """
    os.environ.setdefault("MEEPLE_QUIET", "1")  # some managers read standard error as answers
    if sys.stdin.isatty():
        end = ENGINES[protocol].end
        print(
            f"This engine speaks {protocol} with other programs. To end it: {end}", file=sys.stderr
        )
    # A separate file: a thread that waits for a line would block the closing of sys.stdin.
    source = open(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace")  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sink = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # an agent's prints do not belong to the protocol
        if protocol == "piskvork":
            early = EarlyPiskvork(spec, lambda: _made(protocol, spec, game, option, seed))
            serve(early, source, sink, early.made)
        else:
            serve(_made(protocol, spec, game, option, seed), source, sink)


def _made(
    protocol: Protocol, spec: str, name: str | None, options: Iterable[str] | None, seed: int
) -> LineEngine:
    """Build the engine; importing and compiling may take a minute."""
    module, _, kind = ENGINES[protocol].target.partition(":")
    game = open_game(name or ENGINES[protocol].game, options)
    made: LineEngine = getattr(importlib.import_module(f"meeple.engines.{module}"), kind)(
        spec, game, seed
    )
    return made
