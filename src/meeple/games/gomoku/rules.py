"""Gomoku: players place stones in turn; the first with five in a row, in any direction, wins.

The size of the board, the length of a winning row and whether a longer row counts are options; 3 in
a row on 3x3 is tic-tac-toe. A full board without a winning row is a draw. In Renju, some moves are
forbidden to Black, who moves first (`renju.py`); if all free cells are, White moves again. A swap
opening balances the colours (`opening.py`).

Stones are stored as words of bits along the lines of all four directions, so the four words
through a new stone determine whether it wins.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import MAX_SIZE, NUM_WORDS, is_exact, place
from meeple.games.gomoku.opening import (
    FIRST_STONES,
    NONE,
    PLAY,
    choose,
    end_stones,
    is_choice,
    list_choices,
    number_of_choices,
)
from meeple.games.gomoku.renju import MAX_TRIALS, NOT_FORBIDDEN, allowed, forbidden, must_pass
from meeple.kernels import OVER, below, kernel, lowest_bit, next_uint64, record

PLANES = 4
RENJU_PLANES, OPENING_PLANES = 1, 2  # further planes

_ONE, _HALF = np.uint64(1), np.uint64(32)
# A cell in the deck of a rollout: the column in the five lowest bits, the row above them.
_COLUMN_BITS, _COLUMN_MASK = np.uint64(5), np.uint64(31)

State = record(
    to_move=np.int8,
    winner=np.int8,  # -1: undecided, or a draw
    size=np.int8,
    in_a_row=np.int8,
    exact=np.int8,  # 1: longer rows do not win
    renju=np.int8,  # 1: they do not win for Black, who also has forbidden moves
    black=np.int8,  # the seat of Black
    opening=np.int8,  # a number of `opening.OPENINGS`
    stage=np.int8,  # `opening.PLAY`, or a stage of the opening
    moves=np.int16,  # stones placed
    last=np.int16,  # the cell of the last stone, -1 at the start
    lines=(np.uint32, (2, NUM_WORDS)),  # [player, line] stones
    deck=(np.uint16, (MAX_SIZE * MAX_SIZE,)),  # scratch memory; zero outside a kernel
    trials=(np.uint16, (MAX_TRIALS,)),  # scratch memory of `forbidden`; zero outside it
    replies=(np.uint32, (MAX_SIZE,)),  # scratch memory of `candidates`; zero outside it
)
Options = record(
    size=np.int8,
    in_a_row=np.int8,
    exact=np.int8,
    renju=np.int8,
    opening=np.int8,
    to_move=np.int8,
    board=(np.int8, (MAX_SIZE * MAX_SIZE,)),  # the seat of each cell's stone, -1: empty
)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Start with the board of the options, usually an empty one and player 1 to move."""
    s.to_move = options.to_move
    s.winner = -1
    s.size = options.size
    s.in_a_row = options.in_a_row
    s.exact = options.exact
    s.renju = options.renju
    s.black = 0
    s.opening = options.opening
    s.stage = PLAY if options.opening == NONE else FIRST_STONES
    s.moves = 0
    s.last = -1
    for player in range(2):
        for line in range(NUM_WORDS):
            s.lines[player, line] = 0
    s.deck[:] = 0
    s.trials[:] = 0
    s.replies[:] = 0
    size = np.int64(options.size)
    for cell in range(size * size):
        if options.board[cell] >= 0:
            s.to_move = options.board[cell]
            play(s, cell)
    if s.moves > 0:
        s.last = -1
        over = s.winner >= 0 or s.moves == size * size
        s.to_move = OVER if over else options.to_move
        if s.renju and s.to_move == s.black and must_pass(s):
            s.to_move = 1 - s.black


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the free cells, in Renju those that are not forbidden; or the choices of a colour."""
    if is_choice(s.stage):
        list_choices(s, moves)
        return
    size = np.int64(s.size)
    count = np.int64(moves.count)
    restricted = s.renju != 0 and s.to_move == s.black
    for row in range(size):
        free = allowed(s, row) if restricted else ~np.int64(s.lines[0, row] | s.lines[1, row])
        for column in range(size):
            moves.actions[count] = row * size + column
            count += (free >> column) & 1
    moves.count = count


@kernel
def play(s: Any, action: Any) -> None:
    """Place a stone on cell `row * size + column`; or choose a colour, from `size * size` on."""
    size = np.int64(s.size)
    if action >= size * size:
        choose(s, action - size * size)
        return
    row = action // size
    column = np.uint64(action - row * size)
    player = np.int64(s.to_move) if s.stage == PLAY else np.int64(s.moves & 1)
    exact = is_exact(s, player)
    won = place(s.lines[player], np.uint64(row), column, np.int64(s.in_a_row), exact)
    s.moves += 1
    s.last = action
    if s.stage != PLAY:
        end_stones(s)
    elif won:
        s.winner = player
        s.to_move = OVER
    elif s.moves == size * size:
        s.to_move = OVER
    elif s.renju == 0 or s.to_move == s.black or not must_pass(s):
        s.to_move = 1 - s.to_move


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the whole share to the winner, or half to each player in a draw."""
    for player in range(2):
        out[player] = 0.5 if s.winner < 0 else np.float64(s.winner == player)


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write planes [4, size, size]: own stones, opponent's stones, last stone, Black to move.

    These are the planes of AlphaZero_Gomoku's networks (Song, 2017), in the same order. Renju has a
    fifth: the cells that are forbidden to Black. A swap opening has two more, the last ones: the
    player to move places stones of the opening, and chooses a colour.
    """
    size = np.int64(s.size)
    cells = size * size
    blacks_turn = np.float32(1 - (s.moves & 1))
    if s.stage == PLAY and s.to_move != OVER:  # Black may have passed, or the board was set up
        blacks_turn = np.float32(s.to_move == s.black)
    for row in range(size):
        mine, theirs = np.int64(s.lines[player, row]), np.int64(s.lines[1 - player, row])
        for column in range(size):
            cell = row * size + column
            out[cell] = np.float32((mine >> column) & 1)
            out[cells + cell] = np.float32((theirs >> column) & 1)
            out[2 * cells + cell] = 0.0
            out[3 * cells + cell] = blacks_turn
    if s.last >= 0:
        out[2 * cells + s.last] = 1.0
    first: Any = PLANES * cells
    if s.renju:
        _observe_forbidden(s, out, first)
        first += RENJU_PLANES * cells
    if s.opening != NONE:
        chooses = is_choice(s.stage)
        for index in range(cells):
            out[first + index] = np.float32(s.stage != PLAY and not chooses)
            out[first + cells + index] = np.float32(chooses)


@kernel
def _observe_forbidden(s: Any, out: Any, first: int) -> None:
    size = np.int64(s.size)
    for row in range(size):
        closed = ~np.int64(s.lines[0, row] | s.lines[1, row]) & ~allowed(s, row)
        for column in range(size):
            out[first + row * size + column] = np.float32((closed >> column) & 1)


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
    while s.stage != PLAY:
        _play_opening(s, rng)
    deck = s.deck
    left = np.uint64(0)
    for row in range(size):
        free = ~np.int64(s.lines[0, row] | s.lines[1, row])
        for column in range(size):
            deck[left] = row * 32 + column
            left += np.uint64(free & 1)
            free >>= 1
    if s.renju:
        _deal_renju(s, left, rng)
        return
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
def _play_opening(s: Any, rng: Any) -> None:
    """Play a random action of the opening."""
    size = np.int64(s.size)
    if is_choice(s.stage):
        play(s, size * size + below(rng, number_of_choices(s)))
        return
    nth = below(rng, size * size - s.moves)
    for cell in range(size * size):
        row = cell // size
        free = 1 - ((np.int64(s.lines[0, row] | s.lines[1, row]) >> (cell - row * size)) & 1)
        if free != 0 and nth == 0:
            play(s, cell)
            return
        nth -= free


@kernel
def _deal_renju(s: Any, left: Any, rng: Any) -> None:
    """Play a rollout of Renju to the end with the `left` first cards of the deck.

    Cards that are forbidden to Black are put behind the others until White has moved.
    """
    player, length = np.int64(s.to_move), np.int64(s.in_a_row)
    black, deck = np.int64(s.black), s.deck
    while left > 0:
        open_ = left
        while open_ > 0:
            card = ((next_uint64(rng) >> _HALF) * open_) >> _HALF
            open_ -= _ONE
            cell = np.uint64(deck[card])
            deck[card] = deck[open_]
            deck[open_] = cell
            row, column = cell >> _COLUMN_BITS, cell & _COLUMN_MASK
            action = np.int64(row) * np.int64(s.size) + np.int64(column)
            if player == black and forbidden(s, action) != NOT_FORBIDDEN:
                continue
            left -= _ONE
            deck[open_] = deck[left]
            s.moves += 1
            if place(s.lines[player], row, column, length, player == black):
                s.winner = player
                left = np.uint64(0)
            break
        player = 1 - player
    s.to_move = OVER


@kernel
def known_result(s: Any, out: Any) -> None:
    """Write a draw if no winning row fits on the board."""
    if s.in_a_row > s.size:
        out[0] = 0.5
        out[1] = 0.5
