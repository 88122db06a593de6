"""Heuristic value of a Reversi position: a logistic model of features, weighted by phase.

The features are the classic ones: present and potential mobility, corners and the cells beside
them, stable discs, parity. Source: Rosenbloom, "A world-championship-level Othello program", 1982.
The weights depend on the phase of the game and were fitted by logistic regression to the results of
games. Source: Buro, "Statistical feature combination for the evaluation of game positions", 1995.
"""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.reversi.bits import (
    BOARDS,
    CORNERS,
    STRIDE,
    WIDE,
    WIDE_STRIDE,
    ZERO,
    by_size,
    movable,
    movable_wide,
    shifted,
    with_neighbours,
    with_neighbours_wide,
    words,
)
from meeple.kernels import bits_set, kernel

# The features in order. Counts of discs, cells and moves are differences: own minus opponent's.
FEATURES = (
    "tempo",  # always 1: the value of being the player to move
    "parity",  # 1 if the number of empty cells is odd, so that the mover moves last; else -1
    "mobility",  # legal moves, as (own - theirs) / (own + theirs + 2)
    "prospects",  # empty cells beside the opponent's discs, in the same form
    "corners",
    "corner moves",  # legal moves to corners
    "X cells",  # discs diagonal to an empty corner
    "C cells",  # discs on the edge beside an empty corner
    "edges",  # discs on other edge cells, without corners
    "inner ring",  # discs on other cells next to the edge cells
    "stable",  # discs that can never be flipped, without corners
    "discs",  # as (own - theirs) / (own + theirs)
)


# Weights of the features on the log-odds scale: [0: up to 6x6, 1: larger; knot; feature]. Knots
# divide the game evenly by the number of empty cells, from a full board to the start; weights are
# interpolated linearly between two knots. Fitted to at least 40,000 games of self-play by
# alpha-beta, four plies deep and exact for the last eight cells, after random opening moves.
KNOTS = 6
WEIGHTS = np.array(
    [
        [
            [0.82, 0.75, 1.62, -0.04, 0.35, 0.15, -0.18, 0.07, -0.18, -0.09, 0.56, -0.06],
            [-0.18, 0.04, 3.19, -0.53, 0.48, 0.66, -0.01, -0.06, -0.15, -0.06, 0.40, -0.26],
            [-0.08, 0.09, 2.28, 0.07, 0.83, 0.76, -0.11, -0.13, -0.11, -0.15, 0.34, 0.29],
            [0.00, 0.00, 1.89, 0.80, 1.11, 0.38, -0.39, -0.20, 0.03, -0.11, 0.24, 0.50],
            [-0.02, -0.06, 0.01, -0.08, 1.58, 0.16, -1.17, -0.17, -0.06, -0.09, 0.40, 0.04],
            [0.00, -0.32, -0.09, 0.05, 0.37, 0.40, -1.01, 0.18, -0.16, 0.05, 0.01, 0.04],
        ],
        [
            [0.13, 0.48, 5.31, -1.38, 0.27, 0.18, 0.07, -0.18, -0.07, 0.00, 0.30, 0.96],
            [-0.20, 0.06, 4.27, -1.41, 0.50, 0.56, -0.07, -0.17, -0.07, -0.01, 0.16, -0.24],
            [-0.19, 0.08, 2.05, 0.31, 0.70, 0.49, -0.31, -0.16, 0.00, -0.09, 0.17, -1.13],
            [-0.17, 0.07, 1.36, 1.05, 0.86, 0.29, -0.70, -0.29, 0.04, -0.08, 0.19, -1.01],
            [-0.14, 0.08, 0.57, 0.72, 1.06, -0.03, -1.10, -0.59, 0.05, -0.07, 0.25, -0.68],
            [0.10, 0.13, 0.15, -0.12, 0.17, 0.63, -0.92, -0.11, -0.03, -0.13, 0.04, 0.67],
        ],
    ]
)
# Factors of the log-odds if the payoff is the share of discs, which varies less than the result;
# fitted to the same games: [up to 6x6, larger].
DISC_SCALES = (0.32, 0.22)


