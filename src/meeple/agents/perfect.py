"""The perfect player, for games small enough to be solved: a teacher's opponent and a referee."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.errors import TooLarge
from meeple.games.contract.game import Game, Position
from meeple.search.exact.solver import solve

POSITIONS = 4_000_000  # kept for a move at most: Hex 5x5 from the start; about ten seconds


class PerfectAgent:
    """Plays any of the actions that keep the most it can be sure of, each as likely.

    From a lost position that is any action at all. Raises TooLarge where solving takes too much,
    or is stopped: half a solution says nothing.
    """

    def __init__(self, seed: int = 0, limit: int = POSITIONS) -> None:
        """`limit`: positions the solver may keep for a move."""
        self.limit = limit
        self.spec = "perfect"
        self.analysis: Analysis | None = None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """A new game: all randomness to come depends on the seed."""
        self._rng = np.random.default_rng(seed)
        self.analysis = None

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """One of the best actions."""

        def look(kept: int) -> None:
            if stop is not None and stop():
                raise TooLarge(f"{position.game!r} was not solved from here in the time given")

        solution = solve(position, self.limit, look)
        best = np.array(solution.best_actions, dtype=np.int32)
        action = int(self._rng.choice(best))
        self.analysis = Analysis(
            actions=best,
            visits=np.zeros(len(best), dtype=np.int64),
            policy=np.full(len(best), 1 / len(best), dtype=np.float32),
            value=solution.payoffs,
            principal_variation=(action,),
            simulations=0,
            seconds=solution.seconds,
        )
        return action


def make_perfect(game: Game, options: Mapping[str, Any], seed: int) -> PerfectAgent:
    """The agent of the spec `perfect`."""
    return PerfectAgent(seed)
