"""The Gumbel root follows the paper's formulas and improves its policy with few simulations."""

import math

import numpy as np
import pytest

from meeple import kernels
from meeple.search.evaluators import Evaluation, UniformEvaluator
from meeple.search.exact.solver import solve
from meeple.search.mcts.gumbel import (
    GumbelRoot,
    considered_visits,
    gumbel_actions,
    gumbel_child,
    new_gumbel_roots,
)
from meeple.search.mcts.improvement import improved_logits
from meeple.search.mcts.lockstep import IMPROVED, Lockstep, LockstepSettings
from meeple.search.mcts.tree import PROVEN, ROOT, Forest
from tests.naive.gumbel import NaiveGumbel, halving
from tests.search.test_lockstep import (
    HEX3,
    HEX4,
    FixedEvaluator,
    after,
    evaluation_of,
    searched,
    visits_of,
)

LIVE = np.zeros(1, dtype=np.int32)


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 7, 16, 40])
@pytest.mark.parametrize("budget", [1, 2, 15, 16, 33, 64, 200])
def test_simulations_are_distributed_by_sequential_halving(considered, budget):
    found = [considered_visits(n, considered, budget) for n in range(budget)]
    assert found == halving(considered, budget)


def gumbel_search(position, simulations, noise_scale, evaluator=None, seed=4, **options):
    search = Lockstep(position.game, 1, LockstepSettings(**{"c": 1.0, **options}), seed=seed)
    search.begin([position])
    scale = np.full(1, noise_scale, dtype=np.float32)
    search.run(evaluator or FixedEvaluator(), simulations, gumbel_scale=scale)
    return search


@pytest.mark.parametrize("opening", [(), (4,), (0, 4)])
@pytest.mark.parametrize("simulations", [2, 8, 16, 50])
@pytest.mark.parametrize("noise_scale", [0.0, 1.0])
def test_visits_policy_and_choice_follow_the_formulas(opening, simulations, noise_scale):
    position = after(HEX4, *opening)
    options = {"considered": 6, "value_scale": 0.3, "solve": False}
    search = gumbel_search(position, simulations, noise_scale, **options)
    noise = search.gumbel_noise(0)
    assert noise.any() == (noise_scale > 0)
    naive = NaiveGumbel(position, evaluation_of, 1.0, 0.3, noise, 6)
    assert visits_of(search) == naive.run(simulations)
    assert search.gumbel_actions(LIVE).tolist() == [naive.chosen()]
    policy, found = naive.policy(), search.improved_policy(LIVE)[0]
    assert found[list(policy)] == pytest.approx(list(policy.values()), abs=1e-4)


class Bandit:
    """Knows an action's value only after it is played; its policy is independent of it."""

    def __init__(self, worth, policy):
        self.worth, self.policy = worth, policy

    def evaluate(self, batch):
        _, legal = batch.observe()
        value = np.full((len(batch), 2), 0.5)
        for row in range(len(batch)):
            placed = np.flatnonzero(~legal[row])
            if len(placed):
                value[row] = [self.worth[placed[0]], 1 - self.worth[placed[0]]]
        return Evaluation(np.where(legal, self.policy, 0).astype(np.float32), value, legal)


def test_few_simulations_improve_the_policy_in_expectation():
    """With 8 simulations of 16 actions, choice and improved policy are worth more on average."""
    rng = np.random.default_rng(0)
    gains, improved = [], []
    for seed in range(60):
        worth, policy = rng.uniform(0.2, 0.8, 16), rng.dirichlet(np.ones(16))
        bandit = Bandit(worth, policy)
        search = gumbel_search(HEX4.start(), 9, 1.0, bandit, seed, c=0.5, considered=4)
        gains.append(worth[search.gumbel_actions(LIVE)[0]] - policy @ worth)
        improved.append((search.improved_policy(LIVE)[0] - policy) @ worth)
    assert np.mean(gains) > 0.1
    assert np.mean(improved) > 0.1  # replies hide what an action is worth, so not every single one


def test_improved_policy_is_a_distribution_over_legal_actions():
    positions = [after(HEX4, *actions) for actions in ((), (3,), (0, 5, 9))]
    games = np.arange(3, dtype=np.int32)
    search = searched(positions, FixedEvaluator(), 12, considered=8)
    policies = search.improved_policy(games)
    assert policies.sum(axis=1) == pytest.approx(np.ones(3))
    for position, policy in zip(positions, policies, strict=True):
        assert not policy[~position.legal_mask()].any()


