"""Determinizations: full states, sampled by the knowledge of the player to move."""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.belief import Belief
from meeple.games.contract.game import Game, Position
from meeple.kernels import PRUNE
from meeple.kernels.table import caller

_prune = caller("prune")


class Determinizer:
    """Draws determinizations by a belief for each seat; of open games, the state itself."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Raise UsageError for a game that hides something and lacks `resample`."""
        self.game = game
        if game.hides:
            game.ensure_samples()
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Forget the game before."""
        self._seed = seed
        self._beliefs: dict[int, Belief] = {}

    def fill(self, position: Position, rows: npt.NDArray[np.uint8], rng: Any) -> None:
        """Write a determinization into each row [W, state_bytes], as the seat to move believes.

        Consumes `rng` if the game hides something.
        """
        rows[:] = position.row
        if not self.game.hides:
            return
        seat = position.to_move
        if seat not in self._beliefs:
            self._beliefs[seat] = self.game.belief(seat, self._seed)
        self._beliefs[seat].follow(position)
        for row in rows:
            self._beliefs[seat].sample(row, rng)


def sensible_actions(position: Position) -> npt.NDArray[np.int32]:
    """Return the actions [n] that a search by determinization tries: sensible or all legal ones."""
    game = position.game
    if not game.has(PRUNE):
        return position.legal_actions()
    moves = np.zeros(1, dtype=kernels.moves_record(game.max_moves))
    _prune(game.address_of(PRUNE), position.address, moves.ctypes.data)
    return np.asarray(moves["actions"][0, : int(moves["count"][0])]).copy()


def searched_by_determinization(game: Game) -> bool:
    """Whether a game hides something or has `prune`."""
    return game.hides or game.has(PRUNE)
