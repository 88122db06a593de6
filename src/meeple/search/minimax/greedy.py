"""One-ply search with the game's heuristic: the mean share after each action."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, HEURISTIC, LEGAL, OVER, PAYOFFS, PRUNE, invoke2, kernel
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.determinization import Determinizer
from meeple.search.lenient import draw_lenient
from meeple.search.moves import (
    Moves,
    copy_state,
    list_moves,
    list_sensible,
    new_moves,
    play,
    seat_to_move,
)

Draw = Callable[[npt.NDArray[np.int32]], int]
"""Draws one of some actions [n]."""

Choose = Callable[[Position, npt.NDArray[np.int32], Draw], int]
"""Chooses one of the actions [n] of a position by draws, as `DecisiveMoves.drawn` does."""


class Scratch(NamedTuple):
    """Working memory of `evaluate_next`."""

    states: npt.NDArray[np.uint8]  # [2, state_bytes] after an action, and after an outcome
    moves: Moves
    outcomes: Moves
    shares: npt.NDArray[np.float64]  # [players]


def new_scratch(game: Game) -> Scratch:
    """Allocate the working memory for a game."""
    return Scratch(
        np.zeros((2, game.state_bytes), dtype=np.uint8),
        new_moves(game.max_moves),
        new_moves(game.max_moves),
        np.zeros(game.players),
    )


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
        self._scratch = new_scratch(game)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start the generator anew, for another game."""
        self._rng = kernels.new_rng(seed)
        self._lenient_rng = numpy_rng(seed)
        self.determinizer.begin(seed)

    def evaluate(self, position: Position) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """Return the sensible actions [A] and the mover's mean share after each [A]."""
        seat = position.to_move
        self.determinizer.fill(position, self._rows, self._rng)
        evaluated = np.zeros(self.game.max_moves)
        count = int(evaluate_next(self.game.rules, seat, self._rows, self._scratch, evaluated))
        return self._scratch.moves.actions[:count].copy(), evaluated[:count]

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
        weights = np.cumsum(self._scratch.moves.weights[: len(actions)][equal])
        drawn = kernels.uniform(self._rng[0]) * weights[-1]
        return int(
            actions[equal[min(int(np.searchsorted(weights, drawn, "right")), len(equal) - 1)]]
        )


@kernel
def evaluate_next(
    rules: Any, seat: int, determinizations: Any, scratch: Any, evaluated: Any
) -> int:
    """Average the mover's share after each sensible action; return the number of actions."""
    count = list_sensible(rules, determinizations[0], scratch.moves)
    for index in range(count):
        total = 0.0
        for determinization in range(determinizations.shape[0]):
            copy_state(determinizations[determinization], scratch.states[0])
            play(rules, scratch.states[0], scratch.moves.actions[index])
            total += _expected(rules, seat, scratch)
        evaluated[index] = total / determinizations.shape[0]
    return count


@kernel
def _expected(rules: Any, seat: int, scratch: Any) -> float:
    """The seat's share in the first state, or the mean over outcomes if chance moves there."""
    states, outcomes, shares = scratch.states, scratch.outcomes, scratch.shares
    if seat_to_move(states[0]) != CHANCE:
        return _share(rules, seat, states[0], shares)
    mean = 0.0
    for index in range(list_moves(rules, LEGAL, states[0], outcomes)):
        copy_state(states[0], states[1])
        play(rules, states[1], outcomes.actions[index])
        mean += outcomes.weights[index] * _share(rules, seat, states[1], shares)
    return mean


@kernel
def _share(rules: Any, seat: int, state: Any, shares: Any) -> float:
    if seat_to_move(state) == OVER:
        invoke2(rules[PAYOFFS], state.ctypes.data, shares.ctypes.data)
    else:
        invoke2(rules[HEURISTIC], state.ctypes.data, shares.ctypes.data)
    return np.float64(shares[seat])
