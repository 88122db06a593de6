"""Rules of thumb of Reversi: what a first program counts, and moves that it would not try."""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.reversi.bits import BOARDS, CORNERS, WIDE, ZERO, beside, beside_wide, words
from meeple.kernels import bits_set, kernel

# Worth of a cell by how far it is from the nearer edge, along its row and its column, 3 and more as
# 3: the square table that textbooks and first programs share, written for the board of 8x8.
WORTH = np.array(
    [
        [100, -20, 10, 5],
        [-20, -50, -2, -2],
        [10, -2, -1, -1],
        [5, -2, -1, -1],
    ]
)
WORTHS = np.unique(WORTH)  # each once, ascending
SCALE = 100.0  # of a difference in worth that gives e : 1 odds


def worth_of(size: int, row: int, column: int) -> int:
    """The worth of a cell."""
    near = [min(at, size - 1 - at, 3) for at in (row, column)]
    return int(WORTH[near[0], near[1]])


def _cells_worth(size: int, worth: int) -> npt.NDArray[np.uint64]:
    """The cells of a worth, as both words of a board of this size."""
    cells = itertools.product(range(size), range(size))
    return words(size, [cell for cell in cells if worth_of(size, *cell) == worth])


_OF_WORTH = np.array(
    [[_cells_worth(size, worth) for worth in WORTHS.tolist()] for size in range(WIDE + 1)]
)  # [size, number in WORTHS, word]


@kernel
def estimate_by_cells(own: Any, theirs: Any, size: int) -> float:
    """The share of the player whose discs are `own` (two words), by what its cells are worth."""
    score = 0.0
    for number in range(len(WORTHS)):
        low, high = _OF_WORTH[size, number, 0], _OF_WORTH[size, number, 1]
        mine = bits_set(own[0] & low) + bits_set(own[1] & high)
        others = bits_set(theirs[0] & low) + bits_set(theirs[1] & high)
        score += WORTHS[number] * (mine - others)
    return 1.0 / (1.0 + math.exp(-score / SCALE))


@kernel
def corners_first(moves: Any, size: int) -> Any:
    """Of moves, two words, those to a corner where there are any, else all of them."""
    low, high = moves[0] & CORNERS[size, 0], moves[1] & CORNERS[size, 1]
    if low | high == ZERO:
        return moves
    return low, high


@kernel
def beside_empty_corners(filled: Any, size: int) -> Any:
    """The cells that touch a corner without a disc, two words: moves there tend to give it away."""
    low, high = CORNERS[size, 0] & ~filled[0], CORNERS[size, 1] & ~filled[1]
    if size == WIDE:
        near, near_high = beside_wide(low, high)
    else:
        near, near_high = beside(low), ZERO
    return near & BOARDS[size, 0], near_high & BOARDS[size, 1]
