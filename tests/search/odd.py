"""A game whose heuristic returns NaN."""

import numpy as np

from meeple.kernels import kernel
from tests.search.prize import Options, Prize, State, legal, observe, payoffs, start

__all__ = ["Options", "State", "legal", "observe", "payoffs", "start"]


@kernel
def play(s, action):
    """Do nothing: the game continues."""


@kernel
def heuristic(s, out):
    out[0] = np.nan
    out[1] = np.nan


class Odd(Prize):
    """`Prize` with a heuristic of NaN."""

    name = "odd"
