"""Learning a Q-table by self-play: it resumes, is reproducible by seed, and improves a search."""

import numpy as np
import pytest

import meeple
from meeple.agents.search_agent import SearchAgent
from meeple.learn.qtable import learn
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct
from meeple.search.qtable.collect import Collector
from meeple.search.qtable.table import QTable
from meeple.search.qtable.warm_start import WarmStart
from tests.games.race import Race

pytestmark = pytest.mark.slow

REVERSI = meeple.make("reversi", size=6)


def learned(games, seed=1, **limits):
    table = QTable(REVERSI)
    learn(table, games, seed=seed, simulations=200, **limits)
    return table


def test_equal_seeds_learn_equal_tables():
    one, again, other = learned(3), learned(3), learned(3, seed=2)
    assert all(np.array_equal(a, b) for a, b in zip(one.edges, again.edges, strict=True))
    assert not np.array_equal(one.edges.position, other.edges.position)


def test_learning_in_two_parts_equals_learning_at_once():
    table = learned(2)
    learn(table, 2, seed=1, simulations=200)
    whole = learned(4)
    assert table.games == whole.games == 4
    assert all(np.array_equal(a, b) for a, b in zip(table.edges, whole.edges, strict=True))


def test_all_simulations_of_the_initial_state_are_counted():
    visits = learned(4).at(REVERSI.start()).visits.sum()
    assert 4 * 195 <= visits <= 4 * 200


def test_learning_stops_on_request_and_keeps_the_finished_games():
    seen = []
    table = QTable(REVERSI)

    def progress(done):
        seen.append(done)
        return done < 2

    learn(table, 10, simulations=50, progress=progress)
    assert seen == [1, 2]
    assert table.games == 2


def test_an_exception_in_a_game_leaves_the_table_unchanged(monkeypatch):
    table = learned(2)
    before = table.edges
    monkeypatch.setattr(Collector, "collected", lambda self, position: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        learn(table, 1, simulations=50)
    assert table.edges is before
    assert table.games == 2


def test_a_game_with_chance_is_learned():
    game = Race(goal=20)
    table = QTable(game)
    learn(table, 2, simulations=300)
    assert table.positions > 10


def test_a_search_that_starts_with_the_table_beats_one_without():
    table = QTable(REVERSI)
    learn(table, 60, simulations=1000)
    warm = SearchAgent(
        TreeSearch(OpenUct(REVERSI), phases=[WarmStart(table)]), simulations=50, seconds=None
    )
    cold = SearchAgent(TreeSearch(OpenUct(REVERSI)), simulations=50, seconds=None)
    warm.spec, cold.spec = "warm", "cold"
    result = meeple.match(REVERSI, [warm, cold], games=200, seed=1, workers=1)
    assert result.agents[0].share > 0.55
