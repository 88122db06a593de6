"""What one seat sees of an action, for beliefs that follow a game: an optional capability."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from meeple.games.contract.rules import Rules

Bytes = npt.NDArray[np.uint8]  # [state_bytes], a state


@runtime_checkable
class ShowsActions(Protocol):
    """Reports what one seat sees of an action: for beliefs that follow a game, also remotely.

    A game needs it if what a player knows depends on the history and not on the state alone.
    """

    def sight(self, before: Bytes, action: int, after: Bytes, seat: int) -> Any:
        """Return what a seat sees of an action between two states, [state_bytes] each."""
        ...

    def sight_to_json(self, sight: Any) -> Any:
        """Return a sight as JSON data."""
        ...

    def sight_from_json(self, data: Any) -> Any:
        """Return the sight that JSON data describes.

        Raises:
            ValueError: the data is malformed.
        """
        ...


def sight(game: Rules, before: Bytes, action: int, after: Bytes, seat: int) -> Any:
    """Return what a seat sees of an action; `None` if the state holds all that it knows."""
    return game.sight(before, action, after, seat) if isinstance(game, ShowsActions) else None


def sight_to_json(game: Rules, sight: Any) -> Any:
    """Return a sight as JSON data; `None` if the game has no sights."""
    return game.sight_to_json(sight) if isinstance(game, ShowsActions) else None


def sight_from_json(game: Rules, data: Any) -> Any:
    """Return the sight that JSON data describes; `None` if the game has no sights.

    Raises:
        ValueError: the data is malformed.
    """
    return game.sight_from_json(data) if isinstance(game, ShowsActions) else None
