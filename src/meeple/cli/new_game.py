"""`meeple new-game`: write a complete small game, its test and its training configuration."""

import keyword
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from meeple.errors import UsageError
from meeple.games.contract.registry import game_names
from meeple.shell import command_line

TEMPLATES = Path(__file__).resolve().parent / "templates"


class Kind(StrEnum):
    """The kinds of game templates."""

    board = "board"
    chance = "chance"
    hidden = "hidden"
    players = "players"


OF_KIND = {
    Kind.board: ("a board of squares, two players", "2000", "16", "4"),
    Kind.chance: ("a die: chance decides too", "4000", "2", "0"),
    Kind.hidden: ("a card that is hidden from the other player", "4000", "2", "0"),
    Kind.players: ("three players or more", "2000", "3", "6"),
}
"""By kind: description, episodes of training, actions considered at a root, random first moves."""


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game's name, such as my-game.")],
    kind: Annotated[
        Kind,
        typer.Option(help="; ".join(f"{kind}: {words}" for kind, (words, *_) in OF_KIND.items())),
    ] = Kind.board,
    folder: Annotated[
        Path, typer.Option("--folder", metavar="FOLDER", help="Where the files go.")
    ] = Path(),
) -> None:
    """Write a small game to change, its test and a configuration.

    The game is complete: play it, check it, train it, and change it.
    """
    files = written_files(name, kind, folder)
    game, _, config = files
    print("\n".join(f"wrote {file}" for file in files))
    tries = (
        command_line("play", game, "--against", "uct:sims=200"),
        command_line("check", game),
        command_line("--load", game, "serve"),
        command_line("--load", game, "train", config),
    )
    print("\n  ".join(["\nTry it:", *tries]))


def written_files(name: str, kind: Kind, folder: Path) -> tuple[Path, Path, Path]:
    """Write the game, its test and its configuration.

    Raises:
        UsageError: The name is invalid or belongs to another game, or a file exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
        raise UsageError(f"a game's name has lower-case letters, digits and -, not '{name[:60]}'")
    if name in game_names():
        raise UsageError(f"there is a game called {name} already")
    file = name.replace("-", "_")
    if keyword.iskeyword(file):
        raise UsageError(f"'{name}' is a keyword of Python: choose another name")
    fields = {
        "name": name,
        "file": file,
        "Title": name.replace("-", " ").capitalize(),
        "Class": "".join(part.capitalize() for part in name.split("-")),
        "episodes": OF_KIND[kind][1],
        "considered": OF_KIND[kind][2],
        "random_plies": OF_KIND[kind][3],
    }
    wanted = (
        (folder / f"{file}.py", f"{kind}.py.txt"),
        (folder / f"test_{file}.py", "test.py.txt"),
        (folder / f"{file}.toml", "config.toml.txt"),
    )
    for target, _ in wanted:
        if target.exists():
            raise UsageError(f"{target} exists already: nothing was written")
    folder.mkdir(parents=True, exist_ok=True)
    for target, template in wanted:
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        for word, value in fields.items():
            text = text.replace(f"@{word}@", value)
        target.write_text(text, encoding="utf-8")
    return wanted[0][0], wanted[1][0], wanted[2][0]
