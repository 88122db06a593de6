"""Evaluation by table: the values of empty cells, by what a stone makes there on all four lines.

For rows of five of which longer ones win too; `threats.py` surveys threats for all other rules. The
cells around an empty cell on a line give the cell one of `CLASSES` classes for each player, and the
classes on its four lines, in any order, give it a value. `cell_weights.py` holds the weights.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.cell_scores import (
    around,
    cells_of,
    made_by_stone,
    near_cells,
    of_opponent,
)
from meeple.games.gomoku.cell_weights import BY_CLASS, BY_CLASSES
from meeple.games.gomoku.lines import COLUMNS, FALLING, RISING
from meeple.kernels import inlined, kernel, lowest_bit

# Classes of an empty cell on a line, for a player with open windows through it: their number with
# one stone; with two stones, one of them with several windows of one stone besides, or several; the
# stretches in which a stone makes a three; a four, a straight four, a row; a four beside a three.
NOTHING, ONE_1, ONE_2, ONE_3, TWO_1, TWO_2, TWO_3, THREE_1, THREE_2 = range(9)
FOUR, STRAIGHT, FIVE, TWO_AND_ONES, FOUR_AND_THREE = range(9, 14)
CLASSES = 14
CLASS_BITS = 4  # of each of the four classes in an index of values

UNIT = 1000  # of values, for one on the scale of log-odds
_FLAG_BITS = 2
_FIVE_FLAG, _STRAIGHT_FLAG = 1, 2  # in a value: whether a class of the cell is FIVE or STRAIGHT
THEIRS_AT = 16
INDEX = (1 << THEIRS_AT) - 1


def _classes() -> npt.NDArray[np.uint32]:
    """Return `CLASS_OF`."""
    made = made_by_stone()
    found = np.minimum(made.ones, ONE_3).astype(np.uint32)
    found[made.twos == 1] = TWO_1
    found[(made.twos == 1) & (made.ones > 1)] = TWO_AND_ONES
    found[made.twos == 2] = TWO_2
    found[made.twos > 2] = TWO_3
    found[made.threes == 1] = THREE_1
    found[made.threes > 1] = THREE_2
    found[made.fours > 0] = FOUR
    found[(made.fours > 0) & (made.threes > 0)] = FOUR_AND_THREE
    found[made.straights > 0] = STRAIGHT
    found[made.fives > 0] = FIVE
    return np.asarray(found | of_opponent(found) << np.uint32(THEIRS_AT), np.uint32)


def _values() -> npt.NDArray[np.int32]:
    """Return `VALUES`."""
    index = np.arange(INDEX + 1)
    classes = np.stack([index >> (CLASS_BITS * line) & 0xF for line in range(4)])
    possible = np.all(classes < CLASSES, axis=0)
    index, classes = index[possible], classes[:, possible]
    flags = np.any(classes == FIVE, axis=0) * _FIVE_FLAG
    flags |= np.any(classes == STRAIGHT, axis=0) * _STRAIGHT_FLAG
    in_order = np.sort(classes, axis=0)
    values = np.zeros((2, INDEX + 1), np.int32)
    for side in range(2):
        joint = np.zeros((CLASSES,) * 4, np.int64)
        words = BY_CLASSES[side].split()
        for name, weight in zip(words[::2], words[1::2], strict=True):
            joint[tuple(int(digit, 16) for digit in name)] = int(weight)
        value = np.array(BY_CLASS[side])[classes].sum(axis=0) + joint[tuple(in_order)]
        values[side, index] = value << _FLAG_BITS | flags
    return values


CLASS_OF = _classes()
"""[65536] by the eight cells around a cell, as `ENTRIES` of `cell_scores.py`: the class for the
mover, and from bit 16 on for the opponent."""
VALUES = _values()
"""[2, 65536] of the mover and the opponent, by four classes: the value for the mover, above the
flags."""


@kernel
def survey_cells(s: Any, mover: int) -> tuple[Any, Any, Any, Any]:
    """Add up the values of all empty cells near stones.

    Returns:
        The sum, in units of 1 / `UNIT`; whether a stone of the mover completes a row; the number of
        cells where a stone of the opponent does; and whether a stone of the mover makes a straight
        four.
    """
    size: Any = np.int64(s.size)
    own, other = s.lines[mover], s.lines[1 - mover]
    total, flags, their_fives = np.int64(0), np.int64(0), np.int64(0)
    for row in range(size):
        near = near_cells(own, other, size, row)
        in_row = cells_of(own, other, size, np.uint64(row))
        while near:
            column = lowest_bit(np.uint64(near))
            near &= near - 1
            found = classes_at(own, other, size, in_row, row, column)
            mine = np.int64(VALUES[0, found & INDEX])
            theirs = np.int64(VALUES[1, found >> THEIRS_AT])
            total += (mine >> _FLAG_BITS) + (theirs >> _FLAG_BITS)
            flags |= mine
            their_fives += theirs & _FIVE_FLAG
    return total, flags & _FIVE_FLAG != 0, their_fives, flags & _STRAIGHT_FLAG != 0


@inlined
def classes_at(own: Any, other: Any, size: int, in_row: Any, row: int, column: int) -> Any:
    """Return the classes of an empty cell on its four lines: the opponent's from `THEIRS_AT` on.

    `in_row` are the stones of the cell's row, see `cells_of`.
    """
    place, down = np.uint64(column), np.uint64(row)
    found = _class_at(in_row, place, 0)
    found |= _class_at(cells_of(own, other, size, COLUMNS + place), down, 1)
    found |= _class_at(cells_of(own, other, size, RISING + down + place), place, 2)
    found |= _class_at(cells_of(own, other, size, FALLING + down - place), place, 3)
    return found


@inlined
def _class_at(cells: Any, place: Any, line: int) -> Any:
    """Return both players' classes of an empty place, as those of the cell's n-th line."""
    return np.int64(CLASS_OF[around(cells, place)]) << (CLASS_BITS * line)
