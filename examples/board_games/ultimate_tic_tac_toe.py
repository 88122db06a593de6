"""Ultimate tic-tac-toe: three boards in a row win, each won by three in a row.

The rules as on https://en.wikipedia.org/wiki/Ultimate_tic-tac-toe: nine boards form a board. The
cell of a move, within its small board, is the place of the small board in which the opponent moves
next; if that one is won or full, the opponent may move in any other. Without three boards in a row
the game is a draw.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.grid import cell_name
from meeple.games.boards.scene import squares
from meeple.games.contract.symmetry import dihedral
from meeple.kernels import OVER, add, kernel, record

NOBODY, ANY, OPEN, FULL = -1, -1, -1, 2
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
State = record(
    to_move=np.int8,
    winner=np.int8,
    target=np.int8,  # the small board of the next move, or ANY
    small=(np.int8, 9),  # the winner of each small board, or FULL
    board=(np.int8, 81),
)


@kernel
def start(s, options, rng):
    """Empty boards; the first move may be anywhere."""
    s.to_move, s.winner, s.target, s.small[:], s.board[:] = 0, NOBODY, ANY, OPEN, NOBODY


@kernel
def small_board(cell):
    """The number of the small board of a cell."""
    return cell // 27 * 3 + cell % 9 // 3


@kernel
def three(board, first, width, player):
    """Whether a player has three in a row on 3 x 3 cells of a board that begin at `first`."""
    for row in ROWS:
        found = 0
        for cell in row:
            found += board[first + cell // 3 * width + cell % 3] == player
        if found == 3:
            return True
    return False


@kernel
def is_legal(s, cell):
    """Whether the player to move may mark a cell."""
    small = small_board(cell)
    return s.board[cell] == NOBODY and s.small[small] == OPEN and s.target in (ANY, small)


@kernel
def legal(s, moves):
    """Free cells of the target, or of all open boards: row * 9 + column."""
    for cell in range(81):
        if s.to_move != OVER and is_legal(s, cell):
            add(moves, cell)


@kernel
def play(s, action):
    """Mark a cell, which may win its small board, and so the game."""
    player, small, free = s.to_move, small_board(action), 0
    first = small // 3 * 27 + small % 3 * 3
    s.board[action] = player
    for cell in range(9):
        free += s.board[first + cell // 3 * 9 + cell % 3] == NOBODY
    if three(s.board, first, 9, player):
        s.small[small] = player
        s.winner = player if three(s.small, 0, 3, player) else NOBODY
    elif free == 0:
        s.small[small] = FULL
    target, is_open = action // 9 % 3 * 3 + action % 3, False
    s.target = target if s.small[target] == OPEN else ANY
    for other in range(9):
        is_open = is_open or s.small[other] == OPEN
    s.to_move = OVER if s.winner != NOBODY or not is_open else 1 - player


@kernel
def payoffs(s, out):
    """All for the winner, or half each."""
    for player in range(2):
        out[player] = 0.5 if s.winner == NOBODY else 1.0 * (s.winner == player)


@kernel
def observe(s, player, out):
    """Planes [3, 9, 9]: own cells, the opponent's, the cells of the next move.

    All cells of a small board that is won belong to its winner, those of a full one to both.
    """
    for cell in range(81):
        small = s.small[small_board(cell)]
        owner = s.board[cell] if small == OPEN else small
        out[cell], out[81 + cell] = owner in (player, FULL), owner in (1 - player, FULL)
        out[162 + cell] = s.to_move != OVER and is_legal(s, cell)


class UltimateTicTacToe(Game):
    """Ultimate tic-tac-toe; a cell is called by its column and row."""

    name, summary = "ultimate-tic-tac-toe", "win three small boards in a row"
    max_moves = 81
    num_actions, max_plies, observation_shape = 81, 81, (3, 9, 9)

    def configure(self):
        """All is said above."""

    def symmetries(self):
        return dihedral(3, 9)

    def action_name(self, position, action):
        return cell_name(*divmod(action, 9))

    def scene(self, position, seat=None):
        board, legal = position.state.board.reshape(9, 9), position.legal_actions()
        return squares(board, legal, last=position.actions[-1:])
