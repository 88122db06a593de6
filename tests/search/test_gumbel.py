"""The Gumbel root: by the paper's formulas, better than its policy with few simulations."""

import numpy as np
import pytest

from meeple.games.contract.registry import make
from meeple.search.evaluators import Evaluation, UniformEvaluator
from meeple.search.exact.solver import solve
from meeple.search.mcts.gumbel import considered_visits
from meeple.search.mcts.lockstep import IMPROVED, Lockstep, LockstepOptions
from meeple.search.mcts.tree import ROOT
from tests.naive.gumbel import NaiveGumbel, halving
from tests.search.test_lockstep import HEX3, HEX4, FixedEvaluator, after, judge, searched, visits_of

LIVE = np.zeros(1, dtype=np.int32)


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 7, 16, 40])
@pytest.mark.parametrize("budget", [1, 2, 15, 16, 33, 64, 200])
def test_simulations_are_shared_out_by_sequential_halving(considered, budget):
    found = [considered_visits(n, considered, budget) for n in range(budget)]
    assert found == halving(considered, budget)


def test_halving_spends_about_as_much_on_every_phase():
    visits = halving(16, 64)
    assert visits.count(0) == 16
    assert max(visits) + 1 == 1 + 2 + 4 + 8, "the last two have had every phase"


def gumbel_search(position, simulations, noise_scale, **options):
    search = Lockstep(position.game, 1, LockstepOptions(**options), seed=4)
    search.begin(position.row[None])
    scale = np.full(1, noise_scale, dtype=np.float32)
    search.run(FixedEvaluator(), simulations, gumbel_scale=scale)
    return search


@pytest.mark.parametrize("opening", [(), (4,), (0, 4)])
@pytest.mark.parametrize("simulations", [2, 8, 16, 50])
@pytest.mark.parametrize("noise_scale", [0.0, 1.0])
def test_visits_policy_and_choice_are_what_the_formulas_say(opening, simulations, noise_scale):
    position = after(HEX4, *opening)
    options = {"considered": 6, "value_scale": 0.3, "solve": False}
    search = gumbel_search(position, simulations, noise_scale, **options)
    noise = search.gumbel_noise(0)
    assert noise.any() == (noise_scale > 0)
    naive = NaiveGumbel(position, judge, 1.0, 0.3, noise, 6)
    assert visits_of(search) == naive.run(simulations)
    assert search.gumbel_actions(LIVE).tolist() == [naive.chosen()]
    policy = naive.policy()
    found = search.improved_policy(LIVE)[0]
    assert {action: pytest.approx(p, abs=1e-4) for action, p in policy.items()} == {
        action: found[action] for action in policy
    }


def test_gumbel_noise_has_its_distribution():
    game = make("hex", size=4)
    search = searched([game.start()] * 400, UniformEvaluator(), considered=4)
    search.run(UniformEvaluator(), 2, gumbel_scale=np.ones(400, dtype=np.float32))
    noise = np.concatenate([search.gumbel_noise(game) for game in range(len(search))])
    assert noise.mean() == pytest.approx(0.5772, abs=0.06)  # Euler's constant
    assert noise.std() == pytest.approx(1.2825, abs=0.06)  # pi / sqrt 6


class Bandit:
    """Knows an action's worth only once it is played; its policy says nothing of it."""

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
    """With 8 simulations over 16 actions the action chosen is worth more than the policy's draw."""
    rng = np.random.default_rng(0)
    gains = []
    for seed in range(60):
        worth, policy = rng.uniform(0.2, 0.8, 16), rng.dirichlet(np.ones(16))
        search = Lockstep(HEX4, 1, LockstepOptions(considered=4), seed=seed)
        search.begin(HEX4.start().row[None])
        search.run(Bandit(worth, policy), 9, gumbel_scale=np.ones(1, dtype=np.float32))
        gains.append(worth[search.gumbel_actions(LIVE)[0]] - policy @ worth)
        assert search.improved_policy(LIVE)[0] @ worth >= policy @ worth - 1e-6
    assert np.mean(gains) > 0.1


def test_an_improved_policy_is_a_policy_over_legal_actions():
    positions = [after(HEX4, *actions) for actions in ((), (3,), (0, 5, 9))]
    games = np.arange(3, dtype=np.int32)
    search = searched(positions, FixedEvaluator(), 12, considered=8)
    policies = search.improved_policy(games)
    assert policies.sum(axis=1) == pytest.approx(np.ones(3))
    for position, policy in zip(positions, policies, strict=True):
        assert not policy[~position.legal_mask()].any()


def test_a_proven_loss_is_neither_played_nor_learned():
    """Hex 3x3 after a bad reply: the only good actions are found and kept."""
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


def test_every_game_of_a_lockstep_search_may_have_simulations_of_its_own():
    search = searched([HEX4.start()] * 3, considered=4)
    ran = search.run(FixedEvaluator(), np.array([4, 0, 20]))
    assert ran == 24
    assert [int(search.tree(game).visits[ROOT]) for game in range(3)] == [4, 0, 20]


@pytest.mark.parametrize("simulations", [60, 300])
def test_below_the_root_visits_can_follow_the_improved_policy(simulations):
    """Without noise, visits come to be shared out as the improved policy of the node is."""
    search = searched([HEX4.start()], rule=IMPROVED, value_scale=0.05, solve=False)
    search.run(FixedEvaluator(), simulations)
    shares = search.visit_shares()[0]
    policy = search.improved_policy(LIVE)[0]
    assert np.abs(shares - policy).max() < 2.5 / np.sqrt(simulations)
