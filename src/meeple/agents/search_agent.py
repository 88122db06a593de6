"""The agent that plays what a tree search favours: one of `uct.py`, `puct.py` or `study.py`."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from meeple.agents.agent import Analysis
from meeple.agents.stopped import saved_if_stopped
from meeple.errors import SpecError
from meeple.games.contract.game import Position
from meeple.search.mcts.biased import BiasedSearch
from meeple.search.mcts.decisive import DecisiveMoves
from meeple.search.mcts.information_set import InformationSetSearch
from meeple.search.mcts.puct import NetworkSearch
from meeple.search.mcts.uct import UctSearch
from meeple.search.result import SearchResult


class SearchAgent:
    """Plays what a search favours, by simulations or seconds a move; its tree lasts all game."""

    def __init__(
        self,
        search: UctSearch | InformationSetSearch | NetworkSearch | BiasedSearch,
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
        asked = isinstance(self.search, NetworkSearch)
        self.analysis = dataclasses.replace(analysis, prior=result.priors) if asked else analysis
        return result.best

    @property
    def begins_anew(self) -> bool:
        """Whether searching a position again begins with nothing, and does not go on."""
        if isinstance(self.search, NetworkSearch):
            return self.search.game.hides
        return isinstance(self.search, InformationSetSearch | BiasedSearch)


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
