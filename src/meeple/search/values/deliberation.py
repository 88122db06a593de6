"""Compares the best plans of a decision by playouts of the network itself.

Time is spent only where the network's values leave a doubt, and as long as it does: its values of
the resulting states count as known with a standard error (`comparison.py`). A plan goes on to a
quiet position, so that a settlement of the set-up is compared with its road, and the robber's tile
with its victim; with a greater depth it goes on through the turn. Playouts go on from there: in the
set-up the network first plays it to its end, for every seat.
"""

import dataclasses
from typing import Any

import numpy as np

from meeple import kernels
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.kernels import kernel
from meeple.search.budget import Budget
from meeple.search.determinization import Determinizer
from meeple.search.loading import load_kernels
from meeple.search.moves import copy_state, list_tree_moves, seat_to_move
from meeple.search.values.acceptance import Plan, Shares
from meeple.search.values.bargaining import makes_offer
from meeple.search.values.comparison import Comparison
from meeple.search.values.labels import NETWORK
from meeple.search.values.lookahead import (
    ends_lookahead,
    evaluate_plans,
    follow_plan,
    new_state_evaluator,
    plan_arrays,
)
from meeple.search.values.network import ValueNetwork
from meeple.search.values.playouts import Players, Playouts
from meeple.search.values.states import EvaluatedActions

HORIZON = 32  # moves of a playout: about two turns of four players who trade
DEVIATION = 0.03  # standard error of the difference between two values, as measured in shares
MAX_PLANS = 8  # that are played out
MAX_STEPS = 8  # actions of a plan
_ROWS = 4  # determinizations in which plans are extended


