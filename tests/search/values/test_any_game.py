"""Value networks for games without seat features: they evaluate the seats' observations."""

import itertools

import numpy as np
import pytest

import meeple
from examples.coins import Coins
from examples.pig import Pig
from meeple.kernels import CHANCE
from meeple.kernels.table import caller
from meeple.search.values.features import features_of
from meeple.search.values.labels import NETWORK, WEIGHTED, Labeller, Settings, quick_policy
from meeple.search.values.lookahead import MIN_PATH_PROBABILITY
from meeple.search.values.network import ValueNetwork, Widths, untrained
from meeple.search.values.states import StatesSearch

JUDGE = caller("evaluate_features")
SMALL = Widths(1, 16, 16, 8)


def network_of(game, seed=1):
    return ValueNetwork(untrained(features_of(game), SMALL, seed), features_of(game), game.players)


def network_shares(network, position):
    """Return each seat's share from the observations of all seats, in plain NumPy."""
    game = position.game
    if position.is_over:
        return position.payoffs
    parts, shares = np.zeros(1, features_of(game)), np.zeros(game.players)
    parts["players"] = game.players
    for seat in range(game.players):
        parts["own"][0, seat] = position.observation(seat).ravel()
    JUDGE(network.kernel, network.address, parts.ctypes.data, shares.ctypes.data)
    return shares


def expected(network, position, chance=1.0):
    """Return the same, weighted over chance outcomes, except below rare paths."""
    if position.is_over or position.to_move != CHANCE or chance < MIN_PATH_PROBABILITY:
        return network_shares(network, position)
    total = 0.0
    for outcome, odds in zip(*(part.tolist() for part in position.chance_outcomes()), strict=True):
        after = position.copy()
        after.play(outcome)
        total = total + odds * expected(network, after, chance * odds)
    return total


@pytest.mark.parametrize("game", [meeple.make("nim"), Pig(), Coins()], ids=lambda game: game.name)
def test_values_of_actions_are_means_over_resulting_states(game):
    network = network_of(game)
    position = game.start(3)
    while position.to_move == CHANCE:
        position.play(int(position.chance_outcomes()[0][1]))
    judged = StatesSearch(game, network).evaluate(position)
    for action, share in zip(judged.actions.tolist(), judged.own.tolist(), strict=True):
        after = position.copy()
        after.play(action)
        assert share == pytest.approx(expected(network, after)[position.to_move], abs=1e-5)


def test_siblings_are_labelled_in_a_game_with_only_rules():
    game = meeple.make("nim")
    assert quick_policy(game) == WEIGHTED
    policies = np.full(2, WEIGHTED, dtype=np.int8)
    settings = Settings(0.5, 4, 2, 0, NETWORK, 0.1)
    one, two = (Labeller(game, network_of(game)).label_game(4, policies, settings) for _ in "ab")
    assert len(one.shares) >= 2
    np.testing.assert_allclose(one.shares.sum(axis=1), 1, atol=1e-6)
    for found, again in zip(one, two, strict=True):
        np.testing.assert_array_equal(found, again)


@pytest.mark.parametrize("lookahead", [False, True])
def test_playout_of_zero_moves_has_the_networks_value(lookahead):
    game = Pig(goal=20)
    network = network_of(game)
    policies = np.full(2, WEIGHTED, dtype=np.int8)
    settings = Settings(1.0, 2, 1, 0, NETWORK, 0.0, lookahead)
    labels = Labeller(game, network).label_game(4, policies, settings)
    own = labels.own
    checked = 0
    for seat, position in decisions(game):
        observed = [position.observation(other) for other in range(2)]
        rows = np.flatnonzero((own == observed).all(axis=(1, 2)))
        if not len(rows):
            continue
        if not lookahead:
            right = network_shares(network, position)
        else:
            found = np.stack([expected(network, after) for after in children(position)])
            right = found[found[:, seat].argmax()]
        for row in rows:
            np.testing.assert_allclose(labels.shares[row], right, atol=1e-5)
            checked += 1
    assert checked >= 5


def decisions(game):
    """Yield decisions of Pig with few points in the turn, with their seats."""
    goal = game.options["goal"]
    for mover in range(2):
        position = game.start(0)
        for eyes in (6,) if mover == 0 else (1, 6):  # a roll of 1 passes the turn
            position.play(eyes)
        for own, other, turn in itertools.product(range(goal), range(goal), range(2, goal)):
            if own + turn < goal:
                position.state.points[mover], position.state.points[1 - mover] = own, other
                position.state.turn = turn
                yield mover, position


def children(position):
    """Return the position after each action."""
    for action in position.legal_actions():
        after = position.copy()
        after.play(int(action))
        yield after
