"""Arguments that several commands share, and the functions that parse games and options."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meeple.errors import OptionError
from meeple.files import read_text

if TYPE_CHECKING:
    from meeple.games.contract.game import Game

UNCHECKED = "MEEPLE_UNCHECKED"  # environment variable: load files of games without a check

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, a .py file that defines one, or LIBRARY:NAME."),
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game; repeatable. A value that ends in .json names a file.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all random numbers.")]
AllowEngines = Annotated[
    bool,
    typer.Option(
        "--allow-engines",
        help="Let files that are read name programs as agents, and networks in any folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def open_game(name: str, options: Iterable[str] | None = None) -> Game:
    """Return the game of command-line arguments such as `hex` and `size=5`.

    Raises:
        OptionError: A game, option or value is wrong; the message says what is allowed.
    """
    from meeple.games.contract.registry import load_game_file, make

    chosen = parse_options(options or ())
    if name.endswith(".py"):
        load_checked(name)
        name = load_game_file(name).name
    return make(name, **chosen)


def load_checked(file: str) -> None:
    """Load a file of games or agents, after a check in another process, or a .toml list of engines.

    The name of a library's game, such as `openspiel:hex`, loads that game.
    A file that ends the process or hangs does so only in the process of the check.

    Raises:
        OptionError, SpecError: The file is wrong; the message names the line.
    """
    from meeple.agents.engine.listed import list_engines, read_engines
    from meeple.agents.spec import parse
    from meeple.games.check.findings import ensure_playable
    from meeple.games.contract.registry import is_of_library, load_file

    if file.endswith(".toml"):
        specs = read_engines(file)
        for spec in specs.values():
            parse(spec)
        list_engines(specs)
        return
    if not (is_of_library(file) or os.environ.get(UNCHECKED)):
        ensure_playable(file, lambda: _announce(file))
    load_file(file)


def _announce(file: str) -> None:
    if not os.environ.get("MEEPLE_QUIET"):
        print(f"checking {Path(file).name} (once)…", file=sys.stderr, flush=True)


def parse_options(
    words: Iterable[str], called: str = "option", such: str = "size=5"
) -> dict[str, str]:
    """Parse options such as `size=5`; a value that ends in .json names a file that contains it.

    Raises:
        OptionError: An option has another form, is repeated, or its file cannot be read.
    """
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise OptionError(f"write {called}s as name=value, such as {such}, not '{word}'")
        if name.strip() in options:
            raise OptionError(f"the {called} '{name.strip()}' is given twice")
        value = value.strip()
        options[name.strip()] = _read(value) if value.endswith(".json") else value
    return options


def _read(path: str) -> str:
    """Return the text of an option's file."""
    try:
        return read_text(Path(path).expanduser())
    except FileNotFoundError:
        raise OptionError(f"there is no file {path}") from None
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror or error}") from None
