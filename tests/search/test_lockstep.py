"""Search of many games in lockstep: independence of games, noise, and results."""

import zlib

import numpy as np
import pytest

from meeple.games.contract.registry import load_game_file, make
from meeple.search.batch import start_positions
from meeple.search.budget import Budget
from meeple.search.evaluators import Evaluation, RandomRolloutEvaluator, UniformEvaluator
from meeple.search.exact.solver import solve
from meeple.search.mcts.lockstep import Lockstep, LockstepSettings
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.tree import PROVEN, ROOT
from tests.games import race
from tests.search.growing import as_dict, assert_layout, children

HEX3, HEX4 = make("hex", size=3), make("hex", size=4)


class FixedEvaluator:
    """Pseudo-random policies and values that depend only on the state."""

    def __init__(self):
        self.batches = []

    def evaluate(self, batch):
        self.batches.append(len(batch))
        _, legal = batch.observe()
        policy = np.zeros(legal.shape, dtype=np.float32)
        value = np.zeros((len(batch), batch.game.players))
        for row, state in enumerate(batch.states):
            rng = np.random.default_rng(zlib.crc32(state.tobytes()))
            policy[row, legal[row]] = rng.dirichlet(np.ones(legal[row].sum()))
            value[row] = rng.dirichlet(np.ones(batch.game.players))
        return Evaluation(policy, value, legal)


def searched(positions, evaluator=None, simulations=None, **options):
    """Return a search at these positions, run if `simulations` is given."""
    game = positions[0].game
    search = Lockstep(game, len(positions), LockstepSettings(**{"c": 1.0, **options}), seed=0)
    search.begin(positions)
    if simulations is not None:
        search.run(evaluator or FixedEvaluator(), simulations)
    return search


def after(game, *actions):
    position = game.start()
    for action in actions:
        position.play(action)
    return position


def visits_of(search, index=0):
    result = search.result(index)
    return dict(zip(result.actions.tolist(), result.visits.tolist(), strict=True))


def evaluation_of(position):
    """Evaluate one position by `FixedEvaluator`."""
    rng = np.random.default_rng(zlib.crc32(position.row.tobytes()))
    legal = position.legal_actions().tolist()
    policy = rng.dirichlet(np.ones(len(legal)))
    value = rng.dirichlet(np.ones(position.game.players))
    return dict(zip(legal, policy.tolist(), strict=True)), value


def test_strong_policy_is_followed_until_values_contradict_it():
    class Opinion:
        """A policy that strongly prefers cell 0, with values that disfavour it."""

        def evaluate(self, batch):
            observations, legal = batch.observe()
            policy = np.where(legal, 0.01, 0.0).astype(np.float32)
            policy[:, 0] = np.where(legal[:, 0], 0.9, 0.0)
            policy /= policy.sum(axis=1, keepdims=True)
            value = np.full((len(batch), 2), 0.5)
            for row, mover in enumerate(batch.to_move):
                mine, theirs = observations[row, :2, 0, 0]
                value[row, mover] = 0.5 - 0.4 * mine + 0.4 * theirs
                value[row, 1 - mover] = 1 - value[row, mover]
            return Evaluation(policy, value, legal)

    few = visits_of(searched([HEX4.start()], Opinion(), 5))
    many = visits_of(searched([HEX4.start()], Opinion(), 2000, room=2000))
    assert max(few, key=few.get) == 0
    assert max(many, key=many.get) != 0


# ---------------------------------------------------------------- lockstep


def test_games_in_lockstep_are_searched_like_single_games():
    positions = [after(HEX4, *actions) for actions in ((), (0,), (5, 6), (1, 2, 3))]
    together = searched(positions, simulations=150)
    for index, position in enumerate(positions):
        alone = searched([position], simulations=150)
        assert visits_of(together, index) == visits_of(alone)
        np.testing.assert_array_equal(together.values()[index], alone.values()[0])


def test_a_round_is_one_batch_over_all_games_of_leaves_that_differ():
    differing = []

    class Watching(FixedEvaluator):
        def evaluate(self, batch):
            differing.append(len({state.tobytes() for state in batch.states}))
            return super().evaluate(batch)

    evaluator = Watching()
    search = searched([HEX4.start()] * 6, evaluator, 10)
    assert evaluator.batches[:3] == [6, 6, 6]
    assert search.live().tolist() == [0, 1, 2, 3, 4, 5]
    evaluator.batches.clear()
    searched([HEX4.start()] * 6, evaluator, 41, leaves=4)
    # A new root is one leaf; afterwards each game contributes four.
    assert evaluator.batches[0] == 6
    assert max(evaluator.batches) == 24
    evaluator.batches.clear()
    differing.clear()
    searched([HEX4.start()], evaluator, 200, leaves=8)
    assert np.mean(np.array(differing) / evaluator.batches) > 0.8


@pytest.mark.parametrize("room", [800, 20])  # of a full tree the leaves are evaluated again
def test_visits_in_flight_are_all_backed_up(room):
    search = searched([HEX4.start()], simulations=333, leaves=16, solve=False, room=room)
    tree = search.tree(0)
    assert tree.visits[ROOT] == 333
    visited = np.flatnonzero(tree.visits[: tree.used[0]])
    np.testing.assert_allclose(tree.value_sum[visited].sum(axis=1), tree.visits[visited])
    assert_layout(tree)


def test_the_same_seed_gives_the_same_search_with_dice():
    game = load_game_file(race.__file__)(goal=12)

    def run():
        search = Lockstep(game, 3, LockstepSettings(leaves=4), seed=5)
        search.begin(start_positions(game, [1, 2, 3]))
        search.run(RandomRolloutEvaluator(1), 100)
        return search.visit_shares().tolist(), search.values().tolist()

    assert run() == run()


