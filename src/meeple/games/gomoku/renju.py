"""Renju's forbidden moves of Black: overlines, double fours and double threes.

By the rules of the Renju International Federation (https://www.renju.net/rifrules/, sections 3 and
9). A stone that completes a row of exactly five is never forbidden. Otherwise it is forbidden if it

- makes a row of six or more (an overline);
- makes two or more fours: four stones that lack one stone of a row of exactly five;
- makes two or more threes: three stones to which Black can add one to make a straight four, four
  stones in a row that lack one stone of five at both ends. The stone to be added must not complete
  five elsewhere, nor be forbidden itself, which is decided by the same rules with both stones on
  the board.

The rules are recursive. The kernels place stones on trial, and keep those in a stack of the state.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import CELLS, HALF, SPANS, SPOTS, toggle
from meeple.kernels import bits_set, kernel

IN_A_ROW = 5
NOT_FORBIDDEN, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = range(4)
REASONS = ("", "overline", "double four", "double three")
MAX_TRIALS = 32  # stones on trial; a three that depends on more counts as one

_FIVE = -1  # a verdict: the stone completes a row of exactly five

# A window is the part of a line that a stone's rows depend on, as bits: the stone and `_REACH`
# cells on both sides.
_REACH = 5
_WINDOW = (1 << (2 * _REACH + 1)) - 1
_FOUR = 0b1111
_FIRST_BLOCK = _REACH - 3  # of the four blocks of four cells that contain the stone
_BLOCKS = 4
_ENTRIES = 4 * _BLOCKS  # blocks of all directions

# A word of the stack: a cell; the next block to test; threes found.
_BLOCK_SHIFT, _CELL_SHIFT = 1, 6

_STEPS = ((0, 1), (1, 0), (-1, 1), (1, 1))  # (row, column) of a line's next place, by direction
_NEAR = 4  # cells; fours and threes through a cell lie within this distance


@kernel
def allowed(s: Any, row: int) -> Any:
    """Return the free cells of a row on which Black may place a stone, as bits by column."""
    size = np.int64(s.size)
    free = ((1 << size) - 1) & ~np.int64(s.lines[0, row] | s.lines[1, row])
    suspects = free & _suspects(s.lines[s.black], row, size)
    while suspects:
        lowest = suspects & -suspects
        suspects ^= lowest
        if forbidden(s, row * size + bits_set(np.uint64(lowest - 1))) != NOT_FORBIDDEN:
            free ^= lowest
    return free


@kernel
def list_forbidden(s: Any, rules: Any) -> None:
    """Write the rule that forbids Black's stone on each cell: [size * size] int8, zeros before."""
    size = np.int64(s.size)
    for row in range(size):
        shut = ~allowed(s, row) & ~np.int64(s.lines[0, row] | s.lines[1, row])
        for column in range(size):
            if (shut >> column) & 1:
                rules[row * size + column] = forbidden(s, row * size + column)


@kernel
def must_pass(s: Any) -> bool:
    """Return whether all free cells are forbidden to Black."""
    for row in range(s.size):
        if allowed(s, row) != 0:
            return False
    return True


