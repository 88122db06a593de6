"""Clobber: capture a neighbour with every move; the last to move wins.

Albert, Grossman, Nowakowski and Wolfe, "An introduction to Clobber", Integers 5(2), 2005. The
board is full of pieces of two colours, as a chessboard. A move puts an own piece in the place of
one of the opponent's beside it, which is removed.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.grid import cell_name
from meeple.games.boards.scene import squares
from meeple.games.contract.symmetry import board_symmetry
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LONGEST, EMPTY = 10, -1
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
State = record(
    to_move=np.int8,
    loser=np.int8,
    rows=np.int32,
    columns=np.int32,
    board=(np.int8, LONGEST * LONGEST),
)
Options = record(rows=np.int32, columns=np.int32)


@kernel
def start(s, options, rng):
    """A full board; player 1 has the cell at the top left."""
    s.to_move, s.loser, s.rows, s.columns = 0, 1, options.rows, options.columns
    s.board[:] = EMPTY
    for cell in range(s.rows * s.columns):
        s.board[cell] = (cell // s.columns + cell % s.columns) % 2


@kernel
def captures(s, player, cell, step):
    """Whether a player's piece on a cell can capture by a step."""
    down, right = STEPS[step]
    row, column = cell // s.columns + down, cell % s.columns + right
    inside = 0 <= row < s.rows and 0 <= column < s.columns
    return s.board[cell] == player and inside and s.board[row * s.columns + column] == 1 - player


@kernel
def legal(s, moves):
    """Every capture: cell * 4 + step."""
    for action in range(s.rows * s.columns * 4):
        if captures(s, s.to_move, action // 4, action % 4):
            add(moves, action)


@kernel
def play(s, action):
    """Capture. The game is over when the other player cannot."""
    player, cell = s.to_move, action // 4
    down, right = STEPS[action % 4]
    s.board[cell], s.board[cell + down * s.columns + right] = EMPTY, player
    s.to_move, s.loser = OVER, 1 - player
    for other in range(s.rows * s.columns * 4):
        if captures(s, s.loser, other // 4, other % 4):
            s.to_move = s.loser


@kernel
def payoffs(s, out):
    """All for the player who made the last move."""
    out[s.loser], out[1 - s.loser] = 0.0, 1.0


@kernel
def observe(s, player, out):
    """Planes [2, rows, columns]: own pieces, the opponent's."""
    cells = s.rows * s.columns
    for cell in range(cells):
        out[cell], out[cells + cell] = s.board[cell] == player, s.board[cell] == 1 - player


class Clobber(Game):
    """Clobber on `rows` x `columns` cells; a move is called by its two cells."""

    name, summary = "clobber", "capture a neighbour with every move, longer than your opponent"
    declared = {
        "rows": Integer(5, 1, LONGEST, "cells from top to bottom"),
        "columns": Integer(6, 2, LONGEST, "cells from left to right"),
    }
    examples = ({}, {"rows": 1, "columns": 6})
    max_moves = 2 * LONGEST * LONGEST

    def configure(self):
        self.rows, self.columns = self.options["rows"], self.options["columns"]
        self.max_plies = self.rows * self.columns - 1
        self.num_actions = self.rows * self.columns * 4
        self.observation_shape = (2, self.rows, self.columns)

    def symmetries(self):
        """Return the reflections and the half turn; some exchange the colours."""
        if self.rows == 1:
            return ()
        cells = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        found = []
        for image in (cells[::-1], cells[:, ::-1], cells[::-1, ::-1]):
            colour = sum(divmod(image[0, 0], self.columns)) % 2  # of the piece at the top left
            player = (colour, 1 - colour)
            found.append(board_symmetry(image, range(2), player=player, steps=STEPS))
        return found

    def cells_of(self, action):
        down, right = STEPS[action % 4]
        return action // 4, action // 4 + down * self.columns + right

    def action_name(self, position, action):
        return "-".join(cell_name(*divmod(cell, self.columns)) for cell in self.cells_of(action))

    def scene(self, position, seat=None):
        board = position.state.board[: self.rows * self.columns].reshape(self.rows, self.columns)
        clicks = {action: self.cells_of(action) for action in position.legal_actions().tolist()}
        last = [cell for action in position.actions[-1:] for cell in self.cells_of(action)]
        return squares(board, clicks=clicks, last=last)
