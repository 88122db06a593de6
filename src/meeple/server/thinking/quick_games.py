"""Quick games from one position, all seats played by the game's policy without search."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from meeple.games.contract.game import Position
from meeple.search.values.labels import Labeller, quick_policy

MAX_BATCH = 20  # games between two looks at the clock: some tens of milliseconds


class QuickPlay:
    """Plays games from a position, with all cards open, and sums their results."""

    def __init__(self, position: Position, seed: int) -> None:
        game = position.game
        self._position, self._seed = position.copy(), seed
        self._labeller = Labeller(game)
        self._policies = np.full(game.players, quick_policy(game), dtype=np.int8)
        self._shares = np.zeros(game.players)
        self._games = 0

    def play(self, most: int, seconds: float, stop: Callable[[], bool]) -> dict[str, Any]:
        """Play for some time, until there are `most` games or `stop` returns True.

        Returns:
            The number of `games` so far, and the mean `value` of every player.
        """
        ends = time.monotonic() + seconds
        while self._games < most:
            for _ in range(min(MAX_BATCH, most - self._games)):
                self._games += 1
                luck = self._seed + self._games
                self._shares += self._labeller.play_on(self._position, self._policies, luck)
            if stop() or time.monotonic() >= ends:
                break
        means = self._shares / max(1, self._games)
        return {"games": self._games, "value": [round(float(share), 6) for share in means]}