def _lines(size: int) -> npt.NDArray[np.uint64]:
    """Return the rows, columns and both kinds of diagonals of a board: [axis, line, word]."""
    found = np.zeros((4, 2 * WIDE - 1, 2), dtype=np.uint64)
    for row, column in itertools.product(range(size), repeat=2):
        cell = words(size, [(row, column)])
        for axis, line in enumerate((row, column, row - column + size - 1, row + column)):
            found[axis, line] |= cell
    return found


def _ends(size: int) -> npt.NDArray[np.uint64]:
    """Return the cells at the ends of lines, for each axis: [axis, word]."""
    outer = {0, size - 1}
    cells = list(itertools.product(range(size), repeat=2))
    columns = words(size, [(row, column) for row, column in cells if column in outer])
    rows = words(size, [(row, column) for row, column in cells if row in outer])
    return np.array([columns, rows, rows | columns, rows | columns])


_LINES = np.array([_lines(size) for size in range(WIDE + 1)])  # [size, axis, line, word]
_STEPS = np.array([[1, STRIDE, STRIDE + 1, STRIDE - 1], [1, WIDE_STRIDE, WIDE_STRIDE + 1, WIDE]])
_EDGES = BOARDS & ~by_size(lambda size: set(range(1, size - 1)))
_ENDS = np.array([_ends(size) for size in range(WIDE + 1)])  # [size, axis, word]
_X_CELLS = by_size(lambda size: {1, size - 2} if size > 3 else set())
_C_CELLS = _EDGES & by_size(lambda size: {0, 1, size - 2, size - 1} if size > 3 else set())
_RING = BOARDS & ~_EDGES & ~by_size(lambda size: set(range(2, size - 2)))


@kernel
def _count(low: Any, high: Any) -> Any:
    return bits_set(low) + bits_set(high)


@kernel
def _balance(own: int, theirs: int, more: int) -> float:
    """Return the normalized difference of two counts, between -1 and 1."""
    return (own - theirs) / (own + theirs + more)


@kernel
def _difference(own: Any, theirs: Any, mask: Any) -> Any:
    """Return the number of own discs minus the number of theirs in a set of cells."""
    mine = _count(own[0] & mask[0], own[1] & mask[1])
    return float(mine - _count(theirs[0] & mask[0], theirs[1] & mask[1]))


@kernel
def _with_neighbours(cells: Any, size: int) -> Any:
    if size == WIDE:
        return with_neighbours_wide(cells[0], cells[1])
    return with_neighbours(cells[0]), ZERO


@kernel
def _movable(own: Any, theirs: Any, size: int) -> Any:
    if size == WIDE:
        return movable_wide(own[0], own[1], theirs[0], theirs[1])
    return movable(own[0], theirs[0], BOARDS[size, 0]), ZERO


@kernel
def features(own: Any, theirs: Any, size: int) -> Any:
    """Return the values of `FEATURES` for the player to move, whose discs are `own` (two words)."""
    filled = own[0] | theirs[0], own[1] | theirs[1]
    empty = BOARDS[size, 0] & ~filled[0], BOARDS[size, 1] & ~filled[1]
    empties = _count(empty[0], empty[1])
    moves, their_moves = _movable(own, theirs, size), _movable(theirs, own, size)
    near_own, near_theirs = _with_neighbours(own, size), _with_neighbours(theirs, size)
    corners = CORNERS[size, 0], CORNERS[size, 1]
    near_corners = _with_neighbours((corners[0] & empty[0], corners[1] & empty[1]), size)
    x_cells = near_corners[0] & _X_CELLS[size, 0], near_corners[1] & _X_CELLS[size, 1]
    c_cells = near_corners[0] & _C_CELLS[size, 0], near_corners[1] & _C_CELLS[size, 1]
    other = ~near_corners[0] & ~corners[0], ~near_corners[1] & ~corners[1]
    stable = stable_discs(own, theirs, size)
    return (
        1.0,
        1.0 if empties & 1 else -1.0,
        _balance(_count(moves[0], moves[1]), _count(their_moves[0], their_moves[1]), 2),
        _balance(
            _count(near_theirs[0] & empty[0], near_theirs[1] & empty[1]),
            _count(near_own[0] & empty[0], near_own[1] & empty[1]),
            2,
        ),
        _difference(own, theirs, corners),
        _difference(moves, their_moves, corners),
        _difference(own, theirs, x_cells),
        _difference(own, theirs, c_cells),
        _difference(own, theirs, (_EDGES[size, 0] & other[0], _EDGES[size, 1] & other[1])),
        _difference(own, theirs, (_RING[size, 0] & other[0], _RING[size, 1] & other[1])),
        _difference(own, theirs, (stable[0] & ~corners[0], stable[1] & ~corners[1])),
        _balance(_count(own[0], own[1]), _count(theirs[0], theirs[1]), 0),
    )


