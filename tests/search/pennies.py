"""Sequential matching pennies: one player lays a hidden coin, and the other guesses it."""

import numpy as np

from meeple.games import Game
from meeple.kernels import OVER, add, below, kernel, record

NONE = -1
State = record(to_move=np.int8, laid=np.int8, guess=np.int8)
Options = record()


@kernel
def start(s, options, rng):
    s.laid = s.guess = NONE


@kernel
def legal(s, moves):
    add(moves, 0)
    add(moves, 1)


@kernel
def play(s, action):
    if s.to_move == 0:
        s.laid, s.to_move = action, 1
    else:
        s.guess, s.to_move = action, OVER


@kernel
def payoffs(s, out):
    out[1] = 1.0 if s.guess == s.laid else 0.0
    out[0] = 1.0 - out[1]


@kernel
def observe(s, player, out):
    out[0] = s.laid if player == 0 else NONE


@kernel
def resample(s, player, rng):
    if player == 1 and s.laid != NONE:
        s.laid = below(rng, 2)


class Pennies(Game):
    name, summary, max_moves = "pennies", "lay a coin, guess a coin", 2
    State, Options = State, Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 2, 2, (1,)

    def draw(self, position, colour=False):
        return "a coin"
