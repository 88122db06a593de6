"""Expectimax and max^n: values agree with the definitions, with and without chance."""

import numpy as np
import pytest

from meeple.games.contract.registry import load_game_file, make
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings
from meeple.search.minimax.expectimax import Expectimax
from tests.games import race
from tests.search import toys
from tests.search.wood import Wood, preference, worths
from tests.tiers import few_quick


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("luck", [False, True])
@pytest.mark.parametrize("seed", few_quick(range(15), 4))
def test_values_agree_with_the_definition_at_every_depth(players, luck, seed):
    position = Wood(seed=seed, length=6, players=players, luck=luck).start()
    search = Expectimax(position.game)
    for depth in range(1, 7):
        result = search.run(position, depth)
        expected = worths(position, result.depth)  # a smaller depth if all is known by then
        values = [expected[action][0] for action in result.actions.tolist()]
        np.testing.assert_allclose(result.values, values, atol=1e-6)
        np.testing.assert_allclose(result.value, expected[result.best][0], atol=1e-6)
        ranks = {action: preference(found, position) for action, found in expected.items()}
        assert ranks[result.best] == max(ranks.values())


def test_values_of_three_players_and_a_die_agree_with_hand_calculation():
    position = toys.Paper().start()
    search = Expectimax(position.game, MinimaxSettings("even"))
    result = search.run(position, 3)
    assert result.proven
    assert result.best == toys.B
    np.testing.assert_allclose(result.values, toys.ACTION_VALUES, atol=1e-6)
    assert result.principal_variation == [toys.B]  # chance moves next
    # One ply of player 0 reaches another player's choice or a chance node; two reach every end.
    assert [search.run(position, plies).proven for plies in (1, 2)] == [False, True]


def test_expectimax_agrees_with_alpha_beta():
    for seed in range(20):
        position = Wood(seed=seed).start()
        for depth in (2, 5):
            first = AlphaBeta(position.game).run(position, depth)
            second = Expectimax(position.game).run(position, depth)
            np.testing.assert_allclose(first.value, second.value, atol=1e-6)


def test_runner_within_reach_of_the_goal_moves():
    game = load_game_file(race.__file__)(goal=1)
    position = game.start(seed=1)
    position.play_chance()
    result = Expectimax(game, MinimaxSettings("even")).run(position, 2)
    assert result.best == race.MOVE
    assert result.proven
    assert result.value.tolist() == [1, 0, 0]


def test_seed_decides_among_equal_actions():
    position = make("hex", size=4).start()
    found, again = (
        [
            Expectimax(position.game, MinimaxSettings("even"), seed=seed).run(position, 1).best
            for seed in range(9)
        ]
        for _ in range(2)
    )
    assert found == again
    assert len(set(found)) > 3
