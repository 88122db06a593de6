"""Scores of empty cells by table: what a stone makes on a line, by four cells on both sides.

For rows of five; `candidates.py` counts windows for other lengths. A stretch is a window of five
cells and the cell behind it, the first and the last cell empty.

Where longer rows do not win, a window that a stone beside it lengthens is dead. Such cells have the
score of the most similar ones without dead windows (`stand_ins`). A stone five cells away is not
seen: whether a stone completes a row, or makes a straight four, is then asked of the whole line.

The score of a cell is the sum of a learned number for each line (`ORDER`): the log-odds that the
search chooses the cell, in tenths, and a constant; `python -m bench.fit_gomoku_order` fits them.
Learned numbers of patterns for the order of moves: Coulom, "Computing Elo ratings of move patterns
in the game of Go", 2007.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.lines import (
    COLUMNS,
    FALLING,
    HALF,
    RISING,
    SPANS,
    completes,
    is_exact,
    makes_straight_four,
)
from meeple.kernels import inlined, kernel, lowest_bit
from meeple.tensor_file import read_tensors

LENGTH = 5  # stones of a winning row
REACH = LENGTH - 1  # cells on both sides of a cell that a row through it can contain
NEAR = 2  # a cell farther from all stones, in rows or columns, gets no score

# Fields of an entry: the score in the lowest bits; above it, for the player to move and then for
# the opponent, the numbers of lines on which a stone makes a four, five, and a straight four.
SCORE_BITS, COUNT_BITS = 10, 3
SCORES, COUNT = (1 << SCORE_BITS) - 1, (1 << COUNT_BITS) - 1
FOURS_AT, FIVES_AT, STRAIGHTS_AT = (SCORE_BITS + COUNT_BITS * field for field in range(3))
SIDE = 3 * COUNT_BITS  # from a field to the opponent's
OWN_FIVES, OWN_STRAIGHTS = COUNT << FIVES_AT, COUNT << STRAIGHTS_AT
THEIR_FOURS, THEIR_FIVES, THEIR_STRAIGHTS = (
    COUNT << (SIDE + place) for place in (FOURS_AT, FIVES_AT, STRAIGHTS_AT)
)
DECISIVE = OWN_FIVES | OWN_STRAIGHTS | THEIR_FIVES

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


def made_by_stone(exact: bool = False) -> Made:
    """Count the windows and stretches of the mover through a cell, for all cells around it.

    If longer rows do not win, those beside which there is a stone of the mover are left out.
    """
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
        stones *= 1 - exact * _beside(own, first, LENGTH)
        for number, kind in enumerate((found.ones, found.twos, found.fours, found.fives), 1):
            kind[:] += stones == number
    for first in range(REACH):
        stretch = slice(first, first + LENGTH + 1)
        ends = own[first] | own[first + LENGTH]
        stones = sum(own[stretch], zeros) * np.bitwise_and.reduce(free[stretch]) * (1 - ends)
        stones *= 1 - exact * _beside(own, first, LENGTH + 1)
        found.threes[:] += stones == LENGTH - 3
        found.straights[:] += stones == LENGTH - 2
    return found


def _beside(own: Sequence[npt.NDArray[Any]], first: int, length: int) -> npt.NDArray[Any]:
    """Return whether a stone is beside the cells from the first on, where that is in reach."""
    ends = [own[at] for at in (first - 1, first + length) if 0 <= at < len(own)]
    return np.asarray(np.bitwise_or.reduce(ends))


def stand_ins() -> npt.NDArray[np.int64]:
    """Return [65536] the cells that stand in for those around a cell if longer rows do not win.

    They are the most similar ones in which a stone of either player makes the same. Cells where no
    window is dead but some that lack three stones or more stay as they are.
    """
    kinds = [made_by_stone(exact) for exact in (False, True)]
    theirs = [of_opponent(numbers) for numbers in kinds[0]]
    free, exact = (np.stack([*made, *theirs], 1) for made in kinds)
    code, least, compared = np.arange(len(free)), _least_mirrored(), Made._fields.index("fours")
    bits = np.array([at.bit_count() for at in range(len(free))], np.uint8)
    differ = np.flatnonzero((free[:, compared:] != exact[:, compared:]).any(axis=1))
    for made in np.unique(exact[differ], axis=0):
        codes = differ[(exact[differ] == made).all(axis=1)]
        alike = np.flatnonzero((free == made).all(axis=1))
        code[codes] = alike[bits[least[codes, None] ^ alike].argmin(axis=1)]
    return code


def of_opponent(entries: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return entries for the mover, [65536], exchanged to entries for the opponent."""
    side = 1 << (2 * REACH)
    return entries.reshape(side, side).T.ravel()


def mirrored_numbers() -> npt.NDArray[np.int64]:
    """Return [65536] a number of the cells around a cell, equal for mirrored ones."""
    return np.unique(_least_mirrored(), return_inverse=True)[1].astype(np.int64)


def _least_mirrored() -> npt.NDArray[np.int64]:
    """Return [65536] the least index of the cells around a cell, mirrored or not."""
    index = np.arange(1 << (4 * REACH))
    bits = index[:, None] >> np.arange(4 * REACH) & 1
    mirrored = bits.reshape(-1, 2, 2 * REACH)[:, :, ::-1].reshape(bits.shape)
    return np.asarray(np.minimum(index, mirrored @ (1 << np.arange(4 * REACH))))


