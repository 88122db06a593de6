"""Positions that are the same by transposition or by a symmetry of the game.

Two positions are equal if their states are, without the field `last`, the place of the last stone.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from meeple.errors import IllegalAction
from meeple.games.contract.game import Game, Position

PositionKey = tuple[int, bytes]


def position_key(position: Position) -> PositionKey:
    """Return a key that equal positions share, whatever moves led to them."""
    names = position.game.State.names or ()
    if "last" not in names:
        return position.to_move, position.row.tobytes()
    state = position.row.copy().view(position.game.State)
    state["last"] = 0
    return position.to_move, state.tobytes()


def permutations_of(game: Game) -> list[npt.NDArray[np.intp]]:
    """Return the symmetries that keep the seats, the identity first.

    Each is an array that holds, for each action of the image of a position, that of the position.
    """
    seats = np.arange(game.players)
    kept = [one.action for one in game.symmetries() if (one.player == seats).all()]
    return [np.arange(game.num_actions, dtype=np.intp), *kept]


def images_of(
    game: Game, line: Sequence[int], permutations: Sequence[npt.NDArray[np.intp]], *, seed: int = 0
) -> dict[PositionKey, list[npt.NDArray[np.intp]]]:
    """Return the images of a position that actions from the start can reach, by key.

    Args:
        game: the game.
        line: the actions from the start to the position.
        permutations: the symmetries to apply, see `permutations_of`.
        seed: of the start.

    Returns:
        The permutations that lead to each image; none if the line breaks the rules.
    """
    images: dict[PositionKey, list[npt.NDArray[np.intp]]] = {}
    for back in permutations:
        there = np.argsort(back)
        try:
            image = position_after(game, [int(there[action]) for action in line], seed)
        except IllegalAction:
            continue  # the start itself is not symmetric in this way
        images.setdefault(position_key(image), []).append(back)
    return images


def position_after(game: Game, line: Sequence[int], seed: int = 0) -> Position:
    """Return the position after actions from a start. Raises IllegalAction."""
    position = game.start(seed)
    for action in line:
        position.play(action)
    return position
