"""Evaluation of actions by resulting states agrees with plain play and uses no hidden facts."""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import CheckpointError, SpecError, UsageError
from meeple.games.catan.features import Features
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.kernels.table import caller
from meeple.search.values.file import KIND, compiled, load_network
from meeple.search.values.lookahead import (
    MAX_BRIEF_OUTCOMES,
    evaluate_actions,
    new_state_evaluator,
)
from meeple.search.values.network import ValueNetwork, Widths, untrained
from meeple.search.values.states import StatesSearch
from meeple.tensor_file import SavedWeights
from tests.games.catan.playing import random_game

FEATURES, JUDGE = caller("seat_features"), caller("evaluate_features")
WEIGHTS = untrained(Features, Widths(), 1)


def network(players=4):
    return ValueNetwork(WEIGHTS, Features, players)


def network_value(net, position, seat):
    """Return the network's value of a position."""
    if position.is_over:
        return position.payoffs[seat]
    parts, shares = np.zeros(1, Features), np.zeros(position.game.players)
    FEATURES(position.game.address_of(kernels.SEAT_FEATURES), position.address, parts.ctypes.data)
    JUDGE(net.kernel, net.address, parts.ctypes.data, shares.ctypes.data)
    return shares[seat]


def after(position, *actions):
    twin = position.copy()
    for action in actions:
        twin.play(action)
    return twin


def in_main(seed, wanted, **options):
    """Return a position in the middle of a turn in which an action is legal."""
    return next(
        p
        for p in random_game(seed, hidden_hands=False, domestic_trade=False, **options)
        if p.state.phase == c.MAIN and wanted in p.legal_actions()
    )


def test_values_of_actions_are_those_of_the_resulting_states():
    position = in_main(3, c.BUY_CARD)
    net, seat = network(), position.to_move
    judged = StatesSearch(position.game, net).evaluate(position)
    worth = dict(zip(judged.actions.tolist(), judged.own.tolist(), strict=True))
    assert worth[c.END_TURN] == pytest.approx(network_value(net, after(position, c.END_TURN), seat))
    bought = after(position, c.BUY_CARD)
    cards = zip(*(part.tolist() for part in bought.chance_outcomes()), strict=True)
    expected = sum(chance * network_value(net, after(bought, card), seat) for card, chance in cards)
    assert worth[c.BUY_CARD] == pytest.approx(expected, abs=1e-6)
    assert judged.best == (max(worth, key=lambda action: worth[action]),)


def test_at_depth_two_an_action_has_the_value_of_the_best_next_action():
    position = in_main(3, c.BUY_CARD)
    game, net, seat = position.game, network(), position.to_move
    one, two = StatesSearch(game, net), StatesSearch(game, net, depth=2)
    judged = two.evaluate(position)
    worth = dict(zip(judged.actions.tolist(), judged.own.tolist(), strict=True))
    assert worth[c.END_TURN] == pytest.approx(network_value(net, after(position, c.END_TURN), seat))
    building = next(a for a in judged.actions.tolist() if c.ROAD_AT <= a < c.ROBBER_TO)
    then = after(position, building)
    if then.to_move == seat and then.state.phase == c.MAIN:
        assert (
            worth[building] >= one.evaluate(then).own.max() - 0.02
        )  # the search considers fewer roads


@pytest.mark.slow
def test_a_whole_game_is_repeated_with_the_same_seed(tmp_path):
    path = tmp_path / "net.safetensors"
    game = Catan(players=3, victory_points=4)
    SavedWeights(WEIGHTS, "catan", {}).write(path, KIND)
    spec = f"states:{path},determinizations=2"
    one, two = (
        meeple.match(game, [spec, "weighted", "weighted"], games=3, seed=1, workers=1)
        for _ in range(2)
    )
    assert [a.wins for a in one.agents] == [a.wins for a in two.agents]


def test_search_stops_when_stop_returns_true():
    position = in_main(3, c.BUY_CARD)
    asked = []

    def stop():
        asked.append(True)
        return True

    StatesSearch(position.game, network()).evaluate(position, stop)
    assert len(asked) == 1


def test_a_network_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "catan", {"players": 4}, {"round": 3}).write(path, KIND)
    found = load_network(path)
    assert found.extra == {"round": 3}
    for name, values in WEIGHTS.items():
        np.testing.assert_array_equal(found.weights[name], values)
    assert compiled(path, Catan(players=3)).kernel


def test_invalid_settings_are_refused(tmp_path):
    path = tmp_path / "net.safetensors"
    SavedWeights(WEIGHTS, "chess", {}).write(path, KIND)
    with pytest.raises(CheckpointError, match="was trained for chess, not for catan"):
        agent(f"states:{path}", Catan())
    narrow = {**WEIGHTS, "own_weights": WEIGHTS["own_weights"][:5]}
    SavedWeights(narrow, "catan", {}).write(path, KIND)
    with pytest.raises(CheckpointError, match="weights of other shapes"):
        agent(f"states:{path}", Catan())
    with pytest.raises(UsageError, match="depth and determinizations must be at least 1"):
        StatesSearch(Catan(), network(), depth=0)
    with pytest.raises(SpecError, match="states"):
        agent("states:", Catan())


class Brief:
    """A brief lookahead by `network()`."""

    def __init__(self, game):
        self.network = network()  # referenced here, since the evaluator holds its address
        self.evaluator = new_state_evaluator(game, self.network, 2, brief=True)

    @property
    def nodes(self):
        return int(self.evaluator.stack.cursor[0]["nodes"])

    def values(self, position, actions):
        values = np.zeros(len(actions))
        listed = np.array(actions, np.int32)
        evaluate_actions(self.evaluator, position.row[None], listed, 0, values)
        return values


def test_a_brief_lookahead_branches_on_few_outcomes_only():
    """Knights and roads are played on by weights; cards that may be drawn are averaged."""
    brief = Brief(Catan(hidden_hands=False))
    met: set[int] = set()
    for position in random_game(5, hidden_hands=False):
        actions = position.legal_actions().tolist() if position.to_move >= 0 else []
        for action in {c.PLAY_KNIGHT, c.BUY_CARD, c.ROLL_DICE, c.PLAY_ROADS} & set(actions) - met:
            before = brief.nodes
            brief.values(position, [action])
            assert brief.nodes - before <= MAX_BRIEF_OUTCOMES
            met.add(action)
    assert {c.PLAY_KNIGHT, c.BUY_CARD, c.ROLL_DICE} <= met


def test_a_brief_lookahead_gives_a_throw_the_value_of_the_decision_to_throw():
    brief = Brief(Catan(hidden_hands=False))
    position = next(p for p in random_game(3, hidden_hands=False) if p.state.phase == c.ROLL)
    (value,) = brief.values(position, [c.ROLL_DICE])
    assert value == pytest.approx(network_value(network(), position, position.to_move), abs=1e-7)
    assert brief.nodes == 0
