"""The best resulting state: each sensible action by what a network says of where it leads."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import LEGAL, NARROW, OBSERVE, PRUNE, QUIET, SEAT_FEATURES
from meeple.search.checks import check_decision
from meeple.search.determinization import Determinizer, sensible_actions
from meeple.search.loading import load_kernels
from meeple.search.values.bargaining import (
    GAIN,
    MAXIMIN,
    RULES,
    SENSIBLE,
    Bargain,
    by_gain,
    by_maximin,
    offers_in,
)
from meeple.search.values.lookahead import judge_actions, judge_plan, new_judge
from meeple.search.values.network import ValueNetwork

DETERMINIZATIONS = 8


@dataclass(frozen=True)
class Judged:
    """The actions [A] that were looked at, and the mover's mean share after each [A].

    An action that begins a plan of trade is worth what the best such plan is.
    """

    actions: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float64]
    plans: dict[int, tuple[int, ...]]  # by the first action

    @property
    def best(self) -> tuple[int, ...]:
        """The action of the greatest share, the first of equal ones, with the rest of its plan."""
        action = int(self.actions[int(np.argmax(self.shares))])
        return self.plans.get(action, (action,))


class StatesSearch:
    """Judges actions by their resulting states, the mean of a few determinizations.

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
        """`depth`: actions of one turn that it looks ahead; `determinizations`: samples of what the
        player cannot know, where something is hidden; `offers`: how it trades, one of RULES.

        Raises UsageError where a number is below 1, or there is no such rule.
        """
        if depth < 1 or determinizations < 1:
            raise UsageError("depth and determinizations must be at least 1")
        if offers not in RULES:
            raise UsageError(f"offers are made by one of {', '.join(RULES)}, not {offers!r}")
        self.game, self.depth, self.offers = game, depth, offers
        self._network = network  # kept for its weights, to which the judge has an address
        self._judge = new_judge(game, network)
        self.determinizer = Determinizer(game)
        self._rows = np.zeros((determinizations if game.hides else 1, game.state_bytes), np.uint8)
        load_kernels(game, (PRUNE, NARROW, QUIET, SEAT_FEATURES, OBSERVE, LEGAL), self._load_search)
        self.begin(seed)

    def _load_search(self) -> None:
        nothing = np.zeros(0, dtype=np.int32)
        judge_actions(self._judge, self._rows, nothing, 0, np.zeros(0))
        judge_plan(self._judge, self._rows[:0], nothing, np.zeros((0, self.game.players)))

    def begin(self, seed: int) -> None:
        """Start the generator anew, for another game."""
        self._rng = kernels.new_rng(seed)
        self.determinizer.begin(seed)

    def judge(self, position: Position, stop: Callable[[], bool] | None = None) -> Judged:
        """Judge the sensible actions of a decision, as the player to move knows it.

        Once `stop` says so, the samples that were looked at decide, one at least.
        """
        check_decision(self.game, position)
        self.determinizer.fill(position, self._rows, self._rng)
        actions = self._actions(position)
        total, found = np.zeros(len(actions)), np.zeros(len(actions))
        done = 0
        for row in self._rows:
            judge_actions(self._judge, row[None], actions, self.depth - 1, found)
            total += found
            done += 1
            if stop is not None and stop():
                break
        return _with_plans(actions, total / done, self._bargains(position, done))

    def _actions(self, position: Position) -> npt.NDArray[np.int32]:
        """The sensible actions, but for offers where they are made as plans, or not at all."""
        actions = sensible_actions(position)
        if self.offers == SENSIBLE:
            return actions
        return actions[~np.isin(actions, [plan[0] for plan in offers_in(position)])]

    def _bargains(self, position: Position, samples: int) -> list[Bargain]:
        """Plans of trade, by the rule, judged in the first samples."""
        rules = {GAIN: by_gain, MAXIMIN: by_maximin}
        if self.offers not in rules:
            return []

        def judge(plan: tuple[int, ...]) -> npt.NDArray[np.float64]:
            found = np.zeros((samples, self.game.players))
            actions = np.array(plan, dtype=np.int32)
            judge_plan(self._judge, self._rows[:samples], actions, found)
            return found

        return rules[self.offers](position, judge)


def _with_plans(
    actions: npt.NDArray[np.int32], shares: npt.NDArray[np.float64], bargains: list[Bargain]
) -> Judged:
    """Actions and plans in one list, of plans that begin alike the best."""
    worth = dict(zip(actions.tolist(), shares.tolist(), strict=True))
    plans = {}
    for plan, share in bargains:
        if share > worth.get(plan[0], -1.0):
            worth[plan[0]], plans[plan[0]] = share, plan
    return Judged(np.array(list(worth), dtype=np.int32), np.array(list(worth.values())), plans)
