"""Evaluators of leaves, with stand-ins for networks."""

import numpy as np
import pytest

from meeple import kernels
from meeple.errors import NetworkError
from meeple.games.contract.registry import load_game_file, make
from meeple.search.batch import (
    StateBatch,
    choose_by_probability,
    choose_epsilon_greedy,
    start_states,
)
from meeple.search.evaluators import (
    ActorRolloutEvaluator,
    MixedEvaluator,
    NetworkEvaluator,
    RandomRolloutEvaluator,
    SymmetricEvaluator,
    UniformEvaluator,
    by_mover,
    by_seat,
    with_swap,
)
from tests.games import race

HEX = make("hex", size=4)
RACE = load_game_file(race.__file__)(goal=12)


def batch_of(game, count=6, plies=3):
    """Return states in the middle of random games."""
    rng = np.random.default_rng(1)
    rows: list[np.ndarray] = []
    while len(rows) < count:
        position = game.start(seed=len(rows))
        left = plies
        while not position.is_over and (left > 0 or position.to_move < 0):
            if position.to_move < 0:
                position.play_chance()
            else:
                position.play(int(rng.choice(position.legal_actions())))
                left -= 1
        if not position.is_over:
            rows.append(position.row.copy())
    return StateBatch(game, np.stack(rows))


def first_legal(calls=None):
    """Return a network that prefers the first legal action and values the observer at 0.7."""

    def predict(observations, legal):
        if calls is not None:
            calls.append(len(observations))
        policy = np.zeros(legal.shape, dtype=np.float32)
        policy[np.arange(len(legal)), legal.argmax(axis=1)] = 1
        return policy, np.tile(np.array([0.7, 0.3], dtype=np.float32), (len(legal), 1))

    return predict


# ---------------------------------------------------------------- order of values


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_mover_comes_first_and_then_the_next_seat(players):
    movers = np.arange(players)
    shares = np.tile(np.arange(players, dtype=float), (players, 1))
    relative = by_mover(shares, movers)
    assert relative.tolist() == [[(m + i) % players for i in range(players)] for m in movers]
    np.testing.assert_array_equal(by_seat(relative, movers), shares)


def test_values_of_a_network_are_assigned_to_the_right_seats_and_equal_without_a_critic():
    batch = batch_of(HEX, plies=3)
    assert set(batch.to_move.tolist()) == {1}
    judged = NetworkEvaluator(first_legal()).evaluate(batch)
    np.testing.assert_allclose(judged.value, np.tile([0.3, 0.7], (len(batch), 1)), rtol=1e-6)
    actor = NetworkEvaluator(lambda o, legal: (first_legal()(o, legal)[0], None))
    np.testing.assert_allclose(actor.evaluate(batch_of(RACE)).value, 1 / 3)


# ---------------------------------------------------------------- evaluators


@pytest.mark.parametrize("game", [HEX, RACE], ids=repr)
@pytest.mark.parametrize(
    "evaluator",
    [
        UniformEvaluator(),
        RandomRolloutEvaluator(1),
        ActorRolloutEvaluator(first_legal(), 0.3, 1),
    ],
    ids=lambda evaluator: type(evaluator).__name__,
)
def test_every_evaluator_gives_policies_and_shares_without_changing_the_batch(game, evaluator):
    batch = batch_of(game)
    before = batch.states.copy()
    judged = evaluator.evaluate(batch)
    assert (batch.states == before).all()
    np.testing.assert_allclose(judged.policy.sum(axis=1), 1, rtol=1e-6)
    assert not judged.policy[~judged.legal].any()
    np.testing.assert_allclose(judged.value.sum(axis=1), 1, rtol=1e-6)
    assert judged.value.shape == (len(batch), game.players)


def test_mean_of_random_rollouts_is_that_of_random_play():
    position = make("nim", stones=3, take=2).start()
    # Random moves of 1 or 2 from 3 stones: player 1 wins only by 1-1-1, with probability 1/4.
    batch = StateBatch(position.game, np.tile(position.row, (4000, 1)))
    value = RandomRolloutEvaluator(5).evaluate(batch).value.mean(axis=0)
    np.testing.assert_allclose(value, [0.25, 0.75], atol=0.03)


