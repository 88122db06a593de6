"""Hostile requests and messages: the server never fails, reveals a secret or loses a game."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meeple.games.contract import registry
from meeple.games.contract.records import replay
from meeple.rate_limit import Rate
from meeple.server import app as application
from meeple.server.limits import LIMITS
from meeple.server.settings import ServerSettings
from tests.server.pools import InstantPool
from tests.server.tables import ME, SOCKET, agent, at, begin, my_turn, serving

FREELY = settings(max_examples=10, suppress_health_check=list(HealthCheck))
SCHEMA: Any = schemathesis.openapi.from_dict(application.create_app(ServerSettings()).openapi())
ROUTES = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations()}
SAID = ("Traceback", 'File "')
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
TYPES = st.sampled_from(
    ["play", "undo", "answer", "hint", "now", "resign", "rematch", "pause", "watch", "table", ""]
)


@pytest.fixture(scope="module")
def client():
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(application, "Pool", lambda *_: InstantPool())
        patch.setattr(registry, "_registered", {})  # without those of other tests
        patch.setattr(registry, "_files", [])
        with serving(Path(folder), replace(LIMITS, requests=Rate(1e9, 1e9))) as client:
            yield client


@pytest.fixture(scope="module")
def table(client):
    """A game in progress, for requests about it."""
    return begin(client, [ME, agent()])


def check_response(answer):
    """A response succeeds or gives one sentence about its failure."""
    assert answer.status_code < 500 or answer.status_code == 503, answer.text
    assert not any(word in answer.text for word in SAID)
    if answer.status_code >= 400:
        assert set(answer.json()) - {"code", "fields", "sentences"} == {"error"}


@pytest.mark.parametrize("route", ROUTES)
@given(data=st.data())
@FREELY
@pytest.mark.slow
def test_no_valid_or_invalid_request_makes_the_server_fail(route, client, table, data):
    mode = data.draw(st.sampled_from(list(schemathesis.GenerationMode)))
    case = data.draw(ROUTES[route].as_strategy(generation_mode=mode))
    if "id" in case.path_parameters and data.draw(st.booleans()):
        case.path_parameters["id"] = table["id"]
    body = (
        {} if isinstance(case.body, schemathesis.core.NotSet) else {"content": encoded(case.body)}
    )
    check_response(
        client.request(
            case.method,
            case.formatted_path,
            params=case.query,
            headers={"content-type": "application/json"},
            **body,
        )
    )


def encoded(body):
    """Encode a body as JSON, or as text if JSON cannot represent it."""
    if isinstance(body, bytes):
        return body
    return json.dumps(body, default=str).encode("utf-8", "surrogatepass")


@given(body=st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
@FREELY
@pytest.mark.slow
def test_no_byte_string_makes_a_route_fail(client, body):
    for path in ("/api/tables", "/api/levels", "/api/login"):
        check_response(
            client.post(path, content=body, headers={"content-type": "application/json"})
        )


@given(
    messages=st.lists(
        st.text(max_size=40)
        | JSON.map(json.dumps)
        | st.fixed_dictionaries(
            {"type": TYPES}, optional={"ply": JSON, "actions": JSON, "on": JSON}
        ).map(json.dumps)
        | st.fixed_dictionaries(
            {
                "type": st.just("play"),
                "ply": st.integers(-1, 6),
                "actions": st.lists(st.integers(-5, 40), max_size=3),
            }
        ).map(json.dumps),
        max_size=8,
    )
)
@FREELY
@pytest.mark.slow
def test_no_message_makes_a_socket_fail_or_corrupts_a_game(client, messages):
    made = begin(client, [ME, agent()])
    with at(client, made["id"], made["tokens"].values()) as me:
        for message in messages:
            if '"resign"' not in message:
                me.socket.send_text(message)
        me.socket.send_json({"type": "play", "ply": 10**6, "actions": [0]})
        while True:
            answer = me.socket.receive_json()
            assert answer["type"] in ("table", "error", "hint", "rematch")
            assert not any(word in json.dumps(answer) for word in SAID)
            if "changed" in answer.get("text", "") or "over" in answer.get("text", ""):
                break
    view = client.get(f"/api/tables/{made['id']}").json()
    takes = sum(int(event["text"].split()[1]) for event in view["events"]["list"])
    assert (view["status"] == "over") == (takes == 9)
    stored = replay(client.app.state.services.resources.store.record(made["id"]))
    assert len(stored.actions) == view["ply"]


@given(first=st.text(max_size=60) | JSON.map(json.dumps))
@FREELY
def test_no_first_message_makes_a_socket_fail(client, first):
    with client.websocket_connect(SOCKET) as socket:
        socket.send_text(first)
        assert socket.receive_json()["type"] == "error"


def test_a_game_can_be_played_to_its_end_after_hostile_messages(client):
    made = begin(client, [ME, agent()])
    with at(client, made["id"], made["tokens"].values()) as me:
        while me.view["status"] != "over":
            me.play("take 1")
            if not my_turn(me.view):
                me.until(my_turn)
