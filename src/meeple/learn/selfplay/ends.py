"""Exact ends of games of self-play: which positions the solver tries, and with what budget."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import OVER
from meeple.learn.config import Config
from meeple.learn.selfplay.episode import TrajectoryStep
from meeple.nets.graph import products_per_position
from meeple.search.batch import StateBatch
from meeple.search.exact.ends import End, ExactEnds
from meeple.search.moves import seat_to_move

CHILD_PRODUCTS = 32_000
"""Multiplications of a network that take as long as the solver takes for a child of a position:
0.8 us on Connect Four, at 40 billion a second on one core."""
SIMULATION_CHILDREN = 10
"""Children of the solver that take as long as a simulation without its network: 8 us."""

LINE_EXPANSIONS = 8
"""Positions whose children may be visited to prove again what a game declares (`known_result`); the
solver's own proofs need only one to be looked up."""


class ProvenEnds:
    """Proves positions of self-play, within a share of the work of the searches.

    Counts stand for times, so that equal seeds give equal games.
    """

    def __init__(self, game: Game, config: Config) -> None:
        """Make the solver, unless `selfplay.exact` is 0."""
        self._share = config.selfplay.exact
        self._products = products_per_position(config.architecture(game))
        self._solver = ExactEnds(game) if self._share else None

    def budget(self, games: int, simulations: int, evaluations: int) -> int:
        """Return how many children the solver may visit now in each of some games.

        `simulations` and `evaluations` by the network: of all searches so far.
        """
        if self._solver is None or games == 0:
            return 0
        self._solver.make_room()
        work = SIMULATION_CHILDREN * simulations + evaluations * self._products / CHILD_PRODUCTS
        return max(0, int(self._share * work) - self._solver.visited) // games

    def line(self, state: npt.NDArray[np.uint8], value: Any, budget: int) -> Iterator[End]:
        """Yield what is proven of a position [B], and after each action that keeps the result.

        The caller plays an action of `End.keeping` in `state` before it asks for the next one. The
        line breaks off early if the result is only declared by the game and the budget is spent.

        Args:
            state: changed in place by the caller.
            value: [P] the estimated shares of the position.
            budget: most children to visit, beside those of proven positions.
        """
        solver = self._solver
        if solver is None:
            return
        before = solver.visited
        while seat_to_move(state) != OVER:
            end = solver.prove(state, int(value.argmax()), budget)
            if end is None:
                return
            yield end
            least = LINE_EXPANSIONS * solver.width
            value, budget = end.payoffs, max(budget - (solver.visited - before), least)
            before = solver.visited


def proven_step(game: Game, state: npt.NDArray[np.uint8], end: End, ply: int) -> TrajectoryStep:
    """Return what is learned from a proven position [B], before which `ply` actions were played.

    The policy is uniform over the actions that are proven to keep the result.
    """
    policy = np.zeros(game.num_actions, dtype=np.float32)
    policy[end.keeping] = 1 / len(end.keeping)
    batch = StateBatch(game, state[None])
    observations, _ = batch.observe(np.zeros(1, dtype=np.int32))
    mover = int(batch.to_move[0])
    return TrajectoryStep(observations[0].ravel(), policy, mover, end.payoffs, ply=ply)
