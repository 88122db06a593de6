"""Sensible actions are legal, weighted, and enough to win sooner than by chance."""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import SpecError
from meeple.games.catan import state as c
from meeple.games.catan.game import Catan
from meeple.games.catan.topology import TOPOLOGY
from tests.games.catan.playing import random_game

PRUNE = kernels.caller("prune")


def sensible(position):
    """The actions and their weights."""
    moves = np.zeros(1, dtype=kernels.moves_record(position.game.max_moves))
    PRUNE(int(position.game.rules[kernels.PRUNE]), position.address, moves.ctypes.data)
    count = int(moves["count"][0])
    return moves["actions"][0, :count].tolist(), moves["probabilities"][0, :count]


@pytest.mark.parametrize("options", [{}, {"players": 2, "robber": False}], ids=str)
def test_they_are_some_of_the_legal_ones_with_weights(options):
    for position in random_game(3, plies=1500, **options):
        if position.is_over:
            break
        actions, weights = sensible(position)
        legal = position.legal_actions().tolist()
        assert actions
        assert len(set(actions)) == len(actions)
        assert set(actions) <= set(legal)
        assert (weights > 0).all()
        if position.to_move < 0:
            assert actions == legal
        elif position.state.phase == c.MAIN:
            assert not [a for a in actions if c.GIVE <= a < c.WANT]
            assert c.END_TURN in actions


def test_the_first_settlements_go_where_numbers_fall_often():
    position = Catan(board="beginner").start(1)
    actions, weights = sensible(position)
    ways = [ways_at(position, action - c.SETTLEMENT_AT) for action in actions]
    assert ways[int(weights.argmax())] == max(ways)
    assert ways[int(weights.argmin())] == min(ways)


def ways_at(position, vertex):
    """Throws out of 36 that give cards there."""
    tiles = [t for t in TOPOLOGY.vertex_tiles[vertex].tolist() if t >= 0]
    numbers = [int(position.state.tile_number[tile]) for tile in tiles]
    return sum(6 - abs(number - 7) for number in numbers if number)


def test_the_weighted_agent_beats_random_play():
    game = Catan(domestic_trade=False)
    specs = ["weighted", "random", "random", "random"]
    result = meeple.match(game, specs, games=40, seed=1, workers=1)
    assert result.agents[0].wins >= 30
    assert result.agents[0].spec == "weighted"


def test_a_game_without_weights_has_no_weighted_agent():
    with pytest.raises(SpecError, match="weighted: nim does not say"):
        agent("weighted", meeple.make("nim"))


def test_the_greedy_agent_beats_weighted_ones():
    game = Catan(domestic_trade=False)
    specs = ["greedy", "weighted", "weighted", "weighted"]
    result = meeple.match(game, specs, games=40, seed=1, workers=1)
    assert result.agents[0].wins >= 16
