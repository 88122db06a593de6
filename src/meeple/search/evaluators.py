"""Evaluators: policy and values of leaves, the one interface between search and networks.

An evaluator gives a policy over all actions and a share of the win for every player. Networks are
functions of arrays, so this file does not depend on PyTorch. A network's values are relative: the
first belongs to the player who observes, the next to the following seat, and so on.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import NetworkError
from meeple.games.contract.game import Game
from meeple.games.contract.symmetry import Symmetry
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.batch import StateBatch, choose_epsilon_greedy
from meeple.search.moves import Moves, new_moves
from meeple.search.rollouts import uniform_rollout

Predict = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_]],
    tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None],
]
"""(observations [B, *shape], legal [B, A]) -> (policy [B, A], relative values [B, P] or None)."""

SWAP_EXPONENT = 8.0  # of the opponent's odds, for the chance of a swap beside the best move
SMALLEST_SHARE = 0.01  # of a player, in the odds of the opponent
FIRST_MOVE_SPREAD = 0.03  # a share lower by this is chosen 1 / e times as often as a first move


class Evaluation(NamedTuple):
    """What an evaluator says of B states."""

    policy: npt.NDArray[np.float32]  # [B, A] zero where illegal
    value: npt.NDArray[np.float64]  # [B, P] by seat
    legal: npt.NDArray[np.bool_]  # [B, A]


class Evaluator(Protocol):
    """Evaluates decision states: none is over or at a chance node."""

    def evaluate(self, batch: StateBatch) -> Evaluation:
        """Return policies and values of every state; the batch is not changed."""
        ...


def by_seat(
    relative: npt.NDArray[np.floating], movers: npt.NDArray[np.integer]
) -> npt.NDArray[np.float64]:
    """Reorder values [B, P] from the mover's order to the order of seats; `movers` is [B]."""
    players = relative.shape[1]
    order = (np.arange(players)[None, :] - movers.astype(np.int64)[:, None]) % players
    return np.take_along_axis(relative.astype(np.float64), order, axis=1)


def by_mover(
    shares: npt.NDArray[np.floating], movers: npt.NDArray[np.integer]
) -> npt.NDArray[np.float64]:
    """Reorder values [B, P] from the order of seats to the mover's: the inverse of `by_seat`."""
    players = shares.shape[1]
    order = (np.arange(players)[None, :] + movers.astype(np.int64)[:, None]) % players
    return np.take_along_axis(shares.astype(np.float64), order, axis=1)


