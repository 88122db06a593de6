"""PUCT: the rule of searches with an evaluator such as a network, whose leaves go in batches."""

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels.table import is_compilation_deferred
from meeple.search.batch import StateBatch, start_states
from meeple.search.budget import Budget
from meeple.search.determinization import Determinizer
from meeple.search.evaluators import Evaluator
from meeple.search.mcts.lockstep import Lockstep, LockstepSettings
from meeple.search.result import SearchResult

PLAIN = LockstepSettings(leaves=6, room=20_000)
"""The settings of a search of one game: no Gumbel root, batches of 6 leaves."""


class Puct:
    """PUCT on a lockstep search of one game; a game that hides something is searched anew."""

    searches_chance = False
    reports_priors = True
    determinizer: Determinizer | None = None  # that of the lockstep search is its own

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        settings: LockstepSettings = PLAIN,
    ) -> None:
        """Make the rule; `evaluator` gives the priors and the values of leaves."""
        self.game, self.evaluator = game, evaluator
        self.begins_anew = game.hides  # the next player to move knows other things
        self.settings = settings
        if not is_compilation_deferred():  # a network's first call is slow
            evaluator.evaluate(StateBatch(game, start_states(game, [0])))

    def begin(self, seed: int) -> None:
        """Make an empty tree and seed the generator."""
        self._lockstep = Lockstep(self.game, 1, self.settings, seed)

    @property
    def root(self) -> npt.NDArray[np.uint8]:
        """The state of the position that it searches: [state_bytes]."""
        return self._lockstep.roots[0]

    @property
    def capacity(self) -> int:
        """Nodes that the tree has room for."""
        return self._lockstep.capacity

    def set_root(self, position: Position, steps: tuple[int, ...] | None, budget: Budget) -> None:
        """Keep the subtree of the moves since the last root, or start afresh."""
        if steps is None:
            self._lockstep.begin([position])
        else:
            self._lockstep.follow(0, steps, position.row)

    def grow(self, position: Position, budget: Budget, winners: npt.NDArray[np.int8] | None) -> int:
        """Run simulations until the budget is spent, at least two; return how many were run.

        The first expands the root, the second visits a child of it.
        """
        wanted = None if budget.simulations is None else max(budget.simulations, 2)
        ran = self._lockstep.run(self.evaluator, 2)
        if wanted is None or wanted > ran:
            more = None if wanted is None else wanted - ran
            ran += self._lockstep.run(self.evaluator, more, budget)
        return ran

    def read(self, simulations: int, seconds: float) -> SearchResult:
        """Read the root."""
        return self._lockstep.result(0, simulations, seconds)
