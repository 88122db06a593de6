"""Two cards are laid in any order, each with a use; then the other player takes one of two coins.

The game says what is sensible (the last card is of no use) and what a tree should try: of the two
orders of a pair, the one that rises.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import OVER, add, kernel, record

CARDS = 4
USELESS = CARDS - 1

State = record(to_move=np.int8, laid=np.int8, sum=np.int16, coin=np.int8)
Options = record(unused=np.int8)


@kernel
def start(s, options, rng):
    s.to_move = 0
    s.laid = 0
    s.sum = 0
    s.coin = -1


@kernel
def legal(s, moves):
    """Any card, also the same once more; or one of two coins."""
    for action in range(CARDS if s.to_move == 0 else 2):
        add(moves, action)


@kernel
def prune(s, moves):
    """Any card but the useless one; or a coin."""
    for action in range(USELESS if s.to_move == 0 else 2):
        moves.probabilities[moves.count] = 1.0
        add(moves, action)


@kernel
def narrow(s, moves, last):
    """No card below the one before."""
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
    """The game above."""

    name = "pairs"
    summary = "lay two cards"
    max_moves = CARDS
    State = State
    Options = Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = CARDS, 3, (1,)

    def encode_options(self, options):
        pass

    def draw(self, position, colour=False):
        return f"sum {position.state.sum}"
