"""Network search of hidden information: it agrees with a plain search and uses no secrets."""

import zlib
from typing import Any

import numpy as np
import pytest

from examples.leduc import Leduc
from meeple import kernels
from meeple.search.batch import StateBatch
from meeple.search.determinization import Determinizer
from meeple.search.evaluators import Evaluation, UniformEvaluator
from meeple.search.mcts.lockstep import IMPROVED, PUCT, UCT, Lockstep, LockstepSettings
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.selection import FPU_REDUCTION
from tests.search.agreement import decision
from tests.search.coin import HEADS, SAFE, TAILS, Coin
from tests.search.kuhn import Kuhn
from tests.search.pennies import Pennies
from tests.search.tricks import Tricks
from tests.tiers import few_quick

SIMULATIONS = 300


class ShownEvaluator:
    """Pseudo-random policies that depend on the observation; values that depend on the state."""

    def evaluate(self, batch):
        shown, legal = batch.observe()
        policy = np.zeros(legal.shape, dtype=np.float32)
        value = np.zeros((len(batch), batch.game.players))
        for row, state in enumerate(batch.states):
            rng = np.random.default_rng(zlib.crc32(shown[row].tobytes()))
            policy[row, legal[row]] = rng.dirichlet(np.ones(legal[row].sum()))
            rng = np.random.default_rng(zlib.crc32(state.tobytes()))
            value[row] = rng.dirichlet(np.ones(batch.game.players))
        return Evaluation(policy, value, legal)


# ---------------------------------------------------------------- comparison with a plain search


class Set:
    """An information set of the plain search."""

    def __init__(self, policy, value, mover):
        self.mover, self.chosen, self.sum = mover, 0, value.copy()
        self.children = {action: [0, np.zeros_like(value), share] for action, share in policy}

    def best(self, c):
        """Choose by PUCT with first-play urgency, like `selection.best_by_puct`."""
        tried = sum(share for visits, _, share in self.children.values() if visits)
        own = self.sum[self.mover] / self.sum.sum()
        urgency = max(0.0, own - float(FPU_REDUCTION) * np.sqrt(tried))

        def score(action):
            visits, total, share = self.children[action]
            q = total[self.mover] / visits if visits else urgency
            return q + c * share * np.sqrt(self.chosen) / (1 + visits)

        return max(self.children, key=score)


def plain(position, evaluator, simulations, c, seed):
    """Return the root's children after a search by information sets in plain Python."""
    game, rng = position.game, kernels.new_rng(seed)
    sets: dict[Any, Set] = {}
    beliefs, rows = Determinizer(game, seed), np.zeros((1, game.state_bytes), dtype=np.uint8)
    for _ in range(simulations):
        beliefs.fill(position, rows, rng)
        world, path, last = StateBatch(game, rows.copy()), [], {}
        key: Any = "root"
        while key in sets:
            here = sets[key]
            here.chosen += 1
            action = here.best(c)
            path.append((here, action))
            here.children[action][0] += 1
            last[here.mover] = (key, action)
            world.play(np.array([action], dtype=np.int32), rng)
            mover = int(world.to_move[0])
            if mover < 0:
                value = world.payoffs()[0]
                break
            shown, legal = world.observe()
            key = (mover, shown.tobytes(), legal.tobytes(), last.get(mover))
        else:
            judged = evaluator.evaluate(world)
            value = judged.value[0]
            policy = [(a, float(judged.policy[0, a])) for a in np.flatnonzero(judged.legal[0])]
            sets[key] = Set(policy, value, int(world.to_move[0]))
        for here, action in path:
            here.sum += value
            here.children[action][1] += value
    return sets["root"].children


@pytest.mark.parametrize("c", few_quick([1.5, 0.4]))
@pytest.mark.parametrize(
    ("game", "plies"),
    [(Coin(), 0), (Coin(), 1), (Kuhn(), 0), (Kuhn(), 1), (Leduc(), 0), (Leduc(), 3), (Tricks(), 2)],
    ids=repr,
)
def test_search_visits_the_nodes_of_a_plain_search(game, plies, c):
    for seed in range(3):
        position = decision(game, seed, plies)
        search = Lockstep(game, 1, LockstepSettings(c=c), seed=seed)
        search.begin([position])
        search.run(ShownEvaluator(), SIMULATIONS)
        expected = plain(position, ShownEvaluator(), SIMULATIONS, c, seed)
        found = search.result(0)
        assert found.visits.tolist() == [expected[a][0] for a in found.actions.tolist()]
        for action, visits, values in zip(found.actions, found.visits, found.values, strict=True):
            if visits:
                np.testing.assert_allclose(values, expected[int(action)][1] / visits)


