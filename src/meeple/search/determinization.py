"""Determinizations: full states, sampled by the knowledge of the player to move."""

import contextlib
import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.belief import Belief
from meeple.games.contract.game import Game, Position
from meeple.kernels import PRUNE
from meeple.kernels.table import caller, is_compilation_deferred

LOADING_PLIES = 600  # of the random game that loads a belief's kernels

_prune = caller("prune")


class Determinizer:
    """Draws determinizations by a belief for each seat; of open games, the state itself."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Raise UsageError for a game that hides something and lacks `resample`."""
        self.game = game
        if game.hides:
            game.ensure_samples()
            if not is_compilation_deferred():
                _load_belief(game)
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


@functools.cache
def _load_belief(game: Game) -> None:
    """Compile or load the kernels of a game's belief by the events of a random game."""
    position, choice = game.start(), np.random.default_rng(0)
    last = position.copy()
    for _ in range(min(game.max_plies, LOADING_PLIES)):
        if position.is_over:
            break
        if position.to_move < 0:
            position.play_chance()
        else:
            last = position.copy()
            position.play(int(choice.choice(position.legal_actions())))
    with contextlib.suppress(Exception):  # an error of the belief is raised where it is used
        belief = game.belief(max(last.to_move, 0), 0)
        belief.follow(last)
        belief.sample(last.row.copy(), kernels.new_rng(0))


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
