"""The exact score of positions with few empty cells, on boards of one word, without a table.

Alpha-beta over the empty cells beside discs of the opponent, those in regions with an odd number of
empty cells first. With one empty cell left, the discs that turn are only counted.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.reversi.bits import STRIDE, ZERO, flips, lowest, with_neighbours
from meeple.kernels import bits_set, inlined, kernel, lowest_bit, named_kernel, record

MAX_LAST = 7  # empty cells of the largest positions
UNKNOWN = np.int32(-127)  # below every score

Count = record(nodes=np.int64)

_LEFT_HALF, _TOP_HALF = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x00000000FFFFFFFF)
_COLUMN = np.uint64(0x0101010101010101)
_GATHER = np.uint64(0x0102040810204080)  # brings the bits of the first column to the highest byte
_S3, _S7, _S56, _S63 = (np.uint64(shift) for shift in (3, 7, 56, 63))
_ROW, _ROWS = np.uint64(0xFF), np.uint64(256)
_CELLS = range(STRIDE**2)


def _turned_by_line() -> npt.NDArray[np.int8]:
    """[8 * 256] the discs that turn in a full line, by its empty place and the own discs."""
    found = np.zeros((STRIDE, 2**STRIDE), np.int8)
    for place in range(STRIDE):
        for own in range(2**STRIDE):
            for ways in (range(place - 1, -1, -1), range(place + 1, STRIDE)):
                ends = [step for step, cell in enumerate(ways) if own >> cell & 1]
                found[place, own] += ends[0] if ends else 0
    return found.ravel()


def _bits(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)


def _diagonals(way: int) -> npt.NDArray[np.uint64]:
    """[64] the cells on the diagonal through each, in which column minus `way` * row is equal."""

    def diagonal(cell: int) -> int:
        return cell % STRIDE - way * (cell // STRIDE)

    return np.array(
        [_bits([one for one in _CELLS if diagonal(one) == diagonal(cell)]) for cell in _CELLS],
        np.uint64,
    )


_TURNED = _turned_by_line()
_FALLING, _RISING = _diagonals(1), _diagonals(-1)
_BESIDE = np.array([int(with_neighbours(np.uint64(1 << cell))) for cell in _CELLS], np.uint64)


@inlined
def odd_regions(empty: Any) -> Any:
    """The quarters of the board with an odd number of empty cells."""
    found = ZERO
    for quarter in range(4):
        cells = _LEFT_HALF if quarter & 1 else ~_LEFT_HALF
        cells &= _TOP_HALF if quarter & 2 else ~_TOP_HALF
        if bits_set(empty & cells) & 1:
            found |= cells
    return found


@inlined
def final_score(own: Any, other: Any, empty: int) -> Any:
    """The disc difference of a finished game; empty cells count for the winner."""
    difference = np.int32(bits_set(own)) - np.int32(bits_set(other))
    if difference > 0:
        return difference + np.int32(empty)
    return difference - np.int32(empty) if difference < 0 else difference


@inlined
def turned_last(place: Any, own: Any) -> Any:
    """The number of discs that turn where `own` fills the only empty cell of a board."""
    row, column = place >> _S3, place & _S7
    by_row, by_column = _ROWS * row, _ROWS * column
    turned = np.int32(_TURNED[by_column | ((own >> (row << _S3)) & _ROW)])
    in_column = (((own >> column) & _COLUMN) * _GATHER) >> _S56
    turned += np.int32(_TURNED[by_row | in_column])
    turned += np.int32(_TURNED[by_column | (((own & _FALLING[place]) * _COLUMN) >> _S56)])
    return turned + np.int32(_TURNED[by_column | (((own & _RISING[place]) * _COLUMN) >> _S56)])


@kernel
def score_of_1(own: Any, other: Any, bit: Any) -> Any:
    """The score with one empty cell."""
    place = np.uint64(lowest_bit(bit))
    difference = np.int32(bits_set(own)) - np.int32(bits_set(other))
    turned = turned_last(place, own)
    if turned > 0:
        return difference + 2 * turned + np.int32(1)
    turned = turned_last(place, other)
    if turned > 0:
        return difference - 2 * turned - np.int32(1)
    return difference + np.int32(1) if difference > 0 else difference - np.int32(1)


@kernel
def score_of_2(own: Any, other: Any, empty: Any, alpha: int, beta: int, count: Any) -> Any:
    """The score with two empty cells."""
    count.nodes += 1
    first = lowest(empty)
    second = empty ^ first
    best = UNKNOWN
    if _BESIDE[np.uint64(lowest_bit(first))] & other != ZERO:
        turned = flips(first, own, other)
        if turned != ZERO:
            best = -score_of_1(other ^ turned, own | turned | first, second)
            if best >= beta:
                return best
    if _BESIDE[np.uint64(lowest_bit(second))] & other != ZERO:
        turned = flips(second, own, other)
        if turned != ZERO:
            best = max(best, -score_of_1(other ^ turned, own | turned | second, first))
    if best != UNKNOWN:
        return best
    best = -UNKNOWN
    turned = flips(first, other, own)
    if turned != ZERO:
        best = score_of_1(own ^ turned, other | turned | first, second)
        if best <= alpha:
            return best
    turned = flips(second, other, own)
    if turned != ZERO:
        best = min(best, score_of_1(own ^ turned, other | turned | second, first))
    return final_score(own, other, 2) if best == -UNKNOWN else best


def _scoring(empty_cells: int, score_after: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel for `empty_cells` empty cells; it calls the one for one cell fewer."""

    @named_kernel(f"score_of_{empty_cells}")
    def score_of(own: Any, other: Any, empty: Any, alpha: int, beta: int, count: Any) -> Any:
        count.nodes += 1
        odd = odd_regions(empty) & empty
        for side in range(2):
            best, low = UNKNOWN, alpha
            for part in range(2):
                left = odd if part == 0 else empty & ~odd
                while left != ZERO:
                    bit = lowest(left)
                    left ^= bit
                    if _BESIDE[np.uint64(lowest_bit(bit))] & other == ZERO:
                        continue
                    turned = flips(bit, own, other)
                    if turned == ZERO:
                        continue
                    theirs, ours = other ^ turned, own | turned | bit
                    score = -score_after(theirs, ours, empty ^ bit, -beta, -low, count)
                    if score > best:
                        best = score
                        low = max(low, best)
                        if best >= beta:
                            return best if side == 0 else -best
            if best != UNKNOWN:
                return best if side == 0 else -best
            own, other = other, own
            alpha, beta = -beta, -alpha
        return final_score(own, other, empty_cells)

    return score_of


score_of_3 = _scoring(3, score_of_2)
score_of_4 = _scoring(4, score_of_3)
score_of_5 = _scoring(5, score_of_4)
score_of_6 = _scoring(6, score_of_5)
score_of_7 = _scoring(7, score_of_6)


@kernel
def score_of_last(own: Any, other: Any, empty: Any, alpha: int, beta: int, count: Any) -> Any:
    """The score of a position with at most MAX_LAST empty cells, if it lies in the window.

    Otherwise it is a bound of it. `count.nodes` grows by the positions searched.
    """
    cells = bits_set(empty)
    if cells == 7:
        return score_of_7(own, other, empty, alpha, beta, count)
    if cells == 6:
        return score_of_6(own, other, empty, alpha, beta, count)
    if cells == 5:
        return score_of_5(own, other, empty, alpha, beta, count)
    if cells == 4:
        return score_of_4(own, other, empty, alpha, beta, count)
    if cells == 3:
        return score_of_3(own, other, empty, alpha, beta, count)
    if cells == 2:
        return score_of_2(own, other, empty, alpha, beta, count)
    return score_of_1(own, other, empty) if cells == 1 else final_score(own, other, 0)