def test_an_actors_rollout_without_epsilon_is_its_greedy_game_in_shrinking_batches():
    calls: list[int] = []
    batch, expected = batch_of(HEX, count=10), []
    for row in batch.states:
        position = HEX.start()
        position.row[:] = row
        while not position.is_over:
            position.play(int(position.legal_actions()[0]))
        expected.append(position.payoffs.tolist())
    judged = ActorRolloutEvaluator(first_legal(calls), 0.0, 1).evaluate(batch)
    assert judged.value.tolist() == expected
    assert judged.policy.argmax(axis=1).tolist() == judged.legal.argmax(axis=1).tolist()
    assert calls[0] == 10
    assert len(calls) <= HEX.max_plies
    assert calls == sorted(calls, reverse=True)


def test_with_epsilon_the_rollouts_differ():
    batch = StateBatch(HEX, np.tile(HEX.start().row, (200, 1)))
    mixed = ActorRolloutEvaluator(first_legal(), 1.0, 1).evaluate(batch)
    assert 0.3 < mixed.value[:, 0].mean() < 0.8


@pytest.mark.parametrize("sigma", [0.0, 0.3, 1.0])
def test_sigma_is_the_share_of_leaves_that_rollouts_evaluate(sigma):
    batch = StateBatch(HEX, np.tile(HEX.start().row, (2000, 1)))
    rollout = ActorRolloutEvaluator(first_legal(), 0.0, 1)
    judged = MixedEvaluator(rollout, NetworkEvaluator(first_legal()), sigma, 7).evaluate(batch)
    sure = (judged.value.max(axis=1) == 1).mean()  # the critic's values are never 0 or 1
    assert sure == pytest.approx(sigma, abs=0.05)


# ---------------------------------------------------------------- batches, and choosing


def test_batch_plays_chance_until_a_player_is_to_move():
    batch = StateBatch(RACE, start_states(RACE, list(range(20))))
    assert (batch.to_move >= 0).all()
    batch.play(np.full(20, race.MOVE, dtype=np.int32), kernels.new_rng(1))
    assert (batch.to_move != kernels.CHANCE).all()


def test_some_rows_of_a_batch_can_be_played_alone():
    batch = StateBatch(HEX, np.tile(HEX.start().row, (4, 1)))
    before = batch.states.copy()
    rows = np.array([1, 3], dtype=np.int32)
    batch.play(np.array([5, 6], dtype=np.int32), kernels.new_rng(1), rows)
    assert (batch.states[[0, 2]] == before[[0, 2]]).all()
    observations, legal = batch.observe(rows)
    assert observations.shape == (2, *HEX.observation_shape)
    assert np.argwhere(~legal).tolist() == [[0, 5], [1, 6]]


@pytest.mark.parametrize(
    ("epsilon", "weight", "shares"),
    [
        (0.0, 1, [0, 0, 1, 0, 0]),
        (0.4, 1, [0, 0.1, 0.7, 0.1, 0.1]),
        (1.0, 1, [0, 0.25, 0.25, 0.25, 0.25]),
        (None, 1, [0, 0.2, 0.5, 0.3, 0]),
        (None, 2, [0, 0.2, 0.5, 0.3, 0]),
    ],
    ids=["greedy", "epsilon-greedy", "uniform", "by probability", "by weight"],
)
def test_actions_are_chosen_with_their_shares(epsilon, weight, shares):
    count = 20_000
    out = np.zeros(count, dtype=np.int32)
    policies = np.tile(weight * np.array([0, 0.2, 0.5, 0.3, 0], np.float32), (count, 1))
    legal = np.tile(np.array([0, 1, 1, 1, 1], dtype=bool), (count, 1))
    if epsilon is None:
        choose_by_probability(policies, legal, kernels.new_rng(3), out)
    else:
        choose_epsilon_greedy(policies, legal, epsilon, kernels.new_rng(3), out)
    np.testing.assert_allclose(np.bincount(out, minlength=5) / count, shares, atol=0.015)


