"""The agent of the spec `states`: the best resulting state by a value network."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.agents.networks import find_checkpoint
from meeple.errors import SpecError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.search.values.file import compiled
from meeple.search.values.states import StatesSearch


class StatesAgent:
    """Plays the action after which its chances are best, as a network says."""

    def __init__(self, search: StatesSearch) -> None:
        self.spec = "states"
        self.analysis: Analysis | None = None
        self._search = search
        self._plan: tuple[int, ...] = ()  # actions of the game, and those that it means to play
        self._chosen = 0  # of these it has chosen, the game's own included

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._plan, self._chosen = (), 0
        self._search.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The action of the greatest share, or the next one of a plan that it has begun."""
        past = position.actions
        if self._chosen <= len(past) < len(self._plan) and self._plan[: len(past)] == past:
            self.analysis = None
            return self._plan[len(past)]
        began = time.perf_counter()
        judged = self._search.judge(position, stop)
        plan = judged.best
        self._plan, self._chosen = (*past, *plan), len(past) + 1
        self.analysis = Analysis(
            actions=judged.actions,
            visits=np.zeros(len(judged.actions), dtype=np.int64),
            policy=(judged.actions == plan[0]).astype(np.float32),
            value=judged.shares[int(np.argmax(judged.own))],
            principal_variation=plan,
            simulations=0,
            seconds=time.perf_counter() - began,
            action_values=judged.shares,
        )
        return plan[0]


def make_states(game: Game, path: str, options: Mapping[str, Any], seed: int) -> StatesAgent:
    """`states:PATH`. Raises SpecError for a game that has nothing to judge by."""
    try:
        search = StatesSearch(
            game,
            compiled(find_checkpoint(path), game),
            depth=options["depth"],
            determinizations=options["determinizations"],
            offers=options["offers"],
            seed=seed,
        )
    except UsageError as error:
        raise SpecError(f"states: {error}") from None
    return StatesAgent(search)
