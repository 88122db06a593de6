"""The agent that plays any legal action, each as likely as the others."""

from collections.abc import Callable, Mapping

import numpy as np

from meeple.agents.agent import Analysis
from meeple.games.contract.game import Game, Position


class RandomAgent:
    """Uniformly random play: the floor of every rating."""

    def __init__(self, seed: int = 0) -> None:
        self.spec = "random"
        self.analysis: Analysis | None = None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        legal = position.legal_actions()
        return int(legal[self._rng.integers(len(legal))])


def make_random(game: Game, options: Mapping[str, float], seed: int) -> RandomAgent:
    """The agent of the spec `random`."""
    return RandomAgent(seed)
