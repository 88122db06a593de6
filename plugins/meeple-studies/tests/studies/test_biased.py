"""UCT with a bias: its formula, pruned actions, and leaves by rollouts or a network."""

import json

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.errors import UsageError
from meeple.kernels.table import caller
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.tree import ROOT
from meeple_studies import biased
from meeple_studies.biased import BiasedUct
from meeple_studies.perceptron import new_perceptron
from tests.modes import MODES, traces_in
from tests.search.toys import ACTION_VALUES, B, Paper

CATAN = meeple.make("catan-reduced")
PRUNE, NARROW, HEURISTIC = caller("prune"), caller("narrow"), caller("heuristic")


def network(seed=1):
    return new_perceptron(np.full(160, 0.1, dtype=np.float32), (20,), 4, seed)


def weights(position):
    """Return the weight of each action by the game."""
    moves = np.zeros(1, dtype=kernels.moves_record(position.game.max_moves))
    PRUNE(position.game.address_of(kernels.PRUNE), position.address, moves.ctypes.data)
    NARROW(position.game.address_of(kernels.NARROW), position.address, moves.ctypes.data, -1)
    count = moves["count"][0]
    actions, found = moves["actions"][0, :count], moves["probabilities"][0, :count]
    return dict(zip(actions.tolist(), found.tolist(), strict=True))


def later(plies, seed=3):
    """Return a decision of a game of players that build."""
    position, player = CATAN.start(seed), meeple.agent("weighted", CATAN, seed)
    while len(position.actions) < plies or position.to_move < 0:
        if position.to_move < 0:
            position.play_chance()
        else:
            position.play(player.choose(position))
    return position


def test_biased_uct_finds_the_best_action_of_three_players_and_chance():
    result = TreeSearch(BiasedUct(Paper(), exploration=0.3), seed=2).run(Paper().start(), 20_000)
    assert result.best == B
    np.testing.assert_allclose(result.values[B], ACTION_VALUES[B], atol=0.03)


def test_biased_uct_plays_nim_by_the_closed_form():
    position = meeple.make("nim", stones=7).start()
    assert (
        TreeSearch(BiasedUct(position.game)).run(position, 3000).best + 1 == 3
    )  # which leaves four


@pytest.mark.parametrize("bias", [0.0, 3.0])
def test_each_choice_has_the_best_score(bias):
    position = CATAN.start()
    search = TreeSearch(BiasedUct(CATAN, exploration=0.7, bias=bias, network=network()), seed=4)
    search.run(position, 200)
    tree, slots = search.rule.trees[0], search.rule.trees[0].children(ROOT)
    selections = tree.blocks["visits"][tree.nodes["block"][ROOT]]
    rng = kernels.new_rng(1)
    for _ in range(50):
        visits = tree.visits[slots].astype(float)
        score = tree.value_sum[slots, 0] / visits
        score += 0.7 * np.sqrt(np.log(selections) / visits)
        score += bias * tree.prior[slots] / (1 + visits)
        expected = slots[int(score.argmax())]
        assert biased.best_by_bias(tree, ROOT, 0, 0.7, bias, rng[0]) == expected
        tree.visits[expected] += 1  # a visit of value 0


def test_bias_of_an_action_is_its_share_of_the_weights():
    for position in (CATAN.start(), later(150)):
        given = weights(position)
        result = TreeSearch(BiasedUct(CATAN, bias=1.0)).run(position, 2)
        shares = [given.get(action, 0) / sum(given.values()) for action in result.actions.tolist()]
        np.testing.assert_allclose(result.priors, shares, rtol=1e-5)
        assert result.actions.tolist() == sorted(position.legal_actions().tolist())


def test_actions_are_ordered_by_descending_weight():
    position = CATAN.start()
    given = weights(position)
    result = TreeSearch(BiasedUct(CATAN, bias=3.0, network=network())).run(position, 11)
    tried = result.actions[result.visits > 0].tolist()
    others = result.actions[result.visits == 0].tolist()
    assert len(tried) == 11
    assert min(given[a] for a in tried) >= max(given.get(a, 0.0) for a in others)


def test_pruning_removes_actions_below_a_fraction_of_the_greatest_weight():
    for position in (CATAN.start(), later(150)):
        given = weights(position)
        heavy = [action for action, weight in given.items() if weight >= 0.8 * max(given.values())]
        assert len(heavy) < len(given)
        result = TreeSearch(BiasedUct(CATAN, keep=0.8)).run(position, 50)
        assert result.actions.tolist() == sorted(heavy)
        shares = [given[a] / sum(given[b] for b in heavy) for a in result.actions.tolist()]
        np.testing.assert_allclose(result.priors, shares, rtol=1e-5)


@pytest.mark.parametrize(("leaf", "scale"), [(0.0, 1), (3.0, 4)])
def test_leaf_has_the_networks_value_and_may_include_the_heuristic(leaf, scale):
    position, judge = CATAN.start(), network()
    result = TreeSearch(BiasedUct(CATAN, leaf=leaf, network=judge), seed=5).run(position, 54)
    assert len(result.actions) == 54
    for action, values in zip(result.actions.tolist(), result.values, strict=True):
        after = position.copy()
        after.play(action)
        expected = network_shares(judge, after) + leaf * heuristic(position, action)
        np.testing.assert_allclose(scale * values, expected, atol=1e-5)


