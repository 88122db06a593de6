"""A game that chance may end before any move: heads wins at once, after tails a player names it."""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record

State = record(to_move=np.int8, winner=np.int8)
Options = record()
HEADS, TAILS = 0, 1


@kernel
def start(s, options, rng):
    s.to_move = CHANCE
    s.winner = -1


@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
        add_outcome(moves, HEADS, 0.5)
        add_outcome(moves, TAILS, 0.5)
    else:
        add(moves, 0)
        add(moves, 1)


@kernel
def play(s, action):
    if s.to_move == CHANCE and action == TAILS:
        s.to_move = 0
        return
    s.winner = 0 if s.to_move == CHANCE else action
    s.to_move = OVER


@kernel
def payoffs(s, out):
    out[0] = 1.0 - s.winner
    out[1] = s.winner


@kernel
def observe(s, player, out):
    out[0] = player


class Luck(Game):
    """The game above."""

    name = "luck"
    summary = "hope for heads"
    max_moves = 2
    State = State
    Options = Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 2, 2, (1,)

    def draw(self, position, colour=False):
        return str(position.state.winner)
