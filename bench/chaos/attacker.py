"""What attacks share: connections from one source address, a time limit, and counts."""

import contextlib
import http.client
import random
import socket
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

PATIENCE = 10.0  # seconds until an attacker gives up on an answer


class Attacker:
    """Opens connections to one server from one address until a time limit."""

    def __init__(
        self, url: str, address: str, seed: int, seconds: float, record: str, tokens: list[str]
    ) -> None:
        """`record`: a long game of Catan; `tokens`: of players of a tournament."""
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.address, self.record, self.tokens = address, record, tokens
        self.rng = random.Random(seed)
        self.ends = time.monotonic() + seconds
        self.done: Counter[str] = Counter()
        self.held = contextlib.ExitStack()  # connections that stay open until the end

    @property
    def has_time(self) -> bool:
        return time.monotonic() < self.ends

    def connected(self) -> socket.socket:
        """Return a new connection. Raises OSError."""
        line = socket.create_connection(
            (self.host, self.port), PATIENCE, source_address=(self.address, 0)
        )
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.done["connections"] += 1
        return line

    def request(self, method: str, path: str, body: str | bytes | None = None) -> None:
        """Send one request on a new connection; count its answer by status."""
        source = (self.address, 0)
        connection = http.client.HTTPConnection(self.host, self.port, PATIENCE, source)
        self.done["requests"] += 1
        try:
            connection.request(method, path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            self.done[f"status {answer.status}"] += 1
        except (OSError, http.client.HTTPException):
            self.done["no answer"] += 1
            time.sleep(0.01)
        finally:
            connection.close()

    def run(self, step: Callable[["Attacker"], None]) -> None:
        """Attack until the time is over; failing connections are part of it."""
        with self.held:
            while self.has_time:
                with contextlib.suppress(OSError, http.client.HTTPException):
                    step(self)


def hold(most: int, first: bytes, attacker: Attacker) -> None:
    """Open a connection, send its first bytes and keep it open, until there are `most`."""
    if attacker.done["connections"] >= most:
        time.sleep(0.1)
        return
    attacker.held.enter_context(attacker.connected()).sendall(first)
