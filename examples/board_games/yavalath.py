"""Yavalath: four in a row win, but three in a row lose.

Designed by Cameron Browne's program Ludi, 2007; C. Browne, "Evolutionary Game Design", 2011. The
board is a hexagon of hexagons. Players place a stone in turn; who makes four in a row, or more,
wins, and who makes three without four loses. A full board is a draw. The swap rule is left out.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.shape import hexhex
from meeple.games.contract.symmetry import symmetries_of
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LARGEST, EMPTY, OUTSIDE, NOBODY = 6, -1, -2, -1
SIZE = hexhex(LARGEST).size  # row * width + column, of which the corners are OUTSIDE
LINES = ((0, 1), (1, 0), (1, -1))
State = record(
    to_move=np.int8, winner=np.int8, width=np.int32, free=np.int16, board=(np.int8, SIZE)
)


@kernel
def start(s, options, rng):
    """An empty hexagon, whose longest row has `width` cells."""
    s.to_move, s.winner, s.width, s.free = 0, NOBODY, 2 * options.side - 1, 0
    s.board[:] = OUTSIDE
    for cell in range(s.width * s.width):
        if options.side - 1 <= cell // s.width + cell % s.width <= 3 * (options.side - 1):
            s.board[cell], s.free = EMPTY, s.free + 1


@kernel
def legal(s, moves):
    """Every free cell."""
    for cell in range(s.width * s.width):
        if s.board[cell] == EMPTY:
            add(moves, cell)


@kernel
def play(s, action):
    """Place a stone: its longest row wins or loses."""
    player, row, column = s.to_move, action // s.width, action % s.width
    s.board[action], s.free = player, s.free - 1
    longest = 0
    for down, right in LINES:
        length = 0
        for n in range(-3, 4):
            r, c = row + n * down, column + n * right
            inside = 0 <= r < s.width and 0 <= c < s.width
            length = length + 1 if inside and s.board[r * s.width + c] == player else 0
            longest = max(longest, length)
    if longest >= 3:
        s.winner = player if longest > 3 else 1 - player
    s.to_move = OVER if longest >= 3 or s.free == 0 else 1 - player


@kernel
def payoffs(s, out):
    """All for the winner, or half each."""
    for player in range(2):
        out[player] = 0.5 if s.winner == NOBODY else 1.0 * (s.winner == player)


@kernel
def observe(s, player, out):
    """Planes [2, width, width]: own stones, the opponent's."""
    cells = s.width * s.width
    for cell in range(cells):
        out[cell], out[cells + cell] = s.board[cell] == player, s.board[cell] == 1 - player


class Yavalath(Game):
    """Yavalath on a hexagon with `side` cells along a side."""

    name, summary = "yavalath", "four in a row win, three lose"
    declared = {"side": Integer(4, 3, LARGEST, "cells along a side")}
    max_moves = SIZE

    def configure(self):
        self.shape = hexhex(self.options["side"])
        self.num_actions, self.max_plies = self.shape.size, len(self.shape.cells)
        self.observation_shape = (2, self.shape.rows, self.shape.columns)

    def symmetries(self):
        return symmetries_of(self.shape, planes=2)
