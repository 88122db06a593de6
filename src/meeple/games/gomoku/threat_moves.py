"""Gomoku: the cells of threats, and of the replies that may refute one."""

from typing import Any

import numpy as np

from meeple.games.gomoku.fours import (
    CELL,
    FRAME,
    NO_CELL,
    REPLY,
    STRIDE,
    cell_at,
    five_places,
    four_places,
    joined,
    line_through,
    span,
    three_places,
    toggle,
)
from meeple.games.gomoku.lines import MAX_SIZE, NUM_WORDS, is_exact
from meeple.kernels import bits_set, inlined, kernel, lowest_bit


@kernel
def mark_threats(s: Any, player: int, fours: Any, threes: Any) -> Any:
    """Mark the cells of a player's fours and threes; return the cell that the player must block.

    NO_CELL: none; CELLS: several.
    """
    attack, defence = s.lines[player], s.lines[1 - player]
    size, length = np.int64(s.size), np.int64(s.in_a_row)
    exact, their_exact = is_exact(s, player), is_exact(s, 1 - player)
    _clear(fours)
    _clear(threes)
    must: Any = NO_CELL
    for line in range(NUM_WORDS):
        own, other = np.int64(attack[line]), np.int64(defence[line])
        if bits_set(np.uint64(other)) >= length - 1:
            must = joined(
                must, line, five_places(other, own, span(line, size), length, their_exact)
            )
        if bits_set(np.uint64(own)) >= length - 3:
            board = span(line, size)
            _mark(fours, line, four_places(own, other, board, length, exact))
            _mark(threes, line, three_places(own, other, board, length, exact))
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
    attack, defence = s.lines[player], s.lines[1 - player]
    size, length = np.int64(s.size), np.int64(s.in_a_row)
    exact, their_exact = is_exact(s, player), is_exact(s, 1 - player)
    _clear(replies)
    for line in range(NUM_WORDS):
        own = np.int64(defence[line])
        if bits_set(np.uint64(own)) >= length - 2:
            places = four_places(own, np.int64(attack[line]), span(line, size), length, their_exact)
            _mark(replies, line, places)
    for pair in range(pairs):
        cell, reply = np.int64(path[FRAME * pair + CELL]), np.int64(path[FRAME * pair + REPLY])
        _mark_cell(replies, cell)
        _mark_cell(replies, reply)
        toggle(attack, cell)
        toggle(defence, reply)
        for direction in range(4):
            line = line_through(reply, direction)
            own, other = np.int64(defence[line]), np.int64(attack[line])
            _mark(replies, line, four_places(own, other, span(line, size), length, their_exact))
    cell = np.int64(path[FRAME * pairs + CELL])
    _mark_cell(replies, cell)
    toggle(attack, cell)
    for direction in range(4):
        line = line_through(cell, direction)
        own, other = np.int64(attack[line]), np.int64(defence[line])
        _mark(replies, line, five_places(own, other, span(line, size), length, exact))
    toggle(attack, cell)
    for pair in range(pairs):
        toggle(attack, np.int64(path[FRAME * pair + CELL]))
        toggle(defence, np.int64(path[FRAME * pair + REPLY]))


@kernel
def completing_cell(attack: Any, defence: Any, size: int, length: int, exact: bool) -> Any:
    """Return the cell that completes a row, NO_CELL without one, CELLS if there are several."""
    found: Any = NO_CELL
    for line in range(NUM_WORDS):
        own = np.int64(attack[line])
        if bits_set(np.uint64(own)) >= length - 1:
            fives = five_places(own, np.int64(defence[line]), span(line, size), length, exact)
            found = joined(found, line, fives)
    return found


@kernel
def first_completing(
    attack: Any, defence: Any, cell: int, size: int, length: int, exact: bool
) -> Any:
    """Return a cell that completes a row through a cell, or NO_CELL."""
    for direction in range(4):
        line = line_through(cell, direction)
        own, other = np.int64(attack[line]), np.int64(defence[line])
        fives = five_places(own, other, span(line, size), length, exact)
        if fives:
            return cell_at(line, np.int64(lowest_bit(np.uint64(fives))))
    return np.int64(NO_CELL)


# ---------------------------------------------------------------- sets of cells


@inlined
def _clear(rows: Any) -> None:
    for row in range(MAX_SIZE):
        rows[row] = 0


@inlined
def _mark_cell(rows: Any, cell: int) -> None:
    rows[cell // STRIDE] |= np.uint32(1 << (cell % STRIDE))


@kernel
def _mark(rows: Any, line: int, places: int) -> None:
    """Mark the cells at the places of a line."""
    while places:
        _mark_cell(rows, cell_at(line, np.int64(lowest_bit(np.uint64(places)))))
        places &= places - 1
