"""`meeple engine`: run an agent as an engine for other programs."""

import contextlib
import os
import sys
from collections.abc import Iterable
from enum import StrEnum
from io import TextIOWrapper
from typing import Annotated

import typer

from meeple.cli.shared.arguments import GameOptions, Seed, open_game
from meeple.engines.early import EarlyPiskvork
from meeple.engines.loop import LineEngine, serve


class Protocol(StrEnum):
    """The protocol of an engine."""

    gtp = "gtp"
    piskvork = "piskvork"
    nboard = "nboard"
    json = "json"


USUAL_GAME = {
    Protocol.gtp: "hex",
    Protocol.piskvork: "gomoku",
    Protocol.nboard: "reversi",
    Protocol.json: "hex",
}


ENDS = {
    Protocol.gtp: "quit",
    Protocol.piskvork: "END",
    Protocol.nboard: "quit",
    Protocol.json: '{"type": "quit"}',
}
"""How to end an engine, by protocol."""


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
        print(
            f"This engine speaks {protocol} with other programs. To end it: {ENDS[protocol]}",
            file=sys.stderr,
        )
    # A separate file: a thread that waits for a line would block the closing of sys.stdin.
    source = open(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace")  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sink = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # an agent's prints do not belong to the protocol
        if protocol == Protocol.piskvork:
            early = EarlyPiskvork(spec, lambda: _made(protocol, spec, game, option, seed))
            serve(early, source, sink, early.made)
        else:
            serve(_made(protocol, spec, game, option, seed), source, sink)


def _made(
    protocol: Protocol, spec: str, name: str | None, options: Iterable[str] | None, seed: int
) -> LineEngine:
    """Build the engine; importing and compiling may take a minute."""
    from meeple.engines.gtp import GtpEngine
    from meeple.engines.json_lines import JsonLinesEngine
    from meeple.engines.nboard import NBoardEngine
    from meeple.engines.piskvork import PiskvorkEngine

    game = open_game(name or USUAL_GAME[protocol], options)
    match protocol:
        case Protocol.gtp:
            return GtpEngine(spec, game, seed)
        case Protocol.piskvork:
            return PiskvorkEngine(spec, game, seed)
        case Protocol.nboard:
            return NBoardEngine(spec, game, seed)
        case Protocol.json:
            return JsonLinesEngine(spec, game, seed)
