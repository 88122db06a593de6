"""Gomoku: wins by fours alone, for the leaves of a search and for `threat_search`.

A four is a stone after which its player lacks one stone of a winning row: the opponent must answer
on the cell that completes it. A win by fours is a sequence of fours, of which the last can be
completed on two cells. In Renju, each four of Black must be allowed, and a four of White wins if
the reply is forbidden. The kernels play on the lines of the state and restore them.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import (
    CELLS,
    HALF,
    LONG_LINES,
    NUM_LONG_LINES,
    NUM_WORDS,
    SPOTS,
    places_lacking,
    side_of,
    toggle,
)
from meeple.games.gomoku.renju import NOT_FORBIDDEN, forbidden, stays_allowed
from meeple.kernels import bits_set, inlined, kernel, lowest_bit

NO_CELL, MANY = -1, -2  # no cell; two cells or more

MAX_FOURS = 64  # of a sequence
# Words of a four in `path`: its cell, the reply, and the line and the place from which the search
# for the next four resumes.
CELL, REPLY, LINE, PLACE = range(4)
FRAME = 4

_ZERO = np.uint64(0)


@kernel
def win_by_fours(s: Any, nodes: int) -> int:
    """Return the plies of a win by fours of the player to move; 0 if none was found.

    Args:
        s: the state of an unfinished game; it is changed during the call only.
        nodes: the most fours to search the replies of.
    """
    plies, _ = search_fours(s, np.int64(s.to_move), nodes, s.deck, False)
    clear_path(s.deck)
    return int(plies)


@kernel
def search_fours(s: Any, player: int, nodes: int, path: Any, lasting: bool) -> tuple[Any, Any]:
    """Search for a win by fours of a player, as if that player were to move.

    Args:
        s: the state of an unfinished game; it is changed during the call only.
        player: the attacker.
        nodes: the most fours to search the replies of.
        path: [MAX_FOURS * FRAME] uint16, zeros; afterwards the fours of the win, and their replies.
        lasting: whether a win must stay valid after every stone of the opponent that neither blocks
            a row nor makes a four. In Renju such a stone can change which moves are forbidden.

    Returns:
        The plies of the win, including the stone that completes a row, or 0; and the fours whose
        replies were searched.
    """
    mine, theirs = side_of(s, player), side_of(s, 1 - player)
    five, must, low, high = _survey(mine, theirs)
    if five != NO_CELL:
        path[CELL] = five
        return 1, 0
    depth, searched, plies = 0, 0, 0
    entering = must != MANY
    if not entering:
        depth = -1
    while depth >= 0:
        at = FRAME * depth
        if entering and must != NO_CELL:
            cell = must
            path[at + LINE] = NUM_WORDS  # no other four helps
        else:
            if entering:
                path[at + LINE] = 0
                path[at + PLACE] = 0
                cell = _double_four(s, player, low, high, lasting)
                if cell != NO_CELL:
                    path[at + CELL] = cell
                    plies = 2 * depth + 3
                    break
            cell = _next_four(mine, path, at, low, high)
        entering = False
        if cell == NO_CELL or searched >= nodes or depth == MAX_FOURS - 1:
            depth -= 1
            if depth >= 0:
                _take_back(mine, path, depth)
            continue
        if not may_place(s, player, cell, lasting):
            continue
        toggle(mine.own, mine.size, cell)
        reply = completing_through(mine, cell)
        if reply >= 0 and not lasting and not may_place(s, 1 - player, reply, False):
            reply = MANY
        if reply < 0:
            toggle(mine.own, mine.size, cell)
            if reply == MANY:
                path[at + CELL] = cell
                plies = 2 * depth + 3
                break
            continue
        searched += 1
        toggle(mine.other, mine.size, reply)
        path[at + CELL] = cell
        path[at + REPLY] = reply
        must = completing_through(theirs, reply)
        if must == MANY:
            _take_back(mine, path, depth)
        else:
            for direction in range(4):
                low, high = _with_line(low, high, line_through(mine.size, cell, direction))
            depth += 1
            entering = True
    for played in range(depth):
        _take_back(mine, path, played)
    return plies, searched


@kernel
def may_place(s: Any, player: int, cell: int, lasting: bool) -> bool:
    """Return whether a player may place a stone on a free cell; Renju forbids some to Black.

    Args:
        s: the state; it is changed during the call only.
        player: the seat.
        cell: a free cell.
        lasting: whether the move must also stay allowed after any further stones of White.
    """
    if s.renju == 0 or player != s.black:
        return True
    if lasting:
        return bool(stays_allowed(s, cell))
    return bool(forbidden(s, cell) == NOT_FORBIDDEN)


@kernel
def _survey(mine: Any, theirs: Any) -> tuple[Any, Any, Any, Any]:
    """Return what a search for fours begins with.

    Returns:
        A cell that completes a row of the attacker, or NO_CELL; the one that completes a row of
        the defender, or NO_CELL, or MANY; and the lines with a four of the attacker, as two words
        of bits.
    """
    five: Any = NO_CELL
    must: Any = NO_CELL
    low, high = _ZERO, _ZERO
    size, least = mine.size, mine.length - 2
    for index in range(NUM_LONG_LINES[size, mine.length]):
        line = np.int64(LONG_LINES[size, mine.length, index])
        if bits_set(np.uint64(mine.own[line])) >= least:
            if places_lacking(2, mine, line):
                low, high = _with_line(low, high, line)
            fives = places_lacking(1, mine, line)
            if fives:
                five = cell_at(size, line, fives)
        if bits_set(np.uint64(theirs.own[line])) > least:
            must = joined(must, size, line, places_lacking(1, theirs, line))
    return five, must, low, high


@inlined
def _with_line(low: Any, high: Any, line: int) -> Any:
    """Return a set of lines, as two words of bits, with another line."""
    bit = np.uint64(1) << np.uint64(line & 63)
    return (low | bit, high) if line < 64 else (low, high | bit)


@inlined
def _next_line(low: Any, high: Any, line: int) -> Any:
    """Return the first line of a set from a line on; NUM_WORDS if there is none."""
    found: Any = NUM_WORDS
    if line < 64:
        rest = low & (~_ZERO << np.uint64(line))
        if rest:
            found = np.int64(lowest_bit(rest))
        elif high:
            found = 64 + np.int64(lowest_bit(high))
    else:
        rest = high & (~_ZERO << np.uint64(line - 64))
        if rest:
            found = 64 + np.int64(lowest_bit(rest))
    return found


@kernel
def clear_path(path: Any) -> None:
    """Set the used words of a path to zero."""
    for word in range(MAX_FOURS * FRAME):
        path[word] = 0


@inlined
def _take_back(mine: Any, path: Any, depth: int) -> None:
    """Remove a four and its reply from the lines."""
    toggle(mine.own, mine.size, np.int64(path[FRAME * depth + CELL]))
    toggle(mine.other, mine.size, np.int64(path[FRAME * depth + REPLY]))


@kernel
def _double_four(s: Any, player: int, low: Any, high: Any, lasting: bool) -> Any:
    """Return a cell where a stone leaves two cells that complete a row, or NO_CELL."""
    mine = side_of(s, player)
    line: Any = _next_line(low, high, 0)
    while line < NUM_WORDS:
        fours = places_lacking(2, mine, line)
        while fours:
            cell = cell_at(mine.size, line, fours)
            fours &= fours - 1
            toggle(mine.own, mine.size, cell)
            found = completing_through(mine, cell)
            toggle(mine.own, mine.size, cell)
            if found == MANY and may_place(s, player, cell, lasting):
                return cell
        line = _next_line(low, high, line + 1)
    return np.int64(NO_CELL)


@kernel
def _next_four(mine: Any, path: Any, at: int, low: Any, high: Any) -> Any:
    """Return the next cell of a four from the line and place noted in `path`, or NO_CELL.

    A cell is returned for the first of its lines only. `low` and `high` are the lines to look at.
    """
    place: Any = np.int64(path[at + PLACE])
    line: Any = np.int64(path[at + LINE])
    if place == 0:
        line = _next_line(low, high, line)
    while line < NUM_WORDS:
        fours = places_lacking(2, mine, line) & (-1 << place)
        while fours:
            place = np.int64(lowest_bit(np.uint64(fours)))
            cell = cell_at(mine.size, line, fours)
            fours &= fours - 1
            if not _is_four_before(mine, cell, line):
                path[at + LINE] = line
                path[at + PLACE] = place + 1
                return cell
        line = _next_line(low, high, line + 1)
        place = 0
    path[at + LINE] = NUM_WORDS
    path[at + PLACE] = 0
    return np.int64(NO_CELL)


@kernel
def _is_four_before(mine: Any, cell: int, line: int) -> bool:
    """Return whether a stone on a cell makes a four on a line before this one."""
    for direction in range(3):
        spot = np.int64(SPOTS[mine.size, cell, direction])
        other = spot // HALF
        if other >= line:
            return False
        if (places_lacking(2, mine, other) >> (spot % HALF)) & 1:
            return True
    return False


@kernel
def completing_through(side: Any, cell: int) -> Any:
    """Return the cell that completes a row through `cell`; NO_CELL if none, MANY if several."""
    found: Any = np.int64(NO_CELL)
    for direction in range(4):
        line = line_through(side.size, cell, direction)
        found = joined(found, side.size, line, places_lacking(1, side, line))
    return found


@inlined
def joined(found: int, size: int, line: int, places: int) -> Any:
    """Return the one cell of `found` and of the places on a line, or MANY."""
    if places:
        if places & (places - 1):
            found = MANY
        else:
            cell = cell_at(size, line, places)
            found = cell if found in (NO_CELL, cell) else MANY
    return found


@inlined
def line_through(size: int, cell: int, direction: int) -> Any:
    """Return the line through a cell: row, column, rising or falling diagonal, as in `lines`."""
    return np.int64(SPOTS[size, cell, direction]) // HALF


@inlined
def cell_at(size: int, line: int, places: int) -> Any:
    """Return the cell at the first of the places of a line."""
    return np.int64(CELLS[size, line * HALF + np.int64(lowest_bit(np.uint64(places)))])