def test_finished_games_are_unchanged_and_a_search_stops_at_its_time():
    over = after(HEX3, 0, 1, 3, 4, 6)
    assert over.is_over
    search = searched([over, HEX3.start()])
    assert search.live().tolist() == [1]
    assert search.run(FixedEvaluator(), 50) == 50
    assert not search.visit_shares()[0].any()
    assert 0 < search.run(UniformEvaluator(), budget=Budget(seconds=0.02)) < 10**6


# ---------------------------------------------------------------- noise


def test_noise_changes_the_priors_of_the_root_and_no_others():
    noise = np.zeros((1, 16), dtype=np.float32)
    noise[0, 7] = 1
    plain = searched([HEX4.start()], simulations=60).tree(0)
    search = searched([HEX4.start()])
    assert search.run(FixedEvaluator(), 60, noise=noise, noise_fraction=0.25) == 60
    assert search.result(0).visits.sum() == 59
    noisy = search.tree(0)

    def priors(tree, node):
        return {int(tree.action[c]): float(tree.prior[c]) for c in children(tree, node)}

    before, now = priors(plain, ROOT), priors(noisy, ROOT)
    for action in before:
        assert now[action] == pytest.approx(0.75 * before[action] + 0.25 * (action == 7))
    twins = {int(plain.action[child]): child for child in children(plain, ROOT)}
    for child in children(noisy, ROOT):
        twin = twins[int(noisy.action[child])]
        if children(noisy, child) and children(plain, twin):
            assert priors(noisy, child) == priors(plain, twin)


# ---------------------------------------------------------------- results


@pytest.mark.parametrize(
    ("position", "simulations", "value"),
    [
        (after(HEX4), 100, None),
        # Player 1 has the first two rows of column a, and a3 or none joins them to the last row.
        (after(HEX3, 0, 2, 3, 5), 400, [1, 0]),
        # Player 2 must block a3; every other move loses.
        (after(HEX4, 1, 3, 5, 7, 9), 60, None),
        (after(make("nim", stones=4, take=3)), 500, [0, 1]),  # every move loses
    ],
    ids=["open", "won", "most moves lose", "lost"],
)
def test_shares_are_of_visits_but_those_of_moves_that_proofs_rule_out(position, simulations, value):
    search = searched([position], simulations=simulations)
    tree, shares, mover = search.tree(0), search.visit_shares()[0], position.to_move
    assert shares.sum() == pytest.approx(1)
    if value is not None:
        assert tree.proof[ROOT] == PROVEN
        assert search.values()[0].tolist() == value
    slots = np.array(children(tree, ROOT))
    lost = (tree.proof[slots] == PROVEN) & (tree.value_sum[slots, mover] == 0)
    if value is None:
        counted = np.where(lost, 0, tree.visits[slots])
        assert shares[tree.action[slots]] == pytest.approx(counted / counted.sum())
    elif value[mover] == 1:
        assert sum(shares[solve(position).winning_actions]) == pytest.approx(1)


def test_the_subtree_is_kept_when_a_move_is_played():
    search = searched([HEX4.start(), after(HEX4, 3)], simulations=200, solve=False)
    trees = [search.tree(index) for index in range(2)]
    moves, kept = [], []
    for tree in trees:
        slots = children(tree, ROOT)
        child = slots[int(tree.visits[slots].argmax())]
        moves.append(int(tree.action[child]))
        kept.append(as_dict(tree, child))
    search.advance(np.array(moves, dtype=np.int32), search.live())
    assert [as_dict(tree) for tree in trees] == kept
    for tree in trees:
        assert_layout(tree)
    assert search.to_move.tolist() == [1, 0]


def test_die_with_more_faces_than_actions_fits_its_tree():
    game = race.Race()
    game.num_actions = 2  # stay and move; the faces are only outcomes
    positions = [after(game, face) for face in range(3)]
    for room in range(5, 15):
        search = searched(positions, UniformEvaluator(), 200, room=room, leaves=3, solve=False)
        for index in range(3):
            assert_layout(search.tree(index))
            assert search.result(index).visits.sum() == 199


def test_tree_memory_is_small_if_few_actions_are_legal():
    game = make("ledge", row="0" * 57 + "1101021")
    assert game.num_actions > 30 * game.max_moves
    search = searched([game.start()], UniformEvaluator(), 5, room=5, solve=False)
    tree = search.tree(0)
    expanded = np.count_nonzero(tree.nodes["block"][: tree.used[0]])
    assert expanded == 5
    assert search.visit_shares().sum() == pytest.approx(1)


# ---------------------------------------------------------------- one position


def test_a_search_of_one_position_keeps_its_tree():
    search = TreeSearch(Puct(HEX4, FixedEvaluator(), LockstepSettings()), seed=1)
    position = HEX4.start()
    first = search.run(position, 300)
    assert first.simulations == 300
    position.play(first.best)
    kept = int(first.visits.max())
    second = search.run(position, 50)
    assert kept + 50 - 1 <= second.visits.sum() <= kept + 50
    search.begin(1)
    again = search.run(HEX4.start(), 300)
    assert again.visits.tolist() == first.visits.tolist()


def test_a_search_of_one_position_evaluates_its_leaves_in_batches():
    evaluator = FixedEvaluator()
    search = TreeSearch(Puct(HEX4, evaluator, LockstepSettings(leaves=5)), seed=1)
    search.run(HEX4.start(), 101)
    assert max(evaluator.batches) == 5
    assert evaluator.batches.count(5) >= 15
