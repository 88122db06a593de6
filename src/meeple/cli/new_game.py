"""`meeple new-game`: write a complete small game, its test and its training configuration."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from meeple.cli.shared.templates import TEMPLATES, name_fields, write_templates
from meeple.shell import command_line


class Kind(StrEnum):
    """The kinds of game templates."""

    squares = "squares"
    hexhex = "hexhex"
    points = "points"
    pits = "pits"
    cards = "cards"
    chance = "chance"
    hidden = "hidden"
    players = "players"


OF_KIND = {
    Kind.squares: ("a board of squares, two players", "2000", "16", "4"),
    Kind.hexhex: ("a hexagon of hexagons", "2000", "16", "4"),
    Kind.points: ("points and lines, along which pieces slide", "2000", "8", "4"),
    Kind.pits: ("pits with seeds", "2000", "4", "2"),
    Kind.cards: ("hands of cards and tricks", "2000", "4", "0"),
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
    ] = Kind.squares,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go.")] = Path(),
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
    fields = name_fields(name) | {
        "episodes": OF_KIND[kind][1],
        "considered": OF_KIND[kind][2],
        "random_plies": OF_KIND[kind][3],
    }
    file = fields["file"]
    fields["path"] = f"{file}.py"
    game, test, config = (
        folder / f"{file}.py",
        folder / f"test_{file}.py",
        folder / f"{file}.toml",
    )
    templates = {game: f"{kind}.py.txt", test: "test.py.txt", config: "config.toml.txt"}
    write_templates({file: TEMPLATES / name for file, name in templates.items()}, fields)
    return game, test, config