def _uniform(legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    counts = np.maximum(legal.sum(axis=1, keepdims=True), 1)
    return np.asarray(legal / counts, dtype=np.float32)


class UniformEvaluator:
    """A uniform policy and equal values: search without knowledge."""

    def evaluate(self, batch: StateBatch) -> Evaluation:
        _, legal = batch.observe()
        players = batch.game.players
        return Evaluation(_uniform(legal), np.full((len(batch), players), 1 / players), legal)


class RandomRolloutEvaluator:
    """A uniform policy, and the result of one random rollout; consumes its own generator."""

    def __init__(self, seed: int) -> None:
        self._rng = kernels.new_rng(seed)

    def evaluate(self, batch: StateBatch) -> Evaluation:
        _, legal = batch.observe()
        twin = batch.copy()
        moves = new_moves(batch.game)
        _finish_at_random(batch.game.addresses, twin.states, moves, self._rng)
        return Evaluation(_uniform(legal), twin.payoffs(), legal)


@kernels.kernel
def _finish_at_random(
    rules: npt.NDArray[np.int64],
    states: npt.NDArray[np.uint8],
    moves: Moves,
    rngs: npt.NDArray[np.void],
) -> None:
    for row in range(states.shape[0]):
        uniform_rollout(rules, states[row], moves, rngs[0])


def _ask(
    predict: Predict, observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
    """Return a network's prediction; raise NetworkError if it is not finite."""
    policy, value = predict(observations, legal)
    if not np.isfinite(policy).all() or not (value is None or np.isfinite(value).all()):
        raise NetworkError
    return policy, value


def through_symmetry(predict: Predict, symmetry: Symmetry) -> Predict:
    """Return a network that sees positions as a symmetry transforms them.

    Its policy [B, A] is mapped back. Values stay as they are, relative to the observer, so
    `symmetry.player` must be a rotation.
    """
    observed, actions = symmetry.observation, symmetry.action

    def transformed(
        observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        flat = observations.reshape(len(observations), -1)
        found, value = predict(flat[:, observed].reshape(observations.shape), legal[:, actions])
        policy = np.empty_like(found)
        policy[:, actions] = found
        return policy, value

    return transformed


def with_swap(predict: Predict, game: Game) -> Predict:
    """Return a network of a game without the swap rule as a network of the game with it.

    A swap gives the mover the share of the opponent. So its chance is above that of the best move
    if the opponent is ahead, and the first player, whose move may be taken over, has the smaller
    share after each move. A network without a critic does not know who is ahead: a swap has the
    chance of the best move.

    Args:
        predict: the network of the game without the rule (`Rules.swap_rule`).
        game: the game with the rule.
    """
    rule = game.swap_rule()
    assert rule is not None
    swap, start = rule.action, game.start()
    empty = start.observation(start.to_move)

    @functools.cache
    def first_move() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        """Return the policy [A] and the values [2] of the empty board."""
        actions, seen = start.legal_actions(), []
        for action in actions:
            after = start.copy()
            after.play(int(action))
            seen.append(after.observation(after.to_move))
        legal = np.ones((len(actions), swap), dtype=bool)
        legal[np.arange(len(actions)), actions] = False
        value = predict(np.stack(seen), legal)[1]
        policy = np.zeros(swap + 1, np.float32)
        if value is None:
            policy[:swap] = predict(empty[None], np.ones((1, swap), dtype=bool))[0][0]
            return policy, None
        shares = value.min(axis=1)
        chances = np.exp((shares - shares.max()) / FIRST_MOVE_SPREAD)
        policy[actions] = chances / chances.sum()
        return policy, np.array([shares.max(), 1 - shares.max()], np.float32)

    def predict_with_swap(
        observations: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        found, value = predict(observations, legal[:, :swap])
        value = None if value is None else value.copy()
        policy = np.concatenate([found, np.zeros((len(found), 1), np.float32)], axis=1)
        may_swap = np.flatnonzero(legal[:, swap])
        if len(may_swap):
            odds = np.ones(len(may_swap), np.float32)
            if value is not None:
                own, other = value[may_swap].T
                odds = (other / np.maximum(own, SMALLEST_SHARE)) ** SWAP_EXPONENT
                value[may_swap] = np.sort(value[may_swap], axis=1)[:, ::-1]
            policy[may_swap, swap] = odds * policy[may_swap].max(axis=1)
            policy[may_swap] /= policy[may_swap].sum(axis=1, keepdims=True)
        first = (observations == empty).reshape(len(observations), -1).all(axis=1)
        if first.any():
            policy[first], of_first = first_move()
            if value is not None:
                value[first] = of_first
        return policy, value

    return predict_with_swap


class NetworkEvaluator:
    """A network's policy and values; equal values if the network has no critic."""

    def __init__(self, predict: Predict) -> None:
        self.predict = predict

    def evaluate(self, batch: StateBatch) -> Evaluation:
        observations, legal = batch.observe()
        movers, players = batch.to_move, batch.game.players
        policy, value = self.evaluate_observations(observations, legal, movers, players)
        return Evaluation(policy, value, legal)

    def evaluate_observations(
        self,
        observations: npt.NDArray[np.float32],
        legal: npt.NDArray[np.bool_],
        movers: npt.NDArray[np.integer],
        players: int,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
        """Policies [B, A] and values [B, P] by seat of what `movers` [B] see.

        Raises NetworkError where the network's output is not finite.
        """
        policy, relative = _ask(self.predict, observations, legal)
        if relative is None:
            return policy, np.full((len(legal), players), 1 / players)
        return policy, by_seat(relative, movers)


class SymmetricEvaluator:
    """What another evaluator says of positions that are transformed by symmetries of the game.

    It takes away what a network has learned unevenly of the corners and sides of a board. The
    average over all symmetries costs as many evaluations as there are, the identity among them; a
    symmetry drawn for each position costs little, and a search averages over its leaves.

    Args:
        evaluator: evaluates the transformed positions.
        game: its symmetries are used.
        rng: draws a symmetry for each position; None for the average over all.
    """

    def __init__(
        self, evaluator: NetworkEvaluator, game: Game, rng: np.random.Generator | None = None
    ) -> None:
        self.evaluator = evaluator
        self.rng = rng
        features = int(np.prod(game.observation_shape))
        identity = Symmetry(*map(np.arange, (features, game.num_actions, game.players)))
        symmetries = [identity, *game.symmetries()]
        self._observations = np.stack([one.observation for one in symmetries])
        self._actions = np.stack([one.action for one in symmetries])
        self._places_of_actions = np.argsort(self._actions, axis=1)
        self._seats_of_players = np.argsort([one.player for one in symmetries], axis=1)

    def evaluate(self, batch: StateBatch) -> Evaluation:
        seen, legal = batch.observe()
        count, symmetries = len(batch), len(self._actions)
        if self.rng is None:
            which = np.repeat(np.arange(symmetries), count)
        else:
            which = self.rng.integers(symmetries, size=count)
        rows = np.arange(len(which)) % count
        column = rows[:, None]
        flat = seen.reshape(count, -1)[column, self._observations[which]]
        seats = self._seats_of_players[which]
        policies, values = self.evaluator.evaluate_observations(
            flat.reshape(-1, *seen.shape[1:]),
            legal[column, self._actions[which]],
            seats[np.arange(len(which)), batch.to_move[rows]],
            batch.game.players,
        )
        policies = np.take_along_axis(policies, self._places_of_actions[which], axis=1)
        values = np.take_along_axis(values, seats, axis=1)
        policy, value = (
            found.reshape(-1, count, found.shape[1]).mean(axis=0) for found in (policies, values)
        )
        return Evaluation(policy, value, legal)


class ActorRolloutEvaluator:
    """One rollout in which a network plays every seat epsilon-greedily.

    All rollouts of a batch advance in lockstep, so the network is called on large batches. The
    policy is the network's own at the leaf.
    """

    def __init__(self, predict: Predict, epsilon: float, seed: int) -> None:
        self.predict = predict
        self.epsilon = epsilon
        self._rng = kernels.new_rng(seed)

    def evaluate(self, batch: StateBatch) -> Evaluation:
        twin = batch.copy()
        first: tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]] | None = None
        rows = twin.live()
        while len(rows):
            observations, legal = twin.observe(rows)
            policy, _ = _ask(self.predict, observations, legal)
            first = first or (policy, legal)
            actions = np.empty(len(rows), dtype=np.int32)
            choose_epsilon_greedy(policy, legal, self.epsilon, self._rng, actions)
            twin.play(actions, self._rng, rows)
            rows = twin.live()
        assert first is not None, "a leaf to evaluate is a decision"
        return Evaluation(first[0], twin.payoffs(), first[1])


class MixedEvaluator:
    """A rollout by the actor with probability sigma, else the critic's value."""

    def __init__(
        self, rollout: ActorRolloutEvaluator, critic: NetworkEvaluator, sigma: float, seed: int
    ) -> None:
        self.rollout, self.critic, self.sigma = rollout, critic, sigma
        self._rng = numpy_rng(seed)

    def evaluate(self, batch: StateBatch) -> Evaluation:
        if self.sigma >= 1.0:
            return self.rollout.evaluate(batch)
        if self.sigma <= 0.0:
            return self.critic.evaluate(batch)
        evaluated = self.critic.evaluate(batch)
        rows = np.flatnonzero(self._rng.random(len(batch)) < self.sigma).astype(np.int32)
        if len(rows):
            evaluated.value[rows] = self.rollout.evaluate(batch.copy(rows)).value
        return evaluated
