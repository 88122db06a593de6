"""A game whose opening depends on the seed: one of five boxes visibly contains the prize."""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import OVER, add, below, kernel, record

BOXES = 5

State = record(to_move=np.int8, prize=np.int8, chosen=np.int8)
Options = record()


@kernel
def start(s, options, rng):
    s.to_move = 0
    s.prize = below(rng, BOXES)
    s.chosen = -1


@kernel
def legal(s, moves):
    for box in range(BOXES):
        add(moves, box)


@kernel
def play(s, action):
    s.chosen = action
    s.to_move = OVER


@kernel
def payoffs(s, out):
    out[0] = 1.0 if s.chosen == s.prize else 0.0
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    out[s.prize] = 1.0


class Prize(Game):
    name, summary, max_moves = "prize", "take the box with the prize", BOXES
    State, Options = State, Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = BOXES, 1, (BOXES,)
