"""The agent of the spec `perfect`, for games small enough to be solved."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.errors import TooLarge
from meeple.games.contract.game import Game, Position
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.exact.cfr import Equilibrium
from meeple.search.exact.solver import MAX_POSITIONS, ChanceMet, solve
from meeple.search.exact.whole import Report, solve_whole


class PerfectAgent:
    """Plays an action of the best guaranteed payoff, drawn uniformly from all such actions.

    From a lost position that is any legal action. A game with chance is solved as a whole, by
    `EquilibriumAgent`. Raises TooLarge if solving exceeds the limit or is stopped, since a partial
    solution proves nothing.
    """

    report: Report | None = None
    """Called with a progress text while it solves."""

    def __init__(self, seed: int = 0, limit: int | None = None) -> None:
        """`limit`: maximum positions stored for a move, or nodes of a game with chance."""
        self.limit = limit
        self.spec = "perfect"
        self.analysis: Analysis | None = None
        self._whole: EquilibriumAgent | None = None  # once chance was met
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start another game; all randomness to come depends on the seed."""
        self._rng = numpy_rng(seed)
        self.analysis = None
        if self._whole is not None:
            self._whole.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return one of the best actions."""
        if self._whole is None:
            try:
                return self._choose(position, stop)
            except ChanceMet:
                seed = int(self._rng.integers(2**31))
                self._whole = EquilibriumAgent(position.game, seed, self.limit)
        self._whole.report = self.report
        action = self._whole.choose(position, stop)
        self.analysis = self._whole.analysis
        return action

    def _choose(self, position: Position, stop: Callable[[], bool] | None) -> int:
        def check(stored: int) -> None:
            if stop is not None and stop():
                raise TooLarge(f"{position.game!r} was not solved from here in the time given")
            if self.report is not None:
                self.report(f"{stored:,} positions")

        solution = solve(position, MAX_POSITIONS if self.limit is None else self.limit, check)
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
            proven=True,
        )
        return action


class EquilibriumAgent:
    """Plays an equilibrium strategy of a small game with chance or hidden information.

    In the long run no opponent gains more than its fair share and the remaining exploitability.
    The equilibrium is computed once, before the first choice. Raises TooLarge if the game is too
    large, or the computation is stopped.
    """

    report: Report | None = None
    """Called with a progress text while it solves."""

    def __init__(self, game: Game, seed: int = 0, limit: int | None = None) -> None:
        """`limit`: maximum nodes of the game; None: the default."""
        self.game, self.limit = game, limit
        self.spec = "perfect"
        self.analysis: Analysis | None = None
        self._found: Equilibrium | None = None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start another game; all randomness to come depends on the seed."""
        self._rng = numpy_rng(seed)
        self.analysis = None

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return an action, drawn by the equilibrium strategy."""
        began = time.perf_counter()
        found = self._found = self._found or self._solve(stop)
        sets = found.tree.sets
        number = found.tree.number_of(position)
        slots = slice(sets.first[number], sets.first[number + 1])
        actions, chances = sets.action[slots], found.strategy[slots]
        action = int(self._rng.choice(actions, p=chances))
        seconds = time.perf_counter() - began
        self.analysis = Analysis.of_draw(actions, chances, action, seconds)
        return action

    def _solve(self, stop: Callable[[], bool] | None) -> Equilibrium:
        def check(progress: str) -> None:
            if stop is not None and stop():
                raise TooLarge(f"{self.game!r} was not solved in the time given")
            if self.report is not None:
                self.report(progress)

        return solve_whole(self.game, self.limit, check)


def make_perfect(
    game: Game, options: Mapping[str, Any], seed: int
) -> PerfectAgent | EquilibriumAgent:
    """Make the agent of the spec `perfect`."""
    limit = options.get("limit")
    return EquilibriumAgent(game, seed, limit) if game.hides else PerfectAgent(seed, limit)
