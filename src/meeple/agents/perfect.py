"""The perfect player, for games small enough to be solved: a teacher's opponent and a referee."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.errors import TooLarge
from meeple.games.contract.game import Game, Position
from meeple.search.exact.cfr import Equilibrium, solve_by_cfr
from meeple.search.exact.information_tree import information_tree
from meeple.search.exact.solver import solve

POSITIONS = 4_000_000  # kept for a move at most: Hex 5x5 from the start; about ten seconds
NODES = 200_000  # of a game that hides something: about a minute


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


class EquilibriumAgent:
    """Plays an equilibrium of a small game that hides something, by its own chances.

    Nobody can win more than a fair share against it in the long run, but for the exploitability
    that is left. It is found before the first choice, once for all games. Raises TooLarge where
    the game is too large, or finding it is stopped.
    """

    def __init__(self, game: Game, seed: int = 0, limit: int = NODES) -> None:
        """`limit`: nodes that the game may have."""
        self.game, self.limit = game, limit
        self.spec = "perfect"
        self.analysis: Analysis | None = None
        self._found: Equilibrium | None = None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """A new game: all randomness to come depends on the seed."""
        self._rng = np.random.default_rng(seed)
        self.analysis = None

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """An action, each as likely as in the equilibrium."""
        began = time.perf_counter()
        found = self._found = self._found or self._solve(stop)
        sets = found.tree.sets
        number = found.tree.number_of(position)
        slots = slice(sets.first[number], sets.first[number + 1])
        actions, chances = sets.action[slots], found.strategy[slots]
        action = int(self._rng.choice(actions, p=chances))
        self.analysis = Analysis(
            actions=actions.astype(np.int32),
            visits=np.zeros(len(actions), dtype=np.int64),
            policy=chances.astype(np.float32),
            value=None,
            principal_variation=(action,),
            simulations=0,
            seconds=time.perf_counter() - began,
        )
        return action

    def _solve(self, stop: Callable[[], bool] | None) -> Equilibrium:
        def look(*_: float) -> None:
            if stop is not None and stop():
                raise TooLarge(f"{self.game!r} was not solved in the time given")

        tree = information_tree(self.game, self.limit, look)
        return solve_by_cfr(tree, told=look)


def make_perfect(
    game: Game, options: Mapping[str, Any], seed: int
) -> PerfectAgent | EquilibriumAgent:
    """The agent of the spec `perfect`."""
    return EquilibriumAgent(game, seed) if game.hides else PerfectAgent(seed)
