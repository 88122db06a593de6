"""What one seat sees of an action, for beliefs that follow a game: an optional capability."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from meeple.games.contract.forwarding import of_game

Bytes = npt.NDArray[np.uint8]  # [state_bytes], a state


@runtime_checkable
class ShowsActions(Protocol):
    """Reports what one seat sees of an action: for beliefs that follow a game, also remotely.

    A game needs it if what a player knows depends on the history and not on the state alone.
    """

    def sight(self, before: Bytes, action: int, after: Bytes, seat: int) -> Any:
        """Return what a seat sees of an action between two states, [state_bytes] each.

        `None` if the state holds all that it knows.
        """
        return None

    def sight_to_json(self, sight: Any) -> Any:
        """Return a sight as JSON data; `None` if the game has no sights."""
        return None

    def sight_from_json(self, data: Any) -> Any:
        """Return the sight that JSON data describes; `None` if the game has no sights.

        Raises:
            ValueError: the data is malformed.
        """
        return None


sight = of_game(ShowsActions.sight)
sight_to_json = of_game(ShowsActions.sight_to_json)
sight_from_json = of_game(ShowsActions.sight_from_json)
