"""The random moves at the beginning of an episode of self-play."""

import numpy as np

from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE


def draw_opening(game: Game, seed: int, plies: int, rng: np.random.Generator) -> Position:
    """Return a game after a random number of random moves, from 0 to `plies`.

    If they end the game, it begins without any. Chance moves are played too, so a player is to
    move. `rng` is advanced.
    """
    position = _opened(game, seed, int(rng.integers(plies + 1)) if plies else 0, rng)
    return _opened(game, seed, 0, rng) if position.is_over else position


def _opened(game: Game, seed: int, left: int, rng: np.random.Generator) -> Position:
    position = game.start(seed)
    while position.to_move == CHANCE or (left > 0 and not position.is_over):
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            position.play(int(rng.choice(position.legal_actions())))
            left -= 1
    return position
