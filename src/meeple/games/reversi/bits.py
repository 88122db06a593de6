"""Sets of cells as words of bits, and what a Reversi move does to them; no state of a game.

Up to 8x8 cells are one word, eight bits a row: cell (row, column) is bit row * 8 + column.
A 10x10 board is two words, low and high, eleven bits a row; the eleventh is never set, so that a
step over an edge meets an empty place.

A line of discs is followed in all cells at once by doubling: one step, then two at a time.
"""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.kernels import kernel

WIDE = 10  # the one size that takes two words
STRIDE = 8  # bits a row
WIDE_STRIDE = 11
WORD = 64

ZERO, ONE = np.uint64(0), np.uint64(1)
_S7, _S8, _S9 = (np.uint64(shift) for shift in (7, 8, 9))
# Discs that a line along a row or a diagonal can go on beyond: all but the first and last column.
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)

_NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)  # all but the first column
_NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)  # all but the eighth

_WIDE_STEPS = (1, WIDE_STRIDE - 1, WIDE_STRIDE, WIDE_STRIDE + 1)


def words(size: int, cells: Iterable[tuple[int, int]]) -> npt.NDArray[np.uint64]:
    """Cells, each (row, column), as both words of a board of this size: low, high."""
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    board = sum(1 << (row * stride + column) for row, column in cells)
    return np.array([board & (2**WORD - 1), board >> WORD], dtype=np.uint64)


def by_size(lines: Callable[[int], set[int]]) -> npt.NDArray[np.uint64]:
    """The cells of each size whose row and column are among these: [size, word]."""
    every = [itertools.product(lines(size), lines(size)) for size in range(WIDE + 1)]
    return np.array([words(size, cells) for size, cells in enumerate(every)])


BOARDS = by_size(lambda size: set(range(size)))
CORNERS = by_size(lambda size: {0, size - 1} if size else set())

_WIDE_LOW, _WIDE_HIGH = BOARDS[WIDE]


@kernel
def place_of(size: int, cell: int) -> int:
    """Where the bit of a cell is, counted through both words."""
    if size == STRIDE:
        return cell
    row = cell // size
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    return row * stride + (cell - row * size)


@kernel
def cell_of(size: int, place: int) -> int:
    """The inverse of `place_of`."""
    if size == STRIDE:
        return place
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    row = place // stride
    return row * size + (place - row * stride)


@kernel
def lowest(word: Any) -> Any:
    """The lowest set bit alone; 0 of 0."""
    return word & (~word + ONE)


@kernel
def nth_bit(word: Any, n: int) -> Any:
    """The set bit with n set bits below it; there must be more than n."""
    for _ in range(n):
        word &= word - ONE
    return lowest(word)


# ---------------------------------------------------------------- boards of one word


@kernel
def movable(own: Any, other: Any, board: Any) -> Any:
    """The cells of a board where a disc of `own` would flip some of `other`."""
    inner = other & _INNER
    ends = _beyond(own, inner, ONE) | _beyond(own, inner, _S7)
    ends |= _beyond(own, other, _S8) | _beyond(own, inner, _S9)
    return ends & board & ~(own | other)


@kernel
def _beyond(own: Any, other: Any, step: Any) -> Any:
    """The cells next after a line of others' discs that begins next to an own one, both ways."""
    up = other & (own << step)
    down = other & (own >> step)
    up |= other & (up << step)
    down |= other & (down >> step)
    up_pair = other & (other << step)
    down_pair = other & (other >> step)
    two = step + step
    up |= up_pair & (up << two)
    down |= down_pair & (down >> two)
    up |= up_pair & (up << two)
    down |= down_pair & (down >> two)
    return (up << step) | (down >> step)


@kernel
def flips(bit: Any, own: Any, other: Any) -> Any:
    """The discs of `other` that a disc of `own` on a free cell, a lone bit, would flip."""
    inner = other & _INNER
    found = _between(bit, own, inner, ONE) | _between(bit, own, inner, _S7)
    return found | _between(bit, own, other, _S8) | _between(bit, own, inner, _S9)


@kernel
def _between(bit: Any, own: Any, other: Any, step: Any) -> Any:
    """The line of others' discs from a cell to an own disc, both ways; none where it has no end."""
    up = other & (bit << step)
    down = other & (bit >> step)
    up |= other & (up << step)
    down |= other & (down >> step)
    up_pair = other & (other << step)
    down_pair = other & (other >> step)
    two = step + step
    up |= up_pair & (up << two)
    down |= down_pair & (down >> two)
    up |= up_pair & (up << two)
    down |= down_pair & (down >> two)
    if (up << step) & own == ZERO:
        up = ZERO
    if (down >> step) & own == ZERO:
        down = ZERO
    return up | down


@kernel
def beside(cells: Any) -> Any:
    """The cells given and all that touch them, with bits outside a small board perhaps."""
    cells |= ((cells & _NOT_LAST) << ONE) | ((cells & _NOT_FIRST) >> ONE)
    return cells | (cells << _S8) | (cells >> _S8)


# ---------------------------------------------------------------- boards of two words


@kernel
def moved(low: Any, high: Any, step: int) -> Any:
    """Every bit of two words so many places up, or down where `step` is negative."""
    if step > 0:
        there, back = np.uint64(step), np.uint64(WORD - step)
        return low << there, (high << there) | (low >> back)
    there, back = np.uint64(-step), np.uint64(WORD + step)
    return (low >> there) | (high << back), high >> there


@kernel
def movable_wide(own: Any, own_high: Any, other: Any, other_high: Any) -> Any:
    """`movable` on the board of two words."""
    ends, ends_high = ZERO, ZERO
    for way in range(8):
        step = _WIDE_STEPS[way] if way < 4 else -_WIDE_STEPS[way - 4]
        low, high = moved(own, own_high, step)
        while True:
            low, high = low & other, high & other_high
            if low | high == ZERO:
                break
            low, high = moved(low, high, step)
            ends |= low
            ends_high |= high
    free = _WIDE_LOW & ~(own | other)
    return ends & free, ends_high & _WIDE_HIGH & ~(own_high | other_high)


@kernel
def flips_wide(
    bit: Any, bit_high: Any, own: Any, own_high: Any, other: Any, other_high: Any
) -> Any:
    """`flips` on the board of two words."""
    found, found_high = ZERO, ZERO
    for way in range(8):
        step = _WIDE_STEPS[way] if way < 4 else -_WIDE_STEPS[way - 4]
        low, high = moved(bit, bit_high, step)
        line, line_high = ZERO, ZERO
        while (low & other) | (high & other_high) != ZERO:
            line |= low
            line_high |= high
            low, high = moved(low, high, step)
        if (low & own) | (high & own_high) != ZERO:
            found |= line
            found_high |= line_high
    return found, found_high


@kernel
def beside_wide(low: Any, high: Any) -> Any:
    """`beside` on the board of two words."""
    for step in (1, WIDE_STRIDE):
        up, up_high = moved(low, high, step)
        down, down_high = moved(low, high, -step)
        low, high = low | up | down, high | up_high | down_high
    return low, high
