"""Hex's rollout: fill all free cells at random and find the player whose sides are joined.

Boards up to 11x11 are two words of 64 bits in reading order (bit `row * size + column`), which fit
in registers. Larger boards are rows of bits, as in `rules.py`, which describes the state.
"""

from typing import Any

import numpy as np

from meeple.kernels import OVER, bits_set, kernel, next_uint64

WORD_SIZE = 8  # largest board that fits in one word
PAIR_SIZE = 11  # largest board that fits in two words

_NONE = np.uint64(0)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


def _column_words(column_of: Any) -> tuple[tuple[np.uint64, np.uint64], ...]:
    """Return the two words of a whole column, by size of the board."""
    words = []
    for size in range(PAIR_SIZE + 1):
        board = sum(1 << (row * size + column_of(size)) for row in range(size))
        words.append((np.uint64(board & int(_FULL)), np.uint64(board >> 64)))
    return tuple(words)


_FIRST_COLUMN = np.array(_column_words(lambda size: 0))
_LAST_COLUMN = np.array(_column_words(lambda size: size - 1))


@kernel
def fill_at_random(s: Any, share: int, rng: Any) -> None:
    """Give player 1 `share` random free cells, player 2 the rest, and set the winner.

    Every set of `share` cells is equally likely. Advances `rng`.
    """
    size = np.int64(s.size)
    if size <= WORD_SIZE:
        won = _fill_word(s, size, share, rng)
    elif size <= PAIR_SIZE:
        won = _fill_pair(s, size, share, rng)
    else:
        won = _fill_rows(s, size, share, rng)
    s.winner = 0 if won else 1
    s.to_move = OVER


@kernel
def pack(s: Any) -> None:
    """Compute the words of a board up to 11x11 from its rows."""
    size = np.int64(s.size)
    s.free[:] = 0
    s.mine[:] = 0
    if size <= PAIR_SIZE:
        for cell in range(size * size):
            row = cell // size
            bit = np.uint64(1) << np.uint64(cell & 63)
            if (s.empty[row] >> (cell - row * size)) & 1:
                s.free[cell >> 6] |= bit
            if (s.stones[0, row] >> (cell - row * size)) & 1:
                s.mine[cell >> 6] |= bit


# ---------------------------------------------------------------- boards of one word


@kernel
def _fill_word(s: Any, size: int, share: int, rng: Any) -> Any:
    mine = s.mine[0] | _deal_word(s.free[0], share, rng)
    s.mine[0] = mine
    return _joined_word(mine, size)


@kernel
def _deal_word(pool: Any, share: int, rng: Any) -> Any:
    """Return `share` random bits of the pool; every set of that size is equally likely.

    Each round draws a random half of the pool, or an eighth if few bits are missing. If the part
    is not too large, it is added to the result; otherwise the part becomes the new pool. By
    symmetry no set is favoured, and a few rounds suffice.
    """
    chosen, size = _NONE, bits_set(pool)
    while share > 0:
        part = pool & next_uint64(rng)
        if 6 * share < size:
            part &= next_uint64(rng) & next_uint64(rng)
        count = bits_set(part)
        fits = count <= share
        chosen |= part if fits else _NONE
        share -= count if fits else 0
        pool = pool & ~part if fits else part
        size = size - count if fits else count
    return chosen


@kernel
def _joined_word(mine: Any, size: int) -> bool:
    """Return whether these cells join the first row to the last."""
    one, down, aside = np.uint64(1), np.uint64(size), np.uint64(size - 1)
    not_first, not_last = mine & ~_FIRST_COLUMN[size, 0], mine & ~_LAST_COLUMN[size, 0]
    first_row = (one << down) - one
    last_row = first_row << np.uint64(size * (size - 1))
    near, far = mine & first_row, mine & last_row
    while True:  # two floods, which meet in half the steps of one
        near_before, far_before = near, far
        near |= (
            (((near << down) | (near >> down)) & mine)
            | (((near << one) | (near >> aside)) & not_first)
            | (((near >> one) | (near << aside)) & not_last)
        )
        far |= (
            (((far << down) | (far >> down)) & mine)
            | (((far << one) | (far >> aside)) & not_first)
            | (((far >> one) | (far << aside)) & not_last)
        )
        if near & far:
            return True
        if near == near_before or far == far_before:
            return False


# ---------------------------------------------------------------- boards of two words


