"""Static knowledge about a Hex position: winning cells, wins by bridges, identity up to symmetry.

Three optional kernels; `rules.py` describes the state.
"""

from typing import Any

import numpy as np

from meeple.games.boards.bits import exchanged
from meeple.kernels import add, bits_set, kernel, scramble

EXACT_SIZE = 7  # largest board whose cells fit in one word, with a bit to spare

# Bridges to a lower row on a board of eight bits per row: offsets of the other stone and of the two
# cells between.
_BRIDGES = ((15, 7, 8), (9, 1, 8), (6, -1, 7))


@kernel
def may_swap(s: Any) -> bool:
    """Return whether the swap is legal: after the first stone, for the player who did not begin."""
    return bool(s.swap and s.moves == 1 and s.to_move != s.first)


@kernel
def winning_actions(s: Any, moves: Any) -> None:
    """List the empty cells that touch stones joined to both sides of the player to move."""
    size, player = np.int64(s.size), np.int64(s.to_move)
    whole = (1 << size) - 1
    for row in range(size):  # in the mover's own frame
        near = whole if row == 0 else _neighbours_in_row(s.near[player], row, size)
        far = whole if row == size - 1 else _neighbours_in_row(s.far[player], row, size)
        both = near & far & whole
        while both:
            column = bits_set(np.uint64((both & -both) - 1))
            both &= both - 1
            at_row, at_column = (row, column) if player == 0 else (column, row)
            if (s.empty[at_row] >> at_column) & 1:
                add(moves, at_row * size + at_column)


@kernel
def _neighbours_in_row(rows: Any, row: int, size: int) -> Any:
    """Return the cells of a row that touch a set of cells, as bits; `rows` holds the set."""
    same = np.int64(rows[row])
    above = np.int64(rows[row - 1]) if row > 0 else 0
    below_ = np.int64(rows[row + 1]) if row < size - 1 else 0
    return (same << 1) | (same >> 1) | above | (above >> 1) | below_ | (below_ << 1)


@kernel
def identity(s: Any, key: Any) -> None:
    """Write the stones of the player to move and of the opponent, each in that player's frame.

    Positions that differ by exchanging the sides have the same key. So have positions that differ
    by half a turn: of the two keys, the smaller one is used. The key is exact up to 7x7; on larger
    boards it is two hashes, which collide with probability 2**-128.
    """
    size = np.int64(s.size)
    mover = np.int64(s.to_move)
    if size <= EXACT_SIZE:
        mine, theirs = _packed(s, mover, size), _packed(s, 1 - mover, size)
        mine_back, theirs_back = _turned(mine, size), _turned(theirs, size)
    else:
        mine, theirs = _digest(s, mover, size, 1, False), _digest(s, mover, size, 2, False)
        mine_back, theirs_back = _digest(s, mover, size, 1, True), _digest(s, mover, size, 2, True)
    if mine_back < mine or (mine_back == mine and theirs_back < theirs):
        mine, theirs = mine_back, theirs_back
    if may_swap(s):
        mine ^= np.uint64(1) << np.uint64(63)
    key[0] = mine
    key[1] = theirs


@kernel
def _packed(s: Any, player: int, size: int) -> Any:
    """Return a player's stones, at most 49 cells, as one word."""
    word = np.uint64(0)
    for row in range(size):
        word |= np.uint64(s.stones[player, row]) << np.uint64(row * size)
    return word


@kernel
def _turned(word: Any, size: int) -> Any:
    """Return a packed board after half a turn: its bits in reverse order."""
    return exchanged(word, 0, 6) >> np.uint64(64 - size * size)


@kernel
def _digest(s: Any, mover: int, size: int, seed: int, turned: bool) -> Any:
    """Return a hash of both players' stones, the mover's first; `turned`: after half a turn."""
    word = np.uint64(seed)
    for half in range(2):
        player = mover if half == 0 else 1 - mover
        for at in range(size):
            row = np.uint64(s.stones[player, size - 1 - at if turned else at])
            word = scramble(word ^ (_turned_row(row, size) if turned else row)) + word
    return word


@kernel
def _turned_row(row: Any, size: int) -> Any:
    """Return a row, at most 19 cells, with its columns in reverse order."""
    return (exchanged(row, 0, 5) & np.uint64(0xFFFFFFFF)) >> np.uint64(32 - size)


@kernel
def known_result(s: Any, out: Any) -> None:
    """Write a win for the player not to move if bridges join that player's sides; up to 7x7.

    A bridge is two stones, or a stone and a side, with two free cells between them that each join
    them: if the opponent takes one, the owner takes the other. The bridges of a chain share no
    free cell. The search is greedy, so it may miss a chain.
    """
    size, player = np.int64(s.size), 1 - np.int64(s.to_move)
    if size > EXACT_SIZE or (s.swap and s.moves == 1):
        return
    mine, free = _in_own_frame(s, player, size)
    reached = mine & 0xFF
    edge = _bridged_up((mine >> 8) & 0xFF, free & 0xFF, size)
    reached |= (edge & 0xFFFF) << 8
    free &= ~(edge >> 16)
    last = 8 * (size - 1)
    while True:
        reached = _adjoined(reached, mine)
        if reached >> last:
            break
        foot = (reached >> (last - 8)) & 0xFF
        ground = (free >> last) & 0xFF
        if foot & ground & (ground << 1):
            break
        stone = np.int64(0)
        for way in range(3):
            step, left, right = _BRIDGES[way]
            gaps = _ahead(free, left) & _ahead(free, right)  # upper ends of possible bridges
            lower = ((reached & gaps) << step) & mine & ~reached
            upper = _ahead(reached, step) & gaps & mine & ~reached
            if lower | upper:
                stone = lower & -lower if lower else upper & -upper
                top = _ahead(stone, step) if lower else stone
                free &= ~(_ahead(top, -left) | _ahead(top, -right))
                reached |= stone
                break
        if not stone:
            return
    out[player] = 1.0
    out[1 - player] = 0.0


@kernel
def _in_own_frame(s: Any, player: int, size: int) -> tuple[Any, Any]:
    """Return a player's stones and the free cells, eight bits a row, in the player's frame."""
    mine, free = np.int64(0), np.int64(0)
    for row in range(size):
        mine |= np.int64(s.stones[player, row]) << (8 * row)
        word = np.int64(s.empty[row])
        if player == 0:
            free |= word << (8 * row)
        else:
            for column in range(size):
                free |= ((word >> column) & 1) << (8 * column + row)
    return mine, free


@kernel
def _ahead(cells: int, step: int) -> int:
    """Return the cells from which one of `cells` lies `step` places ahead."""
    return cells >> step if step >= 0 else cells << -step


@kernel
def _bridged_up(stones: Any, free: Any, size: int) -> Any:
    """Return the stones of the second row with a bridge to the first side, as bits.

    The free cells of these bridges are returned in the same word, 16 bits higher.
    """
    found, used = np.int64(0), np.int64(0)
    for column in range(size - 1):
        cells = np.int64(3) << column
        if (stones >> column) & 1 and (free & ~used & cells) == cells:
            found |= np.int64(1) << column
            used |= cells
    return found | (used << 16)


@kernel
def _adjoined(reached: int, mine: int) -> int:
    """Return the stones connected to those reached, on a board of eight bits per row."""
    while True:
        spread = (reached << 1) | (reached >> 1) | (reached << 8) | (reached >> 8)
        grown = reached | ((spread | (reached << 7) | (reached >> 7)) & mine)
        if grown == reached:
            return reached
        reached = grown
