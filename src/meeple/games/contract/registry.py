"""The registry of games: the built-in ones, those of installed packages, files and libraries.

A package adds games by entry points in the group `meeple.games`, and libraries of games in
`meeple.libraries`, see `meeple.plugins`. A game of a library has a name with a prefix, such as
`openspiel:breakthrough`. Like the game of a file, the caller must load it: a name in data loads
nothing.
"""

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from meeple.errors import OptionError, UsageError, did_you_mean, shown
from meeple.games.contract.game import Game
from meeple.options import check_options
from meeple.plugins import PlugIn, load_target, plug_ins
from meeple.sentences import say

BUILT_IN = {
    "nim": "meeple.games.nim:Nim",
    "ledge": "meeple.games.ledge:Ledge",
    "hex": "meeple.games.hex.game:Hex",
    "reversi": "meeple.games.reversi.game:Reversi",
    "gomoku": "meeple.games.gomoku.game:Gomoku",
    "catan": "meeple.games.catan.game:Catan",
    "catan-reduced": "meeple.games.catan.reduced:CatanReduced",
}
"""The built-in games by name: "module:class"."""


LIBRARY = re.compile(r"([A-Za-z][\w-]+):")
"""The prefix of a library's game; one letter would be a drive of Windows."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_NAME_CHARACTERS = 40  # of the name of a game of a file

_registered: dict[str, type[Game]] = {}
_OF_FILE = "meeple_game_"  # prefix of the module names of loaded files
_files: list[str] = []  # absolute paths of loaded files, and names of libraries' games


def register(game: type[Game]) -> type[Game]:
    """Add a game to the registry of this process; usable as a class decorator."""
    _registered[game.name] = game
    return game


def game_names() -> tuple[str, ...]:
    """Return the names of all games: built-in ones, those of packages, loaded ones."""
    return (*BUILT_IN, *sorted(plug_ins("games").keys() - set(BUILT_IN)), *loaded_games())


def loaded_games() -> tuple[str, ...]:
    """Return the names of the games of files and libraries, in the order of loading."""
    installed = plug_ins("games")
    return tuple(name for name in _registered if name not in BUILT_IN and name not in installed)


def working_games(refused: Callable[[str], object]) -> Iterator[str]:
    """Yield the names of all games that can be made with their default options.

    Args:
        refused: called with a sentence for each game that cannot be made.
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
    """Return the class of a game.

    Raises:
        OptionError: there is no such game, or its package fails to import.
    """
    if name in _registered:
        return _registered[name]
    if name in BUILT_IN:
        return register(load_target(BUILT_IN[name]))
    plug_in = plug_ins("games").get(name)
    if plug_in is None:
        known = [one for one in game_names() if not is_of_library(one)]
        if name.partition(":")[0] in plug_ins("libraries"):
            raise OptionError(say("game.the_game_is_not", field=shown(name), command=shown(name)))
        advice = did_you_mean(name, known) or "--load FILE.py brings in a game's file"
        listed = f"{', '.join(known)}; {advice}"
        raise OptionError(say("game.no_such_game", field=shown(name), list=listed))
    return register(import_game(plug_in))


def import_game(plug_in: PlugIn) -> type[Game]:
    """Import and return the game of a plug-in; raises `OptionError` if it cannot be used."""
    if plug_in.name in BUILT_IN:
        raise OptionError(plug_in.sentence(f"Meeple has {plug_in.name} itself"))
    game = plug_in.load()
    if not (isinstance(game, type) and issubclass(game, Game) and game.name == plug_in.name):
        what = f"{plug_in.target} is not a game called {plug_in.name}"
        raise OptionError(plug_in.sentence(what))
    return game


def import_library(plug_in: PlugIn) -> Callable[..., type[Game]]:
    """Import and return the function of a library; raises `OptionError` if it cannot be used."""
    function: Callable[..., type[Game]] = plug_in.load()
    if not callable(function):
        raise OptionError(plug_in.sentence(f"{plug_in.target} is not a function"))
    return function


def make(name: str, **options: Any) -> Game:
    """Return a game with its options: `make("hex", size=7)`.

    Args:
        name: of the game, in a library with its prefix ("openspiel:breakthrough"); or the path of a
            Python file, ending in ".py", that defines one game. The file is executed: pass only
            paths of trusted files.
        options: of the game.

    Raises:
        OptionError: there is no such game, the file cannot be loaded, or an option is wrong; the
            message names it.
    """
    if options and is_of_library(name):  # they become part of the name
        return _load_of_library(name, options)()
    return load_game(name)(**options)


