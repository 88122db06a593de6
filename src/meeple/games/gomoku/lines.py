"""Stones as words of bits along the lines of a board in all four directions; rows of stones.

A player's stones are `lines`, uint32 [NUM_WORDS]: the rows, the columns, the diagonals numbered by
row + column, and those numbered by row - column, which may be negative. The bit index in a word is
the cell's column; in the word of a column it is the cell's row. A cell is its action,
`row * size + column`; tables have the lines through it, so that no division is needed.

A window is a part of a line with as many cells as a winning row has stones. It is open to a player
if the opponent has no stone in it. A stretch has one cell more than a window, and its first and
last cell are empty: a row that fills the cells between can be completed at both ends.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import bits_set, inlined, kernel

MAX_SIZE = 20

# Index of line 0 of each direction; unsigned, so that compiled code has no test for negative ones.
COLUMNS = np.uint64(MAX_SIZE)
RISING = np.uint64(2 * MAX_SIZE)
FALLING = np.uint64(5 * MAX_SIZE - 2)
NUM_WORDS = 6 * MAX_SIZE - 2

HALF = 32  # bits of a line in a pair of lines, two words side by side in 64 bits
PAIRS = NUM_WORDS // 2
COMMON_LENGTH = 5  # stones of a row for which loops over a window have a fixed length

_ONE, _TWO, _FOUR, _FIVE, _HALF = (np.uint64(bits) for bits in (1, 2, 4, 5, HALF))


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


@kernel
def completes(lines: Any, size: int, cell: int, length: int, exact: bool) -> bool:
    """Return whether a stone on an empty cell would complete a row; arguments as of `place`."""
    for direction in range(4):
        stones = _with_stone(lines, size, cell, direction)
        found = _in_a_row(stones, length)
        if exact:
            found &= _ends(stones, length)
        if found:
            return True
    return False


@kernel
def makes_straight_four(own: Any, other: Any, size: int, cell: int, exact: bool) -> bool:
    """Return whether a stone would make four in a row that lack one of five at both ends."""
    for direction in range(4):
        stones = _with_stone(own, size, cell, direction)
        line = np.int64(SPOTS[size, cell, direction]) // HALF
        empty = np.uint64(SPANS[size, line] & ~other[line]) & ~stones
        found = _in_a_row(stones, COMMON_LENGTH - 1) & (empty << _ONE) & (empty >> _FOUR)
        if exact:
            found &= ~((stones << _TWO) | (stones >> _FIVE))
        if found:
            return True
    return False


@inlined
def _with_stone(lines: Any, size: int, cell: int, direction: int) -> Any:
    """Return a line through an empty cell, uint64, with a stone on the cell."""
    spot = np.int64(SPOTS[size, cell, direction])
    return np.uint64(lines[spot // HALF]) | (_ONE << np.uint64(spot % HALF))


def _tables() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
    """Return `SPANS`, `CELLS` and `SPOTS`."""
    spans = np.zeros((MAX_SIZE + 1, NUM_WORDS), np.uint32)
    cells = np.zeros((MAX_SIZE + 1, NUM_WORDS * HALF), np.uint16)
    spots = np.zeros((MAX_SIZE + 1, MAX_SIZE * MAX_SIZE, 4), np.uint16)
    columns, rising, falling = int(COLUMNS), int(RISING), int(FALLING)
    for size in range(1, MAX_SIZE + 1):
        for cell in range(size * size):
            row, column = divmod(cell, size)
            words = row, columns + column, rising + row + column, falling + row - column
            for direction, word in enumerate(words):
                bit = row if direction == 1 else column
                spans[size, word] |= 1 << bit
                cells[size, word * HALF + bit] = cell
                spots[size, cell, direction] = word * HALF + bit
    return spans, cells, spots


SPANS, CELLS, SPOTS = _tables()
"""[size, NUM_WORDS] the places of a line, as bits; [size, NUM_WORDS * HALF] the cell at a spot,
`line * HALF + place`; [size, cell, direction] the spot of a cell on each line through it."""
PLACES = SPANS[:, ::2] | SPANS[:, 1::2].astype(np.int64) << HALF
"""[size, PAIRS] the places of both lines of a pair."""

MAX_LENGTH = 6  # stones of a winning row


def _long_lines() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return `LONG_LINES` and `NUM_LONG_LINES`."""
    lines = np.zeros((MAX_SIZE + 1, MAX_LENGTH + 1, NUM_WORDS), np.uint8)
    numbers = np.zeros(lines.shape[:2], np.uint8)
    for size, spans in enumerate(SPANS.tolist()):
        for length in range(MAX_LENGTH + 1):
            found = [line for line, span in enumerate(spans) if span.bit_count() >= max(length, 1)]
            lines[size, length, : len(found)] = found
            numbers[size, length] = len(found)
    return lines, numbers


LONG_LINES, NUM_LONG_LINES = _long_lines()
"""[size, length, NUM_WORDS] the lines with at least `length` cells; [size, length] their number."""


@inlined
def pair_at(lines: Any, pair: int) -> Any:
    """Return two lines of a player as the halves of one word, int64."""
    return np.int64(lines[2 * pair]) | np.int64(lines[2 * pair + 1]) << HALF


