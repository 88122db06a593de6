"""Label positions with the values of deeper searches by the same evaluation."""

import numpy as np
import numpy.typing as npt

from meeple.errors import Stopped
from meeple.executors.executor import Stop
from meeple.games.contract.capabilities import PositionSolver, position_solver
from meeple.games.contract.game import Game, Position
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.patterns.evaluation import PatternEvaluation

SOLVER_SLICE = 1_000_000  # nodes
MAX_SLICES = 100  # of a position, which is searched like the others if the solver takes longer


class Relabelling:
    """Labels positions by alpha-beta and, near the end, by the game's exact solver."""

    def __init__(self, game: Game, evaluation: PatternEvaluation, depth: int, exact: int) -> None:
        """Make the searches of a game of two players without chance.

        `evaluation` evaluates the leaves at `depth`, with its weights as they are now. The solver
        of the game, if it has one, decides positions of at most `exact` empty cells.
        """
        self._game, self._evaluation = game, evaluation
        self._depth, self._exact = depth, exact
        self._search = AlphaBeta(game, patterns=evaluation)
        self._solver = position_solver(game)
        if self._solver is not None:
            self._solver.order_by(evaluation.kernel, evaluation.address)

    def labels(self, states: npt.NDArray[np.uint8], stop: Stop) -> npt.NDArray[np.float64]:
        """Return [N] the shares of the movers of states, none of them over. Raises Stopped."""
        labels, position = np.zeros(len(states)), self._game.start()
        for number, state in enumerate(states):
            position.row[:] = state
            labels[number] = self._shares(position, stop)[position.to_move]
        return labels

    def _shares(self, position: Position, stop: Stop) -> npt.NDArray[np.float64]:
        if stop():
            raise Stopped
        empty = self._game.num_cells - self._evaluation.occupied(position)
        if self._solver is not None and empty <= self._exact:
            payoffs = _solved(self._solver, position, stop)
            if payoffs is not None:
                return payoffs
        return self._search.run(position, depth=self._depth).value


def _solved(
    solver: PositionSolver, position: Position, stop: Stop
) -> npt.NDArray[np.float64] | None:
    if solver.nodes(position) is None:
        return None
    solver.open(position)
    for _ in range(MAX_SLICES):
        if solver.advance(SOLVER_SLICE):
            return solver.payoffs
        if stop():
            raise Stopped
    return None