@kernel
def stable_discs(own: Any, theirs: Any, size: int) -> Any:
    """Return discs of both players that can never be flipped, as two words.

    A disc is stable if for each of the four lines through it one of these holds: the line is full,
    the disc is at its end, or it is next to a stable disc of the same player on the line. This does
    not find all stable discs. If all corners are empty, none are searched.
    """
    filled = own[0] | theirs[0], own[1] | theirs[1]
    if filled[0] & CORNERS[size, 0] == ZERO and filled[1] & CORNERS[size, 1] == ZERO:
        return ZERO, ZERO
    held = _held(filled, size)
    mine, others = _anchored(own, held, size), _anchored(theirs, held, size)
    return mine[0] | others[0], mine[1] | others[1]


@kernel
def _held(filled: Any, size: int) -> Any:
    """Return the cells at the end of a line or on a full line: two words for each of four axes."""
    low_0, high_0 = _held_along(filled, size, 0)
    low_1, high_1 = _held_along(filled, size, 1)
    low_2, high_2 = _held_along(filled, size, 2)
    low_3, high_3 = _held_along(filled, size, 3)
    return low_0, high_0, low_1, high_1, low_2, high_2, low_3, high_3


@kernel
def _held_along(filled: Any, size: int, axis: int) -> Any:
    low, high = _ENDS[size, axis, 0], _ENDS[size, axis, 1]
    for number in range(2 * size - 1):
        line, line_high = _LINES[size, axis, number, 0], _LINES[size, axis, number, 1]
        if filled[0] & line == line and filled[1] & line_high == line_high:
            low |= line
            high |= line_high
    return low, high


@kernel
def _anchored(discs: Any, held: Any, size: int) -> Any:
    """Return the discs that on every axis are in `held`, or next to another such disc."""
    wide = 1 if size == WIDE else 0
    found, found_high = ZERO, ZERO
    while True:
        grown, grown_high = discs
        for axis in range(4):
            step = _STEPS[wide, axis]
            up, up_high = shifted(found, found_high, step)
            down, down_high = shifted(found, found_high, -step)
            grown &= held[2 * axis] | up | down
            grown_high &= held[2 * axis + 1] | up_high | down_high
        if grown == found and grown_high == found_high:
            return found, found_high
        found, found_high = grown, grown_high


@kernel
def estimate(own: Any, theirs: Any, size: int, by_discs: Any) -> float:
    """Estimate the share of the player to move, whose discs are `own` (two words)."""
    values = features(own, theirs, size)
    table = 0 if size <= 6 else 1
    empties = size * size - _count(own[0], own[1]) - _count(theirs[0], theirs[1])
    at = (KNOTS - 1) * empties / (size * size - 4)
    knot = min(int(at), KNOTS - 2)
    fraction = at - knot
    score = 0.0
    for number in range(len(FEATURES)):
        lower, upper = WEIGHTS[table, knot, number], WEIGHTS[table, knot + 1, number]
        score += values[number] * (lower + fraction * (upper - lower))
    if by_discs:
        score *= DISC_SCALES[table]
    return 1.0 / (1.0 + math.exp(-score))
