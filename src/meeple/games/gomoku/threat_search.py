"""Gomoku: wins by fours and threes, by proof-number search over the attacker's threats.

The attacker plays only fours and threes. A three is a stone that completes a row but for two
stones, and after which the attacker wins by fours if the opponent passes. The defender's replies
are complete: each reply that could refute that win by fours, or that makes a four. So a proof is a
proof against every reply; a disproof says only that these threats do not win.

Threat-space search: Allis, van den Herik and Huntjens, "Go-Moku and threat-space search", 1993.
Search: Nagai's df-pn (2002) with weak numbers, as in `search/exact/proof_number.py`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.gomoku.fours import (
    CELL,
    CELLS,
    FRAME,
    MAX_FOURS,
    NO_CELL,
    REPLY,
    STRIDE,
    clear_path,
    completing_through,
    may_place,
    search_fours,
    toggle,
)
from meeple.games.gomoku.lines import MAX_SIZE, is_exact
from meeple.games.gomoku.threat_moves import (
    completing_cell,
    first_completing,
    mark_refutations,
    mark_threats,
)
from meeple.kernels import inlined, kernel, lowest_bit, scramble

MAX_PLIES = 100  # of a line
MAX_CHILDREN = MAX_SIZE * MAX_SIZE
FOURS_NODES = 200  # that may be searched for a win by fours at each node
INFINITE = 1 << 30  # the other number of a node that is proven or disproven

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
                key ^= _key_of(STRIDE * row + column, player)
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
        proof, disproof, plies = _summary(stack, ply)
        frame = stack.frames[ply]
        if proof >= frame[PROOF_LIMIT] or disproof >= frame[DISPROOF_LIMIT]:
            _store(stack, ply, proof, disproof, plies)
            if ply == 0:
                cursor[WIN] = plies if proof == 0 else 0
                return True
            _return(s, stack, ply, proof, disproof, plies)
        else:
            _visit(s, stack, ply, proof, disproof)
    return False


@inlined
def attacks(cursor: Any, ply: int) -> Any:
    """Return whether the attacker is to move at a ply."""
    return (ply + cursor[FIRST]) & 1 == 0


@kernel
def _summary(stack: Any, ply: int) -> tuple[Any, Any, Any]:
    """Return a node's numbers from its children, and the plies of a proven win.

    The harder number is the largest of the children's plus one for each further open child.
    """
    own, other = (0, 1) if attacks(stack.cursor, ply) else (1, 0)
    numbers, count = stack.numbers[ply], stack.frames[ply, COUNT]
    easy, hard, unsolved = INFINITE, 0, 0
    for child in range(count):
        easy = min(easy, numbers[child, own])
        if numbers[child, other] > 0:
            unsolved += 1
            hard = max(hard, numbers[child, other])
    if unsolved > 1:
        hard = min(hard + unsolved - 1, INFINITE)
    if easy == 0:
        hard = INFINITE
    elif hard == 0:
        easy = INFINITE
    plies = 0
    if own == 0 and easy == 0:
        plies = MAX_PLIES * MAX_PLIES
        for child in range(count):
            if numbers[child, 0] == 0:
                plies = min(plies, stack.plies[ply, child] + 1)
    elif own == 1 and hard == 0:
        plies = stack.frames[ply, OTHERWISE]
        for child in range(count):
            plies = max(plies, stack.plies[ply, child] + 1)
    return (easy, hard, plies) if own == 0 else (hard, easy, plies)


@kernel
def _visit(s: Any, stack: Any, ply: int, proof: int, disproof: int) -> None:
    """Enter the most promising child, until its numbers exceed those of the second."""
    frame, numbers = stack.frames[ply], stack.numbers[ply]
    attacking = attacks(stack.cursor, ply)
    own, other = (0, 1) if attacking else (1, 0)
    best, second, unsolved = -1, INFINITE, 0
    for child in range(frame[COUNT]):
        number = numbers[child, own]
        unsolved += 1 if numbers[child, other] > 0 else 0
        if best < 0 or number < numbers[best, own]:
            second = INFINITE if best < 0 else numbers[best, own]
            best = child
        elif number < second:
            second = number
    frame[CHILD] = best
    own_limit, other_limit = frame[PROOF_LIMIT], frame[DISPROOF_LIMIT]
    if not attacking:
        own_limit, other_limit = other_limit, own_limit
    # A quarter more than the second's number: fewer returns to the same node (Pawlewicz and Lew,
    # "Improving depth-first pn-search: 1 + epsilon trick", 2006).
    own_limit = min(own_limit, second + second // 4 + 1)
    if other_limit < INFINITE:
        other_limit -= unsolved - 1
    cell, below = np.int64(stack.cells[ply, best]), stack.frames[ply + 1]
    below[PROOF_LIMIT] = own_limit if attacking else other_limit
    below[DISPROOF_LIMIT] = other_limit if attacking else own_limit
    below[LAST] = cell
    player = stack.cursor[ATTACKER] if attacking else 1 - stack.cursor[ATTACKER]
    toggle(s.lines[player], cell)
    stack.keys[ply + 1] = stack.keys[ply] ^ _key_of(cell, player)
    stack.cursor[PLY] = ply + 1
    stack.cursor[ENTERING] = 1


@inlined
def _return(s: Any, stack: Any, ply: int, proof: int, disproof: int, plies: int) -> None:
    """Hand a node's numbers to its parent, and remove its stone."""
    above = ply - 1
    child = stack.frames[above, CHILD]
    stack.numbers[above, child, 0] = proof
    stack.numbers[above, child, 1] = disproof
    stack.plies[above, child] = plies
    attacker = stack.cursor[ATTACKER]
    player = attacker if attacks(stack.cursor, above) else 1 - attacker
    toggle(s.lines[player], stack.frames[ply, LAST])
    stack.cursor[PLY] = above


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
        _add_child(s, stack, ply, first, attacker, 0)
        stack.numbers[ply, 0, 0] = 0
        stack.numbers[ply, 0, 1] = INFINITE
        stack.plies[ply, 0] = plies - 1
        return
    if ply >= MAX_PLIES - 1:
        return
    fours, threes = stack.rows[0], stack.rows[1]
    must = mark_threats(s, attacker, fours, threes)
    if must == CELLS:
        return
    if must != NO_CELL:
        _add_child(s, stack, ply, must, attacker, 1)
        return
    for kind in range(2):
        for row in range(np.int64(s.size)):
            places = np.int64(fours[row] if kind == 0 else threes[row] & ~fours[row])
            while places:
                cell = STRIDE * row + np.int64(lowest_bit(np.uint64(places)))
                places &= places - 1
                _add_child(s, stack, ply, cell, attacker, kind + 1)


