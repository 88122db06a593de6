"""Connections without a request in time are closed, and their number per address is bounded."""

import asyncio
import contextlib
import socket
import struct
import sys
import threading
import time
import types
from dataclasses import replace
from typing import Any

import h11
import pytest
import uvicorn

from meeple.server.limits import LIMITS
from meeple.server.web import connections
from meeple.server.web.connections import OpenConnections, protocol
from meeple.server.web.pacing import FRAME_COST, LINE_COST, Pace
from tests.tiers import few_quick

pytestmark = pytest.mark.anyio
HALF = b"GET / HT"
WHOLE = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n"
PATIENCE = 60.0  # seconds, on a busy machine


async def application(scope, receive, send):
    """Answers once a request is complete."""
    if scope["type"] == "lifespan":
        return
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.request":
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


def within(seconds, each=10):
    """Return connections with this time limit of requests."""
    return OpenConnections(each, replace(LIMITS, header_seconds=seconds, body_seconds=seconds))


@contextlib.contextmanager
def listening(connections):
    """Start a server with these connections; return its address."""
    config = uvicorn.Config(
        application,
        http=protocol(connections),
        lifespan="off",
        log_level="error",
        timeout_keep_alive=1,
    )
    server, listener = uvicorn.Server(config), socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()


@contextlib.contextmanager
def connected(address, *sent):
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        for data in sent:
            connection.sendall(data)
        yield connection


