"""Stones as words of bits along the lines of a board, in all four directions, and rows in them.

A player's stones are `lines`, uint32 [WORDS]: rows first, then columns, then the diagonals by
row + column, then those by row - column, which may be negative. A bit's place in a word is its
column, in a column's word its row.
"""

from typing import Any

import numpy as np

from meeple.kernels import kernel

MAX_SIZE = 20

# Unsigned, so that no index is looked at for being negative.
COLUMNS = np.uint64(MAX_SIZE)  # where the words of each direction begin, or their number 0 is
RISING = np.uint64(2 * MAX_SIZE)
FALLING = np.uint64(5 * MAX_SIZE - 2)
WORDS = 6 * MAX_SIZE - 2

_ONE, _HALF = np.uint64(1), np.uint64(32)


@kernel
def place(lines: Any, row: Any, column: Any, length: int, exact: bool) -> bool:
    """Add a stone to a player's lines and say whether it makes a row of this length.

    Row and column are uint64. With `exact`, a longer row does not count.
    """
    across, down = _ONE << column, _ONE << row
    rising, falling = RISING + row + column, FALLING + row - column
    in_row = np.uint64(lines[row]) | across
    in_column = np.uint64(lines[COLUMNS + column]) | down
    on_rising = np.uint64(lines[rising]) | across
    on_falling = np.uint64(lines[falling]) | across
    lines[row] = np.uint32(in_row)
    lines[COLUMNS + column] = np.uint32(in_column)
    lines[rising] = np.uint32(on_rising)
    lines[falling] = np.uint32(on_falling)
    # Two words are tested at once, as the halves of a longer one.
    straight, slanted = in_row | (in_column << _HALF), on_rising | (on_falling << _HALF)
    found = _in_a_row(straight, length), _in_a_row(slanted, length)
    if exact:
        return bool((found[0] & _ends(straight, length)) | (found[1] & _ends(slanted, length)))
    return bool(found[0] | found[1])


@kernel
def _in_a_row(words: Any, length: Any) -> Any:
    """Where `length` bits, 3 to 6, are set from a place on, in both halves of a word.

    A half has 20 places, so that shifts by up to 6 leave the lower one's alone.
    """
    words &= words >> _ONE
    words &= words >> np.uint64(min(length - 2, 2))
    return words & (words >> np.uint64(max(length - 4, 0)))


@kernel
def _ends(words: Any, length: Any) -> Any:
    """Where neither the bit before nor the one after `length` bits from a place on is set."""
    return ~((words << _ONE) | (words >> np.uint64(length)))
