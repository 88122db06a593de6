"""The games there are: the built-in ones, and those of installed packages.

A package adds games by an entry point in the group `meeple.games`: name = "module:GameClass".
"""

import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from meeple.errors import OptionError, did_you_mean, shown
from meeple.games.contract.game import Game
from meeple.options import check_options

GROUP = "meeple.games"  # of entry points, by which packages add games
BUILT_IN = {
    "nim": "meeple.games.nim:Nim",
    "ledge": "meeple.games.ledge:Ledge",
    "hex": "meeple.games.hex.game:Hex",
    "reversi": "meeple.games.reversi.game:Reversi",
    "gomoku": "meeple.games.gomoku.game:Gomoku",
    "catan": "meeple.games.catan.game:Catan",
    "catan-reduced": "meeple.games.catan.reduced:CatanReduced",
}
"""The games that ship, by name: "module:class"."""

_registered: dict[str, type[Game]] = {}
_OF_FILE = "meeple_game_"  # how the modules of games from files are called
_files: list[str] = []  # that were run, by their whole paths


def register(game: type[Game]) -> type[Game]:
    """Make a game known in this process; usable as a class decorator."""
    _registered[game.name] = game
    return game


def game_names() -> tuple[str, ...]:
    """The names of all games, the built-in ones first."""
    installed = {point.name for point in entry_points(group=GROUP)}
    others = sorted((installed | set(_registered)) - set(BUILT_IN))
    return (*BUILT_IN, *others)


def working_games(refused: Callable[[str], object]) -> Iterator[str]:
    """The names of all games that can be made with their usual options.

    One whose package is broken stops no other: `refused` is told what is wrong, in a sentence.
    """
    for name in game_names():
        try:
            make(name)
        except Exception as error:
            what = (
                str(error) if isinstance(error, OptionError) else f"{type(error).__name__}: {error}"
            )
            refused(f"the game {name} cannot be used: {what}")
        else:
            yield name


def game_class(name: str) -> type[Game]:
    """The class of a game. Raises OptionError that lists the games there are."""
    if name in _registered:
        return _registered[name]
    target = BUILT_IN.get(name)
    if target is None:
        found = {point.name: point.value for point in entry_points(group=GROUP)}
        target = found.get(name)
    if target is None:
        known = game_names()
        advice = did_you_mean(name, known) or "--load FILE.py brings in a game's file"
        raise OptionError(f"there is no game {shown(name)}; games: {', '.join(known)}; {advice}")
    module, _, attribute = target.partition(":")
    try:
        loaded: type[Game] = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        if name in BUILT_IN:
            raise
        what = f"{type(error).__name__}: {error}"
        raise OptionError(f"the game {name} of the package at {target}: {what}") from error
    return register(loaded)


def make(name: str, **options: Any) -> Game:
    """A game with its options: `make("hex", size=7)`. Raises OptionError that names a bad one."""
    return game_class(name)(**options)


def make_from(name: str, options: Mapping[str, Any]) -> Game:
    """The same, with the options as a mapping, whatever they are called."""
    kind = game_class(name)
    for option in options:
        if option not in kind.declared:  # which may also be a word that Python calls take
            check_options(name, kind.declared, {option: options[option]})
    return kind(**options)


def load_file(path: str | os.PathLike[str]) -> ModuleType:
    """Run a Python file and register the games that it defines; a second call changes nothing.

    This executes the file: never pass on a path that comes from somebody else. Raises OptionError
    where there is no such file, it does not run, or a game of it has the name of a built-in one.
    """
    file = Path(path).expanduser().resolve()
    name = f"{_OF_FILE}{hashlib.sha256(os.fsencode(file)).hexdigest()[:16]}"
    if name not in sys.modules:
        _run_file(file, name)
        taken = [game.name for game in games_of(sys.modules[name]) if game.name in BUILT_IN]
        if taken:
            del sys.modules[name]
            raise OptionError(f"{path} defines '{taken[0]}', the name of a built-in game")
        _files.append(str(file))
    module = sys.modules[name]
    for game in games_of(module):
        register(game)
    return module


def load_game_file(path: str | os.PathLike[str]) -> type[Game]:
    """The same of a file that defines one game, which is returned.

    Raises OptionError where it does not, too.
    """
    found = games_of(load_file(path))
    if len(found) != 1:
        raise OptionError(f"{path} must define one game, a subclass of Game, not {len(found)}")
    return found[0]


def classes_of(module: ModuleType) -> list[type]:
    """The classes that a file's module defines."""
    found = [value for value in vars(module).values() if isinstance(value, type)]
    return [value for value in found if value.__module__ == module.__name__]


def games_of(module: ModuleType) -> list[type[Game]]:
    """The games among them."""
    return [value for value in classes_of(module) if issubclass(value, Game)]


def loaded_files() -> tuple[str, ...]:
    """The files that were loaded here, for other processes to load too."""
    return tuple(_files)


def file_of(game: Game) -> Path | None:
    """The file that defined a game, where one had to be loaded for it."""
    return file_of_class(type(game))


def file_of_class(kind: type[Game]) -> Path | None:
    """The file that defined a game's class, where one had to be loaded for it."""
    name = kind.__module__
    return Path(sys.modules[name].__file__ or "") if name.startswith(_OF_FILE) else None


def _run_file(file: Path, name: str) -> None:
    """Import a file as the module `name`, which is there only if all of it has run."""
    spec = importlib.util.spec_from_file_location(name, file)
    if not file.is_file() or spec is None or spec.loader is None:
        raise OptionError(f"there is no Python file {file}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # a game finds its kernels by the name of its module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if not isinstance(error, Exception):
            raise
        what = f"{type(error).__name__}: {error}"
        raise OptionError(f"{file} does not run: {what}") from error