class Deliberation:
    """Compares plans of one game by a network's playouts. Equal for equal seeds and playouts."""

    def __init__(
        self,
        game: Game,
        network: ValueNetwork,
        determinizer: Determinizer,
        *,
        depth: int = 1,
        seed: int = 0,
    ) -> None:
        """Load the kernels.

        Args:
            game: the game to search.
            network: evaluates states, and plays for every seat.
            determinizer: shares its beliefs.
            depth: actions of a turn that a plan chooses; further ones lead to a quiet position.
            seed: of all randomness.
        """
        self.game, self.depth = game, depth
        self._evaluator = new_state_evaluator(game, network)
        self._playouts = Playouts(game, Players(NETWORK, HORIZON), network, determinizer)
        self._rows = np.zeros((_ROWS if game.hides else 1, game.state_bytes), np.uint8)
        load_kernels(game, (), self._load)
        self.begin(seed)

    def _load(self) -> None:
        list_extensions(self._evaluator, self._rows[0], np.zeros(0, np.int32), 0)

    def begin(self, seed: int) -> None:
        """Reseed the generators for a new game."""
        self._rng = kernels.new_rng(seed)
        self._playouts.begin(seed)

    def compare(
        self, position: Position, evaluated: EvaluatedActions, budget: Budget
    ) -> tuple[EvaluatedActions, dict[int, int]]:
        """Return the actions with values corrected by playouts, and the playouts of each.

        Offers to other players keep their values, and if one is the best, nothing is played out.
        """
        offers = {plan for plan in evaluated.trades if len(plan) > 1}
        if evaluated.best in offers or budget.is_spent():
            return evaluated, {}
        plans, values = self._whole_plans(position, evaluated, offers)
        comparison = Comparison(evaluated.seat, values, DEVIATION)
        if comparison.decided:
            return evaluated, {}
        self._playouts.compare(position, plans, comparison, budget)
        shares, chosen = evaluated.shares.copy(), dict(evaluated.plans)
        found, rounds = comparison.shares(), dict.fromkeys(chosen, 0)
        places = {action: place for place, action in enumerate(evaluated.actions.tolist())}
        for number in np.argsort(found[:, evaluated.seat]).tolist():  # the best one last
            action = plans[number][0]
            shares[places[action]], chosen[action] = found[number], plans[number]
            rounds[action] += int(comparison.rounds[number])
        return dataclasses.replace(evaluated, shares=shares, plans=chosen), rounds

    def _whole_plans(
        self, position: Position, evaluated: EvaluatedActions, offers: set[Plan]
    ) -> tuple[list[Plan], Shares]:
        """Return the best plans that make no offer, with their values [K, P].

        The best plan of an action has the action's value.
        """
        seat = evaluated.seat
        known = dict(zip(evaluated.actions.tolist(), evaluated.shares, strict=True))
        begun = [action for action in known if evaluated.plans[action] not in offers]
        begun = sorted(begun, key=lambda action: -float(known[action][seat]))[:MAX_PLANS]
        self._playouts.determinizer.fill(position, self._rows, self._rng)
        banned = {plan[0] for plan in capabilities.offers(position) if makes_offer(plan)}
        plans = self._completed([(action,) for action in begun], banned)
        shares = self._judged(plans)
        best = {action: np.full(self.game.players, -np.inf) for action in begun}
        for plan, share in zip(plans, shares, strict=True):
            if share[seat] > best[plan[0]][seat]:
                best[plan[0]] = share
        values = [
            known[plan[0]] + share - best[plan[0]]
            for plan, share in zip(plans, shares, strict=True)
        ]
        order = np.argsort([-value[seat] for value in values], kind="stable")[:MAX_PLANS].tolist()
        return [plans[place] for place in order], np.array([values[place] for place in order])

    def _completed(self, plans: list[Plan], banned: set[int]) -> list[Plan]:
        """Return longer plans that begin with these: of each length at most the best MAX_PLANS.

        Of plans that lead to one state the first is returned. No later action is one of `banned`.
        """
        found: list[Plan] = []
        for _ in range(MAX_STEPS):
            more: dict[bytes, tuple[Plan, list[int]]] = {}
            for plan in plans:
                actions = np.array(plan, dtype=np.int32)
                count = list_extensions(self._evaluator, self._rows[0], actions, self.depth)
                listed = self._evaluator.stack.moves.actions[:count].tolist()
                after = self._evaluator.stack.states[0].tobytes()
                more.setdefault(after, (plan, [one for one in listed if one not in banned]))
            found += [plan for plan, listed in more.values() if not listed]
            plans = [plan for plan, listed in more.values() if listed]
            if len(plans) > MAX_PLANS:
                own = self._judged(plans)[:, int(np.int8(self._rows[0, 0]))]
                plans = [plans[at] for at in np.argsort(-own, kind="stable")[:MAX_PLANS].tolist()]
            kept = set(plans)
            plans = [(*p, one) for p, listed in more.values() if p in kept for one in listed]
            if not plans:
                break
        return found

    def _judged(self, plans: list[Plan]) -> Shares:
        """The mean shares [K, P] after each plan; 0 where no determinization allows it."""
        actions, lengths = plan_arrays(plans)
        total, allowed = np.zeros((len(plans), self.game.players)), np.zeros((len(plans), 1))
        found = np.zeros_like(total)
        for row in self._rows:
            evaluate_plans(self._evaluator, row, actions, lengths, 0, found)
            total += np.nan_to_num(found)
            allowed += ~np.isnan(found[:, :1])
        return np.asarray(total / np.maximum(allowed, 1))


@kernel
def list_extensions(evaluator: Any, own: Any, plan: Any, depth: int) -> int:
    """Play a plan and list the actions that may follow; return their number, 0 at its end.

    It ends where another seat or chance moves, and at the quiet position of number `depth`. The
    state and the list are left in the evaluator's stack.
    """
    state, seat, quiet = evaluator.stack.states[0], seat_to_move(own), 0
    copy_state(own, state)
    for step in range(plan.shape[0]):
        if not follow_plan(evaluator, state, plan[step : step + 1]):
            return 0
        if seat_to_move(state) != seat:
            return 0
        quiet += ends_lookahead(evaluator, state)
    if quiet >= depth:
        return 0
    return int(list_tree_moves(evaluator.rules, state, evaluator.stack.moves, plan[-1]))
