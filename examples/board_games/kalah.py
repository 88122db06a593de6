"""Kalah: sow seeds around the board; who has more in their store at the end wins.

Published by W. J. Champion, 1940. A turn sows all seeds of one of the mover's pits, one in each
following pit and in the mover's store, not the opponent's. The last seed in the own store gives
another turn. In an empty pit of the mover's it captures, with the seeds of the pit opposite, if
there are any. When a side is empty, each player takes the seeds of their own side.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.shape import pits
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

MOST_PITS = 6
State = record(to_move=np.int8, pits=np.int8, board=(np.int16, 2 * MOST_PITS + 2))


@kernel
def start(s, options, rng):
    """Pits in the order of sowing: player 1's, their store, player 2's, their store."""
    s.to_move, s.pits = 0, options.pits
    for pit in range(2 * s.pits + 2):
        s.board[pit] = options.seeds if (pit + 1) % (s.pits + 1) else 0


@kernel
def legal(s, moves):
    """The mover's pits with seeds."""
    first = s.to_move * (s.pits + 1)
    for pit in range(first, first + s.pits):
        if s.board[pit]:
            add(moves, pit)


@kernel
def play(s, action):
    """Sow, capture, and end the game when a side is empty."""
    store, around = s.to_move * (s.pits + 1) + s.pits, 2 * s.pits + 2
    at, hand, s.board[action] = action, s.board[action], 0
    while hand:
        at = (at + 1) % around
        if at != (store + s.pits + 1) % around:  # the opponent's store
            s.board[at], hand = s.board[at] + 1, hand - 1
    opposite = 2 * s.pits - at
    if store - s.pits <= at < store and s.board[at] == 1 and s.board[opposite]:
        s.board[store] += 1 + s.board[opposite]
        s.board[at], s.board[opposite] = 0, 0
    if at != store:
        s.to_move = 1 - s.to_move
    if s.board[: s.pits].sum() == 0 or s.board[s.pits + 1 : around - 1].sum() == 0:
        s.to_move = OVER
        for first in (0, s.pits + 1):
            s.board[first + s.pits] += s.board[first : first + s.pits].sum()
            s.board[first : first + s.pits] = 0


@kernel
def payoffs(s, out):
    """All for more seeds in the store, half each for as many."""
    more = s.board[s.pits] - s.board[2 * s.pits + 1]
    out[0], out[1] = 0.5 * (1 + np.sign(more)), 0.5 * (1 - np.sign(more))


@kernel
def observe(s, player, out):
    """The seeds in the order of sowing, from the player's first pit on, in dozens."""
    around = 2 * s.pits + 2
    for pit in range(around):
        out[pit] = s.board[(player * (s.pits + 1) + pit) % around] / 12


class Kalah(Game):
    """Kalah with `pits` on a side, each with `seeds` at the start."""

    name, summary = "kalah", "sow seeds, and collect more than half of them in your store"
    declared = {
        "pits": Integer(6, 2, MOST_PITS, "pits on a side"),
        "seeds": Integer(4, 1, 6, "seeds in each pit at the start"),
    }
    max_moves = MOST_PITS

    def configure(self):
        count, self.shape = self.options["pits"], pits(self.options["pits"])
        self.num_actions, self.observation_shape = self.shape.size, (self.shape.size,)
        # A seed that is stored comes with less than `count * (count + 1)` steps of others.
        seeds = 2 * count * self.options["seeds"]
        self.max_plies = seeds + (seeds + self.options["seeds"]) * count * (count + 1)
