"""Breakthrough: the first piece on the far row wins.

Dan Troyka, 2000; the rules as on https://en.wikipedia.org/wiki/Breakthrough_(board_game). Player 1
has the last two rows and moves up, player 2 the first two and moves down. A piece steps forward,
straight or diagonally, to a free cell, and captures diagonally. There is no draw, and a player
always has a move: that of the piece farthest ahead.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.grid import cell_name
from meeple.games.boards.scene import squares
from meeple.games.contract.symmetry import board_symmetry
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LARGEST, EMPTY = 8, -1
STEPS = ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))  # three of player 1, three of 2
State = record(
    to_move=np.int8,
    winner=np.int8,
    size=np.int32,
    pieces=(np.int8, 2),  # left of each player
    board=(np.int8, LARGEST * LARGEST),
)
Options = record(size=np.int32)


@kernel
def start(s, options, rng):
    """Two rows of pieces each."""
    s.to_move, s.winner, s.size, s.board[:] = 0, EMPTY, options.size, EMPTY
    s.pieces[:] = 2 * s.size
    for cell in range(2 * s.size):
        s.board[cell], s.board[s.size * s.size - 1 - cell] = 1, 0


@kernel
def legal(s, moves):
    """Forward to a free cell, or diagonally forward on one of the opponent's: cell * 6 + step."""
    for cell in range(s.size * s.size):
        if s.board[cell] == s.to_move:
            for step in range(3 * s.to_move, 3 * s.to_move + 3):
                down, right = STEPS[step]
                row, column = cell // s.size + down, cell % s.size + right
                if 0 <= row < s.size and 0 <= column < s.size:
                    owner = s.board[row * s.size + column]
                    if owner == EMPTY or (right != 0 and owner != s.to_move):
                        add(moves, cell * 6 + step)


@kernel
def play(s, action):
    """Move a piece. The far row wins, and so does the capture of the last piece."""
    player, cell = s.to_move, action // 6
    down, right = STEPS[action % 6]
    target = cell + down * s.size + right
    if s.board[target] != EMPTY:
        s.pieces[1 - player] -= 1
    s.board[cell], s.board[target] = EMPTY, player
    far = target // s.size == (0 if player == 0 else s.size - 1)
    won = far or s.pieces[1 - player] == 0
    s.winner = player if won else EMPTY
    s.to_move = OVER if won else 1 - player


@kernel
def payoffs(s, out):
    """All for the winner."""
    out[s.winner], out[1 - s.winner] = 1.0, 0.0


@kernel
def observe(s, player, out):
    """Planes [4, size, size]: own pieces, the opponent's, and whether one is player 1, or 2."""
    cells = s.size * s.size
    for cell in range(cells):
        out[cell], out[cells + cell] = s.board[cell] == player, s.board[cell] == 1 - player
        out[2 * cells + cell], out[3 * cells + cell] = player == 0, player == 1


class Breakthrough(Game):
    """Breakthrough on `size` x `size` cells; a move is called by its two cells."""

    name, summary = "breakthrough", "bring a piece to the far row"
    declared = {"size": Integer(6, 5, LARGEST, "cells along a side")}
    max_moves = 3 * 2 * LARGEST

    def configure(self):
        size = self.size = self.options["size"]
        self.num_actions, self.observation_shape = size * size * 6, (4, size, size)
        self.max_plies = 4 * size * (size - 1)  # each move brings a piece one row on

    def symmetries(self):
        cells = np.arange(self.size**2).reshape(self.size, self.size)
        mirrored = board_symmetry(cells[:, ::-1], range(4), steps=STEPS)
        upside_down = [
            board_symmetry(image, (0, 1, 3, 2), player=(1, 0), steps=STEPS)
            for image in (cells[::-1], cells[::-1, ::-1])
        ]
        return (mirrored, *upside_down)

    def cells_of(self, action):
        down, right = STEPS[action % 6]
        return action // 6, action // 6 + down * self.size + right

    def action_name(self, position, action):
        return "-".join(cell_name(*divmod(cell, self.size)) for cell in self.cells_of(action))

    def scene(self, position, seat=None):
        board = position.state.board[: self.size**2].reshape(self.size, self.size)
        clicks = {action: self.cells_of(action) for action in position.legal_actions().tolist()}
        last = [cell for action in position.actions[-1:] for cell in self.cells_of(action)]
        return squares(board, clicks=clicks, last=last)
