"""Search by information sets uses no information that is hidden from its player."""

import math

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import SpecError, TooLarge, UsageError
from meeple.games.catan.game import Catan
from meeple.games.contract.registry import make, register
from meeple.kernels import CHANCE
from meeple.search.exact.solver import solve
from meeple.search.mcts.descent import new_scratch
from meeple.search.mcts.information_set import (
    HEURISTIC_EXPLORATION,
    PLIES,
    InformationSetUct,
    run_information_sets,
)
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.tree import new_forest, reset
from meeple.search.mcts.uct import OpenUct
from meeple.search.mcts.uct_kernels import EXPLORATION, MAX_NODES, UctSettings
from meeple.search.qtable.table import QTable
from tests.search import coin, pairs


@pytest.fixture
def game():
    register(coin.Coin)
    return coin.Coin()


def fallen(game, side, said=coin.SAFE):
    """Return a position after the coin and, optionally, seat 1's announcement."""
    position = game.start()
    position.play(side)
    position.play(side if said == side else coin.SAFE)
    return position


@pytest.mark.parametrize("side", [coin.HEADS, coin.TAILS])
def test_search_plays_safe_unless_it_has_the_information(game, side):
    search = TreeSearch(InformationSetUct(game), seed=1)
    result = search.run(fallen(game, side), 4000)
    assert result.best == coin.SAFE
    assert result.values[[coin.HEADS, coin.TAILS], 0] == pytest.approx(0.5, abs=0.1)
    told = search.run(fallen(game, side, said=side), 1000)
    assert told.best == side
    assert told.value[0] > 0.9


def test_actions_of_other_determinizations_join_the_tree_and_leave_the_sums_right(game):
    """Seat 0 does not know the coin at the root: seat 1's actions differ by determinization."""
    position = fallen(game, coin.HEADS)
    position.undo()
    position.state.to_move = 0  # seat 0 searches before seat 1's announcement
    position.state.shown = -1
    search = TreeSearch(InformationSetUct(game), seed=2)
    result = search.run(position, 2000)
    assert result.visits.sum() == pytest.approx(2000, abs=1)
    assert result.value.sum() == pytest.approx(1)


def test_searches_of_perfect_information_refuse_hidden_information(game):
    position = fallen(game, coin.HEADS)
    with pytest.raises(UsageError, match="hides something"):
        TreeSearch(OpenUct(game))
    with pytest.raises(UsageError, match="hides information"):
        QTable(game)
    with pytest.raises(TooLarge, match="hidden information"):
        solve(position)
    with pytest.raises(UsageError, match="hides nothing"):
        TreeSearch(InformationSetUct(make("nim")))
    with pytest.raises(SpecError):
        agent("minimax:depth=1", game)


def test_agent_uct_searches_by_information_sets(game):
    player = agent("uct:sims=2000", game, seed=1)
    assert player.choose(fallen(game, coin.HEADS)) == coin.SAFE
    with pytest.raises(SpecError, match="coin takes no qtable or threads"):
        agent("uct:sims=10,threads=2", game)
    sighted = Catan(players=2, hidden_hands=False)
    position = sighted.start(5)  # searched over its sensible actions
    assert agent("uct:sims=60", sighted, seed=1).choose(position) in position.legal_actions()


@pytest.mark.slow
def test_search_beats_random_play_at_catan():
    game = Catan(players=2, domestic_trade=False, victory_points=4)
    result = meeple.match(game, ["uct:sims=100", "random"], games=8, seed=1, workers=1)
    assert result.agents[0].wins >= 6


def test_short_rollouts_are_evaluated_by_the_heuristic_and_need_one(game):
    position = Catan(players=3, domestic_trade=False).start(3)
    short, whole = (
        TreeSearch(InformationSetUct(position.game, plies=plies), seed=1).run(position, 3)
        for plies in (1, 0)
    )
    assert 0.01 < short.value.min() < short.value.max() < 0.99  # none is a win
    # Sums over three games, or two games and a value of the tree.
    assert any(np.allclose(n * whole.value, np.round(n * whole.value)) for n in (3, 2))
    with pytest.raises(UsageError, match="coin has no heuristic"):
        TreeSearch(InformationSetUct(game, plies=3))


# ---------------------------------------------------------------- the formula of each simulation


class Steps:
    """One tree, searched one simulation at a time, with access to the changes of each."""

    def __init__(self, game, c, capacity=10_000, seed=0):
        self.game, self.c = game, c
        self.forest = new_forest(1, game.players, capacity)
        self.tree = self.forest.tree(0)
        self.scratch = new_scratch(game)
        self.rng = kernels.new_rng(seed)

    def begin(self, to_move):
        reset(self.tree, to_move)
        return self

    def run(self, determinizations):
        """Run a simulation from each of these positions; return the number that fitted."""
        rows = np.stack([determinization.row for determinization in determinizations])
        settings = UctSettings(self.c, solve=False, transpositions=False)
        rules = self.game.addresses
        return run_information_sets(self.forest, rules, rows, self.rng, settings, self.scratch)

    def children(self, node=0):
        """Return by action: slot, visits, availability, sums of shares."""
        tree = self.tree
        slots = tree.children(node).tolist()
        found = {
            int(tree.action[slot]): (
                slot,
                int(tree.visits[slot]),
                int(tree.prior[slot]),
                tree.value_sum[slot].tolist(),
            )
            for slot in slots
        }
        assert len(found) == len(slots), "no action has two children"
        return found


