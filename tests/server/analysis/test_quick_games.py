"""Quick games of the opening helper: counted, repeatable, stopped, and of set-ups only."""

import numpy as np
import pytest

import meeple
from meeple.games.contract.capabilities import in_setup
from meeple.search.values.labels import Labeller, quick_policy
from meeple.server.thinking.quick_games import MAX_BATCH, QuickPlay
from meeple.server.thinking.worker import AgentSession

LONG = 1000.0  # seconds


def never():
    return False


@pytest.fixture(scope="module")
def position():
    position = meeple.make("catan", players=3).start(5)
    position.play(int(position.legal_actions()[7]))
    return position


def test_the_value_is_the_mean_of_single_games(position):
    game, labeller = position.game, Labeller(position.game)
    policies = np.full(game.players, quick_policy(game), dtype=np.int8)
    shares = [labeller.play_on(position, policies, 9 + number) for number in range(1, 31)]
    found = QuickPlay(position, 9).play(30, LONG, never)
    assert found["games"] == 30
    assert found["value"] == pytest.approx(np.mean(shares, axis=0), abs=1e-6)
    assert sum(found["value"]) == pytest.approx(1.0, abs=1e-5)
    assert len(set(map(tuple, shares))) > 1


@pytest.mark.slow
def test_slices_continue_to_the_limit_and_a_stop_ends_them(position):
    games = QuickPlay(position, 9)
    assert games.play(50, LONG, lambda: True)["games"] == MAX_BATCH
    assert games.play(50, 0.0, never)["games"] == 2 * MAX_BATCH
    whole = games.play(50, LONG, never)
    assert whole == QuickPlay(position, 9).play(50, LONG, never)


def test_a_session_begins_anew_at_another_position(position):
    order = {"game": "catan", "options": {"players": 3}, "seed": 5, "spec": "random"}
    session = AgentSession({**order, "agent_seed": 1})
    session.go_to(position.actions)
    first = session.play_quick_games(20, LONG, never)
    assert first["more"] is False
    assert session.play_quick_games(40, 0.0, never)["thought"]["games"] == 40
    session.go_to((*position.actions[:-1], int(position.actions[-1]) + 1))
    session.go_to(position.actions)
    assert session.play_quick_games(20, LONG, never) == first


@pytest.mark.slow
def test_quick_games_after_the_set_up_are_refused(client):
    position = meeple.make("catan", players=3).start(5)
    while in_setup(position):
        position.play(int(position.legal_actions()[0]))
    source = {"game": "catan", "options": {"players": 3}, "seed": 5}
    names, walk = [], position.game.start(5)
    for action in position.actions:
        names.append(walk.action_name(action))
        walk.play(action)
    asked = {"type": "games", "source": {**source, "moves": names}, "ply": 12, "action": "roll"}
    with client.websocket_connect("ws://127.0.0.1/ws/analysis") as socket:
        socket.send_json({**asked, "spec": "random"})
        answer = socket.receive_json()
    assert answer["type"] == "error"
    assert "set-up only" in answer["text"]
    scenes = [
        client.post("/api/scenes", json={"source": asked["source"], "ply": ply}).json()["setup"]
        for ply in (0, 11, 12)
    ]
    assert scenes == [True, True, False]  # three players place two settlements and two roads
    assert not in_setup(meeple.make("hex").start())
