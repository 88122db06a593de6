"""Attacks on the server: requests, and floods of bytes on a connection.

Each attack is a function that is called again and again until the time is over. The bytes of floods
are made once, so that an attacker uses little processor time and the server does the work.
"""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from functools import cache, partial

from bench.chaos.attacker import Attacker, hold

CONNECTIONS = 2  # of one attacker, each in a thread
HALF_OPEN = 200  # connections of one attacker that never end their request
WIDE_BYTES = 980_000  # of a JSON object with many keys: below the server's limit of a body
WIDE_OPTIONS = 90_000  # entries in `options`
PIPELINED = 500  # requests of a block
FRAMES = 10_000  # of a block
PAUSE = 0.02  # seconds until one tries again after a refusal
SEATS = [{"kind": "me"}, *[{"kind": "agent", "spec": "random"}] * 3]
PATHS = ("/api/tables", "/api/games", "/api/runs", "/", "/api/tables?text=a&limit=100")
TABLES, LOGIN = ("/api/tables", "/api/levels"), ("/api/login",)

TEXT, BINARY, PING, PONG, CONTINUATION = 1, 2, 9, 10, 0
GET = b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
UPGRADE = (
    "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


# ------------------------------------------------------------ requests


@cache
def wide_object(size: int = WIDE_BYTES) -> str:
    """Return a JSON object of about `size` bytes with unknown keys."""
    entries: list[str] = []
    length = 2
    while length < size:
        entries.append(f'"{len(entries)}":0')
        length += len(entries[-1]) + 1
    return "{" + ",".join(entries) + "}"


@cache
def wide_options(count: int = WIDE_OPTIONS) -> str:
    """Return a choice of a game with `count` options of an invalid type."""
    return '{"game":"nim","options":{' + ",".join(f'"{n}":[]' for n in range(count)) + "}}"


def list_requests(attacker: Attacker) -> None:
    attacker.request("GET", attacker.rng.choice(PATHS))


def wide_bodies(body: Callable[[], str], paths: tuple[str, ...], attacker: Attacker) -> None:
    attacker.request("POST", attacker.rng.choice(paths), body())


def rubbish(attacker: Attacker) -> None:
    """Send a meaningless request, or bytes that are none."""
    rng = attacker.rng
    if rng.random() < 0.5:
        words: list[object] = [None, -1, 10**30, "x" * 3000, [[]], {"a": {}}, "hex", 1.5]
        keys = ("game", "options", "seats", "record", "clock", "pace", "seed")
        nonsense = {key: rng.choice(words) for key in keys}
        attacker.request("POST", "/api/tables", json.dumps(nonsense))
        return
    with attacker.connected() as line:
        line.sendall(rng.randbytes(rng.randrange(1, 2000)))
        attacker.done["pieces of rubbish"] += 1
        line.recv(100)


def long_records(attacker: Attacker) -> None:
    """Send a long game, to start from, to upload or to view."""
    record = attacker.record
    path, body = attacker.rng.choice(
        (
            ("/api/tables", {"game": "catan", "record": record, "seats": SEATS}),
            ("/api/records", {"text": record}),
            ("/api/positions", {"source": {"record": record}}),
        )
    )
    attacker.request("POST", path, json.dumps(body))


# ------------------------------------------------------------ floods of bytes on a connection


def frame(kind: int, content: bytes = b"", *, last: bool = True) -> bytes:
    """Return a client's frame of RFC 6455 with a mask of zero, which keeps the content."""
    size = len(content)
    if size < 126:
        head = struct.pack("!BB", kind | 128 * last, 128 | size)
    elif size < 65536:
        head = struct.pack("!BBH", kind | 128 * last, 128 | 126, size)
    else:
        head = struct.pack("!BBQ", kind | 128 * last, 128 | 127, size)
    return head + bytes(4) + content


@cache
def wide_message(entries: int = 80_000) -> bytes:
    """Return a message for the analysis with many unknown fields."""
    fields = {"type": "analyse", "source": {"game": "nim"}, "spec": "random", "ply": 0}
    return json.dumps({**fields, **{str(n): 0 for n in range(entries)}}).encode()


@cache
def mixed_frames() -> bytes:
    """Return messages of one byte, and of 4,100 letters."""
    return (7 * frame(BINARY, b"x") + 3 * frame(TEXT, b"y" * 4100)) * 100


def flood(
    block: Callable[[], bytes], attacker: Attacker, *, path: str = "", first: bytes = b""
) -> None:
    """Send `first`, and then a block repeatedly, until the connection ends.

    With a `path` the connection becomes a WebSocket first; sending continues after the server's
    close frame. A separate thread reads the answers.
    """
    try:
        with attacker.connected() as line:
            if path:
                line.sendall(UPGRADE.format(path).encode())
                if b" 101 " not in line.recv(4096):
                    return
                attacker.done["sockets"] += 1
            line.sendall(first)
            threading.Thread(target=_drain, args=(line,), daemon=True).start()
            content, at = memoryview(block()), 0
            while attacker.has_time:
                at = (at + line.send(content[at:])) % len(content)
                attacker.done["sends"] += 1
    finally:
        time.sleep(PAUSE)


def _drain(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while line.recv(65536):
            pass


def repeated(block: bytes, times: int = FRAMES) -> Callable[[], bytes]:
    """Return a function that returns a block of equal parts, made at its first call."""
    return cache(lambda: block * times)


table_flood, analysis_flood = partial(flood, path="/ws/table"), partial(flood, path="/ws/analysis")
fragment = partial(frame, last=False)

SERVER_KINDS: dict[str, Callable[[Attacker], None]] = {
    "requests": list_requests,
    "rubbish": rubbish,
    "table frames": partial(table_flood, mixed_frames),
    "analysis frames": partial(analysis_flood, mixed_frames),
    "half-open": partial(hold, HALF_OPEN // CONNECTIONS, b"GET / HT"),
    "long records": long_records,
    "wide bodies": partial(wide_bodies, wide_object, TABLES),
    "wide options": partial(wide_bodies, wide_options, TABLES),
    "wide logins": partial(wide_bodies, wide_object, LOGIN),
    "wide messages": partial(analysis_flood, lambda: frame(TEXT, wide_message())),
    "pings": partial(table_flood, repeated(frame(PING))),
    "pongs": partial(analysis_flood, repeated(frame(PONG))),
    "fragments": partial(analysis_flood, repeated(fragment(CONTINUATION)), first=fragment(TEXT)),
    "byte frames": partial(table_flood, repeated(frame(BINARY, b"x"))),
    "pipelining": partial(flood, repeated(GET, PIPELINED)),
    "one-byte chunks": partial(flood, repeated(b"1\r\nx\r\n"), first=POST),
}
