"""The Hex board as text, and as a scene for the browser."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from meeple.games.boards.drawing import draw_diamond, winning_chain
from meeple.games.boards.scene import Scene, hexagons
from meeple.games.contract.game import Position


def owners(position: Position) -> npt.NDArray[np.int_]:
    """Return the seat of the stone on each cell, int [size, size]; -1 for an empty cell."""
    state = position.state
    size = int(state.size)
    owner = np.full((size, size), -1)
    for row in range(size):
        for column in range(size):
            if (int(state.stones[0, row]) >> column) & 1:
                owner[row, column] = 0
            elif (int(state.stones[1, column]) >> row) & 1:
                owner[row, column] = 1
    return owner


def draw(position: Position, marked: Collection[int], colour: bool) -> str:
    """Return the board as text, with the cells of the `marked` actions marked."""
    state = position.state
    return draw_diamond(owners(position), int(state.last), int(state.winner), colour, marked=marked)


def scene(position: Position) -> Scene:
    """Return the board with its legal cells, the last stone and the winning chain."""
    owner, last = owners(position), int(position.state.last)
    winner = int(position.state.winner)
    line = winning_chain(owner, winner) if winner >= 0 else ()
    return hexagons(owner, position.legal_actions(), last=[last] if last >= 0 else (), line=line)
