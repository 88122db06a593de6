"""Gomoku: wins by fours and threes, by proof-number search over the attacker's threats.

The attacker plays only fours and threes. A three is a stone that completes a row but for two
stones, and after which the attacker wins by fours if the opponent passes. The defender's replies
are complete: each reply that could refute that win by fours, or that makes a four. So a proof is a
proof against every reply; a disproof says only that these threats do not win.

Threat-space search: Allis, van den Herik and Huntjens, "Go-Moku and threat-space search", 1993.
The search is that of `kernels/proof_numbers.py`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.fours import (
    CELL,
    FRAME,
    MANY,
    MAX_FOURS,
    NO_CELL,
    REPLY,
    clear_path,
    completing_through,
    may_place,
    search_fours,
)
from meeple.games.gomoku.lines import MAX_SIZE, side_of, toggle
from meeple.games.gomoku.threat_moves import (
    completing_cell,
    first_completing,
    mark_refutations,
    mark_threats,
)
from meeple.kernels import inlined, kernel, lowest_bit, scramble
from meeple.kernels.proof_numbers import INFINITE, limit_child, packed, unpack, weigh

MAX_PLIES = 100  # of a line
MAX_CHILDREN = MAX_SIZE * MAX_SIZE
FOURS_NODES = 200  # that may be searched for a win by fours at each node

# Words of `ThreatStack.cursor`: the current ply, whether it is just entered, nodes so far, the seat
# of the attacker, whether the attacker moves at even plies (0) or at odd ones (1), and, once the
# search is finished, the plies of the attacker's win, or 0.
PLY, ENTERING, NODES, ATTACKER, FIRST, WIN = range(6)
# Columns of `ThreatStack.frames`: the numbers at which the search leaves the node, the number of
# children, the child that is being searched, the plies of the attacker's win against any other
# reply, the last stone, and the nodes before.
PROOF_LIMIT, DISPROOF_LIMIT, COUNT, CHILD, OTHERWISE, LAST, BEFORE = range(7)
# Columns of `ThreatStack.table`; NUMBERS packs the proof number above the disproof number, and is 0
# in a free slot; RESULT packs nodes, move, and plies of a proven win.
KEY, NUMBERS, RESULT = range(3)

_MOVE_AT, _NODES_AT, _LOW_16, _LOW_32 = 16, 32, (1 << 16) - 1, (1 << 32) - 1
_S32 = np.uint64(32)
_SALT = np.uint64(0x9E3779B97F4A7C15)

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]


class ThreatStack(NamedTuple):
    """One search's memory; `[d]` is the node `d` plies below the root."""

    cells: npt.NDArray[np.int16]  # [d, child] stones to try
    numbers: Ints  # [d, child, 2] proof and disproof number
    plies: Ints  # [d, child] of the attacker's win, of proven children
    frames: Ints  # [d, 7]
    keys: Words  # [d]
    path: npt.NDArray[np.uint16]  # [MAX_FOURS * FRAME] of a search for fours
    rows: npt.NDArray[np.uint32]  # [2, MAX_SIZE] sets of cells, as bits
    cursor: Ints
    table: Words  # [slots, 3], slots a power of two


def new_threat_stack(slots: int) -> ThreatStack:
    """Allocate the memory of a search; `slots` is a power of two."""
    return ThreatStack(
        cells=np.zeros((MAX_PLIES + 1, MAX_CHILDREN), np.int16),
        numbers=np.zeros((MAX_PLIES + 1, MAX_CHILDREN, 2), np.int64),
        plies=np.zeros((MAX_PLIES + 1, MAX_CHILDREN), np.int64),
        frames=np.zeros((MAX_PLIES + 1, 7), np.int64),
        keys=np.zeros(MAX_PLIES + 1, np.uint64),
        path=np.zeros(MAX_FOURS * FRAME, np.uint16),
        rows=np.zeros((2, MAX_SIZE), np.uint32),
        cursor=np.zeros(6, np.int64),
        table=np.zeros((slots, 3), np.uint64),
    )


# ---------------------------------------------------------------- the search, a step at a time


