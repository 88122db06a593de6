"""Random games agree ply by ply with an oracle that was written from the rule book alone."""

import numpy as np
import pytest

from meeple.games.catan import state as c
from meeple.games.catan.game import Catan
from meeple.kernels import CHANCE
from tests.games.catan.words import in_words, oracle_of, same_facts

OPTIONS = [
    {},
    {"players": 3, "board": "balanced", "friendly_robber": True},
    {"players": 2, "board": "beginner", "domestic_trade": False},
    {"robber": False, "domestic_trade": False, "payoff": "points"},
    {"development_cards": False, "discard_limit": 5, "victory_points": 5},
    {"max_turns": 60},
]


def weights(actions):
    """Building comes first and offers are rare, so that games reach what is rare."""
    table = np.ones(len(actions))
    table[actions < c.ROAD_AT] = 30
    table[(actions >= c.BUY_CARD) & (actions < c.MARITIME)] = 5
    table[(actions >= c.GIVE) & (actions < c.WANT)] = 0.3
    table[(actions == c.PROPOSE) | (actions == c.ACCEPT)] = 4
    table[(actions >= c.TRADE_WITH) & (actions < c.WITHDRAW)] = 5
    return table / table.sum()


def play_both(options, seed):
    position = Catan(**options).start(seed)
    oracle = oracle_of(position)
    rng = np.random.default_rng(seed)
    while True:
        same_facts(position, oracle)
        if position.is_over:
            return position
        if position.to_move == CHANCE:
            outcomes, chances = position.chance_outcomes()
            action = int(rng.choice(outcomes, p=chances / chances.sum()))
        else:
            actions = position.legal_actions()
            action = int(rng.choice(actions, p=weights(actions)))
        oracle.play(in_words(position, action))
        position.play(action)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_random_games_agree_ply_by_ply(options, seed):
    play_both(options, seed)
