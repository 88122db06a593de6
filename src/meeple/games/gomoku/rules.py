"""Gomoku: players place stones in turn; the first with five in a row, in any direction, wins.

The size of the board, the length of a winning row and whether a longer row counts are options; 3 in
a row on 3x3 is tic-tac-toe. A full board without a winning row is a draw.

Stones are stored as words of bits along the lines of all four directions, so the four words
through a new stone determine whether it wins.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import MAX_SIZE, NUM_WORDS, place
from meeple.kernels import OVER, kernel, lowest_bit, next_uint64, record

PLANES = 4

_ONE, _HALF = np.uint64(1), np.uint64(32)
# A cell in the deck of a rollout: the column in the five lowest bits, the row above them.
_COLUMN_BITS, _COLUMN_MASK = np.uint64(5), np.uint64(31)

State = record(
    to_move=np.int8,
    winner=np.int8,  # -1: undecided, or a draw
    size=np.int8,
    in_a_row=np.int8,
    exact=np.int8,  # 1: longer rows do not win
    moves=np.int16,  # stones placed
    last=np.int16,  # the cell of the last stone, -1 at the start
    lines=(np.uint32, (2, NUM_WORDS)),  # [player, line] stones
    deck=(np.uint16, (MAX_SIZE * MAX_SIZE,)),  # scratch memory of a rollout; zero outside it
)
Options = record(size=np.int8, in_a_row=np.int8, exact=np.int8)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Start with an empty board and player 1 to move."""
    s.to_move = 0
    s.winner = -1
    s.size = options.size
    s.in_a_row = options.in_a_row
    s.exact = options.exact
    s.moves = 0
    s.last = -1
    for player in range(2):
        for line in range(NUM_WORDS):
            s.lines[player, line] = 0
    s.deck[:] = 0


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the free cells."""
    size = np.int64(s.size)
    count = np.int64(moves.count)
    for row in range(size):
        free = ~np.int64(s.lines[0, row] | s.lines[1, row])
        for column in range(size):
            moves.actions[count] = row * size + column
            count += (free >> column) & 1
    moves.count = count


@kernel
def play(s: Any, action: Any) -> None:
    """Place a stone on cell `row * size + column`."""
    size = np.int64(s.size)
    row = action // size
    column = np.uint64(action - row * size)
    won = place(s.lines[s.to_move], np.uint64(row), column, np.int64(s.in_a_row), s.exact != 0)
    s.moves += 1
    s.last = action
    if won:
        s.winner = s.to_move
        s.to_move = OVER
    elif s.moves == size * size:
        s.to_move = OVER
    else:
        s.to_move = 1 - s.to_move


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the whole share to the winner, or half to each player in a draw."""
    for player in range(2):
        out[player] = 0.5 if s.winner < 0 else np.float64(s.winner == player)


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write planes [4, size, size]: own stones, opponent's stones, last stone, player 1 to move.

    These are the planes of AlphaZero_Gomoku's networks (Song, 2017), in the same order.
    """
    size = np.int64(s.size)
    cells = size * size
    first_moves = np.float32(1 - (s.moves & 1))
    for row in range(size):
        mine, theirs = np.int64(s.lines[player, row]), np.int64(s.lines[1 - player, row])
        for column in range(size):
            cell = row * size + column
            out[cell] = np.float32((mine >> column) & 1)
            out[cells + cell] = np.float32((theirs >> column) & 1)
            out[2 * cells + cell] = 0.0
            out[3 * cells + cell] = first_moves
    if s.last >= 0:
        out[2 * cells + s.last] = 1.0


@kernel
def ownership(s: Any, out: Any) -> None:
    """Write the seat whose stone is on each cell, [size * size]; -1: empty."""
    size = np.int64(s.size)
    for cell in range(size * size):
        out[cell] = -1
    for player in range(2):
        for row in range(size):
            stones = np.uint64(s.lines[player, row])
            while stones:
                out[row * size + lowest_bit(stones)] = player
                stones &= stones - _ONE


@kernel
def rollout(s: Any, rng: Any) -> None:
    """Play uniformly random moves to the end; afterwards only `payoffs` and `moves` are valid.

    The free cells form a deck, from which one random card is dealt per move.
    """
    size = np.int64(s.size)
    deck = s.deck
    left = np.uint64(0)
    for row in range(size):
        free = ~np.int64(s.lines[0, row] | s.lines[1, row])
        for column in range(size):
            deck[left] = row * 32 + column
            left += np.uint64(free & 1)
            free >>= 1
    player, length, exact = np.uint64(s.to_move), np.int64(s.in_a_row), s.exact != 0
    while left > 0:
        card = ((next_uint64(rng) >> _HALF) * left) >> _HALF
        left -= _ONE
        cell = np.uint64(deck[card])
        deck[card] = deck[left]
        if place(s.lines[player], cell >> _COLUMN_BITS, cell & _COLUMN_MASK, length, exact):
            s.winner = player
            break
        player ^= _ONE
    s.moves = size * size - np.int64(left)
    s.to_move = OVER


@kernel
def known_result(s: Any, out: Any) -> None:
    """Write a draw if no winning row fits on the board."""
    if s.in_a_row > s.size:
        out[0] = 0.5
        out[1] = 0.5
