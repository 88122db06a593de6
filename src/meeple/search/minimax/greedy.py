"""One move ahead by the game's heuristic: the mean share after each action, in possible worlds."""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, HEURISTIC, LEGAL, OVER, PAYOFFS, PLAY, PRUNE, invoke2, kernel
from meeple.search.determinization import Worlds
from meeple.search.mcts.simulate import copy_state


class GreedySearch:
    """Looks at every sensible action, and at every outcome of chance that follows at once."""

    def __init__(self, game: Game, *, worlds: int = 8, seed: int = 0) -> None:
        """`worlds`: samples of what the player cannot know, where the game hides something.

        Raises UsageError for a game without a heuristic.
        """
        if not game.has(HEURISTIC):
            raise UsageError(f"{game.name} has no heuristic to judge positions by")
        if worlds < 1:
            raise UsageError(f"worlds must be at least 1, not {worlds}")
        self.game = game
        self._worlds = Worlds(game)
        self._rows = np.zeros((worlds if game.hides else 1, game.state_bytes), dtype=np.uint8)
        self._states = np.zeros((2, game.state_bytes), dtype=np.uint8)
        self._moves = np.zeros((2, 1 + 2 * game.max_moves), dtype=np.int32)
        self._weights = self._moves[0, 1 + game.max_moves :].view(np.float32)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start the generator anew, for another game."""
        self._rng = kernels.new_rng(seed)
        self._worlds.begin(seed)

    def judge(self, position: Position) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """The sensible actions [A] and the mover's mean share after each [A]."""
        seat = position.to_move
        self._worlds.fill(position, self._rows, self._rng)
        moves = self._moves[0]
        judged = np.zeros(self.game.max_moves)
        shares = np.zeros(self.game.players)
        _judge(
            self.game.rules, seat, self._rows, self._states, moves, self._moves[1], judged, shares
        )
        count = int(moves[0])
        return moves[1 : 1 + count].copy(), judged[:count]

    def best(self, position: Position) -> int:
        """The action with the greatest share; equal ones are drawn from, by `prune`'s weights."""
        actions, judged = self.judge(position)
        equal = np.flatnonzero(judged >= judged.max() - 1e-12)
        if not self.game.has(PRUNE):
            return int(actions[equal[kernels.below(self._rng[0], len(equal))]])
        weights = np.cumsum(self._weights[: len(actions)][equal])
        drawn = kernels.uniform(self._rng[0]) * weights[-1]
        return int(
            actions[equal[min(int(np.searchsorted(weights, drawn, "right")), len(equal) - 1)]]
        )


@kernel
def _judge(
    rules: Any,
    seat: int,
    worlds: Any,
    states: Any,
    moves: Any,
    outcomes: Any,
    judged: Any,
    shares: Any,
) -> None:
    """The mover's mean share after each of its sensible actions, the same in all worlds."""
    moves[0] = 0
    sensible = PRUNE if rules[PRUNE] != 0 else LEGAL
    invoke2(rules[sensible], worlds[0].ctypes.data, moves.ctypes.data)
    for index in range(moves[0]):
        total = 0.0
        for world in range(worlds.shape[0]):
            copy_state(worlds[world], states[0])
            invoke2(rules[PLAY], states[0].ctypes.data, np.int64(moves[1 + index]))
            total += _expected(rules, seat, states, outcomes, shares)
        judged[index] = total / worlds.shape[0]


@kernel
def _expected(rules: Any, seat: int, states: Any, outcomes: Any, shares: Any) -> float:
    """The seat's share in `states[0]`, or its mean over outcomes where chance moves there."""
    if np.int64(np.int8(states[0, 0])) != CHANCE:
        return _share(rules, seat, states[0], shares)
    outcomes[0] = 0
    invoke2(rules[LEGAL], states[0].ctypes.data, outcomes.ctypes.data)
    probabilities = outcomes.view(np.float32)
    start = 1 + (outcomes.shape[0] - 1) // 2
    mean = 0.0
    for index in range(outcomes[0]):
        copy_state(states[0], states[1])
        invoke2(rules[PLAY], states[1].ctypes.data, np.int64(outcomes[1 + index]))
        mean += probabilities[start + index] * _share(rules, seat, states[1], shares)
    return mean


@kernel
def _share(rules: Any, seat: int, state: Any, shares: Any) -> float:
    if np.int64(np.int8(state[0])) == OVER:
        invoke2(rules[PAYOFFS], state.ctypes.data, shares.ctypes.data)
    else:
        invoke2(rules[HEURISTIC], state.ctypes.data, shares.ctypes.data)
    return float(shares[seat])