# ---------------------------------------------------------------- symmetries


def lopsided(observations, legal):
    """An asymmetric network: each number of an observation has a different weight."""
    flat = observations.reshape(len(observations), -1)
    weights = np.random.default_rng(3).normal(size=(flat.shape[1], legal.shape[1] + 1))
    scores = np.where(legal, np.exp(flat @ weights[:, 1:]), 0)
    share = 1 / (1 + np.exp(-flat @ weights[:, 0]))
    policy = (scores / scores.sum(axis=1, keepdims=True)).astype(np.float32)
    return policy, np.stack([share, 1 - share], axis=1).astype(np.float32)


class Turned(StateBatch):
    """A batch with observations transformed by a symmetry and unchanged states."""

    def __init__(self, batch, symmetry):
        super().__init__(batch.game, batch.states)
        self.turn = symmetry

    def observe(self, rows=None):
        seen, legal = super().observe(rows)
        flat = seen.reshape(len(seen), -1)[:, self.turn.observation]
        return flat.reshape(seen.shape), legal[:, self.turn.action]

    @property
    def to_move(self):
        return np.argsort(self.turn.player)[super().to_move].astype(np.int8)


@pytest.mark.parametrize(
    "game",
    [HEX, make("gomoku", size=5, in_a_row=4), make("reversi", size=6), make("nim")],
    ids=str,
)
def test_averaged_symmetries_give_symmetric_positions_symmetric_policies_and_equal_values(game):
    evaluator = SymmetricEvaluator(NetworkEvaluator(lopsided), game)
    batch = batch_of(game, count=5)
    legal = batch.observe()[1]
    once = evaluator.evaluate(batch)
    np.testing.assert_allclose(once.policy.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(once.value.sum(axis=1), 1, rtol=1e-5)
    assert not once.policy[~legal].any()
    if not game.symmetries():
        plain = NetworkEvaluator(lopsided).evaluate(batch)
        np.testing.assert_allclose(once.policy, plain.policy, rtol=1e-6)
    for symmetry in game.symmetries():
        turned = evaluator.evaluate(Turned(batch, symmetry))
        np.testing.assert_allclose(turned.policy, once.policy[:, symmetry.action], rtol=1e-4)
        np.testing.assert_allclose(turned.value, once.value[:, symmetry.player], rtol=1e-5)


def test_symmetries_drawn_at_random_are_those_of_the_average():
    game = make("gomoku", size=5, in_a_row=4)
    network = NetworkEvaluator(lopsided)
    batch = batch_of(game, count=1)
    seen = {}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        drawn = SymmetricEvaluator(network, game, rng).evaluate(batch)
        seen[round(float(drawn.value[0, 0]), 6)] = drawn
    mean = SymmetricEvaluator(network, game).evaluate(batch)
    assert len(seen) == 8  # of a position without a symmetry of its own
    np.testing.assert_allclose(np.mean([one.value for one in seen.values()], 0), mean.value)
    np.testing.assert_allclose(
        np.mean([one.policy for one in seen.values()], 0), mean.policy, rtol=1e-5
    )


def test_each_position_of_a_batch_has_a_symmetry_of_its_own():
    game = make("gomoku", size=5, in_a_row=4)
    position = batch_of(game, count=1)
    batch = StateBatch(game, np.repeat(position.states, 64, axis=0))
    rng = np.random.default_rng(1)
    drawn = SymmetricEvaluator(NetworkEvaluator(lopsided), game, rng).evaluate(batch)
    assert len(set(np.round(drawn.value[:, 0], 6))) == 8


def test_averaged_symmetries_call_the_network_once():
    calls: list[int] = []
    game = make("gomoku", size=4, in_a_row=3)
    SymmetricEvaluator(NetworkEvaluator(first_legal(calls)), game).evaluate(batch_of(game, count=3))
    assert calls == [3 * 8]


# ---------------------------------------------------------------- the swap rule

SWAP_HEX = make("hex", size=4, swap=True)
SWAP = 16


def judge(observations, legal):
    """Prefer later cells; the player to move has 0.2 if the first stone is on cell 0, 0.8 on 15."""
    cells = observations[:, :2].sum(axis=1).reshape(len(legal), -1).argmax(axis=1)
    own = (0.2 + 0.04 * cells).astype(np.float32)
    policy = (legal * np.arange(1, 17)).astype(np.float32)
    return policy / policy.sum(axis=1, keepdims=True), np.stack([own, 1 - own], axis=1)


def evaluated(position, predict=judge):
    """Return the policy and the relative values by a network that knows no swap."""
    seen = position.observation(position.to_move)[None]
    policy, value = with_swap(predict, SWAP_HEX)(seen, position.legal_mask()[None])
    return policy[0], None if value is None else value[0]


@pytest.mark.parametrize("cell", range(16))
def test_a_network_without_the_swap_rule_swaps_where_the_opponent_is_ahead(cell):
    position = SWAP_HEX.start()
    position.play(cell)
    policy, value = evaluated(position)
    own = 0.2 + 0.04 * cell
    assert (policy.argmax() == SWAP) == (own < 0.5)
    assert policy[SWAP] / policy[:SWAP].max() == pytest.approx(((1 - own) / own) ** 8, rel=1e-4)
    assert policy.sum() == pytest.approx(1)
    assert policy[cell] == 0
    assert value.tolist() == pytest.approx([max(own, 1 - own), min(own, 1 - own)])


def test_a_first_move_leaves_both_players_like_shares():
    policy, value = evaluated(SWAP_HEX.start())
    assert set(np.argsort(policy)[-2:]) == {7, 8}  # with 0.48 and 0.52
    assert policy[6] / policy[7] == pytest.approx(np.exp(-0.04 / 0.03), rel=1e-3)
    assert policy[SWAP] == 0
    assert policy.sum() == pytest.approx(1)
    assert value.tolist() == pytest.approx([0.48, 0.52])


def test_later_positions_are_evaluated_as_without_the_swap_rule():
    for actions in ((5, SWAP), (5, 6), (5, SWAP, 2, 3)):
        position = SWAP_HEX.start()
        for action in actions:
            position.play(action)
        policy, value = evaluated(position)
        seen, legal = position.observation(position.to_move)[None], position.legal_mask()[None]
        expected, shares = judge(seen, legal[:, :SWAP])
        assert policy.tolist() == [*expected[0].tolist(), 0]
        assert value.tolist() == shares[0].tolist()


def test_without_a_critic_a_swap_has_the_chance_of_the_best_move():
    def actor(observations, legal):
        return judge(observations, legal)[0], None

    position = SWAP_HEX.start()
    policy, value = evaluated(position, actor)
    assert (policy.argmax(), value) == (15, None)
    position.play(3)
    policy, value = evaluated(position, actor)
    assert (policy[SWAP], value) == (policy[15], None)
    assert policy.sum() == pytest.approx(1)


# ---------------------------------------------------------------- output that is not finite


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["policy", "value"])
def test_row_that_is_not_finite_stops_every_evaluator(bad, where):
    def predict(observations, legal):
        policy, value = first_legal()(observations, legal)
        (policy if where == "policy" else value)[-1, -1] = bad
        return policy, value

    rollout = ActorRolloutEvaluator(predict, epsilon=0.1, seed=0)
    network = NetworkEvaluator(predict)
    for evaluator in (
        network,
        rollout,
        SymmetricEvaluator(network, HEX),
        MixedEvaluator(rollout, network, sigma=0.5, seed=0),
    ):
        with pytest.raises(NetworkError, match="not finite"):
            evaluator.evaluate(batch_of(HEX))
