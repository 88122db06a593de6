"""A game and its options as words of a command line."""

import shlex
from pathlib import Path

from meeple.games.contract.game import Game
from meeple.games.contract.registry import file_of
from meeple.options import OptionValue


def game_words(game: Game) -> str:
    """Return a game as a command takes it, with the options that differ from their defaults."""
    return shlex.join([game.name, *_options(game)])


def check_command(game: Game) -> str:
    """Return the command that checks a game; a game from a file is named by its path."""
    file = file_of(game)
    if file is None:
        return f"meeple check {game_words(game)}"
    here = Path.cwd()
    path = file.relative_to(here) if file.is_relative_to(here) else file
    return shlex.join(["meeple", "check", str(path), *_options(game)])


def as_word(value: OptionValue) -> str:
    """Return an option's value as a user types it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "empty"


def _options(game: Game) -> list[str]:
    words = []
    for name, value in game.options.items():
        if value != game.declared[name].default:
            words += ["--option", f"{name}={as_word(value)}"]
    return words