@kernel
def _list_replies(s: Any, stack: Any, ply: int) -> None:
    """List the defender's replies to a threat; none if it is no threat, or cannot be met."""
    frame, attacker = stack.frames[ply], stack.cursor[ATTACKER]
    attack, defence = s.lines[attacker], s.lines[1 - attacker]
    size, length, exact = np.int64(s.size), np.int64(s.in_a_row), is_exact(s, attacker)
    frame[COUNT] = 0
    frame[OTHERWISE] = 0
    if frame[LAST] == NO_CELL:
        block = completing_cell(attack, defence, size, length, exact)
        their_exact = is_exact(s, 1 - attacker)
        if completing_cell(defence, attack, size, length, their_exact) != NO_CELL:
            _settle(stack, ply, INFINITE, 0)
            return
    else:
        block = completing_through(attack, defence, frame[LAST], size, length, exact)
    if block != NO_CELL:
        frame[OTHERWISE] = 2
        if block != CELLS:
            _add_child(s, stack, ply, block, 1 - attacker, 1)
        return
    plies, searched = search_fours(s, attacker, FOURS_NODES, stack.path, True)
    stack.cursor[NODES] += 2 * searched
    if plies == 0 or ply >= MAX_PLIES - 1:
        clear_path(stack.path)
        _settle(stack, ply, INFINITE, 0)
        return
    frame[OTHERWISE] = plies + 1
    replies = stack.rows[0]
    mark_refutations(s, attacker, stack.path, plies // 2 - 1, replies)
    clear_path(stack.path)
    for row in range(size):
        places = np.int64(replies[row])
        while places:
            cell = STRIDE * row + np.int64(lowest_bit(np.uint64(places)))
            places &= places - 1
            _add_child(s, stack, ply, cell, 1 - attacker, 1)


@kernel
def _add_child(s: Any, stack: Any, ply: int, cell: int, player: int, proof: int) -> None:
    """Append a child unless Renju forbids its stone, with its numbers if they are in the table."""
    if not may_place(s, player, cell, False):
        return
    frame = stack.frames[ply]
    child = frame[COUNT]
    frame[COUNT] = child + 1
    stack.cells[ply, child] = cell
    stack.numbers[ply, child, 0] = proof
    stack.numbers[ply, child, 1] = 1
    stack.plies[ply, child] = 0
    slot = find(stack.table, stack.keys[ply] ^ _key_of(cell, player))
    if slot >= 0:
        word = stack.table[slot, NUMBERS]
        stack.numbers[ply, child, 0] = np.int64(word >> _S32)
        stack.numbers[ply, child, 1] = np.int64(word & np.uint64(_LOW_32))
        stack.plies[ply, child] = np.int64(stack.table[slot, RESULT] & np.uint64(_LOW_16))


@inlined
def _settle(stack: Any, ply: int, proof: int, disproof: int) -> None:
    """Give a node a single child with final numbers."""
    stack.frames[ply, COUNT] = 1
    stack.cells[ply, 0] = 0
    stack.numbers[ply, 0, 0] = proof
    stack.numbers[ply, 0, 1] = disproof
    stack.plies[ply, 0] = 0


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
        player = attacker if attacks(stack.cursor, ply) else 1 - attacker
        toggle(s.lines[player], cell)
        stack.keys[ply + 1] = stack.keys[ply] ^ _key_of(cell, player)
        ply += 1
        stack.frames[ply, LAST] = cell
        line[count] = cell
        count += 1
    for played in range(count):
        player = attacker if attacks(stack.cursor, played) else 1 - attacker
        toggle(s.lines[player], np.int64(line[played]))
    return count


@kernel
def _append_fours(s: Any, path: Any, plies: int, attacker: int, line: Any, count: int) -> Any:
    """Append the moves of a win by fours to a line, and return the line's new length.

    The line ends where the reply is forbidden.
    """
    size, length, exact = np.int64(s.size), np.int64(s.in_a_row), is_exact(s, attacker)
    attack, defence = s.lines[attacker], s.lines[1 - attacker]
    last = np.int64(path[CELL])
    for played in range(plies):
        if played == 0 or played < plies - 2:
            cell = np.int64(path[FRAME * (played // 2) + (REPLY if played & 1 else CELL)])
            last = cell
        else:
            cell = first_completing(attack, defence, last, size, length, exact)
        if played & 1 and not may_place(s, 1 - attacker, cell, False):
            break
        toggle(defence if played & 1 else attack, cell)
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
def _store(stack: Any, ply: int, proof: int, disproof: int, plies: int) -> None:
    """Store a node's numbers, in the slot of the less searched of two entries."""
    table, key = stack.table, stack.keys[ply]
    frame = stack.frames[ply]
    move: Any = 0
    nodes = min(stack.cursor[NODES] - frame[BEFORE], _LOW_32)
    if proof == 0 and attacks(stack.cursor, ply):
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
    table[slot, NUMBERS] = np.uint64(proof << 32 | disproof)
    table[slot, RESULT] = np.uint64(nodes << _NODES_AT | move << _MOVE_AT | plies)