@kernel
def open_threats(s: Any, stack: Any, attacker: int) -> None:
    """Begin a search for a win of a seat, which is to move or is not."""
    cursor = stack.cursor
    cursor[PLY] = 0
    cursor[ENTERING] = 1
    cursor[NODES] = 0
    cursor[WIN] = 0
    cursor[ATTACKER] = attacker
    cursor[FIRST] = 0 if np.int64(s.to_move) == attacker else 1
    plays_white = s.renju != 0 and attacker != s.black  # other moves are forbidden then
    key = scramble(_SALT + np.uint64(attacker + (2 if plays_white else 0)))
    for player in range(2):
        for row in range(np.int64(s.size)):
            stones = np.uint64(s.lines[player, row])
            while stones:
                column = np.int64(lowest_bit(stones))
                stones &= stones - np.uint64(1)
                key ^= _key_of(np.int64(s.size) * row + column, player)
    stack.keys[0] = key
    frame = stack.frames[0]
    frame[PROOF_LIMIT] = INFINITE
    frame[DISPROOF_LIMIT] = INFINITE
    frame[LAST] = NO_CELL
    frame[COUNT] = 0


@kernel
def run_threats(s: Any, stack: Any, nodes: int) -> bool:
    """Continue for about `nodes` nodes; return whether the search is finished.

    Args:
        s: a copy of the root's state for the search alone.
        stack: the search's memory.
        nodes: stones placed by both sides.
    """
    cursor = stack.cursor
    last = cursor[NODES] + nodes
    while cursor[NODES] < last:
        ply = cursor[PLY]
        if cursor[ENTERING]:
            cursor[ENTERING] = 0
            cursor[NODES] += 1
            stack.frames[ply, BEFORE] = cursor[NODES]
            if attacks(cursor, ply):
                _list_threats(s, stack, ply)
            else:
                _list_replies(s, stack, ply)
        frame, mine = stack.frames[ply], 0 if attacks(cursor, ply) else 1
        best, easiest, second, hardest, spread = weigh(stack.numbers[ply], frame[COUNT], mine)
        if easiest >= frame[mine] or hardest >= frame[1 - mine]:
            word = packed(easiest, hardest, mine)
            plies = _plies_to_win(stack, ply, mine) if word >> _S32 == 0 else 0
            _store(stack, ply, word, plies)
            if ply == 0:
                cursor[WIN] = plies
                return True
            _return(s, stack, ply, word, plies)
        else:
            limit_child(frame, stack.frames[ply + 1], mine, second, spread)
            _visit(s, stack, ply, best)
    return False


@inlined
def attacks(cursor: Any, ply: int) -> Any:
    """Return whether the attacker is to move at a ply."""
    return (ply + cursor[FIRST]) & 1 == 0


@inlined
def _mover(cursor: Any, ply: int) -> Any:
    """Return the seat to move at a ply."""
    return cursor[ATTACKER] if attacks(cursor, ply) else 1 - cursor[ATTACKER]


@kernel
def _plies_to_win(stack: Any, ply: int, mine: int) -> Any:
    """Return the plies of a node's proven win: the attacker's shortest, or the longest defence."""
    plies = MAX_PLIES * MAX_PLIES if mine == 0 else stack.frames[ply, OTHERWISE]
    for child in range(stack.frames[ply, COUNT]):
        if mine == 1:
            plies = max(plies, stack.plies[ply, child] + 1)
        elif stack.numbers[ply, child, 0] == 0:
            plies = min(plies, stack.plies[ply, child] + 1)
    return plies


@inlined
def _visit(s: Any, stack: Any, ply: int, child: int) -> None:
    """Enter a child."""
    stack.frames[ply, CHILD] = child
    _place(s, stack, ply, np.int64(stack.cells[ply, child]))
    stack.cursor[PLY] = ply + 1
    stack.cursor[ENTERING] = 1


@inlined
def _place(s: Any, stack: Any, ply: int, cell: int) -> None:
    """Place a stone of a node's mover."""
    player = _mover(stack.cursor, ply)
    toggle(s.lines[player], np.int64(s.size), cell)
    stack.keys[ply + 1] = stack.keys[ply] ^ _key_of(cell, player)
    stack.frames[ply + 1, LAST] = cell


@inlined
def _return(s: Any, stack: Any, ply: int, word: Any, plies: int) -> None:
    """Hand a node's numbers to its parent, and remove its stone."""
    child = stack.frames[ply - 1, CHILD]
    unpack(word, stack.numbers[ply - 1, child])
    stack.plies[ply - 1, child] = plies
    toggle(s.lines[_mover(stack.cursor, ply - 1)], np.int64(s.size), stack.frames[ply, LAST])
    stack.cursor[PLY] = ply - 1


