"""Connections that bring no request in time are closed, and those of one address are bounded."""

import contextlib
import socket
import threading
import time

import pytest
import uvicorn

from meeple.server.connections import Limits, protocol

HALF = b"GET / HT"
WHOLE = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n"
PATIENCE = 60.0  # seconds, where a machine is busy


async def application(scope, receive, send):
    """Answers when a request is whole."""
    if scope["type"] == "lifespan":
        return
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.request":
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


@contextlib.contextmanager
def listening(limits):
    """The address of a server within these limits."""
    config = uvicorn.Config(
        application, http=protocol(limits), lifespan="off", log_level="error", timeout_keep_alive=1
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


def ended(connection):
    """Whether the other side closes without a word, in the time that a test may take."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", HALF, WHOLE[:-1], BODY, BODY + b"12345"])
def test_a_request_that_does_not_come_whole_in_time_ends_its_connection(sent):
    with (
        listening(Limits(each=10, header_seconds=0.3, body_seconds=0.3)) as address,
        connected(address, sent) as connection,
    ):
        assert ended(connection)


def test_a_request_that_comes_in_pieces_is_answered_and_the_next_one_too():
    with (
        listening(Limits(each=10, header_seconds=PATIENCE, body_seconds=PATIENCE)) as address,
        connected(address) as connection,
    ):
        for sent in (WHOLE, BODY + b"1234567890", WHOLE):
            for letter in range(len(sent)):
                connection.sendall(sent[letter : letter + 1])
            answer = b""
            while not answer.endswith(b"ok"):
                answer += connection.recv(1000)


def test_a_half_open_second_request_ends_the_connection_too():
    with (
        listening(Limits(each=10, header_seconds=0.5, body_seconds=0.5)) as address,
        connected(address, WHOLE) as connection,
    ):
        answer = b""
        while not answer.endswith(b"ok"):
            answer += connection.recv(1000)
        connection.sendall(HALF)
        assert ended(connection)


def test_who_holds_too_many_connections_gets_no_more_until_some_are_closed():
    """400 half-open ones used to keep everybody out for as long as they stayed."""
    limits = Limits(each=5, header_seconds=PATIENCE)
    with listening(limits) as address, contextlib.ExitStack() as stack:
        held = [stack.enter_context(connected(address, HALF)) for _ in range(5)]
        await_count(limits, 5)
        with connected(address, WHOLE) as one_more:
            assert ended(one_more)
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


def test_a_count_ends_with_what_it_counts():
    limits = Limits(each=2)
    assert limits.enter("here")
    assert limits.enter("here")
    assert not limits.enter("here")
    assert limits.enter("there")
    for who in ("here", "there", "here"):
        limits.leave(who)
    assert not limits.open
