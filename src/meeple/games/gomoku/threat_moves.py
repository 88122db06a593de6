"""Gomoku: the cells of threats, and of the replies that may refute one."""

from typing import Any

import numpy as np

from meeple.games.gomoku.fours import CELL, FRAME, NO_CELL, REPLY, cell_at, joined, line_through
from meeple.games.gomoku.lines import (
    HALF,
    MAX_SIZE,
    NUM_WORDS,
    SPOTS,
    places_lacking,
    side_of,
    toggle,
)
from meeple.kernels import inlined, kernel


@kernel
def mark_threats(s: Any, player: int, fours: Any, threes: Any) -> Any:
    """Mark the cells of a player's fours and threes; return the cell that the player must block.

    NO_CELL: none; MANY: several.
    """
    mine, theirs = side_of(s, player), side_of(s, 1 - player)
    _clear(fours)
    _clear(threes)
    must: Any = np.int64(NO_CELL)
    for line in range(NUM_WORDS):
        must = joined(must, mine.size, line, places_lacking(1, theirs, line))
        _mark(fours, mine.size, line, places_lacking(2, mine, line))
        _mark(threes, mine.size, line, places_lacking(3, mine, line))
    return must


@kernel
def mark_refutations(s: Any, player: int, path: Any, pairs: int, replies: Any) -> None:
    """Mark every cell where a stone of the opponent may refute a player's win by fours.

    These are the cells of the fours and of their replies, those that complete a row after the last
    four, and those that make a four of the opponent, now or together with the replies. A stone
    elsewhere blocks no row of the player and gains no move, so that the same fours win.

    Args:
        s: the state; it is changed during the call only.
        player: the seat that wins.
        path: the win by fours, a lasting one (`search_fours`).
        pairs: its fours that are replied to; one more wins.
        replies: [MAX_SIZE] uint32, the set of cells.
    """
    mine, theirs = side_of(s, player), side_of(s, 1 - player)
    size = mine.size
    _clear(replies)
    for line in range(NUM_WORDS):
        _mark(replies, size, line, places_lacking(2, theirs, line))
    for pair in range(pairs):
        cell, reply = np.int64(path[FRAME * pair + CELL]), np.int64(path[FRAME * pair + REPLY])
        _mark_cell(replies, size, cell)
        _mark_cell(replies, size, reply)
        toggle(mine.own, size, cell)
        toggle(mine.other, size, reply)
        for direction in range(4):
            line = line_through(size, reply, direction)
            _mark(replies, size, line, places_lacking(2, theirs, line))
    cell = np.int64(path[FRAME * pairs + CELL])
    _mark_cell(replies, size, cell)
    toggle(mine.own, size, cell)
    for direction in range(4):
        line = line_through(size, cell, direction)
        _mark(replies, size, line, places_lacking(1, mine, line))
    toggle(mine.own, size, cell)
    for pair in range(pairs):
        toggle(mine.own, size, np.int64(path[FRAME * pair + CELL]))
        toggle(mine.other, size, np.int64(path[FRAME * pair + REPLY]))


@kernel
def completing_cell(side: Any) -> Any:
    """Return the cell that completes a row, NO_CELL without one, MANY if there are several."""
    found: Any = np.int64(NO_CELL)
    for line in range(NUM_WORDS):
        found = joined(found, side.size, line, places_lacking(1, side, line))
    return found


@kernel
def first_completing(side: Any, cell: int) -> Any:
    """Return a cell that completes a row through a cell, or NO_CELL."""
    for direction in range(4):
        line = line_through(side.size, cell, direction)
        fives = places_lacking(1, side, line)
        if fives:
            return cell_at(side.size, line, fives)
    return np.int64(NO_CELL)


# ---------------------------------------------------------------- sets of cells


@inlined
def _clear(rows: Any) -> None:
    for row in range(MAX_SIZE):
        rows[row] = 0


@inlined
def _mark_cell(rows: Any, size: int, cell: int) -> None:
    spot = np.int64(SPOTS[size, cell, 0])
    rows[spot // HALF] |= np.uint32(1 << (spot % HALF))


@kernel
def _mark(rows: Any, size: int, line: int, places: int) -> None:
    """Mark the cells at the places of a line."""
    while places:
        _mark_cell(rows, size, cell_at(size, line, places))
        places &= places - 1
