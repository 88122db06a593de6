"""Search by information sets: it knows what its player knows, and no more."""

import numpy as np
import pytest

import meeple
from meeple.agents.spec import agent
from meeple.errors import SpecError, TooLarge, UsageError
from meeple.games.catan.game import Catan
from meeple.games.contract.registry import make, register
from meeple.search.exact.solver import solve
from meeple.search.mcts.information_set import InformationSetSearch
from meeple.search.mcts.uct import UctSearch
from meeple.search.qtable.table import QTable
from tests.search import coin


@pytest.fixture
def game():
    register(coin.Coin)
    return coin.Coin()


def fallen(game, side, said=coin.SAFE):
    """The coin lies, and seat 1 has said something or nothing."""
    position = game.start()
    position.play(side)
    position.play(side if said == side else coin.SAFE)
    return position


@pytest.mark.parametrize("side", [coin.HEADS, coin.TAILS])
def test_it_does_not_guess_what_it_cannot_know(game, side):
    result = InformationSetSearch(game, seed=1).run(fallen(game, side), 4000)
    assert result.best == coin.SAFE
    assert result.values[coin.HEADS, 0] == pytest.approx(0.5, abs=0.1)
    assert result.values[coin.TAILS, 0] == pytest.approx(0.5, abs=0.1)
    assert result.visits.sum() >= 3999


@pytest.mark.parametrize("side", [coin.HEADS, coin.TAILS])
def test_it_uses_what_it_was_told(game, side):
    result = InformationSetSearch(game, seed=1).run(fallen(game, side, said=side), 1000)
    assert result.best == side
    assert result.value[0] > 0.9


def test_actions_of_other_worlds_join_the_tree_and_leave_the_sums_right(game):
    """At the root chance has not fallen for seat 0: seat 1's actions differ by world."""
    position = fallen(game, coin.HEADS)
    position.undo()
    position.state.to_move = 0  # seat 0 thinks while seat 1 is still to speak
    position.state.shown = -1
    search = InformationSetSearch(game, seed=2)
    result = search.run(position, 2000)
    assert result.visits.sum() == pytest.approx(2000, abs=1)
    assert result.value.sum() == pytest.approx(1)


def test_equal_seeds_search_alike_and_another_differs(game):
    position = fallen(game, coin.HEADS)
    one, again, other = (InformationSetSearch(game, seed=s).run(position, 500) for s in (3, 3, 4))
    assert np.array_equal(one.values, again.values)
    assert not np.array_equal(one.values, other.values)


def test_it_stops_by_the_clock_and_when_told(game):
    position = fallen(game, coin.HEADS)
    search = InformationSetSearch(game)
    search.run(position, 10)
    assert search.run(position, seconds=0.05).seconds < 2
    assert search.run(position, stop=lambda: True).simulations < 1000


def test_searches_that_know_all_refuse_such_a_game(game):
    position = fallen(game, coin.HEADS)
    with pytest.raises(UsageError, match="hides something"):
        UctSearch(game)
    with pytest.raises(UsageError, match="hides information"):
        QTable(game)
    with pytest.raises(TooLarge, match="hidden information"):
        solve(position)
    with pytest.raises(UsageError, match="hides nothing"):
        InformationSetSearch(make("nim"))
    with pytest.raises(SpecError):
        agent("minimax:depth=1", game)


def test_the_agent_uct_searches_so(game):
    player = agent("uct:sims=2000", game, seed=1)
    assert player.choose(fallen(game, coin.HEADS)) == coin.SAFE
    for wrong in ("uct:sims=10,threads=2", "uct:sims=10,qtable=x"):
        with pytest.raises(SpecError, match="coin takes no qtable or threads"):
            agent(wrong, game)


def test_it_beats_random_play_at_catan():
    game = Catan(players=2, domestic_trade=False, victory_points=4)
    result = meeple.match(game, ["uct:sims=100", "random"], games=8, seed=1, workers=1)
    assert result.agents[0].wins >= 6


def test_short_rollouts_are_judged_by_the_heuristic_and_need_one(game):
    position = Catan(players=3, domestic_trade=False).start(3)
    short = InformationSetSearch(position.game, plies=1, seed=1).run(position, 3)
    assert 0.01 < short.value.min() < short.value.max() < 0.99  # no win among them
    whole = InformationSetSearch(position.game, plies=0, seed=1).run(position, 3)
    wins = 3 * whole.value  # of three games, or of two that the tree tells of
    assert (
        np.isclose(wins, wins.round()).all()
        or np.isclose(2 * wins / 3, (2 * wins / 3).round()).all()
    )
    with pytest.raises(UsageError, match="coin has no heuristic"):
        InformationSetSearch(game, plies=3)


def test_a_game_with_open_hands_and_sensible_actions_is_searched_so_too():
    game = Catan(players=2, hidden_hands=False)
    position = game.start(5)
    result = InformationSetSearch(game, seed=1).run(position, 60)
    assert result.best in position.legal_actions()
    assert agent("uct:sims=20", game, seed=1).choose(position) in position.legal_actions()
