"""Compares the actions of a position by playouts on common random numbers; there is no tree.

For games of chance and of hidden information: what differs between actions is not the luck of their
playouts. Actions that are clearly worse are dropped, and the search ends once the rest is decided
(`values/comparison.py`). In the playouts every seat plays by one quick policy with all cards open,
as in the rollouts of a tree search.
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import HEURISTIC
from meeple.search.budget import Budget
from meeple.search.checks import check_plies
from meeple.search.determinization import Determinizer, searched_by_determinization
from meeple.search.moves import NO_ACTION, list_tree_moves, new_moves
from meeple.search.result import SearchResult
from meeple.search.values.comparison import Comparison
from meeple.search.values.labels import GREEDY, RANDOM, WEIGHTED
from meeple.search.values.playouts import TO_THE_END, Players, Playouts

QUICK = "quick"
POLICIES = {"greedy": GREEDY, "weighted": WEIGHTED, "random": RANDOM}
"""Policies of playouts by name: the best next position by the heuristic, sensible actions by their
weights, any legal action."""


class RootPlayouts:
    """The rule of a search without a tree (`mcts/search.py`): a simulation is a playout."""

    begins_anew = True
    searches_chance = False
    reports_priors = False

    def __init__(self, game: Game, *, policy: str = QUICK, plies: int = 0) -> None:
        """Load the kernels.

        Args:
            game: the game to search.
            policy: plays the playouts, one of POLICIES; QUICK: greedy in games that hide something
                or name their sensible actions, if they have a heuristic, else weighted.
            plies: moves of a playout before the heuristic evaluates; 0: to the end.

        Raises:
            UsageError: the game has no heuristic, but the settings need one.
        """
        check_plies(game, plies)
        if policy == QUICK:
            quick = searched_by_determinization(game) and game.has(HEURISTIC)
            policy = "greedy" if quick else "weighted"
        if policy == "greedy" and not game.has(HEURISTIC):
            raise UsageError(f"{game.name} has no heuristic: no greedy policy can play it")
        self.game = game
        self.root = np.empty(game.state_bytes, dtype=np.uint8)
        self._moves = new_moves(game)
        self._playouts = Playouts(game, Players(POLICIES[policy], plies or TO_THE_END))

    @property
    def determinizer(self) -> Determinizer | None:
        """The beliefs that playouts begin from."""
        return self._playouts.determinizer

    def begin(self, seed: int) -> None:
        """Reseed the generators for a new game."""
        self._playouts.begin(seed)

    def set_root(self, position: Position, steps: tuple[int, ...] | None, budget: Budget) -> None:
        """List the actions to compare: those that a tree would try."""
        self.root[:] = position.row
        count = list_tree_moves(self.game.addresses, self.root, self._moves, NO_ACTION)
        self._actions = np.sort(self._moves.actions[:count])
        even = np.full((count, self.game.players), 1 / self.game.players)
        self._comparison = Comparison(position.to_move, even)

    def grow(self, position: Position, budget: Budget, winners: npt.NDArray[np.int8] | None) -> int:
        """Play out until one action is left or the budget is spent; return the playouts."""
        plans = [(action,) for action in self._actions.tolist()]
        budget = dataclasses.replace(budget, first=1)
        return self._playouts.compare(position, plans, self._comparison, budget)

    def read(self, simulations: int, seconds: float) -> SearchResult:
        """Return the estimates of all actions."""
        compared = self._comparison
        values, visits = compared.shares(), compared.rounds
        best = int(np.argmax(values[:, compared.seat]))
        value = values[best].copy()
        values[visits == 0] = np.nan
        return SearchResult(
            actions=self._actions,
            visits=visits.copy(),
            values=values,
            priors=np.zeros(len(visits), dtype=np.float32),
            value=value,
            best=int(self._actions[best]),
            proven=False,
            principal_variation=[int(self._actions[best])],
            simulations=simulations,
            seconds=seconds,
        )
