"""Tables created and played through the server's routes and sockets."""

import contextlib

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import meeple
from meeple.server import app as application
from meeple.server.limits import LIMITS
from meeple.server.play.answers import TableAnswer
from meeple.server.play.seats import Seat, digest
from meeple.server.play.stored import new_stored, table_of
from meeple.server.settings import ServerSettings

ANSWERS: TypeAdapter[TableAnswer] = TypeAdapter(TableAnswer)
PATIENCE = 600  # time limit of each wait in seconds, on a busy machine

NIM = {"game": "nim", "options": {"stones": 9}}
SOCKET = "ws://127.0.0.1/ws/table"
ANALYSIS = "ws://127.0.0.1/ws/analysis"
ME, FRIEND = {"kind": "me"}, {"kind": "link"}


def agent(spec="random"):
    return {"kind": "agent", "spec": spec}


@contextlib.contextmanager
def serving(folder, limits=LIMITS, **settings):
    chosen = ServerSettings(data=folder, runs=folder / "runs", **settings)
    app = application.create_app(chosen, limits)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


def refused_code(client, **more):
    """Return the code with which a socket is closed before it opens."""
    with pytest.raises(WebSocketDisconnect) as refusal, client.websocket_connect(SOCKET, **more):
        pass
    return refusal.value.code


def begin(client, seats, **more):
    answer = client.post("/api/tables", json={**NIM, "seats": seats, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


class Player:
    """A client at a table; each message that it gets must fit the schemas."""

    def __init__(self, socket, table, tokens):
        self.socket, self.view = socket, {}
        socket.send_json({"type": "watch", "table": table, "tokens": list(tokens)})
        self.until(lambda view: True)

    def until(self, is_so):
        """Read views until one satisfies the condition."""
        while True:
            message = self.receive()
            assert message["type"] == "table", message
            self.view = message
            if is_so(message):
                return message

    def receive(self):
        message = self.socket.receive_json()
        ANSWERS.validate_python(message)
        return message

    def message(self, kind):
        while True:
            message = self.receive()
            if message["type"] == kind:
                return message

    def say(self, kind, **more):
        self.socket.send_json({"type": kind, **more})

    def play(self, name):
        (action,) = [a["id"] for a in self.view["actions"] if a["name"] == name]
        ply = self.view["ply"]
        self.say("play", ply=ply, actions=[action])
        return self.until(lambda view: view["ply"] > ply)


@contextlib.contextmanager
def at(client, table, tokens=()):
    with client.websocket_connect(SOCKET) as socket:
        yield Player(socket, table, tokens)


def my_turn(view):
    return bool(view["actions"]) or view["status"] == "over"


def two_people(client, **more):
    made = begin(client, [ME, FRIEND], **more)
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invite": made["invites"]["1"], "name": "Ann"}
    ).json()
    return made["id"], [made["tokens"]["0"]], [claimed["token"]]


def begun_table(game="nim", seats=None, seed=3, clock=None, **options):
    """Create a table without a server; its seats are human by default."""
    position = meeple.make(game, **options).start(seed)
    seats = seats or [
        Seat("human", token=digest(f"token-{n}")) for n in range(position.game.players)
    ]
    table = table_of(new_stored(position, seats, {"help": True, "clock": clock}, {}))
    table.begin()
    return table


@contextlib.contextmanager
def desk(client):
    with client.websocket_connect(ANALYSIS) as socket:
        yield socket


def messages_until_end(socket):
    """Return all messages up to the final one."""
    found = [socket.receive_json()]
    while found[-1]["type"] not in ("done", "error"):
        found.append(socket.receive_json())
    return found
