"""Scores of empty cells by table: what a stone makes on a line, by four cells on both sides.

For rows of five of which longer ones win too; `candidates.py` counts windows for all other rules.
A stretch is a window of five cells and the cell behind it, the first and the last cell empty.

The score of a cell is the sum of a learned number for each line (`ORDER`): the log-odds that the
search chooses the cell, in tenths, and a constant; `python -m bench.fit_gomoku_order` fits them.
Learned numbers of patterns for the order of moves: Coulom, "Computing Elo ratings of move patterns
in the game of Go", 2007.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.lines import COLUMNS, FALLING, HALF, RISING, SPANS
from meeple.kernels import inlined, kernel, lowest_bit
from meeple.tensor_file import read_tensors

LENGTH = 5  # stones of a winning row
REACH = LENGTH - 1  # cells on both sides of a cell that a row through it can contain
NEAR = 2  # a cell farther from all stones, in rows or columns, gets no score

# Fields of an entry: the score in the lowest bits; above them, and at the same places of the high
# half for the opponent, the numbers of lines on which a stone of the player to move makes a four, a
# row of five, and a straight four.
SCORE_BITS, COUNT_BITS = 12, 4
SCORES = np.uint64((1 << SCORE_BITS) - 1)
FOURS_AT, FIVES_AT, STRAIGHTS_AT = (SCORE_BITS + COUNT_BITS * field for field in range(3))
COUNT = (1 << COUNT_BITS) - 1
OWN_FIVES, OWN_STRAIGHTS = np.uint64(COUNT << FIVES_AT), np.uint64(COUNT << STRAIGHTS_AT)
THEIR_FOURS, THEIR_FIVES, THEIR_STRAIGHTS = (
    np.uint64(COUNT << (HALF + place)) for place in (FOURS_AT, FIVES_AT, STRAIGHTS_AT)
)

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

_S1, _S24, _SH, _REACH = np.uint64(1), np.uint64(24), np.uint64(HALF), np.uint64(REACH)
_BEFORE = np.uint64(0xF << HALF | 0xF)  # the cells before a cell, in both halves of a word
_AFTER = np.uint64(0xF0 << HALF | 0xF0)
_INDEX = np.uint64(0xFFFF)


class Made(NamedTuple):
    """What a stone on a cell makes on one line: [65536] each, by the cells around the cell."""

    ones: Bytes  # windows that lacked four stones before
    twos: Bytes  # windows that lacked three
    fours: Bytes  # windows that lacked two
    fives: Bytes  # windows that lacked one
    threes: Bytes  # stretches that lacked three, of which the stone is no end
    straights: Bytes  # stretches that lacked two


def made_by_stone() -> Made:
    """Count the windows and stretches of the mover through a cell, for all cells around it."""
    index = np.arange(1 << (2 * REACH), dtype=np.uint8)
    bits = [index >> bit & 1 for bit in range(2 * REACH)]
    bits.insert(REACH, np.zeros_like(index))
    own = [(bit[None, :] & ~bit[:, None]).ravel() for bit in bits]  # [opponent's bits, own bits]
    free = [np.repeat(1 - bit, len(index)) for bit in bits]
    zeros = np.zeros_like(own[0])
    found = Made(*(zeros.copy() for _ in Made._fields))
    for first in range(LENGTH):
        window = slice(first, first + LENGTH)
        stones = sum(own[window], zeros) * np.bitwise_and.reduce(free[window])
        for number, kind in enumerate((found.ones, found.twos, found.fours, found.fives), 1):
            kind[:] += stones == number
    for first in range(REACH):
        stretch = slice(first, first + LENGTH + 1)
        ends = own[first] | own[first + LENGTH]
        stones = sum(own[stretch], zeros) * np.bitwise_and.reduce(free[stretch]) * (1 - ends)
        found.threes[:] += stones == LENGTH - 3
        found.straights[:] += stones == LENGTH - 2
    return found


def of_opponent(entries: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return entries for the mover, [65536], exchanged to entries for the opponent."""
    side = 1 << (2 * REACH)
    return entries.reshape(side, side).T.ravel()


def mirrored_numbers() -> npt.NDArray[np.int64]:
    """Return [65536] a number of the cells around a cell, equal for mirrored ones."""
    index = np.arange(1 << (4 * REACH))
    bits = index[:, None] >> np.arange(4 * REACH) & 1
    mirrored = bits.reshape(-1, 2, 2 * REACH)[:, :, ::-1].reshape(bits.shape)
    least = np.minimum(index, mirrored @ (1 << np.arange(4 * REACH)))
    return np.unique(least, return_inverse=True)[1].astype(np.int64)


