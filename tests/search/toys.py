"""A game small enough to solve by hand: three players, a chance node, and unequal shares.

    player 0 -A-> player 1 -> (.5 .2 .3) or (.9 .1 0)       player 1 takes the first
             -B-> chance: 1/4 (1 0 0), 3/4 player 2 -> (.4 0 .6) or (0 .5 .5)    the first
             -C-> player 2 -> (.6 .1 .3) or (.3 .3 .4)      player 2 takes the second

So A is worth (.5 .2 .3), C (.3 .3 .4), and B 1/4 (1 0 0) + 3/4 (.4 0 .6) = (.55 0 .45), the best
for player 0; of random play, A would seem the best, with a mean of .7.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record

A, B, C = 0, 1, 2
VALUE = (0.55, 0.0, 0.45)
ACTION_VALUES = ((0.5, 0.2, 0.3), VALUE, (0.3, 0.3, 0.4))

# By node: the mover, then the successor of each action.
_MOVER = np.array([0, 1, CHANCE, 2, 2] + [OVER] * 7, dtype=np.int8)
_NEXT = np.array([[1, 2, 3], [5, 6, -1], [7, 4, -1], [8, 9, -1], [10, 11, -1]], dtype=np.int16)
_SHARES = np.array(
    [
        [0.5, 0.2, 0.3],
        [0.9, 0.1, 0.0],
        [1.0, 0.0, 0.0],
        [0.6, 0.1, 0.3],
        [0.3, 0.3, 0.4],
        [0.4, 0.0, 0.6],
        [0.0, 0.5, 0.5],
    ]
)
_FIRST_END = 5

State = record(to_move=np.int8, node=np.int16)
Options = record()


@kernel
def start(s, options, rng):
    s.node = 0
    s.to_move = _MOVER[0]


@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
        add_outcome(moves, 0, 0.25)
        add_outcome(moves, 1, 0.75)
        return
    for action in range(3):
        if _NEXT[s.node, action] >= 0:
            add(moves, action)


@kernel
def play(s, action):
    s.node = _NEXT[s.node, action]
    s.to_move = _MOVER[s.node]


@kernel
def payoffs(s, out):
    for player in range(3):
        out[player] = _SHARES[s.node - _FIRST_END, player]


@kernel
def observe(s, player, out):
    out[0] = s.node


class Paper(Game):
    """The tree in the module's docstring."""

    name, summary, max_moves = "paper", "a game on paper", 3
    State, Options = State, Options
    players = 3

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 3, 3, (1,)

    def draw(self, position, colour=False):
        return f"node {position.state.node}"
