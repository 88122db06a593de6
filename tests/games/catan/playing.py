"""Random games of Catan, ply by ply, that reach rare situations more often."""

from collections.abc import Iterator

import numpy as np

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE


def weights(actions):
    """Return weights that prefer building and avoid offers, so that games reach rare situations."""
    table = np.ones(len(actions))
    table[actions < c.ROAD_AT] = 30
    table[(actions >= c.BUY_CARD) & (actions < c.MARITIME)] = 5
    table[(actions >= c.GIVE) & (actions < c.WANT)] = 0.3
    table[(actions == c.PROPOSE) | (actions == c.ACCEPT)] = 4
    table[(actions >= c.TRADE_WITH) & (actions < c.WITHDRAW)] = 5
    return table / table.sum()


def draw(position: Position, rng: np.random.Generator) -> int:
    """Return a random action or outcome without playing it."""
    if position.to_move == CHANCE:
        outcomes, chances = position.chance_outcomes()
        return int(rng.choice(outcomes, p=chances / chances.sum()))
    actions = position.legal_actions()
    return int(rng.choice(actions, p=weights(actions)))


def random_game(seed: int, plies: int | None = None, **options) -> Iterator[Position]:
    """Yield the same position object before every ply of a random game and at its end."""
    position = Catan(**options).start(seed)
    rng = np.random.default_rng(seed)
    while not position.is_over and (plies is None or len(position.actions) < plies):
        yield position
        position.play(draw(position, rng))
    yield position
