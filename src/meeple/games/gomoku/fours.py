"""Gomoku: wins by fours alone, for the leaves of a search and for `threat_search`.

A four is a stone after which its player lacks one stone of a winning row: the opponent must answer
on the cell that completes it. A win by fours is a sequence of fours, of which the last can be
completed on two cells. In Renju, each four of Black must be allowed, and a four of White wins if
the reply is forbidden. The kernels play on the lines of the state and restore them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.cell_scores import LENGTH, REACH, all_around, cells_of
from meeple.games.gomoku.lines import (
    CELLS,
    HALF,
    LONG_LINES,
    NUM_LONG_LINES,
    NUM_WORDS,
    PAIRS,
    PLACES,
    SPOTS,
    places_lacking,
    side_of,
    toggle,
)
from meeple.games.gomoku.renju import NOT_FORBIDDEN, forbidden, stays_allowed
from meeple.kernels import any_word, four_times, four_words, inlined, kernel, lowest_bit, word_at

NO_CELL, MANY = -1, -2  # no cell; two cells or more

MAX_FOURS = 64  # of a sequence
# Words of a four in `path`: its cell, the reply, and the line and the place from which the search
# for the next four resumes.
CELL, REPLY, LINE, PLACE = range(4)
FRAME = 4

_ZERO, _ONE, _HALF, _LOW_HALF = np.uint64(0), np.uint64(1), np.uint64(HALF), np.uint64(2**HALF - 1)
_GROUPS = -(-PAIRS // 4)


def _completing() -> npt.NDArray[np.uint8]:
    """Return `_COMPLETING`."""
    index = np.arange(1 << (4 * REACH))
    places = [*range(REACH), *range(REACH + 1, 2 * REACH + 1)]  # of the bits, from the first cell
    own, other = np.zeros((2, 2 * REACH + 1, len(index)), bool)
    for bit, place in enumerate(places):
        own[place], other[place] = index >> bit & 1, index >> (2 * REACH + bit) & 1
    own[REACH] = True
    completing = np.zeros((2 * REACH + 1, len(index)), bool)
    for first in range(LENGTH):
        window = slice(first, first + LENGTH)
        lacks_one = (own & ~other)[window].sum(axis=0) == LENGTH - 1
        completing[window] |= lacks_one & ~other[window].any(axis=0) & ~own[window]
    numbers = completing.sum(axis=0)
    found = np.where(numbers > 1, _SEVERAL, completing.argmax(axis=0))
    return np.where(numbers == 0, REACH, found).astype(np.uint8)


_SEVERAL = 2 * REACH + 1
_COMPLETING = _completing()
"""[65536] by the cells around a cell (`cell_scores.around`): what completes a row of five after a
stone on the cell, as a place from the first of these cells on; `REACH` if nothing does, or
`_SEVERAL`. Longer rows count."""


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
    new_low, new_high = low, high  # the lines on which two fours by one stone are looked for
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
                cell = _double_four(s, player, new_low, new_high, lasting)
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
        reply = completing_after(mine, cell)
        toggle(mine.own, mine.size, cell)
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
        must = completing_after(theirs, reply)
        toggle(mine.other, mine.size, reply)
        path[at + CELL] = cell
        path[at + REPLY] = reply
        if must == MANY or (must == NO_CELL and _is_tried_before(mine.size, path, depth)):
            _take_back(mine, path, depth)
        else:
            new_low, new_high = _ZERO, _ZERO
            for direction in range(4):
                line = line_through(mine.size, cell, direction)
                new_low, new_high = _with_line(new_low, new_high, line)
            low, high = low | new_low, high | new_high
            if s.renju != 0 or path[at + LINE] == NUM_WORDS:
                new_low, new_high = low, high  # a stone may be allowed now, or was not looked for
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
    size = mine.size
    if mine.length == LENGTH:
        own, other = mine.own.view(np.uint64), mine.other.view(np.uint64)
        for group in range(_GROUPS):
            pair = min(4 * group, PAIRS - 4)
            us, them, all_ = _four_pairs(own, pair), _four_pairs(other, pair), _spans(size, pair)
            fives, fours = _lacking(us, all_ ^ them, mine.exact)
            blocks, _ = _lacking(them, all_ ^ us, theirs.exact)
            if any_word(fours):
                for lane in range(4):
                    low, high = _with_pair(low, high, pair + lane, word_at(fours, lane))
            if any_word(fives | blocks):
                for beside in range(8):
                    five, must = _completing_on(mine, theirs, 2 * pair + beside, five, must)
    else:
        for index in range(NUM_LONG_LINES[size, mine.length]):
            line: Any = np.int64(LONG_LINES[size, mine.length, index])
            if places_lacking(2, mine, line):
                low, high = _with_line(low, high, line)
            five, must = _completing_on(mine, theirs, line, five, must)
    return five, must, low, high


@inlined
def _completing_on(mine: Any, theirs: Any, line: int, five: Any, must: Any) -> tuple[Any, Any]:
    """Return a cell that completes a row of the attacker, and what the defender does, so far."""
    fives = places_lacking(1, mine, line)
    if fives:
        five = cell_at(mine.size, line, fives)
    return five, joined(must, mine.size, line, places_lacking(1, theirs, line))


@inlined
def _four_pairs(lines: Any, pair: int) -> Any:
    """Return four pairs of lines as four words."""
    return four_words(lines[pair], lines[pair + 1], lines[pair + 2], lines[pair + 3])


@inlined
def _spans(size: int, pair: int) -> Any:
    """Return the places of four pairs of lines."""
    at = PLACES[size]
    return four_words(
        np.uint64(at[pair]),
        np.uint64(at[pair + 1]),
        np.uint64(at[pair + 2]),
        np.uint64(at[pair + 3]),
    )


@inlined
def _lacking(own: Any, free: Any, exact: bool) -> tuple[Any, Any]:
    """Return the first places of the open windows that lack one stone of five, and two stones."""
    one, two, four = four_times(np.uint64(1)), four_times(np.uint64(2)), four_times(np.uint64(4))
    open_ = free & free >> one
    open_ = open_ & open_ >> two & free >> four
    if exact:
        open_ = open_ ^ (open_ & (own << one | own >> (one | four)))
    next_, last = own >> one, own >> four
    odd, both = own ^ next_, own & next_
    odd_next, both_next = odd >> two, both >> two
    differ = odd ^ odd_next
    ones, carry = differ ^ last, odd & odd_next | differ & last
    differ = both ^ both_next
    fours = open_ & (both & both_next | differ & carry)
    return fours ^ (fours & ones), open_ & ones & (differ ^ carry)


@inlined
def _with_pair(low: Any, high: Any, pair: int, places: Any) -> Any:
    """Return a set of lines with those of a pair that have places."""
    lines = np.uint64((places & _LOW_HALF) != _ZERO) | np.uint64(places >> _HALF != _ZERO) << _ONE
    at = np.uint64(2 * pair & 63)
    return (low | lines << at, high) if pair < HALF else (low, high | lines << at)


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


@kernel
def _is_tried_before(size: int, path: Any, depth: int) -> bool:
    """Return whether a four was searched before its predecessor, and that one after it.

    It was if it is on a line before that of its predecessor, and its predecessor changes neither
    this line nor those of its reply.
    """
    if depth == 0:
        return False
    at = FRAME * depth
    line, before = np.int64(path[at + LINE]), np.int64(path[at - FRAME + LINE])
    if line >= before or before == NUM_WORDS:  # a forced four has no other place
        return False
    last, reply = np.int64(path[at - FRAME + CELL]), np.int64(path[at + REPLY])
    for direction in range(4):
        through = line_through(size, last, direction)
        if through in (line, line_through(size, reply, direction)):
            return False
    return True


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
            if completing_after(mine, cell) == MANY and may_place(s, player, cell, lasting):
                return cell
        line = _next_line(low, high, line + 1)
    return np.int64(NO_CELL)


@kernel
def _next_four(mine: Any, path: Any, at: int, low: Any, high: Any) -> Any:
    """Return the next cell of a four from the line and place noted in `path`, or NO_CELL.

    `low` and `high` are the lines to look at.
    """
    place: Any = np.int64(path[at + PLACE])
    line: Any = np.int64(path[at + LINE])
    if place == 0:
        line = _next_line(low, high, line)
    while line < NUM_WORDS:
        fours = places_lacking(2, mine, line) & (-1 << place)
        if fours:
            place = np.int64(lowest_bit(np.uint64(fours)))
            cell = cell_at(mine.size, line, fours)
            path[at + LINE] = line
            path[at + PLACE] = place + 1
            return cell
        line = _next_line(low, high, line + 1)
        place = 0
    path[at + LINE] = NUM_WORDS
    path[at + PLACE] = 0
    return np.int64(NO_CELL)


@kernel
def completing_after(side: Any, cell: int) -> Any:
    """Return the cell that completes a row through an empty cell once a stone is on it.

    NO_CELL if none does, MANY if several do.
    """
    found: Any = np.int64(NO_CELL)
    if side.length == LENGTH:
        spot = np.int64(SPOTS[side.size, cell, 0])
        row, column = np.uint64(spot // HALF), np.uint64(spot % HALF)
        in_row = cells_of(side.own, side.other, side.size, row)
        codes = all_around(side.own, side.other, side.size, in_row, row, column)
        for direction in range(4):
            place = np.int64(_COMPLETING[codes[direction]])
            if place != REACH:
                at = np.int64(SPOTS[side.size, cell, direction]) + place - REACH
                is_first = found == NO_CELL and place != _SEVERAL
                found = np.int64(CELLS[side.size, at]) if is_first else np.int64(MANY)
        if found == NO_CELL or not side.exact:
            return found
    toggle(side.own, side.size, cell)
    found = completing_through(side, cell)
    toggle(side.own, side.size, cell)
    return found


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
