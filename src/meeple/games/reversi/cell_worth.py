"""A simple Reversi heuristic: weights of cells, preference for corners, cells to avoid."""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.reversi.bits import (
    BOARDS,
    CORNERS,
    WIDE,
    ZERO,
    with_neighbours,
    with_neighbours_wide,
    words,
)
from meeple.kernels import bits_set, kernel

# Weight of a cell by its distances from the nearer edge along row and column, at most 3: the table
# of textbooks and simple programs for the 8x8 board.
CELL_WEIGHTS = np.array(
    [
        [100, -20, 10, 5],
        [-20, -50, -2, -2],
        [10, -2, -1, -1],
        [5, -2, -1, -1],
    ]
)
DISTINCT_WEIGHTS = np.unique(CELL_WEIGHTS)
WEIGHT_SCALE = 100.0  # difference of weights that changes the odds by a factor e


def cell_weight(size: int, row: int, column: int) -> int:
    """Return the weight of a cell."""
    near = [min(at, size - 1 - at, 3) for at in (row, column)]
    return int(CELL_WEIGHTS[near[0], near[1]])


def _cells_of_weight(size: int, weight: int) -> npt.NDArray[np.uint64]:
    """Return the cells of one weight, as two words of a board of this size."""
    cells = itertools.product(range(size), range(size))
    return words(size, [cell for cell in cells if cell_weight(size, *cell) == weight])


_CELLS_BY_WEIGHT = np.array(
    [
        [_cells_of_weight(size, weight) for weight in DISTINCT_WEIGHTS.tolist()]
        for size in range(WIDE + 1)
    ]
)  # [size, index in DISTINCT_WEIGHTS, word]


@kernel
def estimate_by_cells(own: Any, theirs: Any, size: int) -> float:
    """Estimate the share of the player with the discs `own` (two words) by the weights of cells."""
    score = 0.0
    for number in range(len(DISTINCT_WEIGHTS)):
        low, high = _CELLS_BY_WEIGHT[size, number, 0], _CELLS_BY_WEIGHT[size, number, 1]
        mine = bits_set(own[0] & low) + bits_set(own[1] & high)
        others = bits_set(theirs[0] & low) + bits_set(theirs[1] & high)
        score += DISTINCT_WEIGHTS[number] * (mine - others)
    return 1.0 / (1.0 + math.exp(-score / WEIGHT_SCALE))


@kernel
def corners_first(moves: Any, size: int) -> Any:
    """Return the moves (two words) to corners if there are any, else all moves."""
    low, high = moves[0] & CORNERS[size, 0], moves[1] & CORNERS[size, 1]
    if low | high == ZERO:
        return moves
    return low, high


@kernel
def beside_empty_corners(filled: Any, size: int) -> Any:
    """Return the neighbours of empty corners as two words; discs there tend to lose the corner."""
    low, high = CORNERS[size, 0] & ~filled[0], CORNERS[size, 1] & ~filled[1]
    if size == WIDE:
        near, near_high = with_neighbours_wide(low, high)
    else:
        near, near_high = with_neighbours(low), ZERO
    return near & BOARDS[size, 0], near_high & BOARDS[size, 1]
