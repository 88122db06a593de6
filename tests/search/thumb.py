"""A game of one player's choices with a perfect rule of thumb: take 1, not 0; each 1 is a point.

The share of points in rollouts measures how often they follow the rule.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import OVER, add, below, kernel, next_uint64, record

LENGTH = 1000
_HALF = np.uint64(32)

State = record(to_move=np.int8, played=np.int16, points=np.int16)
Options = record()


@kernel
def start(s, options, rng):
    s.to_move = 0
    s.played = 0
    s.points = 0


@kernel
def legal(s, moves):
    add(moves, 0)
    add(moves, 1)


@kernel
def play(s, action):
    s.played += 1
    s.points += action
    if s.played == LENGTH:
        s.to_move = OVER


@kernel
def payoffs(s, out):
    out[0] = s.points / LENGTH
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    out[0] = s.points


@kernel
def guided_rollout(s, rng, guidance):
    while s.to_move != OVER:
        led = np.int64(next_uint64(rng) >> _HALF) < guidance
        play(s, 1 if led else below(rng, 2))


class Thumb(Game):
    name, summary, max_moves = "thumb", "a rule of thumb that is right", 2
    State, Options = State, Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 2, LENGTH, (1,)
