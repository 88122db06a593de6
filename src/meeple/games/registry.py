"""The games there are: the built-in ones, and those of installed packages.

A package adds games by an entry point in the group `meeple.games`: name = "module:GameClass".
"""

import difflib
import importlib
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

from meeple.errors import OptionError
from meeple.games.game import Game

GROUP = "meeple.games"
BUILT_IN = {
    "nim": "meeple.games.nim:Nim",
    "ledge": "meeple.games.ledge:Ledge",
    "hex": "meeple.games.hex:Hex",
}
_registered: dict[str, type[Game]] = {}


def register(game: type[Game]) -> type[Game]:
    """Make a game known in this process; usable as a class decorator."""
    _registered[game.name] = game
    return game


def game_names() -> tuple[str, ...]:
    """The names of all games, the built-in ones first."""
    installed = {point.name for point in entry_points(group=GROUP)}
    others = sorted((installed | set(_registered)) - set(BUILT_IN))
    return (*BUILT_IN, *others)


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
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise OptionError(f"there is no game '{name}'; games: {', '.join(known)}{hint}")
    module, _, attribute = target.partition(":")
    loaded: type[Game] = getattr(importlib.import_module(module), attribute)
    return register(loaded)


def make(name: str, **options: Any) -> Game:
    """A game with its options: `make("hex", size=7)`. Raises OptionError that names a bad one."""
    return game_class(name)(**options)


def make_from(name: str, options: Mapping[str, Any]) -> Game:
    """The same, with the options as a mapping."""
    return make(name, **options)
