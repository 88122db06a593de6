"""Exact scores of Connect Four: alpha-beta on bitboards with a transposition table.

A column takes seven bits, the lowest for its bottom cell; the seventh row stays empty. `own` are
the discs of the side to move, `mask` all discs. A score is positive if the side to move wins, and
counts the discs that the winner then has left, one more for the winning one.

Source of the method: Allis, "A knowledge-based approach of Connect-Four", 1988 (threats); Tromp,
"John's Connect Four Playground" (bitboards and table).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from meeple.kernels import kernel
from meeple.kernels.bits import bits_set

ROWS, COLUMNS, CELLS = 6, 7, 42
STRIDE = ROWS + 1
BOTTOM = sum(1 << STRIDE * column for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
ORDER = (3, 2, 4, 1, 5, 0, 6)
ENTRIES = 8_388_617  # of the table; a prime


class Table(NamedTuple):
    """A transposition table: bounds of the score by position."""

    keys: npt.NDArray[np.int64]
    low: npt.NDArray[np.int8]
    high: npt.NDArray[np.int8]


def new_table(entries: int = ENTRIES) -> Table:
    """Return an empty table."""
    low, high = np.zeros(entries, np.int8), np.zeros(entries, np.int8)
    return Table(np.zeros(entries, np.int64), low, high)


@kernel
def threats(discs: int, mask: int) -> int:
    """Return the free cells that complete four in a row, reachable or not."""
    found = (discs << 1) & (discs << 2) & (discs << 3)
    for step in range(STRIDE - 1, STRIDE + 2):
        pair = (discs << step) & (discs << 2 * step)
        found |= pair & ((discs << 3 * step) | (discs >> step))
        pair = (discs >> step) & (discs >> 2 * step)
        found |= pair & ((discs >> 3 * step) | (discs << step))
    return found & (BOARD ^ mask)


@njit(nogil=True)  # a kernel has no recursion
def _search(own: int, mask: int, alpha: int, beta: int, table: Any) -> int:
    """Return a bound of the score, exact between alpha and beta.

    The side to move must have no winning move.
    """
    count, theirs = bits_set(mask), own ^ mask
    wins, moves = threats(theirs, mask), (mask + BOTTOM) & BOARD
    forced = moves & wins
    if forced:
        moves = 0 if forced & (forced - 1) else forced
    moves &= ~(wins >> 1)  # a disc below a winning cell loses
    if not moves:
        return -((CELLS - count) // 2)
    if count >= CELLS - 2:
        return 0
    key = own + mask
    slot = key % len(table.keys)
    low, high = -((CELLS - 2 - count) // 2), (CELLS - 1 - count) // 2
    if table.keys[slot] == key:
        low, high = max(low, table.low[slot]), min(high, table.high[slot])
    alpha, beta = max(alpha, low), min(beta, high)
    if low >= beta or alpha >= high:
        return low if low >= beta else high
    best = -CELLS
    first = alpha
    tried = 0
    while best < beta:
        chosen, most = 0, -1
        for column in ORDER:
            move = moves & ~tried & (((1 << ROWS) - 1) << STRIDE * column)
            if move:
                made = bits_set(threats(own | move, mask | move))
                if made > most:
                    chosen, most = move, made
        if not chosen:
            break
        tried |= chosen
        score = -_search(theirs, mask | chosen, -beta, -alpha, table)
        best, alpha = max(best, score), max(alpha, score)
    if table.keys[slot] != key:
        table.keys[slot], table.low[slot], table.high[slot] = key, -CELLS, CELLS
    if best > first:
        table.low[slot] = max(table.low[slot], best)
    if best < beta:
        table.high[slot] = min(table.high[slot], best)
    return best


@njit(nogil=True)
def _solve(own: int, mask: int, table: Any) -> int:
    """Return the score of a position by searches with empty windows."""
    count = bits_set(mask)
    if threats(own, mask) & (mask + BOTTOM):
        return (CELLS + 1 - count) // 2
    if count == CELLS:
        return 0
    low, high = -((CELLS - count) // 2), (CELLS - 1 - count) // 2
    while low < high:
        middle = (low + high) // 2
        if middle < 0 and low // 2 < middle:
            middle = low // 2
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        score = _search(own, mask, middle, middle + 1, table)
        if score <= middle:
            high = score
        else:
            low = score
    return low


def bitboards(moves: Sequence[int]) -> tuple[int, int]:
    """Return `own` and `mask` after columns have been played from the start."""
    own = mask = 0
    for column in moves:
        own, mask = own ^ mask, mask | (mask + (1 << STRIDE * column))
    return own, mask


def legal(mask: int) -> list[int]:
    """Return the columns that are not full."""
    return [c for c in range(COLUMNS) if not mask >> (STRIDE * c + ROWS - 1) & 1]


def solve(moves: Sequence[int], table: Table) -> int:
    """Return the score after moves that do not end the game."""
    return int(_solve(*bitboards(moves), table))


def scores(moves: Sequence[int], table: Table) -> dict[int, int]:
    """Return the score of each legal column, from the view of the side to move."""
    own, mask = bitboards(moves)
    found = {}
    for column in legal(mask):
        disc = (mask + (1 << STRIDE * column)) & ~mask
        wins = bool(threats(own, mask) & disc)
        won = (CELLS + 1 - len(moves)) // 2
        found[column] = won if wins else -int(_solve(own ^ mask, mask | disc, table))
    return found
