"""Connect Four: discs drop to the lowest free cell of a column; four in a row, any way, win."""

import numpy as np
from numpy import int8, int16

from meeple.games import Game, Symmetry
from meeple.games.boards.grid import rows_through
from meeple.games.boards.scene import squares
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LIMIT, IN_A_ROW, NOBODY, DIRECTIONS = 10, 4, -1, ((0, 1), (1, 0), (1, 1), (1, -1))
State = record(
    to_move=int8, winner=int8, last=int16, free=int16, rows=int16, columns=int16, board=(int8, 100)
)
Options = record(rows=int16, columns=int16)


@kernel
def start(s, options, rng):
    """An empty board, player 1 to move."""
    s.to_move, s.winner, s.last, s.board[:] = 0, NOBODY, -1, NOBODY
    s.rows, s.columns, s.free = options.rows, options.columns, options.rows * options.columns


@kernel
def legal(s, moves):
    """Every column that is not full."""
    for column in range(s.columns):
        if s.board[column] == NOBODY:
            add(moves, column)


@kernel
def play(s, action):
    """Drop a disc; four in a row win, and a full board without them is a draw."""
    row = s.rows - 1
    while s.board[row * s.columns + action] != NOBODY:
        row -= 1
    s.last, s.free = row * s.columns + action, s.free - 1
    s.board[s.last] = s.to_move
    for down, right in DIRECTIONS:
        length = 0  # discs of the player in a row, along the line through the new one
        for n in range(1 - IN_A_ROW, IN_A_ROW):
            r, c = row + n * down, action + n * right
            inside = 0 <= r < s.rows and 0 <= c < s.columns
            length = length + 1 if inside and s.board[r * s.columns + c] == s.to_move else 0
            s.winner = s.to_move if length == IN_A_ROW else s.winner
    s.to_move = OVER if s.winner != NOBODY or s.free == 0 else 1 - s.to_move


@kernel
def payoffs(s, out):
    """All for the winner, or half each."""
    for player in range(2):
        out[player] = 0.5 if s.winner == NOBODY else 1.0 * (s.winner == player)


@kernel
def observe(s, player, out):
    """Two planes [2, rows, columns]: own discs, their discs."""
    cells = s.rows * s.columns
    for cell in range(cells):
        out[cell], out[cells + cell] = s.board[cell] == player, s.board[cell] == 1 - player


@kernel
def ownership(s, out):
    """The owner of each cell, which patterns read."""
    for cell in range(s.rows * s.columns):
        out[cell] = s.board[cell]


class ConnectFour(Game):
    """Connect Four on `rows` x `columns` cells; an action is a column, called by its letter."""

    name, summary = "connect-four", "drop discs until four of yours are in a row, any way"
    declared = {
        "rows": Integer(6, 4, LIMIT, "cells from top to bottom"),
        "columns": Integer(7, 4, LIMIT, "cells along a side"),
    }
    examples, max_moves = ({}, {"rows": 4, "columns": 5}), LIMIT

    def configure(self):
        self.rows, self.columns = self.options["rows"], self.options["columns"]
        self.num_cells = self.max_plies = self.rows * self.columns
        self.num_actions, self.observation_shape = self.columns, (2, self.rows, self.columns)

    def action_name(self, position, action):
        return chr(ord("a") + action)

    def symmetries(self):
        cells = np.arange(2 * self.max_plies).reshape(self.observation_shape)
        return (Symmetry(cells[:, :, ::-1].ravel(), np.arange(self.columns)[::-1], np.arange(2)),)

    def scene(self, position, seat=None):
        state = position.state
        pieces = np.array(state.board[: self.num_cells]).reshape(self.rows, self.columns)
        legal = [] if position.is_over else position.legal_actions().tolist()
        free = (pieces == NOBODY).sum(axis=0)  # cells of each column
        clicks = {column: ((free[column] - 1) * self.columns + column,) for column in legal}
        last, won = int(state.last), state.winner != NOBODY
        line = rows_through(pieces, last, IN_A_ROW) if won else ()
        return squares(pieces, last=[last] if last >= 0 else [], line=line, clicks=clicks)