@kernel
def forbidden(s: Any, cell: int) -> Any:
    """Return the rule that forbids Black's stone on a free cell; changes the state meanwhile."""
    verdict, threes = _judge(s, cell)
    if verdict != NOT_FORBIDDEN or threes < 2:
        return max(verdict, NOT_FORBIDDEN)
    depth, entry, found = 0, 0, 0
    size, black = np.int64(s.size), s.lines[s.black]
    toggle(black, size, cell)
    while True:
        if found < 2 and entry < _ENTRIES:
            distance = _straight_four_point(s, cell, entry)
            if distance == 0:
                entry += 1
                continue
            spot = np.int64(SPOTS[size, cell, entry // _BLOCKS])
            other: Any = np.int64(CELLS[size, spot + distance])
            verdict, threes = _judge(s, other)
            if verdict == NOT_FORBIDDEN and threes >= 2 and depth + 1 < MAX_TRIALS:
                s.trials[depth] = (cell << _CELL_SHIFT) | (entry << _BLOCK_SHIFT) | found
                depth += 1
                cell, entry, found = other, 0, 0
                toggle(black, size, cell)
                continue
        else:  # all threes of the last stone on trial are known
            toggle(black, size, cell)
            verdict = DOUBLE_THREE if found == 2 else NOT_FORBIDDEN
            if depth == 0:
                return verdict
            depth -= 1
            word: Any = np.int64(s.trials[depth])
            s.trials[depth] = 0
            cell, entry = word >> _CELL_SHIFT, (word >> _BLOCK_SHIFT) & (2 * _ENTRIES - 1)
            found = word & 1
        if verdict == NOT_FORBIDDEN:  # the block is a three; a line has no second one
            found += 1
            entry = (entry // _BLOCKS + 1) * _BLOCKS
        else:
            entry += 1


@kernel
def stays_allowed(s: Any, cell: int) -> bool:
    """Return whether Black may place a stone on a free cell, and may after stones of White too.

    White's stones block fours and threes. A stone of Black with two threes is another matter: it
    may be allowed only because a third stone is forbidden, until White changes that.
    """
    verdict, threes = _judge(s, cell)
    return bool(verdict <= NOT_FORBIDDEN and threes < 2)


@kernel
def _judge(s: Any, cell: int) -> tuple[int, int]:
    """Judge a stone without recursion.

    Returns:
        `_FIVE`, `OVERLINE`, `DOUBLE_FOUR` or `NOT_FORBIDDEN`; and the number of lines that have a
        three if the stone added to it is not forbidden.
    """
    overline, fours, threes = False, 0, 0
    for direction in range(4):
        stones, free = _window(s, direction, cell)
        if bits_set(np.uint64(stones)) < 3:
            continue
        length = _run(stones, _REACH)
        if length == IN_A_ROW:
            return _FIVE, 0
        if length > IN_A_ROW:
            overline = True
            continue
        fours += _count_fours(stones, free, length)
        for block in range(_BLOCKS):
            if _point_of_block(stones, free, _FIRST_BLOCK + block) >= 0:
                threes += 1
                break
    if overline:
        return OVERLINE, 0
    if fours > 1:
        return DOUBLE_FOUR, 0
    return NOT_FORBIDDEN, threes


@kernel
def _count_fours(stones: int, free: int, length: int) -> int:
    """Return the fours of a window whose stone is in an unbroken row of `length` stones."""
    first = _REACH
    while (stones >> (first - 1)) & 1:
        first -= 1
    before, after = first - 1, first + length  # the only cells where a stone lengthens the row
    left = (free >> before) & 1 != 0 and _run(stones | (1 << before), _REACH) == IN_A_ROW
    right = (free >> after) & 1 != 0 and _run(stones | (1 << after), _REACH) == IN_A_ROW
    if left and right:
        return 1 if length == IN_A_ROW - 1 else 2  # a straight four is one four
    return 1 if left or right else 0


@kernel
def _run(stones: int, place: int) -> int:
    """Return the length of the unbroken row of stones through a place of a window."""
    length = 1
    at = place + 1
    while (stones >> at) & 1:
        length += 1
        at += 1
    at = place - 1
    while at >= 0 and (stones >> at) & 1:
        length += 1
        at -= 1
    return length


@kernel
def _straight_four_point(s: Any, cell: int, entry: int) -> Any:
    """Return the distance from a stone to the cell that makes a block a straight four, or 0."""
    stones, free = _window(s, entry // _BLOCKS, cell)
    point = _point_of_block(stones, free, _FIRST_BLOCK + entry % _BLOCKS)
    return point - _REACH if point >= 0 else 0


@kernel
def _point_of_block(stones: int, free: int, first: int) -> Any:
    """Return the place of a window that makes four cells a straight four; -1 if there is none."""
    gap = ~stones & (_FOUR << first)
    ends = (1 << (first - 1)) | (1 << (first + 4))
    beyond = (1 << (first - 2)) | (1 << (first + 5))  # a stone there would make six
    if (
        bits_set(np.uint64(gap)) == 1
        and free & gap != 0
        and free & ends == ends
        and stones & beyond == 0
    ):
        return bits_set(np.uint64(gap - 1))
    return -1


@kernel
def _window(s: Any, direction: int, cell: int) -> tuple[Any, Any]:
    """Return the black stones, with one on the given cell, and the free cells of its window."""
    size = np.int64(s.size)
    spot = np.int64(SPOTS[size, cell, direction])
    word, place = spot // HALF, spot % HALF
    black = np.int64(s.lines[s.black, word])
    free = np.int64(SPANS[size, word]) & ~(black | np.int64(s.lines[1 - s.black, word]))
    stone = 1 << _REACH
    stones = (((black << _REACH) >> place) & _WINDOW) | stone
    return stones, ((free << _REACH) >> place) & _WINDOW & ~stone


@kernel
def _suspects(lines: Any, row: int, size: int) -> Any:
    """Return a superset of the forbidden cells of a row, as bits by column.

    A stone there has two others near it in each of two directions, or four in one. The stones near
    all cells of the row are counted in parallel, in two-bit sums with an overflow bit.
    """
    twice, once, crowded = 0, 0, 0
    for direction in range(4):
        step = _STEPS[direction]
        ones, twos, fours = 0, 0, 0
        for distance in range(-_NEAR, _NEAR + 1):
            other = row + distance * step[0]
            if distance == 0 or other < 0 or other >= size:
                continue
            shift = distance * step[1]
            stones: Any = np.int64(lines[other])
            stones = stones >> shift if shift >= 0 else stones << -shift
            carry = ones & stones
            ones ^= stones
            fours |= twos & carry
            twos ^= carry
        pair = twos | fours
        twice |= once & pair
        once |= pair
        crowded |= fours
    return twice | crowded
