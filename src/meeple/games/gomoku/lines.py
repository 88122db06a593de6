"""Stones as words of bits along the lines of a board in all four directions; rows of stones.

A player's stones are `lines`, uint32 [NUM_WORDS]: the rows, the columns, the diagonals numbered by
row + column, and those numbered by row - column, which may be negative. The bit index in a word is
the cell's column; in the word of a column it is the cell's row.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.kernels import inlined, kernel

MAX_SIZE = 20

# Index of line 0 of each direction; unsigned, so that compiled code has no test for negative ones.
COLUMNS = np.uint64(MAX_SIZE)
RISING = np.uint64(2 * MAX_SIZE)
FALLING = np.uint64(5 * MAX_SIZE - 2)
NUM_WORDS = 6 * MAX_SIZE - 2

HALF = 32  # bits of a line in a pair of lines, two words side by side in 64 bits
PAIRS = NUM_WORDS // 2

_ONE, _HALF = np.uint64(1), np.uint64(HALF)


@kernel
def is_exact(s: Any, player: int) -> bool:
    """Return whether longer rows than `in_a_row` do not win for a player."""
    return bool(s.exact != 0 or (s.renju != 0 and player == s.black))


@kernel
def place(lines: Any, row: Any, column: Any, length: int, exact: bool) -> bool:
    """Add a stone to a player's lines; return whether it completes a row of stones.

    Args:
        lines: [NUM_WORDS] uint32, the player's stones; updated.
        row: uint64.
        column: uint64.
        length: stones of a winning row.
        exact: whether a longer row does not count.
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
    # Two words are tested at once, as halves of one 64-bit word.
    straight, slanted = in_row | (in_column << _HALF), on_rising | (on_falling << _HALF)
    found = _in_a_row(straight, length), _in_a_row(slanted, length)
    if exact:
        return bool((found[0] & _ends(straight, length)) | (found[1] & _ends(slanted, length)))
    return bool(found[0] | found[1])


@kernel
def _in_a_row(words: Any, length: Any) -> Any:
    """Return the places from which `length` bits (3 to 6) are set, in both halves of a word.

    A half uses 20 of its 32 bits, so shifts by up to 6 do not mix the halves.
    """
    words &= words >> _ONE
    words &= words >> np.uint64(min(length - 2, 2))
    return words & (words >> np.uint64(max(length - 4, 0)))


@kernel
def _ends(words: Any, length: Any) -> Any:
    """Return the places where neither the bit before nor the bit after `length` bits is set."""
    return ~((words << _ONE) | (words >> np.uint64(length)))


def _tables() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16]]:
    """Return `PLACES` and `CELLS`."""
    places = np.zeros((MAX_SIZE + 1, NUM_WORDS), np.int64)
    cells = np.zeros((NUM_WORDS, HALF), np.int16)
    columns, rising, falling = int(COLUMNS), int(RISING), int(FALLING)
    for row in range(MAX_SIZE):
        for column in range(MAX_SIZE):
            for word, bit in (
                (row, column),
                (columns + column, row),
                (rising + row + column, column),
                (falling + row - column, column),
            ):
                places[max(row, column) + 1 :, word] |= 1 << bit
                cells[word, bit] = row * MAX_SIZE + column
    return places[:, ::2] | places[:, 1::2] << HALF, cells.ravel()


PLACES, CELLS = _tables()
"""[size, PAIRS] the places of both lines of a pair, as bits; [PAIRS * 2 * HALF] of a place, the
cell `row * MAX_SIZE + column`."""


@inlined
def pair_at(lines: Any, pair: int) -> Any:
    """Return two lines of a player as the halves of one word, int64."""
    return np.int64(lines[2 * pair]) | np.int64(lines[2 * pair + 1]) << HALF


@inlined
def cell_in_pair(pair: int, bit: int) -> Any:
    """Return the cell `row * MAX_SIZE + column` at a bit of a pair of lines, int64."""
    return np.int64(CELLS[2 * HALF * pair + bit])
