"""An agent of your own: it takes a win in one move, and else the cell nearest to the centre.

meeple match gomoku agent:examples/own_agent.py:Centre random --games 20
"""

import numpy as np


class Centre:
    """Made with the game; `choose` is given a copy of the position and returns a legal action."""

    def __init__(self, game):
        middle = (game.options["size"] - 1) / 2
        rows, columns = np.divmod(np.arange(game.num_actions), game.options["size"])
        self.distance = (rows - middle) ** 2 + (columns - middle) ** 2

    def choose(self, position):
        me, legal = position.to_move, position.legal_actions()
        for action in legal:
            position.play(int(action))
            if position.is_over and position.payoffs[me] == 1:
                return int(action)
            position.undo()
        return int(legal[self.distance[legal].argmin()])
