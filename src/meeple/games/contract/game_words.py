"""A game and its options as words of a command line."""

from pathlib import Path

from meeple.games.contract.game import Game
from meeple.games.contract.registry import file_of, is_of_library
from meeple.options import OptionValue
from meeple.shell import Word, command_line


def game_words(game: Game) -> list[str]:
    """Return a game as a command takes it, with the options that differ from their defaults."""
    return [game.name, *_options(game)]


def command_for(game: Game, *words: Word) -> str:
    """Return a command line to paste; it loads the game if that is of a file or a library."""
    source = game.name if is_of_library(game.name) else _file_of(game)
    return command_line(*(["--load", source] if source else []), *words)


def check_command(game: Game) -> str:
    """Return the command that checks a game; a game from a file is named by its path."""
    return command_line("check", _file_of(game) or game.name, *_options(game))


def as_word(value: OptionValue) -> str:
    """Return an option's value as a user types it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "empty"


def _file_of(game: Game) -> Path | None:
    """Return the file that defines a game, from the current folder if it is below."""
    file, here = file_of(game), Path.cwd()
    return file.relative_to(here) if file is not None and file.is_relative_to(here) else file


def every_option(game: Game) -> list[str]:
    """Return all options of a game as a command takes them."""
    return [word for name in game.options for word in _option(game, name)]


def _options(game: Game) -> list[str]:
    changed = (name for name, value in game.options.items() if value != game.declared[name].default)
    return [word for name in changed for word in _option(game, name)]


def _option(game: Game, name: str) -> tuple[str, str]:
    return "--option", f"{name}={as_word(game.options[name])}"
