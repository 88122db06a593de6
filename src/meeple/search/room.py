"""Room in arrays whose size follows from what a game declares.

A kernel asks `fits` before each write whose place depends on a game's rules or options. Writes
without the question are within bounds by an argument beside them, or because a list of moves has at
most `max_moves` entries, each once, and actions are below `num_actions`.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from meeple.games.contract.rules import Rules
from meeple.kernels import inlined


class PliesExceeded(Exception):
    """A kernel met a game with more plies than the arrays have room for: `max_plies` is wrong."""


@inlined
def fits(array: Any, length: int) -> bool:
    """Return whether an array has the places 0 to `length` - 1."""
    return bool(length <= array.shape[0])


@contextlib.contextmanager
def max_plies_reported(game: Rules) -> Iterator[None]:
    """Raise MeepleError, which names the line of `max_plies`, if a kernel raises PliesExceeded."""
    try:
        yield
    except PliesExceeded:
        raise game.longer_than_declared() from None
