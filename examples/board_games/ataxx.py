"""Ataxx: pieces multiply or jump, and turn their neighbours.

Dave Crummack and Craig Galley, 1988; the rules as on https://en.wikipedia.org/wiki/Ataxx. A piece
grows into a free cell beside it, one of eight, or jumps to one two cells away; then all pieces of
the opponent beside the new one change sides. Who cannot move passes. When the board is full, or a
player has no piece left, more pieces win; so they do after 100 plies without growth, the rule of
https://github.com/kz04px/libataxx.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.grid import cell_name
from meeple.games.boards.scene import squares
from meeple.games.contract.symmetry import board_symmetry, turned_boards
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LARGEST, EMPTY, MAX_JUMPS = 7, -1, 100
BESIDE = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
AWAY = tuple((d, r) for d in range(-2, 3) for r in range(-2, 3) if max(abs(d), abs(r)) == 2)
STEPS = ((0, 0), *AWAY)  # grow into a cell, or jump from it
State = record(
    to_move=np.int8,
    size=np.int32,
    jumps=np.int16,  # plies since a piece was added
    pieces=(np.int16, 2),  # of each player
    board=(np.int8, LARGEST * LARGEST),
)
Options = record(size=np.int32)


@kernel
def start(s, options, rng):
    """Player 1 has two opposite corners, player 2 the others."""
    s.to_move, s.size, s.jumps, s.pieces[:], s.board[:] = 0, options.size, 0, 2, EMPTY
    last = s.size * s.size - 1
    s.board[0], s.board[last], s.board[s.size - 1], s.board[last - s.size + 1] = 0, 0, 1, 1


@kernel
def owner(s, cell, down, right):
    """The owner of the cell that lies so far from another; OVER beyond the edge."""
    row, column = cell // s.size + down, cell % s.size + right
    inside = 0 <= row < s.size and 0 <= column < s.size
    return s.board[row * s.size + column] if inside else OVER


@kernel
def legal(s, moves):
    """Grow into a cell, cell * 17; jump from it, cell * 17 + step; else pass, the last action."""
    for cell in range(s.size * s.size):
        if s.board[cell] == EMPTY:
            grows = False
            for down, right in BESIDE:
                grows = grows or owner(s, cell, down, right) == s.to_move
            if grows:
                add(moves, cell * 17)
        elif s.board[cell] == s.to_move:
            for step in range(1, 17):
                if owner(s, cell, STEPS[step][0], STEPS[step][1]) == EMPTY:
                    add(moves, cell * 17 + step)
    if moves.count == 0:
        add(moves, s.size * s.size * 17)


@kernel
def play(s, action):
    """Grow, jump or pass, and turn the pieces beside the new one."""
    player, other = s.to_move, 1 - s.to_move
    s.jumps += 1
    if action < s.size * s.size * 17:
        cell, (down, right) = action // 17, STEPS[action % 17]
        if action % 17 == 0:
            s.jumps = 0
            s.pieces[player] += 1
        s.board[cell] = EMPTY
        cell += down * s.size + right
        s.board[cell] = player
        for down, right in BESIDE:
            if owner(s, cell, down, right) == other:
                s.board[cell + down * s.size + right] = player
                s.pieces[player] += 1
                s.pieces[other] -= 1
    full = s.pieces[0] + s.pieces[1] == s.size * s.size
    s.to_move = OVER if full or s.pieces[other] == 0 or s.jumps == MAX_JUMPS else other


@kernel
def payoffs(s, out):
    """All for the player with more pieces, or half each."""
    lead = s.pieces[0] - s.pieces[1]
    out[0] = 0.5 if lead == 0 else 1.0 * (lead > 0)
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    """Planes [2, size, size]: own pieces, the opponent's."""
    cells = s.size * s.size
    for cell in range(cells):
        out[cell], out[cells + cell] = s.board[cell] == player, s.board[cell] == 1 - player


class Ataxx(Game):
    """Ataxx on `size` x `size` cells: growth is called by its cell, a jump by its two."""

    name, summary = "ataxx", "multiply, jump, and turn your opponent's pieces"
    declared = {"size": Integer(5, 4, LARGEST, "cells along a side")}
    max_moves = 17 * LARGEST * LARGEST

    def configure(self):
        size = self.size = self.options["size"]
        self.passing = size * size * 17
        self.num_actions, self.observation_shape = self.passing + 1, (2, size, size)
        self.max_plies = (size * size - 3) * MAX_JUMPS

    def symmetries(self):
        """Return those of a square; where corners move to the side, the players are exchanged."""
        found = []
        for image in turned_boards(self.size):
            player = (0, 1) if image[0, 0] in (0, self.size**2 - 1) else (1, 0)
            found.append(board_symmetry(image, range(2), 1, player, STEPS))
        return found

    def cells_of(self, action):
        if action == self.passing:
            return ()
        cell, (down, right) = action // 17, STEPS[action % 17]
        return (cell, cell + down * self.size + right) if action % 17 else (cell,)

    def action_name(self, position, action):
        names = [cell_name(*divmod(cell, self.size)) for cell in self.cells_of(action)]
        return "-".join(names) or "pass"

    def scene(self, position, seat=None):
        board = position.state.board[: self.size**2].reshape(self.size, self.size)
        clicks = {action: self.cells_of(action) for action in position.legal_actions().tolist()}
        clicks.pop(self.passing, None)
        last = [cell for action in position.actions[-1:] for cell in self.cells_of(action)]
        return squares(board, clicks=clicks, last=last)
