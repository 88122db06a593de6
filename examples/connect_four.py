"""Connect Four: discs drop to the lowest free cell of a column; four in a row, any way, win."""

import numpy as np

from meeple.games import Game, Symmetry
from meeple.games.boards.grid import rows_through
from meeple.games.boards.scene import squares
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LIMIT, IN_A_ROW, NOBODY = 10, 4, -1
State = record(
    to_move=np.int8,
    winner=np.int8,
    last=np.int16,  # the cell of the last disc
    free=np.int16,  # cells
    rows=np.int32,
    columns=np.int32,
    board=(np.int8, (LIMIT, LIMIT)),  # a seat or NOBODY; row 0 is the top
)
Options = record(rows=np.int32, columns=np.int32)


@kernel
def start(s, options, rng):
    """An empty board, player 1 to move."""
    s.to_move, s.winner, s.last, s.board[:] = 0, NOBODY, -1, NOBODY
    s.rows, s.columns, s.free = options.rows, options.columns, options.rows * options.columns


@kernel
def legal(s, moves):
    """Every column that is not full."""
    for column in range(s.columns):
        if s.board[0, column] == NOBODY:
            add(moves, column)


@kernel
def landing(s, column):
    """The row where a disc dropped into a column comes to lie."""
    row = s.rows - 1
    while s.board[row, column] != NOBODY:
        row -= 1
    return row


@kernel
def run(s, row, column, down, right):
    """How many discs of the same owner lie beside a cell, one after the other, in a direction."""
    owner, length = s.board[row, column], 0
    row, column = row + down, column + right
    while 0 <= row < s.rows and 0 <= column < s.columns and s.board[row, column] == owner:
        row, column, length = row + down, column + right, length + 1
    return length


@kernel
def play(s, action):
    """Drop a disc; four in a row win, and a full board without them is a draw."""
    row = landing(s, action)
    s.board[row, action] = s.to_move
    s.last, s.free = row * s.columns + action, s.free - 1
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        both = run(s, row, action, down, right) + run(s, row, action, -down, -right)
        if both + 1 >= IN_A_ROW:
            s.winner = s.to_move
    s.to_move = OVER if s.winner != NOBODY or s.free == 0 else 1 - s.to_move


@kernel
def payoffs(s, out):
    """All for the winner, or half each."""
    for player in range(2):
        out[player] = 0.5 if s.winner == NOBODY else 1.0 * (s.winner == player)


@kernel
def observe(s, player, out):
    """Two planes [2, rows, columns]: own discs, their discs."""
    for row in range(s.rows):
        for column in range(s.columns):
            cell = row * s.columns + column
            out[cell] = s.board[row, column] == player
            out[s.rows * s.columns + cell] = s.board[row, column] == 1 - player


class ConnectFour(Game):
    """Connect Four on `rows` x `columns` cells; an action is a column, called by its letter."""

    name, summary = "connect-four", "drop discs until four of yours are in a row, any way"
    declared = {
        "rows": Integer(6, 4, LIMIT, "cells from top to bottom"),
        "columns": Integer(7, 4, LIMIT, "cells along a side"),
    }
    examples, max_moves = ({}, {"rows": 4, "columns": 5}), LIMIT
    State, Options = State, Options

    def configure(self):
        self.rows, self.columns = self.options["rows"], self.options["columns"]
        self.num_actions, self.max_plies = self.columns, self.rows * self.columns
        self.observation_shape = (2, self.rows, self.columns)

    def action_name(self, position, action):
        return chr(ord("a") + action)

    def symmetries(self):
        cells = np.arange(2 * self.max_plies).reshape(self.observation_shape)
        return (Symmetry(cells[:, :, ::-1].ravel(), np.arange(self.columns)[::-1], np.arange(2)),)

    def scene(self, position, seat=None):
        state = position.state
        pieces = np.array(state.board[: self.rows, : self.columns])
        legal = [] if position.is_over else position.legal_actions().tolist()
        lowest = (pieces == NOBODY).sum(axis=0) - 1  # free cell of each column
        clicks = {column: (lowest[column] * self.columns + column,) for column in legal}
        last, won = int(state.last), state.winner != NOBODY
        line = rows_through(pieces, last, IN_A_ROW) if won else ()
        return squares(pieces, last=[last] if last >= 0 else [], line=line, clicks=clicks)