@kernel
def _fill_pair(s: Any, size: int, share: int, rng: Any) -> Any:
    low, high = s.free[0], s.free[1]
    mine_low, mine_high = s.mine[0], s.mine[1]
    cells = bits_set(low) + bits_set(high)
    while share > 0:  # as in `_deal_word`
        part_low, part_high = low & next_uint64(rng), high & next_uint64(rng)
        if 6 * share < cells:
            part_low &= next_uint64(rng) & next_uint64(rng)
            part_high &= next_uint64(rng) & next_uint64(rng)
        count = bits_set(part_low) + bits_set(part_high)
        fits = count <= share
        mine_low |= part_low if fits else _NONE
        mine_high |= part_high if fits else _NONE
        share -= count if fits else 0
        low = low & ~part_low if fits else part_low
        high = high & ~part_high if fits else part_high
        cells = cells - count if fits else count
    s.mine[0] = mine_low
    s.mine[1] = mine_high
    return _joined_pair(mine_low, mine_high, size)


@kernel
def _joined_pair(low: Any, high: Any, size: int) -> bool:
    """Return whether these cells, in two words, join the first row to the last."""
    one, over = np.uint64(1), np.uint64(63)
    row, rest = np.uint64(size), np.uint64(64 - size)
    not_first_low, not_first_high = ~_FIRST_COLUMN[size, 0], ~_FIRST_COLUMN[size, 1]
    not_last_low, not_last_high = ~_LAST_COLUMN[size, 0], ~_LAST_COLUMN[size, 1]
    first_row = (one << row) - one
    last_row = first_row << np.uint64(size * (size - 1) - 64)
    a, b = low & first_row, _NONE  # the cells reached
    while True:
        a_before, b_before = a, b
        for _ in range(2):
            # Reached cells and their right neighbours; a row up, these are above and above right.
            right_a = a | ((a << one) & not_first_low)
            right_b = b | (((b << one) | (a >> over)) & not_first_high)
            # Reached cells and their left neighbours; a row down, these are below and below left.
            left_a = a | (((a >> one) | (b << over)) & not_last_low)
            left_b = b | ((b >> one) & not_last_high)
            a = (right_a | left_a | (right_a >> row) | (right_b << rest) | (left_a << row)) & low
            b = (right_b | left_b | (right_b >> row) | (left_b << row) | (left_a >> rest)) & high
        if b & last_row:
            return True
        if a == a_before and b == b_before:
            return False


# ---------------------------------------------------------------- larger boards


@kernel
def _fill_rows(s: Any, size: int, share: int, rng: Any) -> Any:
    _deal_rows(s, size, share, rng)
    return _joined_rows(s, size)


