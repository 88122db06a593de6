"""Greedy search by a heuristic: outcomes are weighted, and hidden information is not used."""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import SpecError, UsageError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.kernels.table import caller
from meeple.search.minimax.greedy import GreedySearch
from tests.games.catan.playing import random_game

REVERSI = meeple.make("reversi", size=6)
HEURISTIC = caller("heuristic")


def share_after(position, actions, seat):
    """Return the heuristic's share after playing the actions."""
    twin = position.copy()
    for action in actions:
        twin.play(action)
    if twin.is_over:
        return twin.payoffs[seat]
    out = np.zeros(twin.game.players)
    HEURISTIC(twin.game.address_of(kernels.HEURISTIC), twin.address, out.ctypes.data)
    return out[seat]


def test_values_are_those_of_the_heuristic_after_each_action():
    position = REVERSI.start()
    for _ in range(9):
        actions, judged = GreedySearch(REVERSI).evaluate(position)
        expected = [share_after(position, [a], position.to_move) for a in actions.tolist()]
        np.testing.assert_allclose(judged, expected)
        position.play(int(actions[judged.argmax()]))


def test_immediate_chance_outcomes_are_weighted_by_probability():
    game = Catan(hidden_hands=False, domestic_trade=False)
    position = next(
        p for p in random_game(4, hidden_hands=False, domestic_trade=False)
        if p.to_move >= 0 and c.BUY_CARD in p.legal_actions()
    )  # fmt: skip
    actions, judged = GreedySearch(game).evaluate(position)
    at = actions.tolist().index(c.BUY_CARD)
    twin = position.copy()
    twin.play(c.BUY_CARD)
    outcomes, chances = twin.chance_outcomes()
    seat = position.to_move
    expected = sum(
        chance * share_after(twin, [outcome], seat)
        for outcome, chance in zip(outcomes.tolist(), chances.tolist(), strict=True)
    )
    assert judged[at] == pytest.approx(expected, abs=1e-6)


def test_invalid_settings_are_refused():
    with pytest.raises(UsageError, match="nim has no heuristic"):
        GreedySearch(meeple.make("nim"))
    with pytest.raises(SpecError, match="greedy: nim has no heuristic"):
        agent("greedy", meeple.make("nim"))
    with pytest.raises(UsageError, match="determinizations must be at least 1"):
        GreedySearch(REVERSI, determinizations=0)


def test_search_beats_random_play():
    result = meeple.match(REVERSI, ["greedy", "random"], games=40, seed=1, workers=1)
    assert result.agents[0].share > 0.8
