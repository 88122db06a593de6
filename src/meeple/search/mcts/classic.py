"""The weights of exploration of programs whose values are in [-1, 1], on the scale of this one.

Values here are shares of a win in [0, 1]. Those of the other scale lie twice as far apart, so the
same choices are made here by half the weight.
"""

import math

CLASSIC_UCT = math.sqrt(2) / 2
"""UCT's constant sqrt 2, the usual choice for results in [-1, 1]."""

CLASSIC_PUCT = 5 / 2
"""PUCT's constant 5, as in AlphaZero_Gomoku (Song 2017)."""
