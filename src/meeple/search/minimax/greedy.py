"""One-ply search with the game's heuristic: the mean share after each action."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import HEURISTIC, PRUNE
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.determinization import Determinizer
from meeple.search.lenient import draw_lenient
from meeple.search.moves import list_sensible, new_moves
from meeple.search.values.lookahead import evaluate_actions, new_greedy_evaluator

Draw = Callable[[npt.NDArray[np.int32]], int]
"""Draws one of some actions [n]."""

Choose = Callable[[Position, npt.NDArray[np.int32], Draw], int]
"""Chooses one of the actions [n] of a position by draws, as `DecisiveMoves.drawn` does."""


class GreedySearch:
    """Evaluates every sensible action over the chance outcomes that follow it directly."""

    def __init__(
        self, game: Game, *, determinizations: int = 8, loss: float = 0.0, seed: int = 0
    ) -> None:
        """Make a search.

        Args:
            game: the game to search.
            determinizations: drawn for each decision if the game hides something.
            loss: scale of the shares that actions give away (`lenient.py`).
            seed: of all randomness.

        Raises:
            UsageError: the game has no heuristic, or `determinizations` is below 1.
        """
        if not game.has(HEURISTIC):
            raise UsageError(f"{game.name} has no heuristic to evaluate positions by")
        if determinizations < 1:
            raise UsageError(f"determinizations must be at least 1, not {determinizations}")
        self.game = game
        game.compile(HEURISTIC, PRUNE)
        self.determinizer = Determinizer(game)
        self._loss = loss
        self._rows = np.zeros(
            (determinizations if game.hides else 1, game.state_bytes), dtype=np.uint8
        )
        self._evaluator = new_greedy_evaluator(game)
        self._moves = new_moves(game)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start the generator anew, for another game."""
        self._rng = kernels.new_rng(seed)
        self._lenient_rng = numpy_rng(seed)
        self.determinizer.begin(seed)

    def evaluate(self, position: Position) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """Return the sensible actions [A] and the mover's mean share after each [A]."""
        self.determinizer.fill(position, self._rows, self._rng)
        count = list_sensible(self.game.addresses, self._rows[0], self._moves)
        actions = self._moves.actions[:count].copy()
        evaluated = np.zeros(len(actions))
        evaluate_actions(self._evaluator, self._rows, actions, 0, evaluated)
        return actions, evaluated

    def best(self, position: Position, choose: Choose | None = None) -> int:
        """Return the action with the greatest share; ties are drawn by `prune`'s weights.

        Args:
            position: a player is to move.
            choose: with a loss, makes the lenient choice by drawing, perhaps several times; None:
                the first draw is the choice.
        """
        actions, evaluated = self.evaluate(position)
        if self._loss:

            def draw(left: npt.NDArray[np.int32]) -> int:
                shares = evaluated[np.isin(actions, left)]
                return int(left[draw_lenient(shares, self._loss, self._lenient_rng)])

            return draw(actions) if choose is None else choose(position, actions, draw)
        equal = np.flatnonzero(evaluated >= evaluated.max() - 1e-12)
        if not self.game.has(PRUNE):
            return int(actions[equal[kernels.below(self._rng[0], len(equal))]])
        marks = np.cumsum(self._moves.weights[: len(actions)][equal])
        drawn = kernels.uniform(self._rng[0]) * marks[-1]
        return int(actions[equal[min(int(np.searchsorted(marks, drawn, "right")), len(equal) - 1)]])