def network_shares(judge, position):
    """Return the network's shares, by its formula."""
    (first, first_bias), (second, second_bias) = judge.layers
    return np.maximum(position.observation(0) * 0.1 @ first + first_bias, 0) @ second + second_bias


def test_c_is_scaled_to_the_sum_of_value_and_heuristic():
    search = TreeSearch(BiasedUct(CATAN, exploration=1.0, leaf=3.0, network=network()), seed=4)
    search.run(CATAN.start(), 400)
    tree, slots = search.rule.trees[0], search.rule.trees[0].children(ROOT)
    visits = tree.visits[slots].astype(float)
    sums = 4 * tree.value_sum[slots, 0] / visits  # as v + 3 h
    score = sums + np.sqrt(np.log(tree.blocks["visits"][tree.nodes["block"][ROOT]]) / visits)
    expected = slots[int(score.argmax())]
    settings = search.rule.settings
    chosen = biased.best_by_bias(tree, ROOT, 0, settings.c, settings.bias, kernels.new_rng(1)[0])
    assert chosen == expected


def test_rollout_is_combined_with_the_heuristic_of_its_leaf():
    position = CATAN.start()
    plain, judged = (
        TreeSearch(BiasedUct(CATAN, leaf=leaf), seed=8).run(position, 54) for leaf in (0, 1e9)
    )
    for action, values in zip(judged.actions.tolist(), judged.values, strict=True):
        np.testing.assert_allclose(values, heuristic(position, action), atol=1e-6)
    assert not np.allclose(plain.values, judged.values, atol=1e-2)


def heuristic(position, action):
    """Return the game's heuristic after an action."""
    after, found = position.copy(), np.zeros(4)
    after.play(action)
    HEURISTIC(CATAN.address_of(kernels.HEURISTIC), after.address, found.ctypes.data)
    assert found.sum() == pytest.approx(1)
    return found


def test_rollouts_give_shares_that_depend_on_the_seed_alone():
    position = later(100)
    one, again, other = (
        TreeSearch(BiasedUct(CATAN, bias=3.0, keep=0.1), seed=seed).run(position, 50)
        for seed in (3, 3, 4)
    )
    assert one.value.sum() == pytest.approx(1)
    assert one.visits.sum() == 50
    assert one.values.tolist() == again.values.tolist() != other.values.tolist()


def test_growing_tree_gives_the_result_of_a_large_one(monkeypatch):
    position = later(60)
    wide = TreeSearch(BiasedUct(CATAN, network=network()), seed=6).run(position, 2000)
    monkeypatch.setattr(BiasedUct, "_likely_nodes", lambda *_: 1000)
    grown = TreeSearch(BiasedUct(CATAN, network=network()), seed=6).run(position, 2000)
    assert grown.visits.tolist() == wide.visits.tolist()
    assert grown.nodes == wide.nodes > 1000


def test_search_stops_at_the_time_limit_and_on_request():
    search, position = TreeSearch(BiasedUct(CATAN, network=network())), CATAN.start()
    assert search.run(position, seconds=0.02).simulations >= 1
    assert search.run(position, stop=lambda: True).simulations < 1000


def test_positions_that_cannot_be_searched_are_refused():
    with pytest.raises(UsageError, match="information sets"):
        TreeSearch(BiasedUct(meeple.make("catan")))
    with pytest.raises(UsageError, match="nim has no weights"):
        TreeSearch(BiasedUct(meeple.make("nim"), bias=1.0))
    with pytest.raises(UsageError, match="nim has no heuristic: leaf must be 0"):
        TreeSearch(BiasedUct(meeple.make("nim"), leaf=1.0))
    with pytest.raises(UsageError, match="keep is from 0 to 1"):
        TreeSearch(BiasedUct(CATAN, keep=2.0))
    with pytest.raises(UsageError, match="160 inputs"):
        TreeSearch(
            BiasedUct(CATAN, network=new_perceptron(np.ones(9, dtype=np.float32), (20,), 4, 0))
        )
    search = TreeSearch(BiasedUct(CATAN))
    with pytest.raises(UsageError, match="needs a limit"):
        search.run(CATAN.start())
    with pytest.raises(UsageError, match="cannot search"):
        search.run(meeple.make("nim").start(), 10)
    position = later(100)
    while position.to_move >= 0:
        position.play(int(position.legal_actions()[0]))
    with pytest.raises(UsageError, match="no player is to move"):
        search.run(position, 10)


def traces():
    """Return results of small searches as JSON data."""
    position = meeple.make("catan-reduced", players=2, max_turns=2).start()
    judge = new_perceptron(np.full(160, 0.1, dtype=np.float32), (3,), 2, 1)
    found = [
        TreeSearch(BiasedUct(position.game, bias=3.0, keep=0.3, network=judge), seed=1).run(
            position, 30
        ),
        TreeSearch(BiasedUct(position.game), seed=1).run(position, 10),
    ]
    return [result.visits.tolist() for result in found]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_searches_are_equal_in_every_mode_of_the_compiler(mode):
    assert traces_in(mode, "tests.studies.test_biased") == json.loads(json.dumps(traces()))
