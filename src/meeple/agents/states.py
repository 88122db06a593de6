"""The agent of the spec `states`: the best resulting state by a value network."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Analysis
from meeple.agents.network_files import VALUES, check_kind
from meeple.agents.search_agent import NO_LIMITS, Limits, limits_in
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.budget import Budget
from meeple.search.lenient import draw_lenient
from meeple.search.room import faults_reported
from meeple.search.values.deliberation import Deliberation
from meeple.search.values.file import compiled
from meeple.search.values.states import EvaluatedActions, StatesSearch
from meeple.tensor_file import PathLike

SHARE_SCALE = 0.01  # loss in shares that reduces an action's part of the policy by a factor e


class StatesAgent:
    """Plays the action whose resulting state a value network evaluates as best."""

    def __init__(self, search: StatesSearch, loss: float = 0.0, limits: Limits = NO_LIMITS) -> None:
        """Make the agent.

        Args:
            search: evaluates the actions.
            loss: scale of the shares that actions give away (`search/lenient.py`).
            limits: of the playouts that compare the best plans; without a limit there are none.
        """
        self.spec = "states"
        self.analysis: Analysis | None = None
        self.search = search
        self.limits = limits
        self._deliberation = None
        if limits != NO_LIMITS:
            self._deliberation = Deliberation(
                search.game, search.network, search.determinizer, depth=search.depth
            )
        self._loss = loss
        self._rng = np.random.default_rng(0)
        self._plan: tuple[int, ...] = ()  # actions of the game, then planned actions
        self._chosen = 0  # length of the plan up to the last choice

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._plan, self._chosen = (), 0
        self.search.begin(seed)
        if self._deliberation is not None:
            self._deliberation.begin(seed)
        self._rng = numpy_rng(seed)

    def drop_plan(self) -> None:
        """Forget the plan in progress: the next choice is evaluated, also within an offer."""
        self._plan, self._chosen = (), 0

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the action of the greatest share, or the next action of a plan in progress.

        With a loss, the choice is lenient.
        """
        past = position.actions
        if self._chosen <= len(past) < len(self._plan) and self._plan[: len(past)] == past:
            self.analysis = None
            return self._plan[len(past)]
        began = time.perf_counter()
        evaluated, playouts = self._evaluated(position, stop)
        drawn = draw_lenient(evaluated.own, self._loss, self._rng)
        plan = evaluated.plans[int(evaluated.actions[drawn])]
        self._plan, self._chosen = (*past, *plan), len(past) + 1
        self.analysis = Analysis(
            actions=evaluated.actions,
            visits=np.array([playouts.get(action, 0) for action in evaluated.actions.tolist()]),
            policy=_favoured(evaluated.own),
            value=evaluated.shares[int(np.argmax(evaluated.own))],
            principal_variation=plan,
            simulations=sum(playouts.values()),
            seconds=time.perf_counter() - began,
            action_values=evaluated.shares,
            reasons=_reasons(position, evaluated),
            labels=_labels(position, evaluated),
        )
        return plan[0]

    def _evaluated(
        self, position: Position, stop: Callable[[], bool] | None
    ) -> tuple[EvaluatedActions, dict[int, int]]:
        """Evaluate a decision within the limits; return also the playouts of each action."""
        if self._deliberation is None:
            with faults_reported(position.game, position):
                return self.search.evaluate(position, stop), {}
        simulations, seconds = self.limits
        budget = Budget(simulations=simulations, seconds=seconds, stop=stop, first=1)
        with faults_reported(position.game, position):
            evaluated = self.search.evaluate(position, budget.is_spent)
            return self._deliberation.compare(position, evaluated, budget)


def _favoured(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return weights of actions, which sum to 1: a softmax of shares with SHARE_SCALE."""
    powers = np.exp((shares - shares.max()) / SHARE_SCALE)
    return np.asarray(powers / powers.sum(), dtype=np.float32)


def _reasons(position: Position, evaluated: EvaluatedActions) -> dict[int, str]:
    """Describe each trade: gains of its seat, and of its partners or the seat that gains most."""
    found = {}
    for action, shares in zip(evaluated.actions.tolist(), evaluated.shares, strict=True):
        trade = evaluated.trades.get(evaluated.plans[action])
        if trade is None or evaluated.now is None:
            continue
        gains = shares - evaluated.now if trade.terms is None else trade.terms.gains
        others = [seat for seat in range(len(gains)) if seat != evaluated.seat]
        shown = trade.terms.partners if trade.terms else [max(others, key=lambda one: gains[one])]
        words = [f"{100 * gains[evaluated.seat]:+.1f} % for you"]
        words += [f"{100 * gains[o]:+.1f} % for {position.game.player_name(o)}" for o in shown]
        if trade.chance < 1:
            words.append(f"agreed to {100 * trade.chance:.0f} % of the time")
        said = ", ".join(words)
        begins = len(trade.plan) > 1  # its label says what is offered
        offer = capabilities.offer_words(position, trade.plan)
        found[action] = said if begins else f"{offer}: {said}"
    return found


def _labels(position: Position, evaluated: EvaluatedActions) -> dict[int, str]:
    """Describe each action that begins an offer by the whole offer."""
    return {
        action: f"offer {capabilities.offer_words(position, plan)}"
        for action, plan in evaluated.plans.items()
        if plan in evaluated.trades and len(plan) > 1
    }


def make_states(game: Game, path: PathLike, options: Mapping[str, Any], seed: int) -> StatesAgent:
    """Make the agent of `states:PATH`. Raises SpecError, or CheckpointError for a wrong file."""
    check_kind(path, VALUES)
    search = StatesSearch(
        game,
        compiled(path, game),
        depth=options["depth"],
        determinizations=options["determinizations"],
        offers=options["offers"],
        seed=seed,
    )
    return StatesAgent(search, options["loss"], limits_in(options))
