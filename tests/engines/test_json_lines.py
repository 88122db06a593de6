"""An agent answers JSON lines, for every game."""

import json
import subprocess
import sys

import pytest

import meeple
from meeple.engines.json_lines import JsonLinesEngine


def told(engine, **message):
    return [json.loads(piece) for piece in engine.handle(json.dumps(message))]


def test_a_conversation_goes_through_a_pipe():
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


def test_simulations_hold_for_one_move():
    engine = JsonLinesEngine("uct:sims=50", meeple.make("hex", size=5))
    told(engine, type="position", moves=[])
    assert told(engine, type="go", simulations=200)[-1]["simulations"] == 200
    assert told(engine, type="go")[-1]["simulations"] == 50


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
        {"type": "hello", "protocol": 99},
        {"type": "fly"},
    ],
)
def test_what_is_wrong_is_an_error_and_the_game_stays(message):
    engine = JsonLinesEngine("random", meeple.make("hex", size=5))
    told(engine, type="position", moves=["c3"])
    (answer,) = told(engine, **message)
    assert answer["type"] == "error"
    assert answer["error"]
    assert engine._session.position.actions == (12,)


def test_a_game_that_hides_something_is_not_played_before_it_was_told():
    engine = JsonLinesEngine("weighted", meeple.make("catan"))
    (answer,) = told(engine, type="go")
    assert "position" in answer["error"]
