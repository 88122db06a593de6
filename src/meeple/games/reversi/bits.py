"""Sets of cells as words of bits, and Reversi's moves and flips on them, without a game state.

A board of up to 8x8 cells is one word with eight bits per row: cell (row, column) is bit
row * 8 + column. A 10x10 board is two words, low and high, with eleven bits per row. The eleventh
bit is never set, so that a step over an edge reaches an empty place.

Lines of discs are followed from all cells at once, by doubling: one step, then two at a time. In
one word, four directions are followed at once.
"""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.kernels import any_word, four_times, four_words, inlined, kernel, words_where

WIDE = 10  # the only size that needs two words
STRIDE = 8  # bits per row in one word
WIDE_STRIDE = 11  # bits per row in two words
WORD_BITS = 64

ZERO, ONE = np.uint64(0), np.uint64(1)
_S2, _S7, _S8, _S9, _S14, _S16, _S18 = map(np.uint64, (2, 7, 8, 9, 14, 16, 18))
# Cells that a line along a row or a diagonal can pass: all but the first and last column.
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)

_NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)  # all but the first column
_NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)  # all but the eighth

_WIDE_STEPS = (1, WIDE_STRIDE - 1, WIDE_STRIDE, WIDE_STRIDE + 1)


def words(size: int, cells: Iterable[tuple[int, int]]) -> npt.NDArray[np.uint64]:
    """Return a set of cells (row, column) as two words: [2] uint64, low and high.

    Args:
        size: the size of the board.
        cells: the cells.
    """
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    board = sum(1 << (row * stride + column) for row, column in cells)
    return np.array([board & (2**WORD_BITS - 1), board >> WORD_BITS], dtype=np.uint64)


def by_size(lines: Callable[[int], set[int]]) -> npt.NDArray[np.uint64]:
    """Return, for each size, the cells whose row and column are both in `lines(size)`.

    Returns:
        [WIDE + 1, 2] uint64, two words per size.
    """
    cells_by_size = [itertools.product(lines(size), lines(size)) for size in range(WIDE + 1)]
    return np.array([words(size, cells) for size, cells in enumerate(cells_by_size)])


BOARDS = by_size(lambda size: set(range(size)))
CORNERS = by_size(lambda size: {0, size - 1} if size else set())

_WIDE_LOW, _WIDE_HIGH = BOARDS[WIDE]


@kernel
def place_of(size: int, cell: int) -> int:
    """Return the index of a cell's bit, counted through both words."""
    if size == STRIDE:
        return cell
    row = cell // size
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    return row * stride + (cell - row * size)


@kernel
def cell_of(size: int, place: int) -> int:
    """Return the cell of a bit index: the inverse of `place_of`."""
    if size == STRIDE:
        return place
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    row = place // stride
    return row * size + (place - row * stride)


@kernel
def lowest(word: Any) -> Any:
    """Return the lowest set bit alone; 0 if there is none."""
    return word & (~word + ONE)


@kernel
def nth_bit(word: Any, n: int) -> Any:
    """Return the set bit with n set bits below it; more than n bits must be set."""
    for _ in range(n):
        word &= word - ONE
    return lowest(word)


# ---------------------------------------------------------------- boards of one word


@kernel
def movable(own: Any, other: Any, board: Any) -> Any:
    """Return the empty cells where a disc of `own` would flip discs of `other`."""
    step = _steps()
    up, down = _lines(four_times(own), _passable(other), step)
    return any_word((up << step) | (down >> step)) & board & ~(own | other)


@kernel
def flips(bit: Any, own: Any, other: Any) -> Any:
    """Return the discs of `other` that a disc of `own` on the cell `bit` would flip."""
    step, ends = _steps(), four_times(own)
    up, down = _lines(four_times(bit), _passable(other), step)
    up, down = words_where(up, (up << step) & ends), words_where(down, (down >> step) & ends)
    return any_word(up | down)


# Four words side by side: one each for rows, both kinds of diagonals, and columns in between.


@inlined
def _steps() -> Any:
    return four_words(ONE, _S7, _S8, _S9)


@inlined
def _passable(other: Any) -> Any:
    """Return the discs of `other` that a line can pass in each direction."""
    inner = other & _INNER
    return four_words(inner, inner, other, inner)


@inlined
def _lines(cells: Any, other: Any, step: Any) -> Any:
    """Return the lines of `other` that begin next to any of the cells: upwards, and downwards."""
    two = four_words(_S2, _S14, _S16, _S18)
    up = other & (cells << step)
    down = other & (cells >> step)
    up = up | (other & (up << step))
    down = down | (other & (down >> step))
    up_pair = other & (other << step)
    down_pair = other & (other >> step)
    up = up | (up_pair & (up << two))
    down = down | (down_pair & (down >> two))
    up = up | (up_pair & (up << two))
    down = down | (down_pair & (down >> two))
    return up, down


@kernel
def with_neighbours(cells: Any) -> Any:
    """Return a set of cells with all their neighbours; bits outside a small board may be set."""
    cells |= ((cells & _NOT_LAST) << ONE) | ((cells & _NOT_FIRST) >> ONE)
    return cells | (cells << _S8) | (cells >> _S8)


# ---------------------------------------------------------------- boards of two words


@kernel
def shifted(low: Any, high: Any, step: int) -> Any:
    """Shift two words by `step` bits up, or down if `step` is negative."""
    if step > 0:
        shift, carry = np.uint64(step), np.uint64(WORD_BITS - step)
        return low << shift, (high << shift) | (low >> carry)
    shift, carry = np.uint64(-step), np.uint64(WORD_BITS + step)
    return (low >> shift) | (high << carry), high >> shift


@kernel
def movable_wide(own: Any, own_high: Any, other: Any, other_high: Any) -> Any:
    """Do the same as `movable` on a board of two words."""
    ends, ends_high = ZERO, ZERO
    for way in range(8):
        step = _WIDE_STEPS[way] if way < 4 else -_WIDE_STEPS[way - 4]
        low, high = shifted(own, own_high, step)
        while True:
            low, high = low & other, high & other_high
            if low | high == ZERO:
                break
            low, high = shifted(low, high, step)
            ends |= low
            ends_high |= high
    free = _WIDE_LOW & ~(own | other)
    return ends & free, ends_high & _WIDE_HIGH & ~(own_high | other_high)


@kernel
def flips_wide(
    bit: Any, bit_high: Any, own: Any, own_high: Any, other: Any, other_high: Any
) -> Any:
    """Do the same as `flips` on a board of two words."""
    found, found_high = ZERO, ZERO
    for way in range(8):
        step = _WIDE_STEPS[way] if way < 4 else -_WIDE_STEPS[way - 4]
        low, high = shifted(bit, bit_high, step)
        line, line_high = ZERO, ZERO
        while (low & other) | (high & other_high) != ZERO:
            line |= low
            line_high |= high
            low, high = shifted(low, high, step)
        if (low & own) | (high & own_high) != ZERO:
            found |= line
            found_high |= line_high
    return found, found_high


@kernel
def with_neighbours_wide(low: Any, high: Any) -> Any:
    """Do the same as `with_neighbours` on a board of two words."""
    for step in (1, WIDE_STRIDE):
        up, up_high = shifted(low, high, step)
        down, down_high = shifted(low, high, -step)
        low, high = low | up | down, high | up_high | down_high
    return low, high
