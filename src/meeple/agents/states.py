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

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._search.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The action of the greatest share."""
        began = time.perf_counter()
        judged = self._search.judge(position, stop)
        values = np.full((len(judged.actions), position.game.players), np.nan)
        values[:, position.to_move] = judged.shares
        self.analysis = Analysis(
            actions=judged.actions,
            visits=np.zeros(len(judged.actions), dtype=np.int64),
            policy=(judged.actions == judged.best).astype(np.float32),
            value=None,
            principal_variation=(judged.best,),
            simulations=0,
            seconds=time.perf_counter() - began,
            action_values=values,
        )
        return judged.best


def make_states(game: Game, path: str, options: Mapping[str, Any], seed: int) -> StatesAgent:
    """`states:PATH`. Raises SpecError for a game that has nothing to judge by."""
    try:
        search = StatesSearch(
            game,
            compiled(find_checkpoint(path), game),
            depth=options["depth"],
            determinizations=options["determinizations"],
            seed=seed,
        )
    except UsageError as error:
        raise SpecError(f"states: {error}") from None
    return StatesAgent(search)