def _entries(kinds: tuple[int, int]) -> npt.NDArray[np.uint32]:
    """Return the entries of two kinds: learned scores, and what a stone makes."""
    order = ORDER[mirrored_numbers()].astype(np.uint32)
    made = []
    for found in map(made_by_stone, (False, True)):
        fours, fives = found.fours > 0, found.fives > 0
        half = fours * (1 << FOURS_AT) + fives * (1 << FIVES_AT)
        made.append(half + (found.straights > 0) * (1 << STRAIGHTS_AT))
    entries = [
        order[STAND_INS[kind]] + made[kind & 1] + (of_opponent(made[kind >> 1]) << SIDE)
        for kind in kinds
    ]
    return np.asarray(entries, np.uint32)


def _stand_ins() -> npt.NDArray[np.int64]:
    """Return `STAND_INS`."""
    same, own = np.arange(1 << (4 * REACH)), stand_ins()
    other = of_opponent(own)
    side = 1 << (2 * REACH)
    other = other % side * side + other // side
    return np.stack([same, own, other, own[other]])


def _outside() -> Words:
    """Return `OUTSIDE`."""
    outside = ~(SPANS.astype(np.uint64) << _REACH) & np.uint64((1 << HALF) - 1)
    return np.asarray(outside << _SH | outside, np.uint64)


ORDER_FILE = Path(__file__).with_name("cell_order.safetensors")
ORDER: Bytes = read_tensors(ORDER_FILE, "cell order", frozenset({"U8"}))[1]["order"]
"""The number of each pattern of the cells around a cell, by `mirrored_numbers`."""
STAND_INS = _stand_ins()
"""[kind, 65536] `stand_ins` by `kind_of` the mover."""
EQUAL, UNEQUAL = _entries((0, 3)), _entries((1, 2))
"""[2, 65536] by the eight cells around a cell: bits of the mover's stones, then of the opponent's;
both bits are set outside the board. Two of the `kind_of` the mover, as constants above 1 MB are not
cached: longer rows win, or do not; they do not win for the mover, or the opponent, alone."""
OUTSIDE = _outside()
"""[size, NUM_WORDS] the places of a line outside the board, from `REACH` before its first place on,
in both halves of a word."""


@inlined
def kind_of(s: Any, mover: int) -> Any:
    """Return for whom longer rows do not win: 1 for the mover, plus 2 for the opponent."""
    return np.int64(is_exact(s, mover)) + 2 * np.int64(is_exact(s, 1 - mover))


@kernel
def score_cells(s: Any, moves: Any, mover: int, own_four: int) -> tuple[int, int, int, int]:
    """Write the scores of all empty cells near stones.

    Args:
        s: the state, of rows of five.
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
    kind = kind_of(s, mover)
    entries = EQUAL[kind & 1] if kind in (0, 3) else UNEQUAL[kind >> 1]
    five, their_five, straight, count = -1, -1, -1, 0
    seen: Any = 0
    for row in range(size):
        near = near_cells(own, other, size, row)
        in_row = cells_of(own, other, size, np.uint64(row))
        while near:
            column = lowest_bit(np.uint64(near))
            near &= near - 1
            place, down = np.uint64(column), np.uint64(row)
            across, along, rising, falling = all_around(own, other, size, in_row, down, place)
            found = np.int64(entries[across]) + np.int64(entries[along])
            found += np.int64(entries[rising]) + np.int64(entries[falling])
            cell = row * size + column
            if kind != 0 and found & DECISIVE:
                found &= ~_refuted(own, other, size, cell, kind, found)
            five = cell if found & OWN_FIVES else five
            their_five = cell if found & THEIR_FIVES else their_five
            straight = cell if found & OWN_STRAIGHTS else straight
            seen |= found
            moves.actions[cell] = (found & SCORES) + own_four * (found >> FOURS_AT & COUNT)
            moves.probabilities[count] = np.float32(cell)
            count += 1
    moves.count = count
    return five, their_five, straight, seen


@kernel
def _refuted(own: Any, other: Any, size: int, cell: int, kind: int, found: int) -> int:
    """Return the fields of fives and straight fours of a cell that the whole lines refute."""
    refuted = 0
    if found & OWN_FIVES and not completes(own, size, cell, LENGTH, kind & 1 != 0):
        refuted |= OWN_FIVES
    if found & THEIR_FIVES and not completes(other, size, cell, LENGTH, kind & 2 != 0):
        refuted |= THEIR_FIVES
    if found & OWN_STRAIGHTS and not makes_straight_four(own, other, size, cell, kind & 1 != 0):
        refuted |= OWN_STRAIGHTS
    return refuted


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
    """Return the index of the entry of the cells around a place, which is empty."""
    cells >>= place
    cells = cells & _BEFORE | cells >> _S1 & _AFTER
    return (cells | cells >> _S24) & _INDEX


@inlined
def all_around(own: Any, other: Any, size: int, in_row: Any, row: Any, column: Any) -> Any:
    """Return the indices of the entries of a cell's four lines; `in_row` is `cells_of` its row."""
    return (
        around(in_row, column),
        around(cells_of(own, other, size, COLUMNS + column), row),
        around(cells_of(own, other, size, RISING + row + column), column),
        around(cells_of(own, other, size, FALLING + row - column), column),
    )