@inlined
def cell_in_pair(size: int, pair: int, bit: int) -> Any:
    """Return the cell at a bit of a pair of lines, int64."""
    return np.int64(CELLS[size, 2 * HALF * pair + bit])


@inlined
def toggle(lines: Any, size: int, cell: int) -> None:
    """Add a stone to a player's lines, or remove it."""
    for direction in range(4):
        spot = np.int64(SPOTS[size, cell, direction])
        lines[spot // HALF] ^= np.uint32(1 << (spot % HALF))


# ---------------------------------------------------------------- rows that lack stones


class Side(NamedTuple):
    """The stones on a board as one player sees them, and which rows win for that player."""

    own: Any  # [NUM_WORDS] uint32
    other: Any  # [NUM_WORDS] uint32, of the opponent
    size: Any
    length: Any  # stones of a winning row
    exact: Any  # whether a longer row does not count


@inlined
def side_of(s: Any, player: int) -> Side:
    """Return the side of a player; its arrays are those of the state."""
    return Side(
        s.lines[player],
        s.lines[1 - player],
        np.int64(s.size),
        np.int64(s.in_a_row),
        is_exact(s, player),
    )


@inlined
def places_lacking(stones: int, side: Any, line: int) -> Any:
    """Return the empty places of the rows on a line that lack 1 to 3 stones."""
    own: Any = np.int64(side.own[line])
    places: Any = np.int64(0)
    if bits_set(np.uint64(own)) >= side.length - stones:
        free = np.int64(SPANS[side.size, line]) & ~np.int64(side.other[line])
        places = places_in_rows(stones, own, free, side.length, side.exact)
    return places


@kernel
def places_in_rows(stones: int, own: int, free: int, length: int, exact: bool) -> Any:
    """Return the empty places of the rows on a line, or on a pair, that lack 1 to 3 stones."""
    if length == COMMON_LENGTH:
        return _in_windows(stones, own, free, COMMON_LENGTH, exact)
    return _in_windows(stones, own, free, length, exact)


@inlined
def _in_windows(stones: int, own: int, free: int, length: int, exact: bool) -> Any:
    counted, ones, twos, fours = _count_windows(own, free, length)
    open_: Any = _holding(length - stones, counted, ones, twos, fours)
    if exact:
        open_ &= single(own, length)
    return completing_places(open_, free & ~own, length)


@inlined
def single(own: int, length: int) -> Any:
    """Return the first places of the windows that no stone lengthens."""
    return ~((own << 1) | (own >> length))


@inlined
def completing_places(first: int, empty: int, length: int) -> Any:
    """Return the empty places of a line in windows that begin at these places."""
    completing = 0
    if first:
        for place in range(length):
            completing |= first << place
    return completing & empty


@inlined
def rows_of(side: Any, pair: int, own: int) -> Any:
    """Return a side's rows on a pair of lines, on which `own` are its stones.

    Returns:
        The empty places; the first places of stretches; those of open windows that lack 1 stone, of
        which none makes a longer row if rows are exact; and those that lack 2, 3 and 4.
    """
    free = PLACES[side.size, pair] & ~pair_at(side.other, pair)
    lack_1, lack_2, lack_3, lack_4 = windows(own, free, side.length)
    empty = free & ~own
    ends: Any = empty & (empty >> side.length)
    if side.exact:
        lack_1 &= single(own, side.length)
        ends &= single(own, side.length + 1)
    return empty, ends, lack_1, lack_2, lack_3, lack_4


@kernel
def windows(own: int, free: int, length: int) -> Any:
    """Return the first places of open windows with a stone that lack 1, 2, 3 and 4 stones."""
    found: tuple[int, int, int, int]
    if length == COMMON_LENGTH:
        found = _windows(own, free, COMMON_LENGTH)
    else:
        found = _windows(own, free, length)
    return found


@kernel
def _windows(own: int, free: int, length: int) -> tuple[int, int, int, int]:
    open_, ones, twos, fours = _count_windows(own, free, length)
    return (
        _holding(length - 1, open_, ones, twos, fours),
        _holding(length - 2, open_, ones, twos, fours),
        _holding(length - 3, open_, ones, twos, fours),
        _holding(length - 4, open_, ones, twos, fours),
    )


@kernel
def _count_windows(own: int, free: int, length: int) -> tuple[int, int, int, int]:
    """Count the stones of all windows of a line in parallel.

    Returns:
        The first places of open windows, and the three bits of the number of stones in the window
        at each place.
    """
    open_, ones, twos, fours = free, own, 0, 0
    for place in range(1, length):
        stone = own >> place
        carry = ones & stone
        ones ^= stone
        fours |= twos & carry
        twos ^= carry
        open_ &= free >> place
    return open_, ones, twos, fours


@kernel
def _holding(stones: int, open_: int, ones: int, twos: int, fours: int) -> int:
    """Return the open windows with exactly `stones` stones; none if `stones` < 1."""
    if stones < 1:
        return 0
    open_ &= ones if stones & 1 else ~ones
    open_ &= twos if stones & 2 else ~twos
    return open_ & (fours if stones & 4 else ~fours)
