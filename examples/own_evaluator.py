"""An evaluator of your own, in the place of a network: discs on the board, and nothing else.

meeple match reversi puct:examples/own_evaluator.py:Discs,sims=100 uct:sims=10 --games 20
"""

import numpy as np


class Discs:
    """Called with observations [B, planes, rows, columns] and legal [B, A], as a network is."""

    def __init__(self, game):
        self.name = game.name

    def __call__(self, observations, legal):
        """Return policies [B, A], whose rows sum to 1, and values [B, 2].

        Values are shares of the win: of the player who observes, then of the other.
        """
        policy = legal / legal.sum(axis=1, keepdims=True)
        mine, theirs = (observations[:, plane].sum(axis=(1, 2)) for plane in (0, 1))
        share = mine / (mine + theirs)
        return policy.astype(np.float32), np.stack([share, 1 - share], axis=1).astype(np.float32)
