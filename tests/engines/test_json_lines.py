"""An agent answers JSON lines, for every game."""

import json
import subprocess
import sys

import pytest

import meeple
from meeple.engines.json_lines import JsonLinesEngine
from meeple.kernels import CHANCE
from meeple.protocols.json_lines.positions import Teller

LARGE = int("9" * 400)  # more than a float or a machine's integer can hold


def answers_to(engine, **message):
    return [json.loads(piece) for piece in engine.handle(json.dumps(message))]


@pytest.mark.slow
def test_conversation_runs_over_a_pipe():
    messages = [
        {"type": "hello", "protocol": 1},
        {"type": "game", "game": "nim", "options": {"stones": 7}, "seed": 3},
        {"type": "position", "moves": ["take 2", "take 1"]},
        {"type": "show"},
        {"type": "go", "simulations": 300},
        {"type": "ping", "id": 7},
        {"type": "quit"},
    ]
    text = "".join(f"{json.dumps(message)}\n" for message in messages)
    command = [sys.executable, "-m", "meeple", "engine", "json", "uct:sims=50", "-g", "nim"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    hello, ready, board, info, best, pong = answers
    assert hello["protocol"] == 1
    assert "catan" in hello["games"]
    assert ready["players"] == 2
    assert board["type"] == "board"
    assert info["type"] == "info"
    assert best["type"] == "bestmove"
    assert best["action"] in ("take 1", "take 2", "take 3")
    assert best["simulations"] >= 1
    assert sum(best["value"]) == pytest.approx(1, abs=1e-4)
    assert set(best["visits"]) <= {"take 1", "take 2", "take 3"}
    assert best["expected"][0] == best["action"]
    assert pong == {"type": "pong", "id": 7}


def test_simulations_of_a_request_apply_to_one_move():
    engine = JsonLinesEngine("uct:sims=50", meeple.make("hex", size=5))
    answers_to(engine, type="position", moves=[])
    assert answers_to(engine, type="go", simulations=200)[-1]["simulations"] == 200
    assert answers_to(engine, type="go")[-1]["simulations"] == 50


@pytest.mark.parametrize(
    "message",
    [
        {"type": "position", "moves": ["a1", "a1"]},
        {"type": "position", "moves": "a1"},
        {"type": "position", "moves": [], "start": "AAAA"},
        {"type": "game", "game": "chess"},
        {"type": "game", "game": "hex", "options": {"size": 99}},
        {"type": "game", "game": "hex", "seed": -1},
        {"type": "go", "seconds": "long"},
        {"type": "go", "simulations": 0},
        {"type": "go", "seconds": LARGE},
        {"type": "go", "seconds": -LARGE},
        {"type": "go", "seconds": float("nan")},
        {"type": "go", "seconds": float("inf")},
        {"type": "go", "simulations": LARGE},
        {"type": "game", "game": "hex", "seed": LARGE},
        {"type": "game", "game": "hex", "options": {"size": LARGE}},
        {"type": "game", "game": "hex", "options": {"size": float("nan")}},
        {"type": "hello", "protocol": LARGE},
        {"type": "hello", "protocol": 99},
        {"type": "fly"},
    ],
)
def test_wrong_message_is_an_error_and_the_game_stays(message):
    engine = JsonLinesEngine("random", meeple.make("hex", size=5))
    answers_to(engine, type="position", moves=["c3"])
    (answer,) = answers_to(engine, **message)
    assert answer["type"] == "error"
    assert answer["error"]
    assert engine._session.position.actions == (12,)


def test_move_request_before_any_position_is_an_error():
    engine = JsonLinesEngine("weighted", meeple.make("catan"))
    (answer,) = answers_to(engine, type="go")
    assert "position" in answer["error"]


@pytest.mark.parametrize(
    "number", [-7, 100, 300, 10**15, LARGE], ids=["negative", "100", "300", "10**15", "large"]
)
def test_impossible_event_is_an_error(number):
    """The number replaces that of the victim, of the thief, and so on."""
    game = meeple.make("catan")
    position = game.start(1)
    while len(position.actions) < 20 or position.to_move == CHANCE:
        position.play(int(position.legal_actions()[0]))
    fields = Teller(game).fields(position, ["seen"])
    for place in (1, 2, 3, 4, 5, 7, 8, 10, 11):
        engine = JsonLinesEngine("uct:sims=4", game)
        steps = json.loads(json.dumps(fields["seen"]))
        steps[-1]["sight"][place] = number
        answers_to(engine, type="position", **{**fields, "seen": steps})
        (*_, answer) = answers_to(engine, type="go")
        assert answer["type"] in ("bestmove", "error")