# ---------------------------------------------------------------- threats and replies


@kernel
def _list_threats(s: Any, stack: Any, ply: int) -> None:
    """List the attacker's threats; settle a node where fours alone win, or none is left."""
    attacker = stack.cursor[ATTACKER]
    plies, searched = search_fours(s, attacker, FOURS_NODES, stack.path, False)
    first = np.int64(stack.path[CELL])
    clear_path(stack.path)
    stack.cursor[NODES] += 2 * searched
    stack.frames[ply, COUNT] = 0
    if plies > 0:
        _add_child(s, stack, ply, first, 0)
        stack.numbers[ply, 0, 0] = 0
        stack.numbers[ply, 0, 1] = INFINITE
        stack.plies[ply, 0] = plies - 1
        return
    if ply >= MAX_PLIES - 1:
        return
    fours, threes = stack.rows[0], stack.rows[1]
    must = mark_threats(s, attacker, fours, threes)
    if must == MANY:
        return
    if must != NO_CELL:
        _add_child(s, stack, ply, must, 1)
        return
    _add_children(s, stack, ply, fours, 1)
    for row in range(np.int64(s.size)):
        threes[row] &= ~fours[row]
    _add_children(s, stack, ply, threes, 2)


@kernel
def _list_replies(s: Any, stack: Any, ply: int) -> None:
    """List the defender's replies to a threat; none if it is no threat, or cannot be met."""
    frame, attacker = stack.frames[ply], stack.cursor[ATTACKER]
    attack = side_of(s, attacker)
    frame[COUNT] = 0
    frame[OTHERWISE] = 0
    if frame[LAST] == NO_CELL:
        block = completing_cell(attack)
        if completing_cell(side_of(s, 1 - attacker)) != NO_CELL:
            _refute(stack, ply)
            return
    else:
        block = completing_through(attack, frame[LAST])
    if block != NO_CELL:
        frame[OTHERWISE] = 2
        if block != MANY:
            _add_child(s, stack, ply, block, 1)
        return
    plies, searched = search_fours(s, attacker, FOURS_NODES, stack.path, True)
    stack.cursor[NODES] += 2 * searched
    if plies == 0 or ply >= MAX_PLIES - 1:
        clear_path(stack.path)
        _refute(stack, ply)
        return
    frame[OTHERWISE] = plies + 1
    replies = stack.rows[0]
    mark_refutations(s, attacker, stack.path, plies // 2 - 1, replies)
    clear_path(stack.path)
    _add_children(s, stack, ply, replies, 1)


@kernel
def _add_children(s: Any, stack: Any, ply: int, rows: Any, proof: int) -> None:
    """Append a child for each cell of a set, with this proof number."""
    for row in range(np.int64(s.size)):
        places = np.uint64(rows[row])
        while places:
            _add_child(s, stack, ply, np.int64(s.size) * row + np.int64(lowest_bit(places)), proof)
            places &= places - np.uint64(1)


@kernel
def _add_child(s: Any, stack: Any, ply: int, cell: int, proof: int) -> None:
    """Append a child unless Renju forbids its stone, with its numbers if they are in the table."""
    player = _mover(stack.cursor, ply)
    if not may_place(s, player, cell, False):
        return
    child = stack.frames[ply, COUNT]
    stack.frames[ply, COUNT] = child + 1
    stack.cells[ply, child] = cell
    stack.numbers[ply, child, 0] = proof
    stack.numbers[ply, child, 1] = 1
    stack.plies[ply, child] = 0
    slot = find(stack.table, stack.keys[ply] ^ _key_of(cell, player))
    if slot >= 0:
        unpack(stack.table[slot, NUMBERS], stack.numbers[ply, child])
        stack.plies[ply, child] = np.int64(stack.table[slot, RESULT] & np.uint64(_LOW_16))


@inlined
def _refute(stack: Any, ply: int) -> None:
    """Give a node a single child, in which the attacker does not win."""
    stack.frames[ply, COUNT] = 1
    stack.numbers[ply, 0, 0] = INFINITE
    stack.numbers[ply, 0, 1] = 0


@kernel
def read_line(s: Any, stack: Any, line: Any) -> Any:
    """Write the stones of the win that was found, with the longest defence; return their number.

    The line ends early where the table has lost an entry.

    Args:
        s: the state of the search, which is finished.
        stack: the search's memory; the nodes below the root are overwritten.
        line: [MAX_PLIES + 2 * MAX_FOURS] int16.
    """
    attacker, ply, count = stack.cursor[ATTACKER], 0, 0
    while ply < MAX_PLIES - 1:
        if attacks(stack.cursor, ply):
            plies, _ = search_fours(s, attacker, FOURS_NODES, stack.path, False)
            if plies > 0:
                count = _append_fours(s, stack.path, plies, attacker, line, count)
                clear_path(stack.path)
                break
            clear_path(stack.path)
            cell = _stored_move(stack.table, stack.keys[ply])
        else:
            _list_replies(s, stack, ply)
            cell = _longest_reply(stack, ply)
        if cell == NO_CELL:
            break
        _place(s, stack, ply, cell)
        ply += 1
        line[count] = cell
        count += 1
    for played in range(count):
        toggle(s.lines[_mover(stack.cursor, played)], np.int64(s.size), np.int64(line[played]))
    return count


@kernel
def _append_fours(s: Any, path: Any, plies: int, attacker: int, line: Any, count: int) -> Any:
    """Append the moves of a win by fours to a line, and return the line's new length.

    The line ends where the reply is forbidden.
    """
    attack = side_of(s, attacker)
    last = np.int64(path[CELL])
    for played in range(plies):
        if played == 0 or played < plies - 2:
            cell = np.int64(path[FRAME * (played // 2) + (REPLY if played & 1 else CELL)])
            last = cell
        else:
            cell = first_completing(attack, last)
        if played & 1 and not may_place(s, 1 - attacker, cell, False):
            break
        toggle(attack.other if played & 1 else attack.own, attack.size, cell)
        line[count] = cell
        count += 1
    return count


@kernel
def _stored_move(table: Any, key: Any) -> Any:
    """Return the attacker's move of a proven entry, or NO_CELL."""
    slot = find(table, key)
    if slot < 0 or table[slot, NUMBERS] >> _S32 != np.uint64(0):
        return np.int64(NO_CELL)
    return np.int64(table[slot, RESULT] >> np.uint64(_MOVE_AT)) & _LOW_16


@kernel
def _longest_reply(stack: Any, ply: int) -> Any:
    """Return the proven reply after which the win takes longest, or NO_CELL."""
    cell: Any = NO_CELL
    longest = -1
    for child in range(stack.frames[ply, COUNT]):
        if stack.numbers[ply, child, 0] == 0 and stack.plies[ply, child] > longest:
            longest = stack.plies[ply, child]
            cell = np.int64(stack.cells[ply, child])
    return cell


# ---------------------------------------------------------------- the table


@inlined
def _key_of(cell: int, player: int) -> Any:
    """Return the part of a stone in the keys of positions; `scramble(0)` is 0, and no part."""
    return scramble(np.uint64(2 * cell + player + 1) * _SALT)


@inlined
def find(table: Any, key: Any) -> Any:
    """Return the slot of a key, or -1."""
    first = np.int64(key & np.uint64(table.shape[0] - 1))
    found: Any = -1
    for slot in (first, first ^ 1):
        if table[slot, KEY] == key and table[slot, NUMBERS] != 0:
            found = slot
    return found


@kernel
def _store(stack: Any, ply: int, word: Any, plies: int) -> None:
    """Store a node's numbers, in the slot of the less searched of two entries."""
    table, key = stack.table, stack.keys[ply]
    frame = stack.frames[ply]
    move: Any = 0
    nodes = min(stack.cursor[NODES] - frame[BEFORE], _LOW_32)
    if word >> _S32 == 0 and attacks(stack.cursor, ply):
        for child in range(frame[COUNT]):
            if stack.numbers[ply, child, 0] == 0 and stack.plies[ply, child] + 1 == plies:
                move = np.int64(stack.cells[ply, child])
    slot = find(table, key)
    if slot < 0:
        slot = np.int64(key & np.uint64(table.shape[0] - 1))
        other = slot ^ 1
        if table[other, RESULT] >> _S32 < table[slot, RESULT] >> np.uint64(_NODES_AT):
            slot = other
    else:
        nodes = min(nodes + np.int64(table[slot, RESULT] >> _S32), _LOW_32)
    table[slot, KEY] = key
    table[slot, NUMBERS] = word
    table[slot, RESULT] = np.uint64(nodes << _NODES_AT | move << _MOVE_AT | plies)
