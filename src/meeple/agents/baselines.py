"""Baseline agents: random, by weights, and by a heuristic one move ahead."""

from collections.abc import Callable, Mapping
from typing import Any

from meeple import kernels
from meeple.agents.agent import Analysis
from meeple.agents.refusals import spare_refusers
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.minimax.greedy import GreedySearch
from meeple.search.moves import draw_sensible, new_moves
from meeple.search.room import faults_reported


class RandomAgent:
    """Plays a legal action, drawn uniformly."""

    def __init__(self, seed: int = 0) -> None:
        self.spec = "random"
        self.analysis: Analysis | None = None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._rng = numpy_rng(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        legal = position.legal_actions()
        return int(legal[self._rng.integers(len(legal))])


class WeightedAgent:
    """Draws from the game's sensible actions by their weights."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Make the agent. Raises UsageError for a game without such weights."""
        if not game.has(kernels.PRUNE):
            raise UsageError(f"{game.name} does not say which actions are sensible")
        self.spec = "weighted"
        self.analysis: Analysis | None = None
        self._game = game
        self._moves = new_moves(game)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start the generator anew."""
        self._seed, self._rng = seed, kernels.new_rng(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return a sensible action."""
        state = spare_refusers(position, self._seed).row.copy()
        with faults_reported(self._game, position):
            return int(draw_sensible(self._game.addresses, state, self._moves, self._rng[0], False))


class GreedyAgent:
    """Plays the action with the best next position by the game's heuristic.

    If something is hidden, values are means over determinizations. With a loss, the choice is
    lenient, but takes a win in one and, if nothing is hidden, prevents a loss in one.
    """

    def __init__(
        self, game: Game, *, determinizations: int = 8, loss: float = 0.0, seed: int = 0
    ) -> None:
        """Make the agent. Raises UsageError for a game without a heuristic."""
        self.spec = "greedy"
        self.analysis: Analysis | None = None
        self._search = GreedySearch(game, determinizations=determinizations, loss=loss, seed=seed)
        self._decisive = DecisiveMoves(game, seed=seed) if loss and not game.hides else None
        self._seed = seed

    def begin(self, seed: int) -> None:
        """Forget the game before."""
        self._seed = seed
        self._search.begin(seed)
        if self._decisive is not None:
            self._decisive.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the action after which the seat to move has the greatest share."""
        choose = None if self._decisive is None else self._decisive.drawn
        with faults_reported(position.game, position):
            return self._search.best(spare_refusers(position, self._seed), choose)


def make_random(game: Game, options: Mapping[str, Any], seed: int) -> RandomAgent:
    """Make the agent of the spec `random`."""
    return RandomAgent(seed)


def make_weighted(game: Game, options: Mapping[str, Any], seed: int) -> WeightedAgent:
    """Make the agent of the spec `weighted`."""
    return WeightedAgent(game, seed)


def make_greedy(game: Game, options: Mapping[str, Any], seed: int) -> GreedyAgent:
    """Make the agent of the spec `greedy`."""
    return GreedyAgent(
        game, determinizations=options["determinizations"], loss=options["loss"], seed=seed
    )
