"""Gomoku: wins by fours alone, for the leaves of a search and for `threat_search`.

A four is a stone after which its player lacks one stone of a winning row: the opponent must answer
on the cell that completes it. A win by fours is a sequence of fours, of which the last can be
completed on two cells. In Renju, each four of Black must be allowed, and a four of White wins if
the reply is forbidden. The kernels play on the lines of the state and restore them.

A cell is the number `row * STRIDE + column`, so that no division is needed.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import COLUMNS, FALLING, MAX_SIZE, NUM_WORDS, RISING, is_exact
from meeple.games.gomoku.renju import NOT_FORBIDDEN, forbidden, stays_allowed
from meeple.games.gomoku.threats import COMMON_LENGTH, count_windows, holding
from meeple.kernels import bits_set, inlined, kernel, lowest_bit

STRIDE = 32
NO_CELL, CELLS = -1, -2  # no cell; two cells or more

MAX_FOURS = 64  # of a sequence
# Words of a four in `path`: its cell, the reply, and the line and the place from which the search
# for the next four resumes.
CELL, REPLY, LINE, PLACE = range(4)
FRAME = 4

_COLUMNS, _RISING, _FALLING = int(COLUMNS), int(RISING), int(FALLING)
_FIRST_FALLING = _FALLING - MAX_SIZE + 1
_MASK = STRIDE - 1
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
    attack, defence = s.lines[player], s.lines[1 - player]
    size, length = np.int64(s.size), np.int64(s.in_a_row)
    exact, their_exact = is_exact(s, player), is_exact(s, 1 - player)
    five, must, low, high = _survey(attack, defence, size, length, exact, their_exact)
    if five != NO_CELL:
        path[CELL] = five
        return 1, 0
    depth, searched, plies = 0, 0, 0
    entering = must != CELLS
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
            cell = _next_four(attack, defence, path, at, low, high, size, length, exact)
        entering = False
        if cell == NO_CELL or searched >= nodes or depth == MAX_FOURS - 1:
            depth -= 1
            if depth >= 0:
                _take_back(attack, defence, path, depth)
            continue
        if not may_place(s, player, cell, lasting):
            continue
        toggle(attack, cell)
        reply = completing_through(attack, defence, cell, size, length, exact)
        if reply >= 0 and not lasting and not may_place(s, 1 - player, reply, False):
            reply = CELLS
        if reply < 0:
            toggle(attack, cell)
            if reply == CELLS:
                path[at + CELL] = cell
                plies = 2 * depth + 3
                break
            continue
        searched += 1
        toggle(defence, reply)
        path[at + CELL] = cell
        path[at + REPLY] = reply
        must = completing_through(defence, attack, reply, size, length, their_exact)
        if must == CELLS:
            _take_back(attack, defence, path, depth)
        else:
            for direction in range(4):
                low, high = _with_line(low, high, line_through(cell, direction))
            depth += 1
            entering = True
    for played in range(depth):
        _take_back(attack, defence, path, played)
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
    row, column = cell >> 5, cell & _MASK
    if lasting:
        return bool(stays_allowed(s, row, column))
    return bool(forbidden(s, row, column) == NOT_FORBIDDEN)


@kernel
def _survey(
    attack: Any, defence: Any, size: int, length: int, exact: bool, their_exact: bool
) -> tuple[Any, Any, Any, Any]:
    """Return what a search for fours begins with.

    Returns:
        A cell that completes a row of the attacker, or NO_CELL; the one that completes a row of
        the defender, or NO_CELL, or CELLS; and the lines with a four of the attacker, as two words
        of bits.
    """
    five: Any = NO_CELL
    must: Any = NO_CELL
    low, high = _ZERO, _ZERO
    for line in range(NUM_WORDS):
        own, other = np.int64(attack[line]), np.int64(defence[line])
        count = bits_set(np.uint64(own))
        if count >= length - 2:
            board = span(line, size)
            if four_places(own, other, board, length, exact):
                low, high = _with_line(low, high, line)
            if count >= length - 1:
                fives = five_places(own, other, board, length, exact)
                if fives:
                    five = cell_at(line, np.int64(lowest_bit(np.uint64(fives))))
        if bits_set(np.uint64(other)) >= length - 1:
            fives = five_places(other, own, span(line, size), length, their_exact)
            must = joined(must, line, fives)
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
def _take_back(attack: Any, defence: Any, path: Any, depth: int) -> None:
    """Remove a four and its reply from the lines."""
    toggle(attack, np.int64(path[FRAME * depth + CELL]))
    toggle(defence, np.int64(path[FRAME * depth + REPLY]))


@kernel
def _double_four(s: Any, player: int, low: Any, high: Any, lasting: bool) -> Any:
    """Return a cell where a stone leaves two cells that complete a row, or NO_CELL."""
    attack, defence = s.lines[player], s.lines[1 - player]
    size, length, exact = np.int64(s.size), np.int64(s.in_a_row), is_exact(s, player)
    line: Any = _next_line(low, high, 0)
    while line < NUM_WORDS:
        own, other = np.int64(attack[line]), np.int64(defence[line])
        fours = four_places(own, other, span(line, size), length, exact)
        while fours:
            cell = cell_at(line, np.int64(lowest_bit(np.uint64(fours))))
            fours &= fours - 1
            toggle(attack, cell)
            found = completing_through(attack, defence, cell, size, length, exact)
            toggle(attack, cell)
            if found == CELLS and may_place(s, player, cell, lasting):
                return cell
        line = _next_line(low, high, line + 1)
    return NO_CELL


@kernel
def _next_four(
    attack: Any,
    defence: Any,
    path: Any,
    at: int,
    low: Any,
    high: Any,
    size: int,
    length: int,
    exact: bool,
) -> Any:
    """Return the next cell of a four from the line and place noted in `path`, or NO_CELL.

    A cell is returned for the first of its lines only. `low` and `high` are the lines to look at.
    """
    place: Any = np.int64(path[at + PLACE])
    line: Any = np.int64(path[at + LINE])
    if place == 0:
        line = _next_line(low, high, line)
    while line < NUM_WORDS:
        own, other = np.int64(attack[line]), np.int64(defence[line])
        fours = four_places(own, other, span(line, size), length, exact) & (-1 << place)
        while fours:
            place = np.int64(lowest_bit(np.uint64(fours)))
            fours &= fours - 1
            cell = cell_at(line, place)
            if not _is_four_before(attack, defence, cell, line, size, length, exact):
                path[at + LINE] = line
                path[at + PLACE] = place + 1
                return cell
        line = _next_line(low, high, line + 1)
        place = 0
    path[at + LINE] = NUM_WORDS
    path[at + PLACE] = 0
    return NO_CELL


@kernel
def _is_four_before(
    attack: Any, defence: Any, cell: int, line: int, size: int, length: int, exact: bool
) -> bool:
    """Return whether a stone on a cell makes a four on a line before this one."""
    for direction in range(3):
        other = line_through(cell, direction)
        if other >= line:
            return False
        own = np.int64(attack[other])
        if bits_set(np.uint64(own)) >= length - 2:
            fours = four_places(own, np.int64(defence[other]), span(other, size), length, exact)
            if (fours >> place_on(cell, direction)) & 1:
                return True
    return False


# ------------------------------------------------------------ rows that lack one or two stones


@kernel
def completing_through(
    attack: Any, defence: Any, cell: int, size: int, length: int, exact: bool
) -> Any:
    """Return the cell that completes a row through `cell`; CELLS if there are several."""
    found: Any = NO_CELL
    for direction in range(4):
        line = line_through(cell, direction)
        own = np.int64(attack[line])
        if bits_set(np.uint64(own)) >= length - 1:
            fives = five_places(own, np.int64(defence[line]), span(line, size), length, exact)
            found = joined(found, line, fives)
    return found


@inlined
def joined(found: int, line: int, places: int) -> Any:
    """Return the one cell of `found` and of the places on a line, or CELLS."""
    if places:
        if places & (places - 1):
            found = CELLS
        else:
            cell = cell_at(line, np.int64(lowest_bit(np.uint64(places))))
            found = cell if found in (NO_CELL, cell) else CELLS
    return found


@inlined
def five_places(own: int, other: int, board: int, length: int, exact: bool) -> Any:
    """Return the places of a line where a stone completes a row."""
    return _places_lacking(1, own, other, board, length, exact)


@inlined
def four_places(own: int, other: int, board: int, length: int, exact: bool) -> Any:
    """Return the places of a line where a stone makes a four."""
    return _places_lacking(2, own, other, board, length, exact)


@inlined
def three_places(own: int, other: int, board: int, length: int, exact: bool) -> Any:
    """Return the places of a line where a stone makes a row that lacks two stones."""
    return _places_lacking(3, own, other, board, length, exact)


@kernel
def _places_lacking(
    lacking: int, own: int, other: int, board: int, length: int, exact: bool
) -> Any:
    """Return the empty places of the rows on a line that lack this number of stones.

    Args:
        lacking: 1 to 3.
        own: the stones of the player.
        other: the stones of the opponent.
        board: the places of the line.
        length: stones of a row.
        exact: whether a longer row does not count.
    """
    if length == COMMON_LENGTH:
        return _places_in_windows(lacking, own, board & ~other, COMMON_LENGTH, exact)
    return _places_in_windows(lacking, own, board & ~other, length, exact)


@inlined
def _places_in_windows(lacking: int, own: int, free: int, length: int, exact: bool) -> Any:
    counted, ones, twos, fours = count_windows(own, free, length)
    open_: Any = holding(length - lacking, counted, ones, twos, fours)
    if exact:
        open_ &= ~((own << 1) | (own >> length))
    found = 0
    if open_:
        for place in range(length):
            found |= open_ << place
        found &= ~own
    return found


# ------------------------------------------------------------ cells and lines


@inlined
def line_through(cell: int, direction: int) -> Any:
    """Return the line through a cell: row, column, rising or falling diagonal, as in `lines`."""
    row, column = cell >> 5, cell & _MASK
    line = row
    if direction == 1:
        line = _COLUMNS + column
    elif direction == 2:
        line = _RISING + row + column
    elif direction == 3:
        line = _FALLING + row - column
    return line


@inlined
def place_on(cell: int, direction: int) -> Any:
    """Return the place of a cell on its line in a direction."""
    return cell >> 5 if direction == 1 else cell & _MASK


@kernel
def cell_at(line: int, place: int) -> Any:
    """Return the cell at a place of a line."""
    if line < _COLUMNS:
        return STRIDE * line + place
    if line < _RISING:
        return STRIDE * place + line - _COLUMNS
    row = line - _RISING - place if line < _FIRST_FALLING else line - _FALLING + place
    return STRIDE * row + place


@kernel
def span(line: int, size: int) -> Any:
    """Return the places of a line, as bits; none if it is not on the board."""
    low, high = 0, size - 1
    if line >= _FIRST_FALLING:
        low, high = max(0, _FALLING - line), min(high, high + _FALLING - line)
    elif line >= _RISING:
        low, high = max(0, line - _RISING - high), min(high, line - _RISING)
    elif line % MAX_SIZE >= size:
        high = -1
    return (1 << (high + 1)) - (1 << low) if low <= high else 0


@inlined
def toggle(lines: Any, cell: int) -> None:
    """Add a stone to a player's lines, or remove it."""
    row, column = cell >> 5, cell & _MASK
    across, down = np.uint32(1 << column), np.uint32(1 << row)
    lines[row] ^= across
    lines[_COLUMNS + column] ^= down
    lines[_RISING + row + column] ^= across
    lines[_FALLING + row - column] ^= across
