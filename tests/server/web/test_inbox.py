"""Sockets under load: every message is charged before it is read, and invalid ones close them."""

import asyncio
from dataclasses import replace

import pytest
from starlette.websockets import WebSocketDisconnect

from meeple.rate_limit import Rate, TokenBuckets
from meeple.server.limits import LIMITS, JsonLimits
from meeple.server.settings import ServerSettings
from meeple.server.web.guard import Guard, weight
from meeple.server.web.inbox import UNREADABLE, Inbox, Rubbish
from tests.server.tables import ME, SOCKET, agent, at, begin

pytestmark = pytest.mark.anyio
BYTE = {"type": "websocket.receive", "bytes": b"x"}
ANALYSIS = "ws://127.0.0.1/ws/analysis"


class Sending:
    """A socket that receives the same message without end."""

    def __init__(self, message):
        self.message, self.read, self.closed = message, 0, None

    async def receive(self):
        self.read += 1
        return self.message

    async def close(self, code):
        self.closed = code


async def read_all(inbox, seconds):
    """Read until no message arrives in time; return the number of refusals."""
    refused = 0
    while True:
        try:
            await asyncio.wait_for(inbox.next_text(), seconds)
        except Rubbish:
            refused += 1
        except TimeoutError:
            return refused


@pytest.mark.parametrize(
    "message", [BYTE, {"type": "websocket.receive", "text": "x" * 4100}, {**BYTE, "bytes": b""}]
)
def test_a_refused_message_is_charged_before_it_is_answered(message):
    """Refusals were once sent at once: 7,000 a second, which blocked all other clients."""
    socket = Sending(message)
    refused = asyncio.run(read_all(Inbox(socket, LIMITS.table_json, Rate(1e-9, 5)), 0.05))  # type: ignore[arg-type]  # a socket's part
    assert refused == 5


def test_a_long_message_is_charged_by_its_length():
    for short in ({"text": "x" * 10}, {"bytes": b""}, {"text": None}):
        assert weight(short, LIMITS) == 1
    assert weight({"text": "x" * 1_200_000}, LIMITS) == 61
    sent = {"type": "websocket.receive", "text": "x" * 50_000}
    inbox = Inbox(Sending(sent), JsonLimits(100_000, 10), Rate(1e-9, 7))  # type: ignore[arg-type]  # a socket's part
    assert asyncio.run(asyncio.wait_for(inbox.next_text(), 60)) == "x" * 50_000
    assert asyncio.run(asyncio.wait_for(inbox.next_text(), 60)) == "x" * 50_000
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(inbox.next_text(), 0.05))


async def test_all_sockets_of_a_caller_share_one_budget(tmp_path):
    limits = replace(LIMITS, messages=Rate(1e-9, 3.0))
    guard = Guard(None, ServerSettings(data=tmp_path), None, limits)
    sockets = [Sending(BYTE), Sending(BYTE), Sending(BYTE)]

    for socket, who in zip(sockets, ["here", "here", "there"], strict=True):
        receive = guard._rate_limited(socket.receive, who)
        for _ in range(2 if socket is not sockets[1] else 1):
            await asyncio.wait_for(receive(), 60)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(guard._rate_limited(sockets[0].receive, "here")(), 0.05)


def test_a_caller_waits_for_no_more_than_the_burst():
    buckets = TokenBuckets(Rate(1e-9, 4.0))
    asyncio.run(asyncio.wait_for(buckets.wait("here", 1000), 60))
    assert not buckets.take("here")


@pytest.mark.parametrize("rubbish", ["bytes", "long", "words"])
def test_a_client_that_keeps_sending_invalid_messages_is_closed_and_others_are_not(client, rubbish):
    send = {
        "bytes": lambda socket: socket.send_bytes(b"x"),
        "long": lambda socket: socket.send_text("x" * 4100),
        "words": lambda socket: socket.send_text("hello"),
    }[rubbish]
    made = begin(client, [ME, agent()])
    with at(client, made["id"], made["tokens"].values()) as other:
        for url, first in ((SOCKET, {"type": "watch", "table": made["id"]}), (ANALYSIS, None)):
            with client.websocket_connect(url) as socket:
                if first is not None:
                    socket.send_json(first)
                    assert socket.receive_json()["type"] == "table"
                errors, code = send_until_closed(socket, send)
            assert (
                1 <= errors <= LIMITS.invalid_messages.burst + 1
            )  # one more where the machine is slow
            assert code == UNREADABLE
        other.say("hint")
        assert other.message("hint")["ply"] == 0


def send_until_closed(socket, send):
    """Send invalid messages until the socket closes; return the number of errors and the code.

    No view of the table is sent for them; one or two are sent as the others see a page join.
    """
    errors = views = 0
    while True:
        send(socket)
        try:
            message = socket.receive_json()
        except WebSocketDisconnect as closed:
            return errors, closed.code
        errors += message["type"] == "error"
        views += message["type"] == "table"
        assert views <= 2
