"""The network's playouts compare the best plans, where its values leave a doubt."""

import itertools

import numpy as np
import pytest

import meeple
from meeple.agents.search_agent import Limits
from meeple.agents.states import StatesAgent
from meeple.games.catan.features import Features
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.search.budget import Budget
from meeple.search.values import deliberation
from meeple.search.values.deliberation import Deliberation
from meeple.search.values.features import features_of
from meeple.search.values.file import KIND
from meeple.search.values.network import ValueNetwork, Widths, untrained
from meeple.search.values.states import StatesSearch
from meeple.tensor_file import SavedWeights
from tests.games.catan.playing import random_game

GAME = Catan(players=3, victory_points=5)


@pytest.fixture(scope="module")
def search():
    network = ValueNetwork(untrained(Features, Widths(), 1), Features, 3)
    return StatesSearch(GAME, network, determinizations=2, offers="none")


def first(phase, wanted=lambda position: True):
    """Return the first position of a random game in a phase, and further as wanted."""
    games = (random_game(seed, players=3, victory_points=5) for seed in itertools.count(3))
    positions = itertools.chain.from_iterable(games)
    return next(p for p in positions if p.state.phase == phase and wanted(p))


def compared(search, position, depth=1, **limits):
    search.begin(1)
    thinking = Deliberation(GAME, search.network, search.determinizer, depth=depth, seed=1)
    evaluated = search.evaluate(position)
    found, rounds = thinking.compare(position, evaluated, Budget(**limits, first=1))
    return evaluated, found, rounds


def leads_to(phase):
    """Return whether an action of a position leads to a phase of the same seat."""

    def leads(position):
        after = [position.copy() for _ in position.legal_actions()]
        for twin, action in zip(after, position.legal_actions().tolist(), strict=True):
            twin.play(action)
        return any(one.state.phase == phase for one in after)

    return leads


@pytest.mark.parametrize(
    ("phase", "between"),
    [(c.SETTLE, c.SETTLE_ROAD), (c.ROBBER, c.VICTIM)],
    ids=["a settlement and its road", "the robber and its victim"],
)
def test_plans_go_on_to_a_quiet_position(search, phase, between, monkeypatch):
    monkeypatch.setattr(deliberation, "DEVIATION", 1.0)  # all is in doubt
    monkeypatch.setattr(deliberation, "MAX_PLANS", 60)
    position = first(phase, leads_to(between))
    _, found, rounds = compared(search, position, simulations=200)
    assert sum(rounds.values()) > 0
    plans = [found.plans[action] for action, count in rounds.items() if count]
    for plan in plans:
        after = position.copy()
        for action in plan:
            after.play(action)
        assert after.to_move != position.to_move or after.state.phase in (c.MAIN, c.ROLL)
    assert 2 in map(len, plans)


def test_plans_of_a_greater_depth_go_on_through_the_turn(search, monkeypatch):
    monkeypatch.setattr(deliberation, "DEVIATION", 1.0)
    position = first(c.MAIN, leads_to(c.MAIN))
    _, found, _ = compared(search, position, depth=3, simulations=100)
    longest = max(found.plans.values(), key=len)
    assert len(longest) >= 2
    after = position.copy()
    for action in longest:
        assert after.to_move == position.to_move
        after.play(action)


def test_values_that_leave_no_doubt_take_no_playout(search, monkeypatch):
    monkeypatch.setattr(deliberation, "DEVIATION", 0.0)
    evaluated, found, rounds = compared(search, first(c.SETTLE), simulations=200)
    assert found is evaluated
    assert rounds == {}


def test_playouts_correct_the_differences_between_plans_only(search, monkeypatch):
    monkeypatch.setattr(deliberation, "DEVIATION", 0.05)
    evaluated, found, rounds = compared(search, first(c.SETTLE), simulations=400)
    played = [at for at, a in enumerate(evaluated.actions.tolist()) if rounds.get(a)]
    assert len(played) >= 2
    np.testing.assert_allclose(found.shares.sum(axis=1), 1)
    assert not np.allclose(found.shares[played], evaluated.shares[played], atol=1e-4)
    others = np.setdiff1d(np.arange(len(found.actions)), played)
    np.testing.assert_array_equal(found.shares[others], evaluated.shares[others])
    assert abs(np.mean(found.shares[played] - evaluated.shares[played])) < 0.02


def test_equal_seeds_give_equal_choices_and_a_stop_ends_them(search, monkeypatch):
    monkeypatch.setattr(deliberation, "DEVIATION", 0.05)
    position, found = first(c.SETTLE), []
    for limits, stop in [(Limits(150, None), None)] * 2 + [(Limits(None, 3600), lambda: True)]:
        player = StatesAgent(search, limits=limits)
        player.begin(7)
        action = player.choose(position, stop)
        assert player.analysis is not None
        found.append((action, player.analysis.visits.tolist(), player.analysis.simulations))
        assert action in position.legal_actions()
    assert found[0] == found[1]
    assert 0 < found[0][2] <= 150
    assert found[2][2] == 0


def test_a_network_of_a_game_with_only_rules_takes_limits(tmp_path):

    game, path = meeple.make("nim"), tmp_path / "nim.safetensors"
    weights = untrained(features_of(game), Widths(1, 16, 16, 8), 1)
    SavedWeights(weights, "nim", dict(game.options)).write(path, KIND)
    player, position = meeple.agent(f"states:{path},sims=50", game, seed=1), game.start()
    assert player.choose(position) in position.legal_actions()
    assert player.analysis is not None
    assert player.analysis.simulations <= 50
