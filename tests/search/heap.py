"""A heap of stones for three players, who take one to three in turn; the last stone wins."""

import numpy as np

from meeple.games import Game
from meeple.kernels import OVER, add, kernel, record

PLAYERS = 3
State = record(to_move=np.int8, stones=np.int16, winner=np.int8)
Options = record()


@kernel
def start(s, options, rng):
    s.stones = 5
    s.winner = -1


@kernel
def legal(s, moves):
    for count in range(1, min(3, s.stones) + 1):
        add(moves, count - 1)


@kernel
def play(s, action):
    s.stones -= action + 1
    if s.stones == 0:
        s.winner, s.to_move = s.to_move, OVER
    else:
        s.to_move = (s.to_move + 1) % PLAYERS


@kernel
def payoffs(s, out):
    for player in range(PLAYERS):
        out[player] = 1.0 if player == s.winner else 0.0


@kernel
def observe(s, player, out):
    out[0] = s.stones


class Heap(Game):
    name, summary, max_moves = "heap", "the last stone wins", 3
    State, Options = State, Options
    players = PLAYERS

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 3, 5, (1,)
