"""What a Reversi position looks worth without playing on: what players count, weighed by phase.

The counts are those that have told strong programs from weak ones since IAGO: moves and places
where moves may come, corners and what gives them away, discs that can never be turned over, who
moves last (Rosenbloom, "A world-championship-level Othello program", 1982). Their weights change
with the phase of the game and were fitted by logistic regression to the results of games (Buro,
"Statistical feature combination for the evaluation of game positions", 1995).
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
    beside,
    beside_wide,
    by_size,
    movable,
    movable_wide,
    moved,
    words,
)
from meeple.kernels import bits_set, kernel

# What `features` counts, in this order; differences are own minus the opponent's.
FEATURES = (
    "tempo",  # 1: what it is worth to be the one to move
    "parity",  # 1 where an odd number of cells is empty, so that the mover has the last; else -1
    "mobility",  # legal moves, as (own - theirs) / (own + theirs + 2)
    "prospects",  # empty cells beside the opponent's discs, likewise
    "corners",
    "corner moves",  # corners that can be taken at once
    "X cells",  # discs diagonal to an empty corner
    "C cells",  # discs beside an empty corner on the edge
    "edges",  # discs on other cells of the edge but corners
    "inner ring",  # discs on other cells one in from the edge
    "stable",  # discs that can never be turned over, corners left out
    "discs",  # as (own - theirs) / (own + theirs)
)


# What each count adds to the logarithm of the odds of winning: [up to 6x6 or larger, knot, count].
# Knots divide the game evenly by empty cells, from a full board to the start; between two knots
# weights change linearly. Fitted to 40,000 or more games of self-play by alpha-beta, four plies
# deep and exact for the last eight cells, after openings of random moves.
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
# Shares of the cells lie closer together than winning chances do; fitted to the same games.
DISC_SCALES = (0.32, 0.22)


def _lines(size: int) -> npt.NDArray[np.uint64]:
    """The rows, columns and both kinds of diagonals of a board: [axis, line, word]."""
    found = np.zeros((4, 2 * WIDE - 1, 2), dtype=np.uint64)
    for row, column in itertools.product(range(size), repeat=2):
        cell = words(size, [(row, column)])
        for axis, line in enumerate((row, column, row - column + size - 1, row + column)):
            found[axis, line] |= cell
    return found


def _ends(size: int) -> npt.NDArray[np.uint64]:
    """The cells that end a line, for each axis: [axis, word]."""
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
    """How far a count is from even, between -1 and 1."""
    return (own - theirs) / (own + theirs + more)


@kernel
def _difference(own: Any, theirs: Any, mask: Any) -> Any:
    """How many more of the own discs than of the others are in a set of cells."""
    mine = _count(own[0] & mask[0], own[1] & mask[1])
    return float(mine - _count(theirs[0] & mask[0], theirs[1] & mask[1]))


@kernel
def _spread(cells: Any, size: int) -> Any:
    """The cells given and all that touch them."""
    if size == WIDE:
        return beside_wide(cells[0], cells[1])
    return beside(cells[0]), ZERO


@kernel
def _movable(own: Any, theirs: Any, size: int) -> Any:
    if size == WIDE:
        return movable_wide(own[0], own[1], theirs[0], theirs[1])
    return movable(own[0], theirs[0], BOARDS[size, 0]), ZERO


@kernel
def features(own: Any, theirs: Any, size: int) -> Any:
    """The counts of `FEATURES` for the player to move, whose discs are `own` (two words)."""
    filled = own[0] | theirs[0], own[1] | theirs[1]
    empty = BOARDS[size, 0] & ~filled[0], BOARDS[size, 1] & ~filled[1]
    empties = _count(empty[0], empty[1])
    moves, their_moves = _movable(own, theirs, size), _movable(theirs, own, size)
    near_own, near_theirs = _spread(own, size), _spread(theirs, size)
    corners = CORNERS[size, 0], CORNERS[size, 1]
    loose = _spread((corners[0] & empty[0], corners[1] & empty[1]), size)
    x_cells = loose[0] & _X_CELLS[size, 0], loose[1] & _X_CELLS[size, 1]
    c_cells = loose[0] & _C_CELLS[size, 0], loose[1] & _C_CELLS[size, 1]
    firm = ~loose[0] & ~corners[0], ~loose[1] & ~corners[1]
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
        _difference(own, theirs, (_EDGES[size, 0] & firm[0], _EDGES[size, 1] & firm[1])),
        _difference(own, theirs, (_RING[size, 0] & firm[0], _RING[size, 1] & firm[1])),
        _difference(own, theirs, (stable[0] & ~corners[0], stable[1] & ~corners[1])),
        _balance(_count(own[0], own[1]), _count(theirs[0], theirs[1]), 0),
    )


@kernel
def stable_discs(own: Any, theirs: Any, size: int) -> Any:
    """Discs of either player that can never be turned over; not all of them are found.

    Along each of the four lines through such a disc, the line is full, or the disc is at its end,
    or next to a disc of the same player that can never be turned over. Without a disc in a corner
    none are looked for.
    """
    filled = own[0] | theirs[0], own[1] | theirs[1]
    if filled[0] & CORNERS[size, 0] == ZERO and filled[1] & CORNERS[size, 1] == ZERO:
        return ZERO, ZERO
    held = _held(filled, size)
    mine, others = _anchored(own, held, size), _anchored(theirs, held, size)
    return mine[0] | others[0], mine[1] | others[1]


@kernel
def _held(filled: Any, size: int) -> Any:
    """The cells at the end of a line or on a full one, both words for each of the four axes."""
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
    """The discs that on every axis are held, or next to another such disc."""
    wide = 1 if size == WIDE else 0
    found, found_high = ZERO, ZERO
    while True:
        more, more_high = discs
        for axis in range(4):
            step = _STEPS[wide, axis]
            up, up_high = moved(found, found_high, step)
            down, down_high = moved(found, found_high, -step)
            more &= held[2 * axis] | up | down
            more_high &= held[2 * axis + 1] | up_high | down_high
        if more == found and more_high == found_high:
            return found, found_high
        found, found_high = more, more_high


@kernel
def estimate(own: Any, theirs: Any, size: int, by_discs: Any) -> float:
    """The share of the player to move, whose discs are `own` (two words)."""
    counted = features(own, theirs, size)
    table = 0 if size <= 6 else 1
    empties = size * size - _count(own[0], own[1]) - _count(theirs[0], theirs[1])
    at = (KNOTS - 1) * empties / (size * size - 4)
    knot = min(int(at), KNOTS - 2)
    part = at - knot
    score = 0.0
    for number in range(len(FEATURES)):
        here, beyond = WEIGHTS[table, knot, number], WEIGHTS[table, knot + 1, number]
        score += counted[number] * (here + part * (beyond - here))
    if by_discs:
        score *= DISC_SCALES[table]
    return 1.0 / (1.0 + math.exp(-score))
