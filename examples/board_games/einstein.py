"""EinStein wuerfelt nicht!: a die says which of your six stones may move.

Ingo Althoefer, 2004; https://en.wikipedia.org/wiki/EinStein_w%C3%BCrfelt_nicht!. Each player puts
stones 1 to 6 on the cells of a corner, here in turns. Then a die chooses a stone: the one of this
number or, if it is gone, the next lower or the next higher one. It moves a cell towards the other
corner, along a row, a column or the diagonal, and captures any stone there, also an own one. The
first in the opponent's corner wins, and so does the capture of the opponent's last stone.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.grid import cell_name
from meeple.games.boards.scene import squares
from meeple.games.contract.symmetry import board_symmetry
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record

SIZE, CELLS, STONES, GONE, EMPTY, NO_DIE = 5, 25, 6, -1, -1, -1
STEPS = ((0, 0), (1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))  # to place; of 1; of 2
FIRST_OUTCOME = CELLS * 7  # outcomes of the die follow all moves
State = record(
    to_move=np.int8,
    mover=np.int8,  # who moves or, while the die rolls, will move
    die=np.int8,  # the chosen number from 0, or NO_DIE
    placed=np.int8,  # stones of both
    pieces=(np.int8, 2),  # of each player
    cell_of=(np.int16, (2, STONES)),  # of each stone, or GONE
    board=(np.int8, CELLS),  # player * 6 + number from 0, or EMPTY
)


@kernel
def start(s, options, rng):
    """An empty board."""
    s.to_move, s.mover, s.die, s.placed = 0, 0, NO_DIE, 0
    s.pieces[:], s.cell_of[:], s.board[:] = STONES, GONE, EMPTY


@kernel
def may_move(s, player, number):
    """Whether the die allows a stone: no own stone is nearer to the die on the same side."""
    allowed = s.die != NO_DIE and s.cell_of[player, number] != GONE
    for other in range(STONES):
        between = min(number, s.die) <= other <= max(number, s.die)
        if between and other != number and s.cell_of[player, other] != GONE:
            allowed = False
    return allowed


@kernel
def legal(s, moves):
    """Six outcomes; or free cells of one's corner, cell * 7; or moves, cell * 7 + step."""
    if s.to_move == CHANCE:
        for number in range(STONES):
            add_outcome(moves, FIRST_OUTCOME + number, 1 / STONES)
    elif s.placed < 2 * STONES:
        for cell in range(CELLS):
            distance = cell // SIZE + cell % SIZE
            own = distance <= 2 if s.to_move == 0 else distance >= 6
            if own and s.board[cell] == EMPTY:
                add(moves, cell * 7)
    else:
        for number in range(STONES):
            if may_move(s, s.to_move, number):
                cell = s.cell_of[s.to_move, number]
                for step in range(1 + 3 * s.to_move, 4 + 3 * s.to_move):
                    row, column = cell // SIZE + STEPS[step][0], cell % SIZE + STEPS[step][1]
                    if 0 <= row < SIZE and 0 <= column < SIZE:
                        add(moves, cell * 7 + step)


@kernel
def play(s, action):
    """Roll, place a stone, or move one."""
    if action >= FIRST_OUTCOME:
        s.die, s.to_move = action - FIRST_OUTCOME, s.mover
        return
    player, other = s.to_move, 1 - s.to_move
    cell, (down, right) = action // 7, STEPS[action % 7]
    target, stone = cell + down * SIZE + right, player * STONES + s.placed // 2
    if action % 7 == 0:
        s.placed += 1
    else:
        stone, taken = s.board[cell], s.board[target]
        s.board[cell], s.die = EMPTY, NO_DIE
        if taken != EMPTY:
            s.cell_of[taken // STONES, taken % STONES] = GONE
            s.pieces[taken // STONES] -= 1
    s.board[target], s.cell_of[player, stone % STONES] = stone, target
    won = s.pieces[other] == 0 or (action % 7 != 0 and target == (CELLS - 1) * other)
    s.to_move, s.mover = (OVER, player) if won else (other, other)
    if not won and s.placed == 2 * STONES:
        s.to_move = CHANCE


@kernel
def payoffs(s, out):
    """All for the winner, who moved last."""
    out[s.mover], out[1 - s.mover] = 1.0, 0.0


@kernel
def observe(s, player, out):
    """Planes [5, 5, 5]: own numbers / 6, the opponent's, who may move; if player 1, if player 2."""
    for cell in range(CELLS):
        stone = s.board[cell]
        owner, number = stone // STONES, stone % STONES
        share = 0.0 if stone == EMPTY else (number + 1) / STONES
        out[cell] = share if owner == player else 0.0
        out[CELLS + cell] = 0.0 if owner == player else share
        movable = stone != EMPTY and owner == s.to_move and may_move(s, owner, number)
        out[2 * CELLS + cell] = movable
        out[3 * CELLS + cell], out[4 * CELLS + cell] = player == 0, player == 1


class Einstein(Game):
    """EinStein wuerfelt nicht! A move is called by its two cells."""

    name, summary = "einstein", "reach the other corner with the stone that the die allows"
    max_moves = 18
    num_actions, observation_shape = FIRST_OUTCOME + STONES, (5, SIZE, SIZE)
    max_plies = 2 * STONES + 2 * 2 * STONES * 8  # placed; each comes nearer with each roll and move

    def configure(self):
        """All is said above."""

    def symmetries(self):
        """Return the reflections in both diagonals, and the half turn."""
        cells = np.arange(CELLS).reshape(SIZE, SIZE)
        turned, exchanged = cells[::-1, ::-1], (0, 1, 2, 4, 3)
        return (
            board_symmetry(cells.T, range(5), STONES, (0, 1), STEPS),
            board_symmetry(turned, exchanged, STONES, (1, 0), STEPS),
            board_symmetry(turned.T, exchanged, STONES, (1, 0), STEPS),
        )

    def cells_of(self, action):
        down, right = STEPS[action % 7]
        return (action // 7, action // 7 + down * SIZE + right)[: 1 + bool(action % 7)]

    def action_name(self, position, action):
        if action >= FIRST_OUTCOME:
            return str(action - FIRST_OUTCOME + 1)
        return "-".join(cell_name(*divmod(cell, SIZE)) for cell in self.cells_of(action))

    def scene(self, position, seat=None):
        names = ["", *(f"{mark}{number}" for mark in "XO" for number in range(1, STONES + 1))]
        board = np.array(names)[position.state.board + 1].reshape(SIZE, SIZE)
        legal = [] if position.to_move == CHANCE else position.legal_actions().tolist()
        played = [action for action in position.actions[-2:] if action < FIRST_OUTCOME][-1:]
        last = [cell for action in played for cell in self.cells_of(action)]
        return squares(board, clicks={one: self.cells_of(one) for one in legal}, last=last)