def informed_of(game, coin_side):
    """Return a position in which seat 1 has seen this side of the coin and is to move."""
    position = game.start()
    position.play(coin_side)
    return position


def expected_choice(before, after, legal, mover, c):
    """Return the actions that SO-ISMCTS may have chosen at a node."""
    fresh = [action for action in legal if action not in before or before[action][1] == 0]
    if fresh:
        return fresh
    score = {}
    for action in legal:
        _, visits, _, sums = before[action]
        available = after[action][2]
        score[action] = sums[mover] / visits + c * math.sqrt(math.log(available) / visits)
    best = max(score.values())
    return [action for action in legal if score[action] >= best - 1e-6]


@pytest.mark.parametrize("c", [0.2, 1.4])
def test_a_child_is_chosen_by_its_mean_and_the_count_of_its_availability(game, c):
    """UCB1 with the visits of the parent replaced by the availability of the child."""
    search = Steps(game, c).begin(1)
    rng = np.random.default_rng(1)
    seen: dict[int, int] = {}
    for number in range(1, 120):
        side = coin.TAILS if rng.random() < 0.2 else coin.HEADS
        determinization = informed_of(game, side)
        legal = [side, coin.SAFE]
        before = search.children()
        assert search.run([determinization]) == 1
        after = search.children()
        (chosen,) = [a for a in after if after[a][1] != before.get(a, (0, 0))[1]]
        assert chosen in expected_choice(before, after, legal, 1, c)
        for action, (_, visits, available, sums) in after.items():
            seen[action] = seen.get(action, 0) + (action in legal)
            assert available == seen[action]
            assert visits == before.get(action, (0, 0))[1] + (action == chosen)
            assert sum(sums) == pytest.approx(visits)
        assert search.tree.visits[0] == number == sum(child[1] for child in after.values())
    assert len(set(seen.values())) == 3, "the three actions were there unequally often"


def test_players_below_the_root_choose_by_the_same_formula(game):
    search = Steps(game, 0.5).begin(1)
    for _ in range(200):
        before = {a: search.children(child[0]) for a, child in search.children().items()}
        search.run([informed_of(game, coin.HEADS)])
        for action, (slot, visits, _, sums) in search.children().items():
            after = search.children(slot)
            if visits < 2:
                assert not after, "a node is expanded at its second visit"
                continue
            assert sum(child[1] for child in after.values()) == visits - 1
            moved = [a for a in after if after[a][1] != before[action].get(a, (0, 0))[1]]
            assert len(moved) <= 1
            everything = [coin.HEADS, coin.TAILS, coin.SAFE]
            if moved:
                assert moved[0] in expected_choice(before[action], after, everything, 0, 0.5)
            for choice, (_, n, _, shares) in after.items():
                own = 0.7 if choice == coin.SAFE else float(choice == coin.HEADS)
                assert shares == pytest.approx([n * own, n * (1 - own)])
            assert sum(sums) == pytest.approx(visits)


def test_chance_follows_its_probabilities_and_is_never_a_leaf(game):
    search = Steps(game, 1.0).begin(CHANCE)
    for number in range(1, 401):
        search.run([game.start()])
        outcomes = search.children()
        assert sum(child[1] for child in outcomes.values()) == number
    assert set(outcomes) == {coin.HEADS, coin.TAILS}
    assert outcomes[coin.HEADS][1] == pytest.approx(200, abs=40)
    for side, (slot, *_) in outcomes.items():
        assert set(search.children(slot)) == {side, coin.SAFE}
        assert search.tree.to_move[slot] == 1


def test_the_first_of_equal_unknown_actions_is_drawn_at_random(game):
    first = []
    for seed in range(60):
        search = Steps(game, 1.0, seed=seed).begin(0)
        search.run([fallen(game, coin.HEADS)])
        first += [a for a, child in search.children().items() if child[1]]
    assert np.bincount(first, minlength=3) == pytest.approx([20, 20, 20], abs=12)


def test_search_stops_before_its_memory_is_exceeded(game):
    search = Steps(game, 1.0, capacity=60).begin(0)
    ran = search.run([fallen(game, side) for side in (coin.HEADS, coin.TAILS)] * 300)
    assert ran == 600, "root and three actions, each with an end: a full tree grows no more"
    search = Steps(game, 1.0, capacity=8 * game.max_moves + 3).begin(0)
    ran = search.run([fallen(game, coin.HEADS)] * 9)
    assert ran == 1, "four slots are in use then, and 24 more might be needed"
    assert search.tree.visits[0] == 1
    search = Steps(game, 1.0, capacity=8 * game.max_moves + 4).begin(0)
    assert search.run([fallen(game, coin.HEADS)] * 9) == 9


