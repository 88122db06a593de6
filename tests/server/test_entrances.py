"""No text that is read runs a program or opens a file that its author chose.

Every entrance is derived: the fields of requests and messages from the schemas of the server, those
of configurations from their models, the forms of specs from the table of agents.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import TypeAdapter
from starlette.routing import WebSocketRoute

from meeple.agents import allowed
from meeple.agents.kinds import AGENTS
from meeple.agents.networks import NEARBY
from meeple.agents.spec import agent, check_read
from meeple.engines.json_lines import JsonLinesEngine
from meeple.errors import MeepleError, NotAllowed
from meeple.games.contract.records import read_records, record_of, replay
from meeple.games.contract.registry import make
from meeple.learn.config import (
    Config,
    PatternsConfig,
    ValuesConfig,
    documented,
    parse_sections,
    texts_in,
)
from meeple.learn.loop import train
from meeple.learn.run.folder import RunFolder
from meeple.options import File
from meeple.rate_limit import Rate
from meeple.server.analysis.routes import MESSAGE as ANALYSIS_MESSAGE
from meeple.server.limits import LIMITS
from meeple.server.play.messages import MESSAGE as TABLE_MESSAGE
from meeple.server.store import StoredGame
from meeple.server.training.processes import RunProcesses
from tests.learn.small import NIM, config
from tests.server.tables import ME, SOCKET, begin, serving
from tests.server.tables import agent as agent_of

TRAP = "trap7f3a"  # in the name of everything that must not be touched
TOUCHES = ("open", "subprocess.Popen", "os.system", "os.posix_spawn", "os.exec")
SOCKETS: dict[str, TypeAdapter[Any]] = {
    "/ws/table": TABLE_MESSAGE,
    "/ws/analysis": ANALYSIS_MESSAGE,
}
"""The messages of a page by the address of its socket."""
CONFIGS: dict[Any, tuple[str, ...]] = {
    Config: NIM,
    ValuesConfig: ('game.name="catan-reduced"', 'run.mode="values"'),
    PatternsConfig: ('game.name="reversi"', "game.options.size=6", 'run.mode="patterns"'),
}
FEW = 3  # of the specs of `dangers` are tried in each field of a request: each third one
FAST: Any = {one.name: Rate(1e6, 1e6) for one in fields(LIMITS) if one.type is Rate}
PATIENT = replace(LIMITS, **FAST)  # without limits of rates
KNOWN = {"game": "nim", "kind": "agent", "config": "nim", "name": "new", "spec": "random"}
"""Values of required fields; of any other one, the first that its schema allows."""

_touched: list[str] = []


def _watch(event: str, arguments: Any) -> None:
    if event in TOUCHES and TRAP in repr(arguments):
        _touched.append(f"{event} {arguments!r:.200}")


sys.addaudithook(_watch)


def dangers(folder: Any = "/tmp") -> list[str]:
    """Return a spec of every form that names a program or a file."""
    trap = f"{folder}/{TRAP}"
    found = [f"policy:{trap}.py:Evil", f"puct:{trap}.py:Evil,sims=2", f"engine:cat {trap}"]
    for name, kind in AGENTS.items():
        limit = [f"{key}=2" for key in ("sims", "depth") if key in kind.keys][:1]
        files = [f"{key}={trap}" for key, option in kind.keys.items() if isinstance(option, File)]
        if kind.path:
            files.append(f"{trap}.py:Evil" if kind.path == "FILE.py:NAME" else trap)
        found += [f"{name}:{','.join([file, *limit])}" for file in files]
    return found


@pytest.fixture(autouse=True)
def untouched(monkeypatch) -> Iterator[None]:
    """Allow nothing, and fail if a trap was touched."""
    monkeypatch.setattr(allowed, "_everything", False)
    monkeypatch.setattr(allowed, "_words", set())
    _touched.clear()
    yield
    assert _touched == []


# ---------------------------------------------------------------- the rule


@pytest.mark.parametrize("spec", dangers())
def test_a_spec_that_was_read_runs_and_opens_nothing(spec, tmp_path):
    (tmp_path / f"{TRAP}.py").write_text("raise SystemExit")
    _touched.clear()
    for given in (spec, spec.replace("/tmp/", f"{tmp_path}/")):
        with pytest.raises(MeepleError):
            agent(given, make("nim"), catalogue=NEARBY)


def test_a_spec_that_was_typed_may_name_what_was_read_may_not():
    spec = dangers()[0]
    with pytest.raises(NotAllowed, match="--allow-engines"):
        check_read(spec, NEARBY)
    with allowed.allowed_within([spec], everything=True):
        assert all(check_read(other, NEARBY) for other in dangers())
    with pytest.raises(NotAllowed):
        check_read(spec, NEARBY)
    allowed.allow([spec])
    assert check_read(spec, NEARBY).name == "policy"
    allowed.allow_everything()
    assert all(check_read(other, NEARBY) for other in dangers())


# ---------------------------------------------------------------- the page


def texts(schema: Any, defs: Any, put: Any) -> Iterator[Any]:
    """Yield an example of a schema for each place of a text in it, with `put` there."""
    schema = defs[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from texts(one, defs, put)
    kind = schema.get("type")
    if kind == "string" and "const" not in schema:
        yield put
    elif kind == "array":
        yield from ([one, one] for one in texts(schema.get("items", {}), defs, put))
    elif kind == "object" and "additionalProperties" in schema and "properties" not in schema:
        keys = FIELDS if schema.get("maxProperties") == 100 else ("size", put)
        inner = schema["additionalProperties"]
        yield from ({key: one} for key in keys for one in texts(inner, defs, put))
    elif kind == "object":
        for name, part in schema["properties"].items():
            for one in texts(part, defs, put):
                yield {**least(schema, defs), name: one}


def least(schema: Any, defs: Any) -> Any:
    """Return a value with the required fields only."""
    schema = defs[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        return least(one, defs)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            needed = [*schema.get("required", ())]
            return {
                name: KNOWN.get(name) or least(schema["properties"][name], defs) for name in needed
            }
        case "array":
            return [least(schema["items"], defs)] * max(2, schema.get("minItems", 0))
        case "string":
            return "a" * max(schema.get("minLength", 8), 8)
    return schema.get("minimum", 1)


def is_trapped(folder) -> bool:
    """Return whether a run with a trap in its configuration was made."""
    return any(TRAP in file.read_text() for file in folder.glob("runs/*/config.toml"))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_request_to_any_route_runs_or_opens_what_it_names(method, tmp_path, pool, monkeypatch):
    monkeypatch.setattr(RunProcesses, "start", lambda *_: None)
    tried = 0
    with serving(tmp_path, PATIENT) as client:
        described = client.app.openapi()
        defs = described["components"]["schemas"]
        for path, routes in described["paths"].items():
            if method not in routes:
                continue
            body = routes[method].get("requestBody")
            schema = next(iter(body["content"].values()))["schema"] if body else None
            queries = [one["name"] for one in routes[method].get("parameters", ())]
            for number, spec in enumerate(dangers()):
                address = path.replace("{", "").replace("}", quote(spec, safe=""))
                asked = "&".join(f"{name}={quote(spec, safe='')}" for name in queries)
                bodies = [None] if schema is None else [*texts(schema, defs, spec)]
                for one in bodies[number % FEW :: FEW] or bodies:
                    where = path if body else f"{address}?{asked}"
                    answer = client.request(method, where, json=one)
                    tried += 1
                    wanted = json.dumps(one)
                    if '"spec": ' in wanted or '"agents": ' in wanted or "opponents" in wanted:
                        assert answer.status_code in (400, 404, 422), (path, one, answer.text)
    assert tried > 100
    assert TRAP not in repr(pool.tasks)
    assert not is_trapped(tmp_path)


@pytest.mark.slow
def test_no_message_of_a_socket_runs_or_opens_what_it_names(tmp_path, pool):
    with serving(tmp_path, PATIENT) as client:
        routers = [getattr(one, "original_router", client.app) for one in client.app.routes]
        routes = [route for router in routers for route in router.routes]
        assert {one.path for one in routes if isinstance(one, WebSocketRoute)} == SOCKETS.keys()
        for path, adapter in SOCKETS.items():
            schema = adapter.json_schema()
            messages = [one for spec in dangers() for one in texts(schema, schema["$defs"], spec)]
            assert messages
            for message in messages:
                with client.websocket_connect(f"ws://127.0.0.1{path}") as socket:
                    if path == "/ws/table":
                        made = begin(client, [ME, agent_of("random")])
                        tokens = list(made["tokens"].values())
                        socket.send_json({"type": "watch", "table": made["id"], "tokens": tokens})
                    socket.send_json(message)
                    while socket.receive_json()["type"] not in ("error", "chat"):
                        pass
        with client.websocket_connect(SOCKET) as socket:
            socket.send_json({"type": "watch", "table": dangers()[0]})
            assert socket.receive_json()["type"] == "error"
    assert TRAP not in repr(pool.tasks)


# ---------------------------------------------------------------- configurations and run folders


def changes_with(spec):
    """Yield a class of configurations, and a change for each field that may hold a text."""
    for kind in CONFIGS:
        schema = kind.model_json_schema()
        for section, part in schema["properties"].items():
            for one in texts(part, schema["$defs"], spec):
                for field, value in one.items():
                    if spec in repr(value):
                        yield kind, f"{section}.{field}={json.dumps(value)}"


FIELDS = {change.partition("=")[0] for kind, change in changes_with("?") if kind is Config}
"""The fields of a run from the page that may hold a text."""


@pytest.mark.parametrize("spec", dangers())
def test_no_field_of_a_configuration_runs_or_opens_what_it_names(spec, tmp_path):
    accepted = set()
    for number, (kind, change) in enumerate(changes_with(spec)):
        folder = RunFolder(tmp_path / str(number))
        try:
            read = parse_sections(kind, "", [*CONFIGS[kind], change])
        except MeepleError:
            continue
        with pytest.raises(NotAllowed, match="--allow-engines"):
            folder.create(read)
        assert not folder.path.exists()
        accepted.add(change.partition("=")[0])
    assert accepted == {"run.start", "run.teacher", "matches.opponents"}


def test_a_change_that_was_typed_may_name_a_program(tmp_path):
    changes = [f"matches.opponents=['{dangers()[0]}', 'start']", f"run.start=/tmp/{TRAP}"]
    allowed.allow(texts_in(changes))
    RunFolder(tmp_path / "typed").create(config(*changes, base=NIM))
    with pytest.raises(NotAllowed):
        RunFolder(tmp_path / "read").create(config(f"run.start=/tmp/{TRAP}2", base=NIM))


@pytest.mark.parametrize("spec", dangers())
def test_a_run_folder_of_somebody_else_is_not_resumed(spec, tmp_path):
    pytest.importorskip("torch")
    fields = f"matches.opponents=['{spec}']", f"run.start='{spec}'", f"run.teacher='{spec}'"
    for number, change in enumerate(fields):
        folder = tmp_path / str(number)
        (folder / "checkpoints").mkdir(parents=True)
        (folder / "config.toml").write_text(documented(config(change, base=NIM)))
        _touched.clear()
        with pytest.raises(NotAllowed, match="--allow-engines"):
            train(folder)


@pytest.mark.parametrize("name", [f"{TRAP}.py", f"/tmp/{TRAP}.py", f"openspiel:{TRAP}"])
def test_a_game_that_is_named_in_data_loads_nothing(name, tmp_path):
    (tmp_path / f"{TRAP}.py").write_text("raise SystemExit")
    _touched.clear()
    with pytest.raises(MeepleError, match=r"there is no game|is not loaded"):
        config(f'game.name="{name}"', "game.options={}")
    engine = JsonLinesEngine("random", make("nim"))
    (answer,) = engine.handle(json.dumps({"type": "game", "game": name}))
    assert json.loads(answer)["type"] == "error"


# ---------------------------------------------------------------- other files and the database


def test_an_agent_in_the_database_is_checked_before_it_plays(tmp_path, pool):
    with serving(tmp_path, PATIENT) as client:
        store = client.app.state.services.resources.store
        for spec in dangers():
            made = begin(client, [ME, agent_of("random")])
            stored, _ = store.game(made["id"])
            row = {column.key: getattr(stored, column.key) for column in stored.__table__.columns}
            seats = [stored.seats[0], {**stored.seats[1], "spec": spec}]
            id = made["id"][::-1]
            store.add(StoredGame(**{**row, "id": id, "seats": seats}))
            with client.websocket_connect(SOCKET) as socket:
                tokens = list(made["tokens"].values())
                socket.send_json({"type": "watch", "table": id, "tokens": tokens})
                socket.receive_json()
                socket.send_json({"type": "play", "ply": 0, "actions": [0]})
                while socket.receive_json()["type"] != "error":
                    pass
    assert TRAP not in repr(pool.tasks)


def test_a_record_is_replayed_whatever_its_players_are_called(tmp_path):
    position = make("nim").start(1)
    while position.to_move >= 0:
        position.play(int(position.legal_actions()[0]))
    for spec in dangers():
        record = record_of(position, [spec, spec])
        file = tmp_path / "games.jsonl"
        file.write_text(record.to_json() + "\n")
        _touched.clear()
        (found,) = read_records(file)
        assert replay(found).is_over
