"""Lists of engines: names for the command line and the only engines of the page."""

import sys
from typing import Any

import pytest

import meeple
from meeple.agents.engine import listed
from meeple.agents.engine.listed import list_engines, read_engines
from meeple.agents.networks import Catalogue
from meeple.agents.spec import agent as agent_of
from meeple.agents.words import in_words
from meeple.errors import EngineError, SpecError
from meeple.server.thinking.specs import agent_names, check_for, settle
from meeple.server.thinking.worker import AgentSession
from tests.server.tables import ME, SOCKET, begin, serving
from tests.server.tables import agent as seat_of

agent: Any = agent_of  # some agents have more attributes than the protocol
DICE = f"{sys.executable} examples/json_engine.py,protocol=json"
SECRET = f"{sys.executable} -c 'raise SystemExit(3)',protocol=json"


@pytest.fixture
def engines(tmp_path, monkeypatch):
    """Write a list of two programs, one of which ends at once."""
    monkeypatch.setattr(listed, "_listed", {})
    file = tmp_path / "engines.toml"
    file.write_text(f'dice = "{DICE}"\nbroken = "{SECRET}"\n')
    list_engines(read_engines(file))
    return file


def test_page_offers_only_listed_engines(engines, tmp_path, monkeypatch):
    assert "engine" in agent_names()
    with pytest.raises(SpecError, match="takes no keys"):
        agent("engine:dice,grace=3", meeple.make("nim"))
    assert settle("engine:dice", tmp_path) == "engine:dice"
    assert check_for("engine:dice", meeple.make("nim"), tmp_path)
    for spec in ("engine:sh -c reboot", "engine:dice,grace=3", "engine:", "engine:nobody"):
        with pytest.raises(SpecError, match=r"is not loaded here|takes no keys|needs COMMAND"):
            settle(spec, tmp_path)
    monkeypatch.setattr(listed, "_listed", {})
    assert "engine" not in agent_names()
    with pytest.raises(SpecError, match="cannot play here"):
        settle("engine:dice", tmp_path)


@pytest.mark.slow
def test_errors_of_listed_engines_omit_the_command(engines, tmp_path):
    spec = settle("engine:broken", tmp_path)
    order = {"game": "nim", "options": {}, "seed": 1, "spec": spec, "agent_seed": 1}
    with pytest.raises(EngineError) as error:
        AgentSession(order, Catalogue(tmp_path)).choose(lambda: False)
    assert "broken" in str(error.value)
    assert "code 3" in str(error.value)
    assert sys.executable not in str(error.value)
    assert in_words(spec) == "the program broken"


@pytest.mark.parametrize(
    ("text", "words"),
    [("dice = 7", "name ="), ('"a b" = "c"', "name ="), ('dice = ""', "name ="), ("x", "read")],
)
def test_errors_of_a_list_are_reported(text, words, tmp_path):
    file = tmp_path / "engines.toml"
    file.write_text(text)
    with pytest.raises(SpecError, match=words):
        read_engines(file)
    with pytest.raises(SpecError, match="no file"):
        read_engines(tmp_path / "none.toml")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["crash", "dice"])
def test_failing_program_loses_its_game_at_a_table(engines, tmp_path, fault):
    name = "broken" if fault == "crash" else "dice"
    with serving(tmp_path) as client:
        made = begin(client, [ME, seat_of(f"engine:{name}")])
        with client.websocket_connect(SOCKET) as socket:
            socket.send_json(
                {"type": "watch", "table": made["id"], "tokens": list(made["tokens"].values())}
            )
            socket.receive_json()
            socket.send_json({"type": "play", "ply": 0, "actions": [0]})
            texts = []
            while True:
                message = socket.receive_json()
                if message["type"] == "error":
                    texts.append(message["text"])
                elif message["result"] or message["ply"] >= 2:
                    break
        if name == "dice":
            assert message["result"] is None
            assert texts == []
        else:
            assert "code 3" in texts[0]
            assert message["result"]["how"] == "forfeit"
            assert message["result"]["payoffs"] == [1.0, 0.0]
