"""The agent that plays what a tree search favours."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from meeple.agents.agent import Analysis
from meeple.agents.refusals import spare_refusers
from meeple.agents.stopped import saved_if_stopped
from meeple.errors import SpecError
from meeple.games.contract.capabilities import RemembersAnswers
from meeple.games.contract.game import Position
from meeple.search.mcts.search import TreeSearch
from meeple.search.result import SearchResult
from meeple.sentences import say


class SearchAgent:
    """Plays the action that a search favours, by simulations or seconds a move."""

    def __init__(
        self, search: TreeSearch[Any], *, simulations: int | None, seconds: float | None
    ) -> None:
        """Make the agent; at least one limit is needed, and the first reached ends a search."""
        self.spec = "search"
        self.analysis: Analysis | None = None
        self.simulations = simulations
        self.seconds = seconds
        self.search = search
        self._seed = 0

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._seed = seed
        self.search.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the action that the search favours: decisive, proven to win, or most visited.

        Raises NetworkError, with the game saved, if a network's output is not finite.
        """
        with saved_if_stopped(position, self.spec):
            searched = spare_refusers(position, self._seed)
            result = self.search.run(searched, self.simulations, self.seconds, stop)
        if isinstance(position.game, RemembersAnswers):  # offers may have been left out
            result = dataclasses.replace(result, proven=False)
        self.analysis = analysis_of(result)
        if self.search.rule.reports_priors:
            self.analysis = dataclasses.replace(self.analysis, prior=result.priors)
        return result.best

    @property
    def begins_anew(self) -> bool:
        """Whether searching a position again discards the tree of the last search."""
        return bool(self.search.rule.begins_anew)


def analysis_of(result: SearchResult) -> Analysis:
    """Return a search result as an agent reports it."""
    return Analysis(
        actions=result.actions,
        visits=result.visits,
        policy=result.policy.astype("float32"),
        value=result.value,
        principal_variation=tuple(result.principal_variation),
        simulations=result.simulations,
        seconds=result.seconds,
        action_values=result.values,
        proven=result.proven,
    )


class Limits(NamedTuple):
    """When a search stops: the first limit reached ends it."""

    simulations: int | None
    seconds: float | None


NO_LIMITS = Limits(None, None)
"""Nothing ends a search but itself."""


def limits_in(options: Mapping[str, Any]) -> Limits:
    """Return the limits that a spec's options set."""
    return Limits(options.get("sims"), options.get("seconds"))


def limits_of(start: str, options: Mapping[str, Any]) -> Limits:
    """Return the limits that a spec sets; `start` is how one begins, such as "uct:".

    Raises SpecError if it sets none.
    """
    limits = limits_in(options)
    if limits == NO_LIMITS:
        name = start.partition(":")[0]
        raise SpecError(
            say("agent.needs_limit", agent=name, spec=f"{start}sims=400 or {start}seconds=0.5")
        )
    return limits