@kernel
def _deal_rows(s: Any, size: int, share: int, rng: Any) -> None:
    """Give player 1 exactly `share` of the free cells.

    Every free cell is drawn with probability 1/2, then random cells are added or removed until
    the number is right; by symmetry no set of that size is favoured.
    """
    bits = np.int64(0)
    left = np.int64(0)
    count = np.int64(0)
    for at in range(size):
        if left < size:
            bits = np.int64(next_uint64(rng) >> np.uint64(1))
            left = np.int64(63)
        dealt = bits & np.int64(s.empty[at])
        bits >>= size
        left -= size
        s.far[0, at] = np.uint32(dealt)
        count += bits_set(np.uint64(dealt))
    while count != share:
        draw = next_uint64(rng)
        row = np.int64(((draw >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))
        column = np.int64(((draw & np.uint64(0xFFFFFFFF)) * np.uint64(size)) >> np.uint64(32))
        dealt = np.int64(s.far[0, row])
        cell = np.int64(1) << column
        if count > share and dealt & cell:
            s.far[0, row] = np.uint32(dealt & ~cell)
            count -= 1
        elif count < share and ~dealt & cell & np.int64(s.empty[row]):
            s.far[0, row] = np.uint32(dealt | cell)
            count += 1
    for at in range(size):
        s.stones[0, at] |= s.far[0, at]


@kernel
def fill_with_bridges(s: Any, share: int, rng: Any) -> None:
    """Fill as `fill_at_random`, but leave no bridge to the opponent.

    A bridge is two stones, or a stone and a side, with two free cells between them that each join
    them: if the opponent takes one, the owner takes the other. Where the random fill gives both to
    the opponent, the owner gets one of them, at random.
    """
    size = np.int64(s.size)
    whole = (1 << size) - 1
    for at in range(size):
        s.near[0, at] = s.stones[0, at]
        s.near[1, at] = whole & ~np.int64(s.empty[at]) & ~np.int64(s.stones[0, at])
    _deal_rows(s, size, share, rng)  # player 1's share is in `far[0]`
    for at in range(size):
        s.far[1, at] = s.empty[at] & ~s.far[0, at]
    for player in range(2):
        _save_bridges(s, player, np.int64(next_uint64(rng) >> np.uint64(1)))
    for at in range(size):
        s.near[0, at] = 0
    s.winner = 0 if _joined_rows(s, size) else 1
    s.to_move = OVER


@kernel
def _save_bridges(s: Any, player: int, noise: int) -> None:
    """Give a player a cell of each bridge whose two cells the opponent got.

    `near` holds the stones by player, `far` the free cells that each player got, and `noise` random
    bits, which choose between the two cells.
    """
    size = np.int64(s.size)
    stones, lost = s.near[player], s.far[1 - player]
    for row in range(size - 1):
        here, under = np.int64(stones[row]), np.int64(stones[row + 1])
        beside, below_ = np.int64(lost[row]), np.int64(lost[row + 1])
        pair = here & (under >> 1) & (beside >> 1) & below_
        _give(s, player, row, (pair & noise) << 1)
        back = pair & ~noise
        pair = here & (under << 2) & (beside << 1) & (below_ << 1)
        _give(s, player, row, (pair & noise) >> 1)
        back |= (pair & ~noise) >> 1
        if row + 2 < size:
            pair = here & (np.int64(stones[row + 2]) << 1) & (below_ << 1) & below_
            back |= ((pair & noise) >> 1) | (pair & ~noise)
        _give(s, player, row + 1, back)
        if player == 1:  # bridges to the first and to the last column
            sides = beside & below_
            pair = (here >> 1) & sides & 1
            _give(s, player, row, pair & noise)
            _give(s, player, row + 1, pair & ~noise)
            pair = (under << 1) & sides & (1 << (size - 1))
            _give(s, player, row, pair & noise)
            _give(s, player, row + 1, pair & ~noise)
        noise = (noise >> 1) | ((noise & 1) << 62)
    if player == 0:  # bridges to the first and to the last row
        side = np.int64(lost[0])
        pair = np.int64(stones[1]) & side & (side >> 1)
        _give(s, player, 0, (pair & noise) | ((pair & ~noise) << 1))
        side = np.int64(lost[size - 1])
        pair = np.int64(stones[size - 2]) & side & (side << 1)
        _give(s, player, size - 1, (pair & noise) | ((pair & ~noise) >> 1))


@kernel
def _give(s: Any, player: int, row: int, cells: int) -> None:
    """Give cells of a row of the full board to a player."""
    if player == 0:
        s.stones[0, row] |= np.uint32(cells)
    else:
        s.stones[0, row] &= np.uint32(~cells & 0xFFFFFFFF)


@kernel
def _joined_rows(s: Any, size: int) -> bool:
    """Whether player 1's stones join the first row to the last; sweeps down and up in turn."""
    reached = s.near[0]
    stones = s.stones[0]
    reached[0] = stones[0]
    while True:
        grown = False
        previous = np.int64(reached[0])
        for row in range(1, size):
            before = np.int64(reached[row])
            mine = np.int64(stones[row])
            previous = fill_row((before | previous | (previous >> 1)) & mine, mine)
            if previous != before:
                reached[row] = np.uint32(previous)
                grown = True
        if previous:
            return True
        if not grown:
            return False
        grown = False
        for row in range(size - 2, 0, -1):
            before = np.int64(reached[row])
            mine = np.int64(stones[row])
            previous = fill_row((before | previous | (previous << 1)) & mine, mine)
            if previous != before:
                reached[row] = np.uint32(previous)
                grown = True
        if not grown:
            return False


@kernel
def fill_row(seeds: int, stones: int) -> int:
    """Return the stones of a row that are connected along the row to `seeds`, a subset of them.

    Fills towards higher columns by the carry of an addition, towards lower ones by doubling shifts.
    """
    seeds |= stones & ~(stones + seeds)
    seeds |= stones & (seeds >> 1)
    path = stones & (stones >> 1)
    seeds |= path & (seeds >> 2)
    path &= path >> 2
    seeds |= path & (seeds >> 4)
    path &= path >> 4
    seeds |= path & (seeds >> 8)
    path &= path >> 8
    return seeds | (path & (seeds >> 16))
