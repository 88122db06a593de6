"""Rewards of reinforcement learning from shares of the win."""

import numpy as np
import numpy.typing as npt


def rewards_of(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return rewards [..., players] that sum to 0 for shares of the win [..., players].

    A win alone is 1 and an even split 0: (players * share - 1) / (players - 1). So of two players
    the loser gets -1.
    """
    players = shares.shape[-1]
    return np.asarray((players * shares - 1) / max(players - 1, 1))