def closes_in_time(connection):
    """Whether the other side closes without data within the time limit."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


def read_answer(connection):
    answer = b""
    while not answer.endswith(b"ok"):
        answer += connection.recv(1000)
    return answer


@pytest.mark.parametrize("sent", few_quick([HALF, BODY, b"", WHOLE[:-1], BODY + b"12345"], 2))
def test_an_incomplete_request_times_out_and_so_does_a_second(sent):
    with listening(within(0.3)) as address:
        with connected(address, sent) as connection:
            assert closes_in_time(connection)
        with connected(address, WHOLE) as connection:
            read_answer(connection)
            connection.sendall(HALF)
            assert closes_in_time(connection)


def test_a_request_in_pieces_is_answered_and_so_is_the_next():
    with (
        listening(within(PATIENCE)) as address,
        connected(address) as connection,
    ):
        for sent in (WHOLE, BODY + b"1234567890", WHOLE):
            for letter in range(len(sent)):
                connection.sendall(sent[letter : letter + 1])
            assert read_answer(connection).startswith(b"HTTP/1.1 200")


def test_connections_over_the_limit_of_an_address_are_refused_until_some_close():
    """400 half-open connections once blocked all other clients while they stayed."""
    limits = within(PATIENCE, each=5)
    with listening(limits) as address, contextlib.ExitStack() as stack:
        held = [stack.enter_context(connected(address, HALF)) for _ in range(5)]
        await_count(limits, 5)
        with connected(address, WHOLE) as one_more:
            assert closes_in_time(one_more)
        held[0].close()
        await_count(limits, 4)
        with connected(address, WHOLE) as again:
            assert again.recv(1000).startswith(b"HTTP/1.1 200")
    assert not limits.open


def await_count(limits, count):
    end = time.monotonic() + PATIENCE
    while limits.open["127.0.0.1"] != count:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_connection_count_ends_with_its_connections():
    limits = OpenConnections(2)
    assert limits.enter("here")
    assert limits.enter("here")
    assert not limits.enter("here")
    assert limits.enter("there")
    for who in ("here", "there", "here"):
        limits.leave(who)
    assert not limits.open


# ------------------------------------------------------------ the cost of data


FRAME = b"\x80\0\0\0\0"  # the rest of an empty frame after its first byte: masked, of length 0
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
EMPTY = {  # the empty frames of a kind: what begins a message, and then one more
    "ping": (b"", b"\x89" + FRAME),
    "pong": (b"", b"\x8a" + FRAME),
    "text": (b"", b"\x81" + FRAME),
    "fragment": (b"\x01" + FRAME, b"\x00" + FRAME),
}


def read_until_closed(connection):
    """Return all data that the other side sends until it closes."""
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while more := connection.recv(65_536):
            answer += more
    return answer


def test_only_the_first_of_pipelined_requests_is_answered():
    """Blocks of 500 on four connections once delayed a quiet client by more than a minute."""
    with (
        listening(OpenConnections(10)) as address,
        connected(address, WHOLE * 500) as connection,
    ):
        assert read_until_closed(connection).count(b"HTTP/1.1 200") == 1


def test_a_connection_is_not_idle_while_its_next_request_is_queued(monkeypatch):
    closed: list[Any] = []
    end = "timeout_keep_alive_handler"
    monkeypatch.setattr(connections.TimedHTTP.__mro__[1], end, lambda http: closed.append(http))
    http: Any = connections.TimedHTTP.__new__(connections.TimedHTTP)
    for waits in (True, False):
        http.transport = types.SimpleNamespace(has_waiting=waits)
        http.timeout_keep_alive_handler()
        assert bool(closed) != waits


class Inner:
    """The protocol to which a connection passes its data."""

    client = ("192.0.2.1", 1)

    def __init__(self):
        self.pieces, self.close_sent, self.conn = [], False, h11.Connection(h11.SERVER)

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.pieces.append(data)

    def connection_lost(self, error):
        pass


class Transport:
    """The transport from which a connection reads."""

    def __init__(self):
        self.reads, self.aborted = True, False

    def pause_reading(self):
        self.reads = False

    def resume_reading(self):
        self.reads = True

    def is_closing(self):
        return self.aborted

    def abort(self):
        self.aborted = True


def made(monkeypatch, clock, *, socket=False, counts=None):
    """Return a connection, its inner protocol and its transport."""
    monkeypatch.setattr(connections, "TimedHTTP", lambda limits, **uvicorn: Inner())
    one = protocol(counts or OpenConnections(10))()
    inner, transport = one._inner, Transport()
    one.connection_made(transport)  # type: ignore[arg-type]  # what a connection needs of one
    if socket:
        inner = Inner()
        one.set_protocol(inner)
    return one, inner, transport


async def run_loop():
    """Let the event loop run all turns that are due."""
    for _ in range(2000):
        await asyncio.sleep(0)


@pytest.mark.parametrize("kind", EMPTY)
async def test_every_frame_of_a_socket_is_charged_before_it_is_parsed(kind, monkeypatch, clock):
    """10,000 frames in one piece of data were once parsed at once without a charge."""
    first, frame = EMPTY[kind]
    counts = OpenConnections(10, replace(LIMITS, max_fragments=10**6))

    one, inner, transport = made(monkeypatch, clock, socket=True, counts=counts)
    one.data_received(first + frame * 10_000)
    await run_loop()
    afford = round(LIMITS.connection_time.burst / FRAME_COST)
    assert len(inner.pieces) == pytest.approx(afford, rel=0.01)
    assert set(inner.pieces) <= {first, frame}
    assert not transport.reads
    assert one._next is not None
    one.connection_lost(None)


async def test_connections_of_one_address_share_a_budget(monkeypatch, clock):
    counts = OpenConnections(10)
    all_made = [made(monkeypatch, clock, socket=True, counts=counts) for _ in range(4)]
    for one, _, _ in all_made:
        one.data_received(EMPTY["ping"][1] * 10_000)
    await run_loop()
    parsed = sum(len(inner.pieces) for _, inner, _ in all_made)
    assert parsed == pytest.approx(LIMITS.address_time.burst / FRAME_COST, rel=0.01)
    for one, _, _ in all_made:
        one.connection_lost(None)


async def test_chunks_of_a_body_are_charged_by_their_lines(monkeypatch, clock):
    one, inner, _ = made(monkeypatch, clock)
    one.data_received(b"1\r\nx\r\n" * 100_000)
    await run_loop()
    chunks = sum(map(len, inner.pieces)) / 6
    assert 0.8 < chunks * 2 * LINE_COST / LIMITS.connection_time.burst < 1
    assert max(map(len, inner.pieces)) <= LIMITS.max_piece_bytes
    one.connection_lost(None)


async def test_addresses_take_turns(monkeypatch, clock):
    pace, turns = Pace(LIMITS), []

    class Taker:
        def __init__(self, name):
            self.name = name

        def take_turn(self):
            turns.append(self.name)

    for name in ["many"] * 50 + ["quiet"]:
        pace.enqueue(name, Taker(name), LIMITS.iteration_seconds / 4)
    await asyncio.sleep(0)
    assert turns == ["many", "quiet", "many", "many"], "and the loop is free in between"
    await run_loop()
    assert len(turns) == 51


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536, 200_000])
async def test_a_frame_of_any_length_arrives_whole_in_any_pieces(length, monkeypatch, clock):
    head = bytes([length]) if length < 126 else b"\x7e" + struct.pack(">H", length & 0xFFFF)
    head = b"\x7f" + struct.pack(">Q", length) if length > 65_535 else head
    frame = b"\x81" + bytes([head[0] | 0x80]) + head[1:] + b"mask" + b"x" * length

    for cut in (1, 2, 3, 5, 9, 13, len(frame)):
        one, inner, transport = made(monkeypatch, clock, socket=True)
        one.data_received(frame[:cut])
        await run_loop()
        one.data_received(frame[cut:] + frame)
        await run_loop()
        assert b"".join(inner.pieces) == frame * 2
        assert max(map(len, inner.pieces)) <= LIMITS.max_piece_bytes
        assert transport.reads


async def test_a_message_in_too_many_fragments_closes_its_socket(monkeypatch, clock):
    first, fragment = EMPTY["fragment"]
    last = b"\x80" + FRAME

    one, inner, transport = made(monkeypatch, clock, socket=True)
    one.data_received((first + fragment * (LIMITS.max_fragments - 1) + last) * 2)
    await run_loop()
    assert not transport.aborted, "each message is counted by itself"
    one.data_received(first + fragment * LIMITS.max_fragments)
    await run_loop()
    assert transport.aborted
    assert len(inner.pieces) == 3 * LIMITS.max_fragments + 2


async def test_a_closed_socket_is_not_read_any_more(monkeypatch, clock):
    """It was once read for ten more seconds."""
    one, inner, transport = made(monkeypatch, clock, socket=True)
    inner.close_sent = True
    one.data_received(EMPTY["text"][1] * 10_000)
    await run_loop()
    assert transport.aborted
    assert len(inner.pieces) == LIMITS.max_frames_after_close


async def test_a_paused_connection_is_not_served_and_its_queue_is_bounded(monkeypatch, clock):
    one, inner, transport = made(monkeypatch, clock, socket=True)
    one.pause_reading()
    one.data_received(b"x" * (LIMITS.max_buffered_bytes + 1))
    await run_loop()
    assert not inner.pieces
    assert not transport.reads
    one.resume_reading()
    await run_loop()
    assert inner.pieces


def test_real_sockets_and_frames_are_accepted(monkeypatch):
    async def echo(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": str(len(message["text"]))})

    monkeypatch.setattr(sys.modules[__name__], "application", echo)
    with listening(OpenConnections(10)) as address, connected(address, UPGRADE) as connection:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        assert head.startswith(b"HTTP/1.1 101")
        for length in (0, 100_000, 1):
            payload = b"\x81\xff" + struct.pack(">Q", length) + bytes(4) + b"x" * length
            connection.sendall(EMPTY["ping"][1] + payload)
            expected = b"\x8a\x00" + bytes([0x81, len(str(length))]) + str(length).encode()
            answer = b""
            while len(answer) < len(expected):
                answer += connection.recv(1000)
            assert answer == expected
        connection.sendall(b"\x88" + FRAME)
        assert closes_in_time(connection) or connection.recv(10) == b""