def test_a_proven_loss_is_neither_played_nor_learned():
    """Hex 3x3 after a bad reply: only winning actions keep probability."""
    position = after(HEX3, 0, 8)
    winning = set(solve(position).winning_actions)
    search = searched([position], UniformEvaluator(), 3000, considered=7, room=3000)
    assert search.gumbel_actions(LIVE)[0] in winning
    learned = set(np.flatnonzero(search.improved_policy(LIVE)[0] > 0).tolist())
    assert learned <= winning


def test_a_kept_subtree_counts_for_values_but_not_for_the_halving():
    search = searched([HEX4.start()], FixedEvaluator(), 40, considered=4, solve=False)
    before = search.tree(0).visits[ROOT]
    action = search.gumbel_actions(LIVE)
    search.advance(action, LIVE)
    kept = int(search.tree(0).visits[ROOT])
    assert 0 < kept < before
    search.run(FixedEvaluator(), 16)
    assert int(search.tree(0).visits[ROOT]) == kept + 16
    tree = search.tree(0)
    slots = tree.children(ROOT)
    fresh = tree.visits[slots] - search.visits_before(0)[tree.action[slots]]
    assert sorted(fresh.tolist())[-4:] == [2, 2, 6, 6], "four actions, then the better two"


def test_games_of_a_lockstep_search_may_have_different_simulations_or_be_over():
    over = HEX3.start()
    while not over.is_over:
        over.play(int(over.legal_actions()[0]))
    search = searched([HEX3.start(), HEX3.start(), over, after(HEX3, 4)], considered=4)
    assert search.run(FixedEvaluator(), np.array([4, 0, 6, 20])) == 24
    assert [int(search.tree(game).visits[ROOT]) for game in range(4)] == [4, 0, 0, 20]
    assert not search.improved_policy(np.arange(4, dtype=np.int32))[[1, 2]].any()


@pytest.mark.parametrize("simulations", [60, 300])
def test_below_the_root_visits_can_follow_the_improved_policy(simulations):
    """Without noise, visit shares converge to the improved policy of the node."""
    search = searched([HEX4.start()], rule=IMPROVED, value_scale=0.05, solve=False)
    search.run(FixedEvaluator(), simulations)
    shares = search.visit_shares()[0]
    policy = search.improved_policy(LIVE)[0]
    assert np.abs(shares - policy).max() < 2.5 / np.sqrt(simulations)


def gumbel_draws(seed):
    """Return draws of the standard Gumbel distribution from a generator of this seed."""
    rngs, uniform = kernels.new_rng(seed), kernels.uniform
    while True:
        yield -math.log(-math.log(1.0 - uniform(rngs[0])))


@pytest.mark.parametrize("scale", [0.0, 1.0, 2.5])
def test_noise_of_each_root_is_gumbel_distributed_times_its_scale(scale):
    options = LockstepSettings(considered=4)
    search = Lockstep(HEX3, 2, options, seed=11)
    search.begin([after(HEX3, 0), after(HEX3, 4)])
    draws = gumbel_draws(11)
    search.run(UniformEvaluator(), 2, gumbel_scale=np.array([1.0, scale], dtype=np.float32))
    for row, strength in enumerate((1.0, scale)):
        noise = search.gumbel_noise(row)
        legal = after(HEX3, (0, 4)[row]).legal_actions()
        expected = [strength * next(draws) for _ in legal]
        assert noise[legal] == pytest.approx(expected, abs=1e-5)
        assert noise.any() == (strength > 0)


def test_proven_win_is_played_despite_the_noise():
    """One stone joins the sides, while strong noise favours every other action."""
    position = after(HEX3, 0, 1, 3, 4)
    (win,) = [a for a in position.legal_actions().tolist() if after(HEX3, 0, 1, 3, 4, a).is_over]
    others = set()
    for seed in range(8):
        search = gumbel_search(position, 200, 1e4, UniformEvaluator(), seed, c=0.5, considered=5)
        assert search.tree(0).proof[ROOT] == PROVEN
        noise = search.gumbel_noise(0)
        others.add(int(noise.argmax()) != win)
        assert search.gumbel_actions(LIVE).tolist() == [win]
        assert search.improved_policy(LIVE)[0].argmax() == win
    assert True in others


# ---------------------------------------------------------------- choices on constructed trees


