"""Lines of Action: bring all your pieces together.

Claude Soucie, in Sid Sackson, "A Gamut of Games", 1969. A piece moves along a line exactly as many
cells as there are pieces of both players on the line; it may leap over own pieces, not over the
opponent's, which it captures where it lands. The winner's pieces are all connected, by sides or
corners; if a capture connects both, the mover wins. Who cannot move passes. A game that is not
over after 200 plies is a draw, so that it ends.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.grid import cell_name
from meeple.games.boards.scene import squares
from meeple.games.contract.symmetry import board_symmetry, turned_boards
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LARGEST, EMPTY, NOBODY, MAX_PLIES = 8, -1, -1, 200
STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
State = record(
    to_move=np.int8,
    winner=np.int8,
    size=np.int32,
    plies=np.int16,
    board=(np.int8, LARGEST * LARGEST),
)
Options = record(size=np.int32)


@kernel
def start(s, options, rng):
    """Player 1 on the first and last row, player 2 on the first and last column, no corners."""
    s.to_move, s.winner, s.size, s.plies, s.board[:] = 0, NOBODY, options.size, 0, EMPTY
    end = s.size - 1
    for at in range(1, end):
        s.board[at] = s.board[end * s.size + at] = 0
        s.board[at * s.size] = s.board[at * s.size + end] = 1


@kernel
def owner(s, row, column):
    """The owner of a cell; OVER beyond the edge."""
    inside = 0 <= row < s.size and 0 <= column < s.size
    return s.board[row * s.size + column] if inside else OVER


@kernel
def length(s, row, column, down, right):
    """How many pieces are on the line through a cell: so far a piece moves along it."""
    pieces = 0
    for n in range(1 - s.size, s.size):
        pieces += owner(s, row + n * down, column + n * right) >= 0
    return pieces


@kernel
def legal(s, moves):
    """Every move of a piece, cell * 8 + step; without one the pass, which is the last action."""
    for action in range(s.size * s.size * 8):
        cell, (down, right) = action // 8, STEPS[action % 8]
        if s.board[cell] == s.to_move:
            row, column = cell // s.size, cell % s.size
            far = length(s, row, column, down, right)
            landing = owner(s, row + far * down, column + far * right)
            free = landing != OVER and landing != s.to_move
            for n in range(1, far):
                free = free and owner(s, row + n * down, column + n * right) != 1 - s.to_move
            if free:
                add(moves, action)
    if moves.count == 0:
        add(moves, s.size * s.size * 8)


@kernel
def connected(s, player):
    """Whether all pieces of a player hang together. Sets of cells are bits of a number."""
    own = reached = 0
    for cell in range(s.size * s.size):
        if s.board[cell] == player:
            own |= 1 << cell
            reached = reached if reached else own
    grown = True
    while grown:
        grown = False
        for cell in range(s.size * s.size):
            if (own & ~reached) >> cell & 1:
                for down, right in STEPS:
                    near = cell + int(down * s.size + right)
                    is_own = owner(s, cell // s.size + down, cell % s.size + right) == player
                    if is_own and reached >> near & 1:
                        reached |= 1 << cell
                        grown = True
    return reached == own


@kernel
def play(s, action):
    """Move a piece, or pass. Whose pieces are all connected wins, the mover before the other."""
    player, s.plies = s.to_move, s.plies + 1
    if action < s.size * s.size * 8:
        cell, (down, right) = action // 8, STEPS[action % 8]
        far = length(s, cell // s.size, cell % s.size, down, right)
        s.board[cell], s.board[cell + far * (down * s.size + right)] = EMPTY, player
        if connected(s, player):
            s.winner = player
        elif connected(s, 1 - player):
            s.winner = 1 - player
    s.to_move = OVER if s.winner != NOBODY or s.plies == MAX_PLIES else 1 - player


@kernel
def payoffs(s, out):
    """All for the winner, or half each."""
    for player in range(2):
        out[player] = 0.5 if s.winner == NOBODY else 1.0 * (s.winner == player)


@kernel
def observe(s, player, out):
    """Planes [2, size, size]: own pieces, the opponent's."""
    cells = s.size * s.size
    for cell in range(cells):
        out[cell], out[cells + cell] = s.board[cell] == player, s.board[cell] == 1 - player


class LinesOfAction(Game):
    """Lines of Action on `size` x `size` cells; a move is called by its two cells."""

    name, summary = "lines-of-action", "bring all your pieces together"
    declared = {"size": Integer(6, 5, LARGEST, "cells along a side")}
    max_moves = 2 * (LARGEST - 2) * 8
    max_plies = MAX_PLIES

    def configure(self):
        size = self.size = self.options["size"]
        self.num_actions, self.observation_shape = size * size * 8 + 1, (2, size, size)

    def symmetries(self):
        """Return those of a square; where rows become columns, the players are exchanged."""
        found = []
        for image in turned_boards(self.size):
            player = (0, 1) if abs(image[0, 1] - image[0, 0]) == 1 else (1, 0)
            found.append(board_symmetry(image, range(2), 1, player, STEPS))
        return found

    def target(self, board, action):
        """Return the cell to which a piece moves on a board [size, size]."""
        (row, column), (down, right) = divmod(action // 8, self.size), STEPS[action % 8]
        line = [(row + n * down, column + n * right) for n in range(1 - self.size, self.size)]
        inside = [at for at in line if min(at) >= 0 and max(at) < self.size]
        far = sum(board.item(at) != EMPTY for at in inside)
        return action // 8 + far * (down * self.size + right)

    def board(self, position):
        return position.state.board[: self.size**2].reshape(self.size, self.size)

    def action_name(self, position, action):
        if action == self.num_actions - 1:
            return "pass"
        cells = action // 8, self.target(self.board(position), action)
        return "-".join(cell_name(*divmod(cell, self.size)) for cell in cells)

    def scene(self, position, seat=None):
        board, legal = self.board(position), position.legal_actions().tolist()
        moves = [action for action in legal if action < self.num_actions - 1]
        clicks = {action: (action // 8, self.target(board, action)) for action in moves}
        return squares(board, clicks=clicks)
