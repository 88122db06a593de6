"""Attacks by raw bytes on a connection: pipelining, chunks, and frames of a WebSocket.

The bytes are made once, so that an attacker uses little processor time and the server does the
work.
"""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable

from bench.chaos.attacker import Attacker

TEXT, BINARY, PING, PONG, CONTINUATION = 1, 2, 9, 10, 0
PIPELINED = 500  # requests of a block
FRAMES = 10_000  # of a block
PAUSE = 0.02  # seconds until one tries again after a refusal

GET = b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
UPGRADE = (
    "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


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


def wide_message(entries: int = 80_000) -> bytes:
    """Return a message for the analysis with many unknown fields."""
    fields = {"type": "analyse", "source": {"game": "nim"}, "spec": "random", "ply": 0}
    return json.dumps({**fields, **{str(n): 0 for n in range(entries)}}).encode()


def flood(attacker: Attacker, first: bytes, block: bytes) -> None:
    """Send `first`, and then a block repeatedly, on one connection after another."""
    while attacker.has_time:
        with contextlib.suppress(OSError), attacker.connected() as line:
            attacker.done["connections"] += 1
            line.sendall(first)
            _pump(attacker, line, block)
        time.sleep(PAUSE)


def flood_socket(attacker: Attacker, path: str, first: bytes, block: bytes) -> None:
    """Flood a WebSocket; sending continues after the server's close frame."""
    while attacker.has_time:
        with contextlib.suppress(OSError), attacker.connected() as line:
            attacker.done["connections"] += 1
            line.sendall(UPGRADE.format(path).encode())
            if b" 101 " in line.recv(4096):
                attacker.done["sockets"] += 1
                line.sendall(first)
                _pump(attacker, line, block)
        time.sleep(PAUSE)


def _pump(attacker: Attacker, line: socket.socket, block: bytes) -> None:
    """Send a block repeatedly until the connection ends. Raises OSError.

    A separate thread reads the answers.
    """
    reader = threading.Thread(target=_drain, args=(line,), daemon=True)
    reader.start()
    at = 0
    while attacker.has_time:
        at = (at + line.send(memoryview(block)[at:])) % len(block)
        attacker.done["sends"] += 1


def _drain(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while line.recv(65536):
            pass


SOCKET_KINDS: dict[str, Callable[[Attacker], None]] = {
    "wide messages": lambda attacker: flood_socket(
        attacker, "/ws/analysis", b"", frame(TEXT, wide_message())
    ),
    "pings": lambda attacker: flood_socket(attacker, "/ws/table", b"", frame(PING) * FRAMES),
    "pongs": lambda attacker: flood_socket(attacker, "/ws/analysis", b"", frame(PONG) * FRAMES),
    "fragments": lambda attacker: flood_socket(
        attacker,
        "/ws/analysis",
        frame(TEXT, last=False),
        frame(CONTINUATION, last=False) * FRAMES,
    ),
    "byte frames": lambda attacker: flood_socket(
        attacker, "/ws/table", b"", frame(BINARY, b"x") * FRAMES
    ),
    "pipelining": lambda attacker: flood(attacker, b"", GET * PIPELINED),
    "one-byte chunks": lambda attacker: flood(attacker, POST, b"1\r\nx\r\n" * FRAMES),
}
