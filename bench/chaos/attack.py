"""An attacker, a program of its own: `python -m bench.chaos.attack KIND URL SEED SECONDS RECORD`.

All its connections come from one address, which is not that of the others. RECORD is the file of a
long game of Catan.
"""

import contextlib
import http.client
import json
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

ADDRESS = "127.0.0.3"
THREADS = 4
HALF_OPEN = 400  # connections that never end their request
SEATS = [{"kind": "me"}, *[{"kind": "agent", "spec": "random"}] * 3]
PATHS = ("/api/tables", "/api/games", "/api/runs", "/", "/api/tables?text=a&limit=100")


class Attack:
    """One kind of attack on one server, until its time is over."""

    def __init__(self, url: str, seed: int, seconds: float, record: str = "") -> None:
        self.record = record
        self.parts = urlsplit(url)
        self.rng = random.Random(seed)
        self.ends = time.monotonic() + seconds

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.ends

    def request(self, method: str, path: str, body: str | bytes | None = None) -> None:
        """One request; its answer does not matter."""
        host, port = self.parts.hostname or "", self.parts.port or 80
        connection = http.client.HTTPConnection(host, port, 10, source_address=(ADDRESS, 0))
        try:
            connection.request(method, path, body, {"content-type": "application/json"})
            connection.getresponse().read()
        finally:
            connection.close()

    def requests(self) -> None:
        """Many requests for lists."""
        while self.goes_on:
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.request("GET", self.rng.choice(PATHS))

    def rubbish(self) -> None:
        """Requests and bytes of no meaning."""
        while self.goes_on:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if self.rng.random() < 0.5:
                    self.request("POST", "/api/tables", self._nonsense())
                else:
                    with self._connected() as line:
                        line.sendall(self.rng.randbytes(self.rng.randrange(1, 2000)))
                        line.recv(100)

    def _nonsense(self) -> str:
        words: list[object] = [None, -1, 10**30, "x" * 3000, [[]], {"a": {}}, "hex", 1.5]
        keys = ("game", "options", "seats", "record", "clock", "pace", "seed")
        return json.dumps({key: self.rng.choice(words) for key in keys})

    def frames(self, path: str) -> None:
        """Binary messages and long texts on a socket."""
        address = f"ws://{self.parts.netloc}{path}"
        while self.goes_on:
            with (
                contextlib.suppress(OSError, WebSocketException),
                connect(address, source_address=(ADDRESS, 0), close_timeout=1) as line,
            ):
                threading.Thread(target=_read_all, args=(line,), daemon=True).start()
                while self.goes_on:
                    line.send(b"x" if self.rng.random() < 0.7 else "y" * 4100)

    def half_open(self) -> None:
        """Connections that begin a request and wait."""
        lines: list[socket.socket] = []
        while self.goes_on:
            with contextlib.suppress(OSError):
                if len(lines) < HALF_OPEN // THREADS:
                    lines.append(self._connected())
                    lines[-1].sendall(b"GET / HT")
                    continue
            time.sleep(0.1)
        for line in lines:
            line.close()

    def _connected(self) -> socket.socket:
        place = self.parts.hostname or "", self.parts.port or 80
        return socket.create_connection(place, 5, source_address=(ADDRESS, 0))

    def long_records(self) -> None:
        """Long games to begin at, to bring, and to look at."""
        record = self.record
        table = json.dumps({"game": "catan", "record": record, "seats": SEATS})
        bodies = (
            ("/api/tables", table),
            ("/api/records", json.dumps({"text": record})),
            ("/api/positions", json.dumps({"source": {"record": record}})),
        )
        while self.goes_on:
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.request("POST", *self.rng.choice(bodies))


def _read_all(line: object) -> None:
    with contextlib.suppress(OSError, WebSocketException):
        for _ in line:  # type: ignore[attr-defined]
            pass


def kinds(attack: Attack) -> dict[str, Callable[[], None]]:
    """What can be done, by name."""
    return {
        "requests": attack.requests,
        "rubbish": attack.rubbish,
        "table frames": lambda: attack.frames("/ws/table"),
        "analysis frames": lambda: attack.frames("/ws/analysis"),
        "half-open": attack.half_open,
        "long records": attack.long_records,
    }


KINDS = tuple(kinds(Attack("http://nowhere", 0, 0.0)))


def main() -> None:
    """Attack with a few threads."""
    kind, url, seed, seconds, file = sys.argv[1:]
    record = Path(file).read_text(encoding="utf-8")
    threads = []
    for number in range(THREADS):
        attack = Attack(url, int(seed) + number, float(seconds), record)
        threads.append(threading.Thread(target=kinds(attack)[kind], daemon=True))
        threads[-1].start()
    ends = time.monotonic() + float(seconds) + 1
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))


if __name__ == "__main__":
    main()
