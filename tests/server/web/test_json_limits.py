"""Messages of clients are measured before parsing: each limit, and every route."""

import json
import typing
from dataclasses import replace

import pytest
from fastapi.routing import APIRoute
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from meeple.rate_limit import Rate
from meeple.server.analysis.routes import MESSAGE as ANALYSIS_MESSAGE
from meeple.server.analysis.sources import GameSource
from meeple.server.app import create_app
from meeple.server.errors import TooMuch
from meeple.server.limits import LIMITS, JsonLimits
from meeple.server.play.messages import MESSAGE as TABLE_MESSAGE
from meeple.server.play.messages import Watch
from meeple.server.settings import ServerSettings
from meeple.server.web.json_limits import check_json
from tests.server.tables import SOCKET, serving

TEXT_LIMITS = JsonLimits(max_bytes=100_000, max_items=1000)
MAX_CONTAINERS, MAX_MEMBERS = TEXT_LIMITS.max_containers, TEXT_LIMITS.max_members
MAX_DEPTH = TEXT_LIMITS.max_depth
KEYS = "{" + ",".join(f'"{number}":0' for number in range(60_000)) + "}"
HOSTILE = {
    "keys": KEYS,
    "options": '{"game":"nim","options":' + KEYS + "}",
    "deep": '{"source":' + "[" * 300_000,
    "list": '{"game":"nim","seats":[' + "0," * 300_000 + "0]}",
    "objects": "[" + "{}," * 100_000 + "{}]",
    "strings": "[" + '"",' * 100_000 + '""]',
    "backslashes": '["' + '\\"' * 300_000 + '",' + KEYS + "]",
}


def fits(text, limits=TEXT_LIMITS):
    try:
        check_json(text.encode("utf-8", "surrogatepass"), limits)
    except TooMuch:
        return False
    return True


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ("x" * 100_000, "x" * 100_001),
        (json.dumps([0] * 1000), json.dumps([0] * 1001)),
        (json.dumps([""] * 1000), json.dumps([""] * 1001)),
        (
            json.dumps(dict.fromkeys(map(str, range(MAX_MEMBERS)))),
            json.dumps(dict.fromkeys(map(str, range(MAX_MEMBERS + 1)))),
        ),
        ("[" + "[]," * (MAX_CONTAINERS - 2) + "[]]", "[" + "[]," * (MAX_CONTAINERS - 1) + "[]]"),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)),
    ],
)
def test_a_text_is_accepted_up_to_its_limits(inside, outside):
    assert fits(inside)
    assert not fits(outside)


def test_characters_within_a_string_do_not_count():
    record = '{"a": [1, 2], "b": {}}\n' * 1000
    assert fits(json.dumps({"text": record, "path": "C:\\", "more": '\\"'}))
    assert not fits(json.dumps({"text": record}), JsonLimits(1000, 1000))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_are_refused(encoding):
    with pytest.raises(TooMuch, match="UTF-8"):
        check_json(json.dumps({"a": 1}).encode(encoding), TEXT_LIMITS)


def shape(value):
    """Return values in containers, containers, members and depth of a JSON value."""
    if not isinstance(value, list | dict):
        return 0, 0, 0, 0
    inner = [shape(one) for one in (value.values() if isinstance(value, dict) else value)]
    members = len(value) if isinstance(value, dict) else 0
    sums = [sum(one[part] for one in inner) for part in range(3)]
    deepest = max((one[3] for one in inner), default=0)
    return max(len(value), 1) + sums[0], 1 + sums[1], members + sums[2], 1 + deepest


@given(
    value=st.recursive(
        st.none() | st.integers() | st.text(st.sampled_from('a"\\,:[]{}\n'), max_size=6),
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=30,
    ),
    most=st.integers(1, 30),
    ascii=st.booleans(),
)
def test_values_are_counted_like_in_a_parser(value, most, ascii):
    values, containers, members, depth = shape(value)
    text = json.dumps(value, ensure_ascii=ascii)
    assert values <= most + 1 or not fits(text, JsonLimits(100_000, most))
    if max(values, containers) < most and max(containers, members) <= 400 and depth <= MAX_DEPTH:
        assert fits(text, JsonLimits(100_000, most))


# ------------------------------------------------------------ routes and sockets


def routes(client):
    """Return every route of the application that accepts a body, with its parameters filled in."""
    for route in client.app.routes:
        for one in getattr(getattr(route, "original_router", None), "routes", [route]):
            if isinstance(one, APIRoute):
                for method in one.methods or ():
                    names = dict.fromkeys(one.param_convertors, "x" * 8)
                    yield method, one.path_format.format(**names)


@pytest.fixture
def client_at_any_rate(tmp_path, pool):
    with serving(tmp_path, replace(LIMITS, requests=Rate(1e9, 1e9))) as client:
        yield client


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_route_parses_a_hostile_body(client_at_any_rate, monkeypatch, kind):
    """Such a body once blocked the event loop for 12 s by validating every key."""
    client = client_at_any_rate
    asked = list(routes(client))
    assert len(asked) > 20
    loads = json.loads

    def parsed(text, **terms):
        assert len(text) < 2000, "a hostile body reaches the parser"
        return loads(text, **terms)

    monkeypatch.setattr("starlette.requests.json.loads", parsed)
    for method, path in asked:
        answer = client.request(
            method, path, content=HOSTILE[kind], headers={"content-type": "application/json"}
        )
        assert answer.status_code == 413, (method, path)
        assert set(answer.json()) == {"error", "code", "fields"}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("address", [SOCKET, "ws://127.0.0.1/ws/analysis"])
def test_no_socket_parses_a_hostile_message(client, address, kind):
    with client.websocket_connect(address) as socket:
        socket.send_text(HOSTILE[kind])
        message = socket.receive_json()
    assert message["type"] == "error"
    assert "at most" in message["text"] or "first message" in message["text"]


def lists_of(schema):
    """Return every list in a schema of pydantic's core."""
    if isinstance(schema, dict):
        if schema.get("type") == "list":
            yield schema
        for part in schema.values():
            yield from lists_of(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from lists_of(part)


def test_validation_of_every_list_stops_at_the_first_error(tmp_path):
    """Otherwise a list of 45,000 invalid values would cost an error for each."""
    app = create_app(ServerSettings(data=tmp_path))
    models: set[typing.Any] = {GameSource, Watch}
    for route in app.routes:
        for one in getattr(getattr(route, "original_router", None), "routes", [route]):
            if isinstance(one, APIRoute) and one.body_field is not None:
                models.add(one.body_field.field_info.annotation)
    assert len(models) > 8
    schemas = [typing.cast(BaseModel, model).__pydantic_core_schema__ for model in models]
    schemas += [adapter.core_schema for adapter in (TABLE_MESSAGE, ANALYSIS_MESSAGE)]
    found = list(lists_of(schemas))
    assert len(found) > 8
    assert all(one.get("fail_fast") for one in found)


def test_the_longest_list_of_invalid_moves_has_one_error():
    moves = json.dumps({"game": "nim", "moves": [0] * 40_000, "then": [0] * 4_000})
    check_json(moves.encode(), LIMITS.game_json)
    with pytest.raises(ValidationError) as caught:
        GameSource.model_validate_json(moves)
    assert caught.value.error_count() <= 3
