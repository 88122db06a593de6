"""A player lays two cards in any order; then the other player takes one of two coins.

Pruning removes the last card, which is useless; narrowing keeps one order of each pair, the
ascending one.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import OVER, add, kernel, record

CARDS = 4
USELESS = CARDS - 1

State = record(to_move=np.int8, laid=np.int8, sum=np.int16, coin=np.int8)
Options = record()


@kernel
def start(s, options, rng):
    s.to_move = 0
    s.laid = 0
    s.sum = 0
    s.coin = -1


@kernel
def legal(s, moves):
    """List all cards, also a card that was laid before; or the two coins."""
    for action in range(CARDS if s.to_move == 0 else 2):
        add(moves, action)


@kernel
def prune(s, moves):
    """Keep all cards except the useless one; or the coins."""
    for action in range(USELESS if s.to_move == 0 else 2):
        moves.probabilities[moves.count] = 1.0
        add(moves, action)


@kernel
def narrow(s, moves, last):
    """Remove cards below the previous one."""
    kept = 0
    for index in range(moves.count):
        if moves.actions[index] >= last:
            moves.actions[kept] = moves.actions[index]
            kept += 1
    moves.count = kept


@kernel
def play(s, action):
    if s.to_move == 1:
        s.coin = action
        s.to_move = OVER
        return
    s.sum += action
    s.laid += 1
    s.to_move = 0 if s.laid < 2 else 1


@kernel
def payoffs(s, out):
    out[0] = s.sum / (2 * CARDS) + 0.1 * (1 - s.coin)
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    out[0] = s.sum


class Pairs(Game):
    name, summary, max_moves = "pairs", "lay two cards", CARDS
    State, Options = State, Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = CARDS, 3, (1,)
