"""What all attacks of one connection share: source address, time limit, counts."""

import contextlib
import http.client
import random
import socket
import time
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

PATIENCE = 10.0  # seconds until an attacker gives up on an answer


class Attacker:
    """Opens connections to one server from one address, one after another, until a time limit."""

    def __init__(
        self,
        url: str,
        address: str,
        seed: int,
        seconds: float,
        record: str = "",
        tokens: Sequence[str] = (),
    ) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.address, self.record, self.tokens = address, record, tuple(tokens)
        self.rng = random.Random(seed)
        self.ends = time.monotonic() + seconds
        self.done: Counter[str] = Counter()

    @property
    def has_time(self) -> bool:
        return time.monotonic() < self.ends

    def connected(self) -> socket.socket:
        """Return a new connection. Raises OSError."""
        line = socket.create_connection(
            (self.host, self.port), PATIENCE, source_address=(self.address, 0)
        )
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
            with contextlib.suppress(OSError):
                connection.close()
            time.sleep(0.01)
        finally:
            connection.close()