class Root:
    """A searched root whose visits, noise and proofs are set by the test."""

    def __init__(self, simulations=30, evaluator=None):
        search = searched(
            [HEX3.start()], evaluator or FixedEvaluator(), simulations, considered=4, solve=False
        )
        self.tree = search.tree(0)
        self.forest = Forest(*(array[None] for array in self.tree))
        self.first = int(self.tree.children(ROOT)[0])
        self.count = len(self.tree.children(ROOT))
        self.roots = new_gumbel_roots(1, HEX3.num_actions)
        self.scores = np.zeros(self.count, dtype=np.float32)

    def lose(self, *children):
        """Prove children lost by a visit that belongs to another search."""
        for slot in (self.first + child for child in children):
            if self.tree.visits[slot] == 0:
                self.tree.visits[slot] = 1
                self.roots.before[0, self.tree.action[slot]] += 1
            self.tree.proof[slot] = PROVEN
            self.tree.value_sum[slot, 0] = 0.0

    def visited(self, counts):
        """Set the number of visits of each child by this search."""
        for child, count in enumerate(counts):
            slot = self.first + child
            self.roots.before[0, self.tree.action[slot]] = self.tree.visits[slot] - count

    def best(self, children):
        """Return the first of these children with the greatest sum of noise and logit."""
        improved_logits(self.tree, 0, 0.1, self.scores)
        actions = self.tree.action[self.first : self.first + self.count]
        total = self.scores + self.roots.noise[0, actions]
        return max(children, key=lambda child: (total[child], -child))

    def chosen(self, simulation=0, considered=9, budget=9):
        root = GumbelRoot(self.roots.noise[0], self.roots.before[0], budget, considered, 0.1)
        return gumbel_child(self.tree, root, simulation, self.scores) - self.first

    def played(self):
        out = np.full(1, -1, dtype=np.int32)
        gumbel_actions(self.forest, self.roots, LIVE, 0.1, self.scores, out)
        actions = self.tree.action[self.first : self.first + self.count].tolist()
        return actions.index(int(out[0]))


@pytest.mark.parametrize("seed", range(4))
def test_simulation_goes_to_the_best_candidate_that_is_not_lost(seed):
    root, rng = Root(), np.random.default_rng(seed)
    root.roots.noise[0] = rng.gumbel(size=9)
    turn = {0, 2, 3, 7}
    root.visited([0 if child in turn else 1 for child in range(9)])
    assert root.chosen() == root.best(turn)
    root.lose(root.best(turn))
    left = [c for c in turn if root.tree.proof[root.first + c] != PROVEN]
    assert root.chosen() == root.best(left)
    root.lose(*turn)
    others = [child for child in range(9) if child not in turn]
    assert root.chosen() == root.best(others), "proofs have thinned out those in turn"
    root.lose(*range(9))
    assert root.chosen() == 0


def test_the_first_of_equal_and_of_lost_actions_is_visited_and_played():
    root = Root(simulations=1, evaluator=UniformEvaluator())
    assert root.chosen() == root.played() == 0
    root.visited([0, 0, 2, 2, 1, 0, 0, 0, 0])
    assert root.played() == 2
    root.visited([5] * 9)
    assert root.chosen() == 0, "also where none is in turn"
    root.lose(0)
    assert root.chosen() == 1
    root.visited([0] * 9)
    assert root.chosen() == 1
    root.lose(*range(9))
    assert root.chosen() == 0


def test_number_of_considered_actions_is_at_most_that_of_legal_ones():
    """Of nine actions, the tenth of 16 simulations goes to an action with one visit."""
    root = Root()
    root.visited([1] * 9)
    root.roots.noise[0] = np.random.default_rng(1).gumbel(size=9)
    assert root.chosen(simulation=9, considered=40, budget=64) == root.best(range(9))


@pytest.mark.parametrize("seed", range(4))
def test_the_choice_is_the_best_of_the_most_visited_not_lost_actions(seed):
    root, rng = Root(), np.random.default_rng(seed)
    root.roots.noise[0] = rng.gumbel(size=9)
    root.visited([3, 5, 5, 0, 5, 1, 4, 4, 2])
    assert root.played() == root.best([1, 2, 4])
    root.lose(1, 2, 4)
    assert root.played() == root.best([6, 7])
    root.lose(*range(8))
    assert root.played() == 8
    root.lose(8)
    assert root.played() == 0
