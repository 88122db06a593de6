"""A game and its options as commands take them."""

import shlex
from pathlib import Path

from meeple.games.contract.game import Game
from meeple.games.contract.registry import file_of
from meeple.options import OptionValue


def game_words(game: Game) -> str:
    """A game as a command takes it, with the options that are not at their defaults."""
    return shlex.join([game.name, *_options(game)])


def check_command(game: Game) -> str:
    """The command that checks a game with its options; a game of a file is named by the file."""
    file = file_of(game)
    if file is None:
        return f"meeple check {game_words(game)}"
    here = Path.cwd()
    path = file.relative_to(here) if file.is_relative_to(here) else file
    return shlex.join(["meeple", "check", str(path), *_options(game)])


def as_word(value: OptionValue) -> str:
    """An option's value as a user would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "empty"


def _options(game: Game) -> list[str]:
    words = []
    for name, value in game.options.items():
        if value != game.declared[name].default:
            words += ["--option", f"{name}={as_word(value)}"]
    return words