def _entries() -> Words:
    """Return `ENTRIES`: the learned score, and what a stone makes in windows and stretches."""
    made = made_by_stone()
    four, five, straight = (
        np.minimum(kind, 1) for kind in (made.fours, made.fives, made.straights)
    )
    entries = ORDER[mirrored_numbers()].astype(np.uint64)
    for side in range(2):
        half = four.astype(np.uint64) << FOURS_AT | five.astype(np.uint64) << FIVES_AT
        half |= straight.astype(np.uint64) << STRAIGHTS_AT
        if side == 1:
            half = of_opponent(half) << HALF
        entries |= half
    return np.asarray(entries, np.uint64)


def _outside() -> Words:
    """Return `OUTSIDE`."""
    outside = ~(SPANS.astype(np.uint64) << _REACH) & np.uint64((1 << HALF) - 1)
    return np.asarray(outside << _SH | outside, np.uint64)


ORDER_FILE = Path(__file__).with_name("cell_order.safetensors")
ORDER: Bytes = read_tensors(ORDER_FILE, "cell order", frozenset({"U8"}))[1]["order"]
"""The number of each pattern of the cells around a cell, by `mirrored_numbers`."""
ENTRIES = _entries()
"""[65536] by the eight cells around a cell: bits of the mover's stones, then of the opponent's;
both bits are set outside the board."""
OUTSIDE = _outside()
"""[size, NUM_WORDS] the places of a line outside the board, from `REACH` before its first place on,
in both halves of a word."""


@kernel
def score_cells(s: Any, moves: Any, mover: int, own_four: int) -> tuple[int, int, int, Any]:
    """Write the scores of all empty cells near stones.

    Args:
        s: the state, of rows of five of which longer ones win too.
        moves: its actions are the scores of the cells, zeros before; its
            first `count` probabilities are these cells.
        mover: the player to move.
        own_four: added for each line on which a stone makes a four of the mover.

    Returns:
        A cell that completes a row of the mover, or -1; of the opponent; a cell that makes a
        straight four of the mover, or -1; and the fields of all cells in one word of bits.
    """
    size: Any = np.int64(s.size)
    own, other = s.lines[mover], s.lines[1 - mover]
    five, their_five, straight, count = -1, -1, -1, 0
    seen: Any = np.uint64(0)
    for row in range(size):
        near = near_cells(own, other, size, row)
        in_row = cells_of(own, other, size, np.uint64(row))
        while near:
            column = lowest_bit(np.uint64(near))
            near &= near - 1
            place, down = np.uint64(column), np.uint64(row)
            across, along, rising, falling = all_around(own, other, size, in_row, down, place)
            found = ENTRIES[across] + ENTRIES[along] + ENTRIES[rising] + ENTRIES[falling]
            cell = row * size + column
            five = cell if found & OWN_FIVES else five
            their_five = cell if found & THEIR_FIVES else their_five
            straight = cell if found & OWN_STRAIGHTS else straight
            seen |= found
            score = np.int64(found & SCORES)
            moves.actions[cell] = score + own_four * (np.int64(found) >> FOURS_AT & COUNT)
            moves.probabilities[count] = np.float32(cell)
            count += 1
    moves.count = count
    return five, their_five, straight, seen


@inlined
def near_cells(own: Any, other: Any, size: int, row: int) -> Any:
    """Return the empty cells of a row that are near stones, as bits."""
    near: Any = np.int64(0)
    for beside in range(max(row - NEAR, 0), min(row + NEAR + 1, size)):
        near |= np.int64(own[beside] | other[beside])
    near |= near << 1 | near >> 1
    near |= near << 1 | near >> 1
    return near & ((1 << size) - 1) & ~np.int64(own[row] | other[row])


@inlined
def cells_of(own: Any, other: Any, size: int, line: Any) -> Any:
    """Return the stones of a line, the mover's in the low half of a word, from place `-REACH`."""
    return (np.uint64(own[line]) | np.uint64(other[line]) << _SH) << _REACH | OUTSIDE[size, line]


@inlined
def around(cells: Any, place: Any) -> Any:
    """Return the index in `ENTRIES` of the cells around a place, which is empty."""
    cells >>= place
    cells = cells & _BEFORE | cells >> _S1 & _AFTER
    return (cells | cells >> _S24) & _INDEX


@inlined
def all_around(own: Any, other: Any, size: int, in_row: Any, row: Any, column: Any) -> Any:
    """Return the indices in `ENTRIES` of a cell's four lines; `in_row` is `cells_of` its row."""
    return (
        around(in_row, column),
        around(cells_of(own, other, size, COLUMNS + column), row),
        around(cells_of(own, other, size, RISING + row + column), column),
        around(cells_of(own, other, size, FALLING + row - column), column),
    )
