"""The Reversi board as text, and as a scene for the browser."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from meeple.games.boards.drawing import draw_grid
from meeple.games.boards.scene import FELT, Scene, squares
from meeple.games.contract.game import Position
from meeple.kernels import OWNERSHIP
from meeple.kernels.table import caller

_ownership = caller("ownership")


def owners(position: Position) -> npt.NDArray[np.int_]:
    """Return the seat of the disc on each cell, int [size, size]; -1 for an empty cell."""
    size = int(position.state.size)
    owner = np.zeros(size * size, dtype=np.int8)
    _ownership(position.game.address_of(OWNERSHIP), position.address, owner.ctypes.data)
    return owner.reshape(size, size).astype(np.int_)


def last_cell(position: Position) -> int:
    """Return the cell of the last disc that a player placed, or -1; passes do not count."""
    cells = int(position.state.cells)
    return next((cell for cell in reversed(position.actions) if cell < cells), -1)


def draw(position: Position, marked: Collection[int], colour: bool) -> str:
    """Return the board as text, with the cells of the `marked` actions marked."""
    return draw_grid(owners(position), last_cell(position), colour, marked=marked)


def scene(position: Position) -> Scene:
    """Return the board with its legal cells and the last disc."""
    last = last_cell(position)
    return squares(
        owners(position),
        position.legal_actions(),
        last=[last] if last >= 0 else (),
        style=FELT,
    )
