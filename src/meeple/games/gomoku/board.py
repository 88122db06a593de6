"""The Gomoku board as text, and as a scene for the browser."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from meeple.games.boards.drawing import DISC, PLAIN, draw_grid, paint
from meeple.games.boards.grid import rows_through
from meeple.games.boards.scene import LINES, Scene, squares
from meeple.games.contract.game import Position


def owners(position: Position) -> npt.NDArray[np.int_]:
    """Return the seat of the stone on each cell, int [size, size]; -1 for an empty cell."""
    state = position.state
    size = int(state.size)
    rows = np.asarray(state.lines)[:, :size, np.newaxis]
    first, second = (rows >> np.arange(size, dtype=np.uint32)) & 1
    return np.where(first, 0, np.where(second, 1, -1))


def winning_cells(position: Position) -> tuple[int, ...]:
    """Return the cells of the winning rows through the last stone; empty if no player has won."""
    state = position.state
    if state.winner < 0:
        return ()
    return rows_through(
        owners(position), int(state.last), int(state.in_a_row), exact=bool(state.exact)
    )


def draw(position: Position, marked: Collection[int], colour: bool) -> str:
    """Return the board and its legend as text, with the cells of the `marked` actions marked."""
    state = position.state
    board = draw_grid(
        owners(position), int(state.last), colour, marked=marked, line=winning_cells(position)
    )
    first, second = (paint(DISC, 0), paint(DISC, 1)) if colour else PLAIN
    length = int(state.in_a_row)
    wins = f"exactly {length}" if state.exact else f"{length} or more"
    return f"{board}\nplayer 1 ({first}) and player 2 ({second}): {wins} in a row win"


def scene(position: Position) -> Scene:
    """Return the board with its legal cells, the last stone and the winning rows."""
    last = int(position.state.last)
    return squares(
        owners(position),
        position.legal_actions(),
        last=[last] if last >= 0 else (),
        line=winning_cells(position),
        style=LINES,
    )
