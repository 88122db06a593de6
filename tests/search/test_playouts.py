"""Playouts compare the actions of games of chance, of hidden cards and of users."""

import numpy as np
import pytest

import meeple
from examples.coins import Coins
from examples.pig import Pig
from meeple.errors import SpecError
from meeple.search.mcts.search import TreeSearch
from meeple.search.playouts import RootPlayouts
from tests.search.kuhn import Kuhn


def decision_of(game, seed=3):
    position = game.start(seed)
    while position.to_move < 0:
        position.play_chance()
    return position


def random_value(position, known):
    """Return each player's share if all play uniformly at random, in plain Python."""
    key = position.row.tobytes()
    if position.is_over:
        return position.payoffs
    if key not in known:
        if position.to_move < 0:
            moves, odds = position.chance_outcomes()
        else:
            moves = position.legal_actions()
            odds = np.full(len(moves), 1 / len(moves))
        below = []
        for move in moves.tolist():
            after = position.copy()
            after.play(move)
            below.append(random_value(after, known))
        known[key] = odds @ np.array(below)
    return known[key]


@pytest.mark.parametrize("game", [meeple.make("nim"), Coins()], ids=lambda game: game.name)
def test_values_are_those_of_the_policy_of_the_playouts(game):
    position = decision_of(game)
    search = TreeSearch(RootPlayouts(game, policy="random"), seed=1)
    known: dict[bytes, np.ndarray] = {}
    result = search.run(position, simulations=40_000)
    right = []
    for action in result.actions.tolist():
        after = position.copy()
        after.play(action)
        right.append(random_value(after, known)[position.to_move])
    own = result.values[:, position.to_move]
    assert max(right) - right[int(np.flatnonzero(result.actions == result.best)[0])] < 0.01
    for value, exact, rounds in zip(own, right, result.visits.tolist(), strict=True):
        assert value == pytest.approx(exact, abs=3 / np.sqrt(rounds))


def test_search_ends_once_it_is_decided():
    position = decision_of(Pig(goal=20))
    seat = position.to_move
    position.state.points[seat], position.state.turn = 10, 15  # to hold wins
    search = TreeSearch(RootPlayouts(position.game), seed=1)
    result = search.run(position, simulations=1_000_000)
    assert position.action_name(result.best) == "hold"
    assert result.simulations < 10_000
    assert result.value[seat] == 1.0


def test_equal_seeds_and_simulations_give_equal_results():
    game = Kuhn()
    position = decision_of(game)
    found = []
    for seed in (1, 1, 2):
        agent = meeple.agent("playouts:sims=3000", game, seed=seed)
        agent.begin(seed)
        agent.choose(position)
        analysis = agent.analysis
        assert analysis is not None
        assert analysis.action_values is not None
        found.append((analysis.visits.tolist(), analysis.action_values.tolist()))
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_policies_that_a_game_lacks_are_refused():
    with pytest.raises(SpecError, match="no heuristic: no greedy policy"):
        meeple.agent("playouts:sims=5,policy=greedy", Pig())
    with pytest.raises(SpecError, match="playouts needs a limit"):
        meeple.agent("playouts", Pig())
    with pytest.raises(SpecError, match="plies must be 0"):
        meeple.agent("playouts:sims=5,plies=3", Pig())
