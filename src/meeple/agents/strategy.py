"""The agent of the spec `strategy:FILE`: a strategy that external sampling found."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from meeple.agents.agent import Analysis
from meeple.games.contract.game import Game, Position
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.strategy_file import load
from meeple.tensor_file import PathLike


class StrategyAgent:
    """Draws actions by the average strategy; uniformly where it was never reached."""

    def __init__(self, sampling: ExternalSampling, seed: int = 0) -> None:
        """Take the strategy of a game."""
        self.spec = "strategy"
        self.analysis: Analysis | None = None
        self._sampling = sampling
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start another game; all randomness to come depends on the seed."""
        self._rng = numpy_rng(seed)
        self.analysis = None

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return an action, drawn by the strategy."""
        began = time.perf_counter()
        actions, chances = position.legal_actions(), self._sampling.probabilities(position)
        action = int(self._rng.choice(actions, p=chances))
        seconds = time.perf_counter() - began
        self.analysis = Analysis.of_draw(actions, chances, action, seconds)
        return action


def make_strategy(
    game: Game, path: PathLike, options: Mapping[str, Any], seed: int
) -> StrategyAgent:
    """Make the agent of `strategy:FILE`; CheckpointError: the file is no strategy of the game."""
    return StrategyAgent(load(path, game), seed)
