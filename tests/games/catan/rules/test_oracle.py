"""Random games agree ply by ply with an oracle that was written from the rule book alone."""

import numpy as np
import pytest

from meeple.games.catan.game import Catan
from tests.games.catan.oracle_words import in_words, oracle_of, same_facts
from tests.games.catan.playing import draw
from tests.tiers import few_quick

OPTIONS = [
    {},
    {"players": 3, "board": "balanced", "friendly_robber": True},
    {"players": 2, "board": "beginner", "domestic_trade": False},
    {"robber": False, "domestic_trade": False, "payoff": "points"},
    {"development_cards": False, "discard_limit": 5, "victory_points": 5},
    {"max_turns": 60},
]


def play_both(options, seed):
    position = Catan(**options).start(seed)
    oracle = oracle_of(position)
    rng = np.random.default_rng(seed)
    while True:
        same_facts(position, oracle)
        if position.is_over:
            return position
        action = draw(position, rng)
        oracle.play(in_words(position, action))
        position.play(action)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", few_quick(range(4)))
@pytest.mark.slow
def test_random_games_agree_ply_by_ply(options, seed):
    play_both(options, seed)
