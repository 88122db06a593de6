"""The agent of the spec `states`: the best resulting state by a value network."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Analysis
from meeple.agents.networks import find_checkpoint
from meeple.errors import SpecError, UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.search.values.file import compiled
from meeple.search.values.states import EvaluatedActions, StatesSearch

SLIGHT = 0.01  # of a share: what makes an action a little worse than another


class StatesAgent:
    """Plays the action after which its chances are best, as a network says."""

    def __init__(self, search: StatesSearch) -> None:
        self.spec = "states"
        self.analysis: Analysis | None = None
        self.search = search
        self._plan: tuple[int, ...] = ()  # actions of the game, and those that it means to play
        self._chosen = 0  # of these it has chosen, the game's own included

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._plan, self._chosen = (), 0
        self.search.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The action of the greatest share, or the next one of a plan that it has begun."""
        past = position.actions
        if self._chosen <= len(past) < len(self._plan) and self._plan[: len(past)] == past:
            self.analysis = None
            return self._plan[len(past)]
        began = time.perf_counter()
        judged = self.search.evaluate(position, stop)
        plan = judged.best
        self._plan, self._chosen = (*past, *plan), len(past) + 1
        self.analysis = Analysis(
            actions=judged.actions,
            visits=np.zeros(len(judged.actions), dtype=np.int64),
            policy=_favoured(judged.own),
            value=judged.shares[int(np.argmax(judged.own))],
            principal_variation=plan,
            simulations=0,
            seconds=time.perf_counter() - began,
            action_values=judged.shares,
            reasons=_reasons(position, judged),
        )
        return plan[0]


def _favoured(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """How near each action is to the best, which alone is played: an e-th for each SLIGHT less."""
    powers = np.exp((shares - shares.max()) / SLIGHT)
    return np.asarray(powers / powers.sum(), dtype=np.float32)


def _reasons(position: Position, judged: EvaluatedActions) -> dict[int, str]:
    """Of each trade what it brings its seat, and its partner or who else gains most by it."""
    found = {}
    for action, shares in zip(judged.actions.tolist(), judged.shares, strict=True):
        trade = judged.trades.get(judged.plans[action])
        if trade is None or judged.now is None:
            continue
        gains = shares - judged.now if trade.terms is None else trade.terms.gains
        others = [seat for seat in range(len(gains)) if seat != judged.seat]
        told = trade.terms.partners if trade.terms else [max(others, key=lambda one: gains[one])]
        words = [f"{100 * gains[judged.seat]:+.1f} % for you"]
        words += [f"{100 * gains[o]:+.1f} % for {position.game.player_name(o)}" for o in told]
        if trade.chance < 1:
            words.append(f"agreed to {100 * trade.chance:.0f} % of the time")
        found[action] = f"{capabilities.offer_words(position, trade.plan)}: {', '.join(words)}"
    return found


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
