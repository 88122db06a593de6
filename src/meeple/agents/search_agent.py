"""The agent that plays what a tree search favours."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from meeple.agents.agent import Analysis
from meeple.agents.stopped import saved_if_stopped
from meeple.errors import SpecError
from meeple.games.contract.game import Position
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.result import SearchResult


class Search(Protocol):
    """A tree search of one position after another."""

    @property
    def begins_anew(self) -> bool:
        """Whether a search of the same position discards the tree of the one before."""
        ...

    @property
    def reports_priors(self) -> bool:
        """Whether the priors of its results come from a network."""
        ...

    def begin(self, seed: int) -> None:
        """Forget the game before."""
        ...

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Search until a limit is reached."""
        ...


class SearchAgent:
    """Plays what a search favours, by simulations or seconds a move; its tree lasts all game."""

    def __init__(
        self,
        search: Search,
        *,
        simulations: int | None,
        seconds: float | None,
        decisive: DecisiveMoves | None = None,
    ) -> None:
        """At least one of the limits must be given; with both, whichever comes first.

        `decisive`: the look-ahead at the root, for a search that has none of its own.
        """
        self.spec = "search"
        self.analysis: Analysis | None = None
        self.simulations = simulations
        self.seconds = seconds
        self.search = search
        self._decisive = decisive

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self.search.begin(seed)
        if self._decisive is not None:
            self._decisive.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The action that search favours: a decisive one, a proven win, or the most visited.

        Raises NetworkError, the game saved, where a network's output is not finite.
        """
        with saved_if_stopped(position, self.spec):
            if self._decisive is not None:
                self._decisive.look(position)
            result = self.search.run(position, self.simulations, self.seconds, stop)
            if self._decisive is not None:
                result = self._decisive.settled(result, position)
        analysis = analysis_of(result)
        self.analysis = (
            dataclasses.replace(analysis, prior=result.priors)
            if self.search.reports_priors
            else analysis
        )
        return result.best

    @property
    def begins_anew(self) -> bool:
        """Whether searching a position again discards the tree of the last search."""
        return self.search.begins_anew


def analysis_of(result: SearchResult) -> Analysis:
    """What a search found, as an agent reports it."""
    return Analysis(
        actions=result.actions,
        visits=result.visits,
        policy=result.policy.astype("float32"),
        value=result.value,
        principal_variation=tuple(result.principal_variation),
        simulations=result.simulations,
        seconds=result.seconds,
        action_values=result.values,
    )


class Limits(NamedTuple):
    """When a search stops; with both, whichever comes first."""

    simulations: int | None
    seconds: float | None


def limits_of(start: str, options: Mapping[str, Any]) -> Limits:
    """The limits that a spec sets; `start` is how one begins, such as "uct:".

    Raises SpecError where there is none.
    """
    limits = Limits(options.get("sims"), options.get("seconds"))
    if limits == (None, None):
        name = start.partition(":")[0]
        raise SpecError(f"{name} needs a limit: write {start}sims=400 or {start}seconds=0.5")
    return limits