# ---------------------------------------------------------------- hidden information

RULES = [
    {"rule": PUCT},
    {"rule": PUCT, "leaves": 8},
    {"rule": IMPROVED, "considered": 4},
    {"rule": UCT, "leaves": 3},
]


def indistinguishable_positions(game, seed, plies):
    """Return a position and others that the seat to move cannot distinguish from it."""
    position, rng = decision(game, seed, plies), kernels.new_rng(seed)
    found = {position.row.tobytes(): position}
    for _ in range(50):
        twin = position.copy()
        game.belief(position.to_move).sample(twin.row, rng)
        found.setdefault(twin.row.tobytes(), twin)
    return list(found.values())


@pytest.mark.parametrize("options", RULES, ids=lambda options: "-".join(map(str, options.values())))
@pytest.mark.parametrize("game", [Coin(), Kuhn(), Leduc()], ids=repr)
def test_results_do_not_depend_on_hidden_information(game, options):
    differ = 0
    for seed in range(9):
        found = []
        for position in indistinguishable_positions(game, seed, plies=seed % 3):
            search = Lockstep(game, 1, LockstepSettings(c=1.0, **options), seed=5)
            search.begin([position])
            search.run(ShownEvaluator(), 100)
            result = search.result(0)
            parts = (result.visits, result.values, result.priors, result.value)
            found.append([part.tobytes() for part in (*parts, search.visit_shares())])
        assert all(one == found[0] for one in found)
        differ += len(found) > 1
    assert differ


def test_a_player_who_does_not_see_the_coin_plays_safe():
    position = Coin().start()
    position.play(HEADS)
    position.play(SAFE)
    for simulations in (50, 400):
        result = TreeSearch(Puct(Coin(), UniformEvaluator()), seed=1).run(position, simulations)
        assert result.best == SAFE
    values = dict(zip(result.actions.tolist(), result.values[:, 0].tolist(), strict=True))
    assert values[SAFE] == pytest.approx(0.7)
    assert 0.1 < values[HEADS] < 0.7
    assert 0.1 < values[TAILS] < 0.7


@pytest.mark.parametrize("rule", [PUCT, IMPROVED, UCT])
def test_no_other_seat_in_the_tree_sees_the_searchers_hidden_action(rule):
    search = Lockstep(Pennies(), 1, LockstepSettings(c=1.0, rule=rule, room=100), seed=3)
    search.begin([Pennies().start()])
    search.run(UniformEvaluator(), 2000)
    tree = search.tree(0)
    assert int((tree.nodes["block"][: tree.used[0]] > 0).sum()) == 2  # one of each seat
    assert search.values()[0, 0] > 0.4  # 0 if the other seat sees the action
    assert search.visit_shares()[0] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("room", [800, 5])  # a full tree is searched further
def test_games_are_searched_from_their_own_determinizations_and_begin_anew_after_a_move(room):
    game = Leduc()
    positions = [decision(game, seed, plies=seed % 3) for seed in range(5)]
    twins = [position.copy() for position in positions]
    search = Lockstep(game, 5, LockstepSettings(leaves=2, room=room), seed=0)
    search.begin(positions)
    while len(live := search.live()):
        assert search.run(ShownEvaluator(), 100) == 100 * len(live)
        actions = search.visit_shares()[live].argmax(axis=1).astype(np.int32)
        for index in live:
            result = search.result(index)
            assert result.visits.sum() == 99
            assert result.nodes <= search.capacity
            assert set(result.actions) == set(twins[index].legal_actions())
        for index, action, drawn in zip(live, actions, search.advance(actions, live), strict=True):
            for step in (int(action), *drawn):
                twins[index].play(step)
            assert twins[index].row.tobytes() == search.roots[index].tobytes()
            assert len(search.tree(index).children(0)) == 0
    assert all(twin.is_over for twin in twins)
    assert [position.actions for position in positions] != [twin.actions for twin in twins]