def test_a_tree_tries_sensible_actions_in_one_order():
    register(pairs.Pairs)
    game = pairs.Pairs()
    search = Steps(game, 1.0).begin(0)
    search.run([game.start()] * 300)
    cards = search.children()
    assert set(cards) == set(range(pairs.USELESS))
    for card, (slot, *_) in cards.items():
        seconds = search.children(slot)
        assert set(seconds) == set(range(card, pairs.USELESS)), "what is below came before"
        for second, (below, *_) in seconds.items():
            assert set(search.children(below)) == {0, 1}, "another player is free to choose"
            for taken, (_, n, _, shares) in search.children(below).items():
                own = (card + second) / 8 + 0.1 * (1 - taken)
                assert shares == pytest.approx([n * own, n * (1 - own)])


# ---------------------------------------------------------------- the search around it


@pytest.mark.parametrize("simulations", [1, 2, 3, 255, 256, 257, 600])
def test_the_given_number_of_simulations_is_run(game, simulations):
    result = TreeSearch(InformationSetUct(game)).run(fallen(game, coin.HEADS), simulations)
    assert result.simulations == simulations == result.visits.sum()


def test_minimum_number_of_simulations_is_run_in_any_time_limit(game):
    instant = TreeSearch(InformationSetUct(game)).run(fallen(game, coin.HEADS), seconds=1e-9)
    assert instant.simulations == instant.visits.sum() > 0


def test_search_stops_once_stop_returns_true(game):
    asked = iter([False] * 5 + [True])
    search = TreeSearch(InformationSetUct(game))
    assert search.run(fallen(game, coin.HEADS), stop=lambda: next(asked)).simulations >= 6
    assert next(asked, None) is None
    assert search.run(fallen(game, coin.HEADS), seconds=0.05).seconds > 0.04


def test_growing_tree_gives_the_result_of_a_large_one(game, monkeypatch):
    position = fallen(game, coin.HEADS)

    def run(max_nodes=MAX_NODES, stop=None):
        rule = InformationSetUct(game)
        rule.max_nodes = max_nodes
        return TreeSearch(rule, seed=2).run(position, 300, stop=stop)

    whole = run()
    monkeypatch.setattr(InformationSetUct, "_likely_nodes", lambda *_: 26)
    grown = run()
    assert grown.simulations == 300
    np.testing.assert_array_equal(grown.values, whole.values)
    np.testing.assert_array_equal(run(stop=lambda: False).values, whole.values)
    for max_nodes in (26, 27):  # four nodes are in use, and up to 24 more may be needed
        assert 0 < run(max_nodes).simulations < 300
    assert run(28).simulations == 300


def test_every_search_starts_a_new_tree_and_every_game_its_own_seed(game, monkeypatch):
    begun, belief, position = [], game.belief, fallen(game, coin.HEADS)

    def watched(seat, seed):
        begun.append((seat, seed))
        return belief(seat, seed)

    monkeypatch.setattr(game, "belief", watched)
    search = TreeSearch(InformationSetUct(game), seed=3)
    first, second = search.run(position, 300), search.run(position, 300)
    assert second.visits.sum() == 300
    assert second.nodes == first.nodes
    assert not np.array_equal(first.values, second.values), "but it draws on"
    search.begin(3)
    again = search.run(position, 300)
    np.testing.assert_array_equal(again.values, first.values)
    assert begun == [(0, 3), (0, 3)], "the belief of a seat lasts for one game"
    assert first.priors.tolist() == pytest.approx([1 / 3] * 3)
    assert 0 < first.seconds < 60


def test_default_settings_of_the_search(game):
    islands = Catan(players=2)
    for rule, expected in (
        (InformationSetUct(game), (EXPLORATION, 0, 0)),  # it does not say what is sensible
        (InformationSetUct(islands), (HEURISTIC_EXPLORATION, 1, PLIES)),
        (InformationSetUct(islands, plies=0), (EXPLORATION, 1, 0)),
        (InformationSetUct(islands, c=0.3, guided=0.5), (0.3, 0.5, PLIES)),
    ):
        assert (rule.settings.c, rule.settings.guided, rule.settings.plies) == expected


def test_positions_of_another_game_and_chance_nodes_are_refused(game):
    search, over = TreeSearch(InformationSetUct(game)), fallen(game, coin.HEADS)
    over.play(coin.SAFE)
    for position, said in (
        (game.start(), "no player is to move"),
        (over, "the game is over"),
        (Catan(players=2).start(1), "cannot search"),
    ):
        with pytest.raises(UsageError, match=said):
            search.run(position, 10)
