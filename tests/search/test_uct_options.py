"""UCT with discounted rollouts, and with unlikely moves omitted from the tree."""

import numpy as np
import pytest

import meeple
from meeple.agents.search_agent import SearchAgent
from meeple.errors import SpecError, UsageError
from meeple.games.contract.registry import make
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.qtable.collect import Collector
from tests.games.reversi.test_cell_worth import actions_by_the_rule, positions

REVERSI = make("reversi", size=6)


@pytest.mark.parametrize("stones", [4, 7])
def test_results_are_discounted_for_each_move_of_a_rollout(stones):
    game = make("nim", stones=stones, take=1)  # only one legal move: rollouts are deterministic
    options = UctSettings(discount=0.9, solve=False, transpositions=False)
    value = TreeSearch(OpenUct(game, options)).run(game.start(), 1).value
    last = (stones - 1) % 2  # the player who takes the last stone
    share = 0.5 + 0.9 ** (stones - 1) * ((1.0 if last == 0 else 0.0) - 0.5)
    np.testing.assert_allclose(value, [share, 1 - share])


@pytest.mark.parametrize("guided", [0.0, 1.0])
def test_discount_of_nearly_1_has_no_effect(guided):
    """Rollouts by single moves then have the distribution of the game's own rollouts."""
    position = [p.copy() for p in positions(6, 1) if not p.is_over][6]
    found = [
        TreeSearch(
            OpenUct(REVERSI, UctSettings(guided=guided, discount=discount, solve=False)), seed=3
        )
        .run(position, 20_000)
        .value[0]
        for discount in (1.0, 1 - 1e-9)
    ]
    assert found[0] == pytest.approx(found[1], abs=0.02)


def test_unlikely_moves_are_omitted_from_the_tree():
    search = TreeSearch(OpenUct(REVERSI, UctSettings(prune=True)), seed=1)
    differ = 0
    for position in positions(6, 4):
        if position.is_over:
            continue
        expected = actions_by_the_rule(position, narrowed=True)
        assert search.run(position, 60).actions.tolist() == sorted(expected)
        differ += len(expected) < len(position.legal_actions())
    assert differ > 10


def test_specs_accept_both_options():
    agent = meeple.agent("uct:sims=50,discount=0.99,prune=on,guided=1", REVERSI)
    assert agent.choose(REVERSI.start()) in REVERSI.start().legal_actions()
    assert isinstance(agent, SearchAgent)
    assert isinstance(agent.search.rule, OpenUct)
    assert (agent.search.rule.settings.discount, agent.search.rule.settings.prune) == (0.99, True)
    with pytest.raises(SpecError, match="for games without secrets"):
        meeple.agent("uct:sims=5,prune=on", make("catan"))
    with pytest.raises(UsageError, match="a Q-table is of all moves"):
        TreeSearch(OpenUct(REVERSI, UctSettings(prune=True)), phases=[Collector()])
