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
from meeple.search.values.lookahead import judge_actions, new_judge
from meeple.search.values.network import ValueNetwork

DETERMINIZATIONS = 8


@dataclass(frozen=True)
class Judged:
    """The sensible actions [A] and the mover's mean share after each [A]."""

    actions: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float64]

    @property
    def best(self) -> int:
        """The action of the greatest share, the first of equal ones."""
        return int(self.actions[int(np.argmax(self.shares))])


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
        seed: int = 0,
    ) -> None:
        """`depth`: actions of one turn that it looks ahead; `determinizations`: samples of what the
        player cannot know, where something is hidden.

        Raises UsageError where a number is below 1.
        """
        if depth < 1 or determinizations < 1:
            raise UsageError("depth and determinizations must be at least 1")
        self.game, self.depth = game, depth
        self._network = network  # kept for its weights, to which the judge has an address
        self._judge = new_judge(game, network)
        self.determinizer = Determinizer(game)
        self._rows = np.zeros((determinizations if game.hides else 1, game.state_bytes), np.uint8)
        load_kernels(game, (PRUNE, NARROW, QUIET, SEAT_FEATURES, OBSERVE, LEGAL), self._load_search)
        self.begin(seed)

    def _load_search(self) -> None:
        nothing = np.zeros(0, dtype=np.int32)
        judge_actions(self._judge, self._rows, nothing, 0, np.zeros(0))

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
        actions = sensible_actions(position)
        total, found = np.zeros(len(actions)), np.zeros(len(actions))
        done = 0
        for row in self._rows:
            judge_actions(self._judge, row[None], actions, self.depth - 1, found)
            total += found
            done += 1
            if len(actions) == 1 or (stop is not None and stop()):
                break
        return Judged(actions, total / done)
