"""Evaluates each sensible action by a value network's estimate of the resulting state."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.kernels import LEGAL, NARROW, OBSERVE, PRUNE, QUIET, SEAT_FEATURES
from meeple.search.checks import check_decision
from meeple.search.determinization import Determinizer, sensible_actions
from meeple.search.loading import load_kernels
from meeple.search.values.acceptance import Plan, Shares, Terms
from meeple.search.values.bargaining import (
    GAIN,
    RULES,
    SENSIBLE,
    Bargain,
    Partners,
    makes_offer,
    rule_for,
)
from meeple.search.values.lookahead import evaluate_plans, new_state_evaluator, plan_arrays
from meeple.search.values.network import ValueNetwork

DETERMINIZATIONS = 8
MIN_TRADE_GAIN = 0.002  # minimum gain of a trade, in shares


@dataclass(frozen=True)
class EvaluatedActions:
    """The evaluated actions [A], and all seats' mean shares after each [A, P].

    An action that begins a plan of trade has the value of the best such plan.
    """

    seat: int  # that decides
    actions: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float64]
    plans: dict[int, Plan]  # by the first action
    trades: dict[Plan, Bargain]  # the plans that trade
    now: npt.NDArray[np.float64] | None  # [P] shares without a trade, if trade is possible

    @property
    def own(self) -> npt.NDArray[np.float64]:
        """[A] the deciding seat's share after each action."""
        return self.shares[:, self.seat]

    @property
    def best(self) -> Plan:
        """The whole plan of the action with the greatest own share, the first of equal ones."""
        action = int(self.actions[int(np.argmax(self.own))])
        return self.plans[action]


class StatesSearch:
    """Evaluates actions by their resulting states, averaged over determinizations.

    Equal for equal seeds.
    """

    def __init__(
        self,
        game: Game,
        network: ValueNetwork,
        *,
        depth: int = 1,
        determinizations: int = DETERMINIZATIONS,
        offers: str = GAIN,
        seed: int = 0,
    ) -> None:
        """Make a search.

        Args:
            game: the game to search.
            network: evaluates states.
            depth: actions of one turn that it looks ahead.
            determinizations: drawn for each search if the game hides something.
            offers: the rule of trade, one of RULES.
            seed: of all randomness.

        Raises:
            UsageError: a number is below 1, or the rule is unknown.
        """
        if depth < 1 or determinizations < 1:
            raise UsageError("depth and determinizations must be at least 1")
        if offers not in RULES:
            raise UsageError(f"offers are made by one of {', '.join(RULES)}, not {offers!r}")
        self.game, self.depth, self.offers = game, depth, offers
        self.network = network  # keeps the weights alive: the evaluator holds their address
        self._evaluator = new_state_evaluator(game, network)
        self.determinizer = Determinizer(game)
        self._rows = np.zeros((determinizations if game.hides else 1, game.state_bytes), np.uint8)
        load_kernels(game, (PRUNE, NARROW, QUIET, SEAT_FEATURES, OBSERVE, LEGAL), self._load_search)
        self.begin(seed)

    def _load_search(self) -> None:
        # In an unreachable state, kernels may write past their arrays.
        self._rows[0] = self.game.start().row
        self._judge_plans([()])

    def begin(self, seed: int) -> None:
        """Reseed the generators for a new game."""
        self._rng = kernels.new_rng(seed)
        self.determinizer.begin(seed)

    def evaluate(
        self, position: Position, stop: Callable[[], bool] | None = None
    ) -> EvaluatedActions:
        """Evaluate the sensible actions of a decision, as the player to move knows it.

        Once `stop` returns True, the determinizations evaluated so far, at least one, decide.
        """
        check_decision(self.game, position)
        self.determinizer.fill(position, self._rows, self._rng)
        trades = capabilities.offers(position)
        actions = self._actions(position, trades)
        rule = rule_for(self.offers, position, trades, self.network.acceptance)
        plans: list[Plan] = [(action,) for action in actions]
        own = len(plans)
        plans += [(), *rule.plans] if rule else []
        shares = self._judge_plans(plans, stop)
        bargains = [Bargain(*one) for one in zip(plans[:own], shares[:, :own].mean(0), strict=True)]
        if rule is None:
            return _best_by_action(position.to_move, bargains, [], None)
        now = shares[:, _untraded(position, trades, plans[:own], shares)]
        worth_it = now.mean(axis=0)[position.to_move] + MIN_TRADE_GAIN
        found = rule.bargains(now, shares[:, own + 1 :])
        traded = [one for one in found if one.shares[position.to_move] >= worth_it]
        return _best_by_action(position.to_move, bargains, traded, now.mean(axis=0))

    def terms(self, position: Position) -> list[Terms]:
        """Return every offer's terms for the seat to move and each partner that could accept it."""
        check_decision(self.game, position)
        self.determinizer.fill(position, self._rows, self._rng)
        partners = Partners(position, list(filter(makes_offer, capabilities.offers(position))))
        shares = self._judge_plans([(), *partners.plans])
        return partners.terms(shares[:, 0], shares[:, 1:])

    def _actions(self, position: Position, trades: Sequence[Plan]) -> list[int]:
        """The sensible actions; without offers, unless the rule of trade is SENSIBLE."""
        actions: list[int] = sensible_actions(position).tolist()
        if self.offers == SENSIBLE:
            return actions
        offered = {plan[0] for plan in trades if makes_offer(plan)}
        return [action for action in actions if action not in offered]

    def _judge_plans(self, plans: Sequence[Plan], stop: Callable[[], bool] | None = None) -> Shares:
        """All seats' shares [W, N, P] after each plan by determinization; NaN if not allowed.

        One determinization suffices if there is one plan, or once `stop` returns True.
        """
        actions, lengths = plan_arrays(plans)
        found = np.zeros((len(self._rows), len(plans), self.game.players))
        for number, row in enumerate(self._rows):
            evaluate_plans(self._evaluator, row, actions, lengths, self.depth - 1, found[number])
            if len(plans) == 1 or (stop is not None and stop()):
                return found[: number + 1]
        return found


def _untraded(
    position: Position, trades: Sequence[Plan], actions: Sequence[Plan], shares: Shares
) -> int:
    """The index into the shares [W, N, P] of the alternative to trading: the unchanged state.

    If the seat must answer an offer, it is the best action that is no answer.
    """
    answers = {plan for plan in trades if not makes_offer(plan)}
    others = [number for number, plan in enumerate(actions) if plan not in answers]
    if not answers or not others:
        return len(actions)
    return max(others, key=lambda number: float(shares[:, number, position.to_move].mean()))


def _best_by_action(
    seat: int,
    actions: Sequence[Bargain],
    trades: Sequence[Bargain],
    now: npt.NDArray[np.float64] | None,
) -> EvaluatedActions:
    """For each first action, select the action or plan of trade that is best for the seat."""
    best: dict[int, Bargain] = {}
    for bargain in (*trades, *actions):
        action = bargain.plan[0]
        if action not in best or bargain.shares[seat] > best[action].shares[seat]:
            best[action] = bargain
    plans = {action: bargain.plan for action, bargain in best.items()}
    return EvaluatedActions(
        seat,
        np.array(list(best), dtype=np.int32),
        np.array([bargain.shares for bargain in best.values()]),
        plans,
        {trade.plan: trade for trade in trades if trade.plan in plans.values()},
        now,
    )
