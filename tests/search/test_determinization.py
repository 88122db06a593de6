"""Determinizations, and the searches of plies that average over them.

`tests/agents/test_secrets.py` shows that no search uses what is hidden from its player.
"""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import UsageError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.search.determinization import (
    Determinizer,
    searched_by_determinization,
    sensible_actions,
)
from meeple.search.minimax.deepening import MinimaxSettings
from meeple.search.minimax.expectimax import Expectimax
from meeple.search.minimax.greedy import GreedySearch
from tests.games.catan.playing import random_game
from tests.search.coin import Coin


def test_determinizations_agree_in_known_facts_and_differ_in_hidden_ones():
    position = next(
        p for p in random_game(2, domestic_trade=False) if len(p.actions) > 200 and p.to_move >= 0
    )
    rows = np.zeros((40, position.game.state_bytes), dtype=np.uint8)
    determinizations = Determinizer(position.game)
    determinizations.fill(position, rows, kernels.new_rng(1))
    assert len({row.tobytes() for row in rows}) > 1
    shown = position.copy()
    for row in rows:
        shown.row[:] = row
        seat = position.to_move
        assert shown.state.hand[seat].tolist() == position.state.hand[seat].tolist()
        assert shown.state.hand.sum(axis=1).tolist() == position.state.hand.sum(axis=1).tolist()
        assert shown.legal_actions().tolist() == position.legal_actions().tolist()


def test_open_games_have_one_determinization_and_all_their_actions():
    nim = meeple.make("nim")
    rows = np.zeros((2, nim.state_bytes), dtype=np.uint8)
    position = nim.start()
    Determinizer(nim).fill(position, rows, kernels.new_rng(1))
    assert [row.tobytes() for row in rows] == [position.row.tobytes()] * 2
    assert sensible_actions(position).tolist() == position.legal_actions().tolist()
    assert not searched_by_determinization(nim)
    assert searched_by_determinization(Coin())
    assert searched_by_determinization(Catan(hidden_hands=False))


def test_expectimax_builds_the_winning_piece_and_ends_the_game():
    game = Catan(players=2, domestic_trade=False, victory_points=4)
    position = next(
        p
        for p in random_game(1, players=2, domestic_trade=False, victory_points=4)
        if p.state.phase == c.MAIN and by_seat(p)[p.to_move] == 3
    )
    state = position.state
    state.hand[position.to_move] = (1, 1, 1, 3, 3)
    result = Expectimax(game, seed=1).run(position, depth=1)
    assert result.best < c.ROAD_AT  # a settlement or a city
    assert result.values[:, position.to_move].max() == pytest.approx(1)
    assert not result.proven


def by_seat(position):
    """Return the public points by seat."""
    state = position.state
    return [int(5 - state.settlements[s] + 2 * (4 - state.cities[s])) for s in range(2)]


@pytest.mark.slow
def test_expectimax_plays_whole_games_of_catan_well():
    game = Catan(players=3, domestic_trade=False, victory_points=5)
    specs = ["minimax:depth=1,determinizations=2", "weighted", "weighted"]
    result = meeple.match(game, specs, games=9, seed=1, workers=1)
    assert result.agents[0].wins >= 5
    position = game.start(2)
    deep = agent("minimax:depth=2,determinizations=2", game, 1)
    assert deep.choose(position) in sensible_actions(position)
    with pytest.raises(UsageError, match="determinizations must be at least 1"):
        Expectimax(game, MinimaxSettings(determinizations=0))


def test_chance_outcomes_are_drawn_before_evaluation():
    """At depth one, expectimax evaluates like the greedy search: a bought card is drawn first."""
    game = Catan(players=3, hidden_hands=False, domestic_trade=False)
    position = next(
        p
        for p in random_game(3, players=3, hidden_hands=False, domestic_trade=False)
        if p.state.phase == c.MAIN and c.BUY_CARD in p.legal_actions()
    )
    actions, judged = GreedySearch(game).evaluate(position)
    result = Expectimax(game).run(position, depth=1)
    found = dict(zip(result.actions.tolist(), result.values[:, position.to_move], strict=True))
    assert c.BUY_CARD in found
    for action, share in zip(actions.tolist(), judged, strict=True):
        assert found[action] == pytest.approx(share, abs=1e-6)
