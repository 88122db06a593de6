"""The driver of every tree search: limits, the root, the simulations, and the result.

What differs from search to search is a rule that the driver is given: `OpenUct` (`uct.py`),
`InformationSetUct` (`information_set.py`) or `Puct` (`puct.py`).
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.budget import Budget
from meeple.search.checks import check_decision, check_position
from meeple.search.determinization import Determinizer
from meeple.search.lenient import with_lenient_choice
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.result import SearchResult
from meeple.search.room import faults_reported


class SearchRule(Protocol):
    """How a search grows its trees: expansion, selection, and the evaluation of leaves."""

    game: Game
    begins_anew: bool  # every search starts with an empty tree
    searches_chance: bool  # a chance node may be the root
    reports_priors: bool  # the priors of a result are a network's policy

    @property
    def root(self) -> npt.NDArray[np.uint8]:
        """The state of the position that it searches: [state_bytes]."""
        ...

    @property
    def determinizer(self) -> Determinizer | None:
        """The beliefs that determinizations are drawn from; None if the rule has none to share."""
        ...

    def begin(self, seed: int) -> None:
        """Compile or load the kernels, empty the trees and seed the generators."""
        ...

    def set_root(self, position: Position, steps: tuple[int, ...] | None, budget: Budget) -> None:
        """Make a position the root.

        Args:
            position: the new root.
            steps: the actions since the last root, whose subtree is kept; None: start afresh.
            budget: the limits of this search, by which room is reserved.
        """
        ...

    def grow(self, position: Position, budget: Budget, winners: npt.NDArray[np.int8] | None) -> int:
        """Run simulations until the budget is spent; return how many were run.

        `winners` [num_actions] is that of `DecisiveMoves`; None if no action is decisive.
        """
        ...

    def read(self, simulations: int, seconds: float) -> SearchResult:
        """Read the result from the root."""
        ...


class RootPhase(Protocol):
    """A step of a search between setting the root and its first simulation."""

    def attach(self, rule: Any) -> None:
        """Load the kernels for a rule. Raises UsageError for a rule that it does not fit."""
        ...

    def prepare(self, rule: Any, position: Position) -> None:
        """Read or change the trees of a rule before a search of a position."""
        ...


R = TypeVar("R", bound=SearchRule)


class TreeSearch(Generic[R]):
    """Searches one position after another by a rule, and keeps the tree from move to move.

    Equal for equal seeds and simulations. A search knows no more than the player to move.
    """

    def __init__(
        self,
        rule: R,
        *,
        phases: Sequence[RootPhase] = (),
        decisive: bool = False,
        loss: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Make a search.

        Args:
            rule: how trees are grown.
            phases: steps before the first simulation of each search, in this order.
            decisive: look for decisive moves at the root (`decisive.py`).
            loss: share of the win that moves give away, as a scale; 0: none (`lenient.py`).
            seed: of all randomness.

        Raises:
            UsageError: a phase does not fit the rule.
        """
        self.rule, self.game = rule, rule.game
        self.phases = phases
        self._loss = loss
        self._decisive = (
            DecisiveMoves(rule.game, determinizer=rule.determinizer, seed=seed)
            if decisive
            else None
        )
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        for phase in self.phases:
            phase.attach(self.rule)
        self.rule.begin(seed)
        if self._decisive is not None:
            self._decisive.begin(seed)
        self._history: tuple[int, ...] | None = None
        self._rng = numpy_rng(seed)

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Search a position until a limit is reached; at least one limit is needed.

        A proven root ends the search at once.

        Args:
            position: the game must not be over.
            simulations: of all threads together.
            seconds: wall clock.
            stop: polled about every 10 ms, or before every batch of a network; True ends the
                search.

        Raises:
            UsageError: no limit, a limit out of range, or a position that cannot be searched.
            NetworkError: a network's output is not finite.
            MeepleError: the rules of the game are at fault.
        """
        budget = Budget(simulations=simulations, seconds=seconds, stop=stop)
        check = check_position if self.rule.searches_chance else check_decision
        check(self.game, position)
        history = (position.seed, *position.actions)  # the seed may have drawn an opening
        steps = None if self.rule.begins_anew else moves_since(self._history, history)
        self._history = None  # an interrupted search leaves trees with visits but no values
        decisive = self._decisive if position.to_move >= 0 else None
        with faults_reported(self.game, position):
            self.rule.set_root(position, steps, budget)
            for phase in self.phases:
                phase.prepare(self.rule, position)
            found = decisive is not None and decisive.look(position, self.rule.root)
            winners = decisive.winners if decisive is not None and found else None
            done = self.rule.grow(position, budget, winners)
            result = self.rule.read(done, budget.elapsed)
            self._history = history
            if self._loss and position.to_move >= 0:
                result = with_lenient_choice(result, position.to_move, self._loss, self._rng)
            return result if decisive is None else decisive.settled(result, position)


def moves_since(before: tuple[int, ...] | None, now: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the actions from one history to a longer one; None if it is another game."""
    if before is None or now[: len(before)] != before:
        return None
    return now[len(before) :]
