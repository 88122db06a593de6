"""Hex: two players race to join their two sides of a diamond of hexagons; no draws.

Player 1 joins the north-east and south-west sides: the first and the last row. Player 2 joins the
first and the last column. Cell (row, column) touches (0, +-1), (+-1, 0), (-1, +1) and (+1, -1).

Boards are rows of bits. Player 2's board is stored transposed, so that both players span rows and
one set of functions serves both.
"""

from typing import Any

import numpy as np

from meeple.games.hex.bridges import may_swap
from meeple.games.hex.rollout import PAIR_SIZE, fill_at_random, fill_row, fill_with_bridges, pack
from meeple.kernels import OVER, add, below, kernel, lowest_bit, next_uint64, record

MAX_SIZE = 19
PLANES = 4

_RECIPROCAL = np.array([0, *(-(-65536 // size) for size in range(1, MAX_SIZE + 1))])
"""Reciprocals in units of 2**-16: `(cell * _RECIPROCAL[size]) >> 16` is a cell's row, without a
slow division."""

_ROWS = (np.uint32, (2, MAX_SIZE))
State = record(
    to_move=np.int8,
    winner=np.int8,
    size=np.int8,
    swap=np.int8,  # whether the swap rule holds
    first=np.int8,  # the player who moves first
    moves=np.int16,  # stones placed
    last=np.int16,  # the cell of the last stone, -1 at the start
    empty=(np.uint32, (MAX_SIZE,)),  # free cells by row, in player 1's frame
    stones=_ROWS,  # [player, row in the player's own frame]
    near=_ROWS,  # stones joined to the player's first row
    far=_ROWS,  # stones joined to the player's last row
    # For rollouts up to 11x11, the same as two words in reading order:
    free=(np.uint64, (2,)),  # free cells
    mine=(np.uint64, (2,)),  # player 1's stones; after a rollout, of the full board
)
Options = record(
    size=np.int8,
    swap=np.int8,
    first=np.int8,
    to_move=np.int8,
    board=(np.int8, (MAX_SIZE * MAX_SIZE,)),  # the seat of each cell's stone, -1: empty
)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Start with the board of the options, usually an empty one."""
    s.to_move = options.to_move
    s.first = options.first - 1
    s.winner = -1
    s.size = options.size
    s.swap = options.swap
    s.moves = 0
    s.last = -1
    for row in range(MAX_SIZE):
        s.empty[row] = (1 << np.int64(options.size)) - 1 if row < options.size else 0
        for player in range(2):
            s.stones[player, row] = 0
            s.near[player, row] = 0
            s.far[player, row] = 0
    pack(s)
    size = np.int64(options.size)
    for cell in range(size * size):
        if options.board[cell] >= 0:
            s.to_move = options.board[cell]
            play(s, cell)
    if s.moves > 0:
        s.to_move = options.to_move if s.winner < 0 else OVER
        s.last = s.last if s.moves == 1 else -1


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the empty cells and, after the first stone under the swap rule, the swap."""
    size, moves.count = np.int64(s.size), 0
    if size <= PAIR_SIZE:
        for word in range(2):
            _list_cells(s.free[word], 64 * word, moves)
    else:
        for row in range(size):
            _list_cells(np.uint64(s.empty[row]), row * size, moves)
    if may_swap(s):
        add(moves, size * size)


@kernel
def _list_cells(word: Any, first: int, moves: Any) -> None:
    """List a cell for each set bit of a word, whose lowest is cell `first`."""
    count = np.uint32(moves.count)
    while word:
        moves.actions[count] = first + lowest_bit(word)
        count += np.uint32(1)
        word &= word - np.uint64(1)
    moves.count = count


@kernel
def play(s: Any, action: Any) -> None:
    """Place a stone on cell `row * size + column`, or swap (`size * size`).

    A swap mirrors the first stone and gives it to the player to move, as if sides were exchanged.
    """
    size = np.int64(s.size)
    player = np.int64(s.to_move)
    if action == size * size:
        first_row = s.last // size
        first_column = s.last - first_row * size
        for row in range(size):
            s.stones[s.first, row] = 0
            s.near[s.first, row] = 0
            s.far[s.first, row] = 0
        s.empty[first_row] |= np.uint32(1 << first_column)
        s.moves = 0
        action = first_column * size + first_row
        pack(s)
    row = (action * _RECIPROCAL[size]) >> 16
    column = action - row * size
    s.empty[row] &= np.uint32(~(1 << column) & 0xFFFFFFFF)
    if size <= PAIR_SIZE:
        cell = np.uint64(1) << np.uint64(action & 63)
        s.free[action >> 6] &= ~cell
        s.mine[action >> 6] |= cell if player == 0 else np.uint64(0)
    s.moves += 1
    s.last = action
    if player == 0:
        won = _place(s, player, row, column)
    else:
        won = _place(s, player, column, row)
    s.to_move = 1 - player
    if won:
        s.winner = player
        s.to_move = OVER


@kernel
def _place(s: Any, player: int, row: int, column: int) -> bool:
    """Add a stone in the player's frame; return whether it joins both of the player's sides."""
    last = np.int64(s.size) - 1
    s.stones[player, row] |= np.uint32(1 << column)
    near = row == 0 or _touches(s.near, player, row, column, last)
    far = row == last or _touches(s.far, player, row, column, last)
    if near:
        _spread(s, s.near, player, row, column, last)
    if far:
        _spread(s, s.far, player, row, column, last)
    return near and far


@kernel
def _touches(rows: Any, player: int, row: int, column: int, last: int) -> Any:
    """Return whether a cell has a neighbour in a set of cells."""
    same = np.int64(rows[player, row])
    above = np.int64(rows[player, row - 1]) if row > 0 else 0
    below_ = np.int64(rows[player, row + 1]) if row < last else 0
    sides = (same << 1) | (same >> 1)
    return ((sides | above | (above >> 1) | below_ | (below_ << 1)) >> column) & 1 != 0


@kernel
def _spread(s: Any, joined: Any, player: int, row: int, column: int, last: int) -> None:
    """Add a cell and all the player's stones connected to it to a set of joined stones."""
    joined[player, row] |= np.uint32(1 << column)
    top, bottom = row, row
    grown = True
    while grown:
        grown = False
        top, bottom = max(top - 1, 0), min(bottom + 1, last)
        for at in range(top, bottom + 1):
            before = np.int64(joined[player, at])
            stones = np.int64(s.stones[player, at])
            if stones == before:
                continue
            above = np.int64(joined[player, at - 1]) if at > 0 else 0
            below_ = np.int64(joined[player, at + 1]) if at < last else 0
            reached = before | ((above | (above >> 1) | below_ | (below_ << 1)) & stones)
            reached = fill_row(reached, stones)
            if reached != before:
                joined[player, at] = np.uint32(reached)
                grown = True


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the whole share to the winner."""
    out[s.winner] = 1.0
    out[1 - s.winner] = 0.0


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write planes [4, size, size]: own stones, opponent's stones, is player 1, is player 2."""
    size = np.int64(s.size)
    cells = size * size
    for row in range(size):
        for column in range(size):
            cell = row * size + column
            first = np.float32((s.stones[0, row] >> column) & 1)
            second = np.float32((s.stones[1, column] >> row) & 1)
            out[cell] = first if player == 0 else second
            out[cells + cell] = second if player == 0 else first
            out[2 * cells + cell] = 1.0 if player == 0 else 0.0
            out[3 * cells + cell] = 1.0 if player == 1 else 0.0


@kernel
def ownership(s: Any, out: Any) -> None:
    """Write the seat whose stone is on each cell, [size * size]; -1: empty."""
    size = np.int64(s.size)
    for row in range(size):
        for column in range(size):
            if (s.stones[0, row] >> column) & 1:
                out[row * size + column] = 0
            elif (s.stones[1, column] >> row) & 1:
                out[row * size + column] = 1
            else:
                out[row * size + column] = -1


@kernel
def rollout(s: Any, rng: Any) -> None:
    """Play uniformly random moves to the end; afterwards only `payoffs` is valid.

    On a full board exactly one player's sides are joined, and sides joined earlier stay joined. So
    filling the whole board does not change the winner. The free cells are split at random into
    equal halves.
    """
    share = _share_of_cells(s, rng)
    if share >= 0:
        fill_at_random(s, share, rng)


@kernel
def guided_rollout(s: Any, rng: Any, guidance: Any) -> None:
    """Play as `rollout`; with probability `guidance` / 2**32 no bridge is lost.

    Source: the pattern "save bridge" of Arneson, Hayward and Henderson, "Monte Carlo tree search in
    Hex", 2010, here for the bridges at the start of the rollout.
    """
    share = _share_of_cells(s, rng)
    if share < 0:
        return
    if np.int64(next_uint64(rng) >> np.uint64(32)) < guidance:
        fill_with_bridges(s, share, rng)
    else:
        fill_at_random(s, share, rng)


@kernel
def _share_of_cells(s: Any, rng: Any) -> Any:
    """Play on to where no swap is legal; return player 1's share of the free cells, -1 if over."""
    size = np.int64(s.size)
    while s.to_move != OVER and s.swap and s.moves < 2:
        swaps = 1 if may_swap(s) else 0
        _play_nth(s, below(rng, size * size - s.moves + swaps))
    if s.to_move == OVER:
        return -1
    free = size * size - s.moves
    return (free + 1) // 2 if s.to_move == 0 else free // 2


@kernel
def _play_nth(s: Any, choice: int) -> None:
    """Play the free cell with index `choice` in reading order, or swap past the last one."""
    size = np.int64(s.size)
    for cell in range(size * size):
        row = cell // size
        if (s.empty[row] >> (cell - row * size)) & 1:
            if choice == 0:
                play(s, cell)
                return
            choice -= 1
    play(s, size * size)