def load_game(name: str) -> type[Game]:
    """Return the class of a game by its name, or by its path or prefix, by which it is loaded.

    Raises:
        OptionError: there is no such game, or it cannot be loaded.
    """
    if name.endswith(".py"):
        return load_game_file(name)
    return _load_of_library(name) if is_of_library(name) else game_class(name)


def is_of_library(name: str) -> bool:
    """Return whether a name has the form of a library's game, `openspiel:hex`."""
    return LIBRARY.match(name) is not None and not name.endswith(".py")


def _load_of_library(name: str, *options: Mapping[str, Any]) -> type[Game]:
    """Load and register a game of a library, with its options if they are given."""
    prefix = name.partition(":")[0]
    library = plug_ins("libraries").get(prefix)
    if library is None:
        advice = f"for a library of games called {prefix}: pip install meeple-{prefix}"
        raise OptionError(f"there is no game {shown(name)}; {advice}")
    kind = import_library(library)(name, *options)
    if kind.name not in _files:
        _files.append(kind.name)
    return register(kind)


def make_from(name: str, options: Mapping[str, Any]) -> Game:
    """Return a game with its options given as a mapping, whose keys need not be identifiers.

    Raises:
        OptionError: there is no such game, or an option is wrong. A game of a library has its
            options in its name, so that no new game is loaded.
    """
    kind = game_class(name)
    if options and is_of_library(name):
        raise OptionError(f"options of {name} must be in its name here, as its library writes them")
    for option in options:
        if option not in kind.declared:  # it may also be the name of a parameter
            check_options(name, kind.declared, {option: options[option]})
    return kind(**options)


def load_file(path: str | os.PathLike[str]) -> ModuleType:
    """Run a Python file and register the games that it defines; a second call changes nothing.

    In place of a path, the name of a library's game registers that game. This executes the file:
    pass only paths of trusted files.

    Raises:
        OptionError: there is no such file, it raises an error, or it defines a game with the name
            of a built-in one.
    """
    if is_of_library(str(path)):
        return sys.modules[_load_of_library(str(path)).__module__]
    file = Path(path).expanduser().resolve()
    name = f"{_OF_FILE}{hashlib.sha256(os.fsencode(file)).hexdigest()[:16]}"
    if name not in sys.modules:
        _run_file(file, name)
        try:
            for game in games_of(sys.modules[name]):
                ensure_name(getattr(game, "name", "unnamed"))  # the check reports one without
        except UsageError as error:
            del sys.modules[name]
            raise OptionError(f"{path}: {error}") from None
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
    """Run a Python file that defines exactly one game, and return the game's class.

    Raises:
        OptionError: the file cannot be loaded, or does not define exactly one game.
    """
    found = games_of(load_file(path))
    if len(found) != 1:
        raise OptionError(f"{path} must define one game, a subclass of Game, not {len(found)}")
    return found[0]


def ensure_name(name: str) -> None:
    """Raise UsageError if a game's file may not give a game this name."""
    if not (isinstance(name, str) and _NAME.fullmatch(name)) or len(name) > MAX_NAME_CHARACTERS:
        raise UsageError(
            f"a game's name has lower-case letters, digits and -, at most {MAX_NAME_CHARACTERS}, "
            f"not {shown(name, 60)}"
        )


def classes_of(module: ModuleType) -> list[type]:
    """Return the classes that a module defines itself."""
    found = [value for value in vars(module).values() if isinstance(value, type)]
    return [value for value in found if value.__module__ == module.__name__]


def games_of(module: ModuleType) -> list[type[Game]]:
    """Return the games that a module defines itself."""
    return [value for value in classes_of(module) if issubclass(value, Game)]


def loaded_files() -> tuple[str, ...]:
    """Return the files and games of libraries loaded here, for other processes to load too."""
    return tuple(_files)


def file_of(game: Game) -> Path | None:
    """Return the file that defines a game, if it was loaded from a file."""
    return file_of_class(type(game))


def file_of_class(kind: type[Game]) -> Path | None:
    """Return the file that defines a game's class, if it was loaded from a file."""
    name = kind.__module__
    return Path(sys.modules[name].__file__ or "") if name.startswith(_OF_FILE) else None


def _run_file(file: Path, name: str) -> None:
    """Import a file as the module `name`; if it fails, the module is removed again."""
    spec = importlib.util.spec_from_file_location(name, file)
    if not file.is_file() or spec is None or spec.loader is None:
        raise OptionError(f"there is no Python file {file}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # a game finds its kernels by its module's name
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if not isinstance(error, Exception):
            raise
        what = f"{type(error).__name__}: {error}"
        raise OptionError(f"{file} does not run: {what}") from error
