"""An attacker, a separate program: `python -m bench.chaos.attack KIND URL ADDRESS`.

All connections of one attacker come from ADDRESS. Options: `--seed`, `--seconds`, `--record FILE`
(a long game of Catan), `--tokens` (of players of the tournament). Prints the count of each action
as JSON. Kinds: `HTTP_KINDS`, `SOCKET_KINDS` and `HOST_KINDS`.
"""

import argparse
import contextlib
import http.client
import json
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from bench.chaos.attacker import Attacker
from bench.chaos.host_attacks import HOST_KINDS
from bench.chaos.socket_attacks import SOCKET_KINDS

CONNECTIONS = 2  # of one attacker, where an attack says nothing else
HALF_OPEN = 200  # connections of one attacker that never end their request
WIDE_BYTES = 980_000  # of a JSON object with many keys: below the server's limit of a body
WIDE_OPTIONS = 90_000  # entries in `options`
SEATS = [{"kind": "me"}, *[{"kind": "agent", "spec": "random"}] * 3]
PATHS = ("/api/tables", "/api/games", "/api/runs", "/", "/api/tables?text=a&limit=100")


def wide_object(size: int) -> str:
    """Return a JSON object of about `size` bytes with unknown keys."""
    entries: list[str] = []
    length = 2
    while length < size:
        entries.append(f'"{len(entries)}":0')
        length += len(entries[-1]) + 1
    return "{" + ",".join(entries) + "}"


def wide_options(count: int) -> str:
    """Return a choice of a game with `count` options of an invalid type."""
    return '{"game":"nim","options":{' + ",".join(f'"{n}":[]' for n in range(count)) + "}}"


def requests(attacker: Attacker) -> None:
    """Send many requests for lists."""
    while attacker.has_time:
        attacker.request("GET", attacker.rng.choice(PATHS))


def rubbish(attacker: Attacker) -> None:
    """Send meaningless requests and bytes."""
    rng = attacker.rng
    while attacker.has_time:
        if rng.random() < 0.5:
            attacker.request("POST", "/api/tables", _nonsense(rng))
        else:
            with contextlib.suppress(OSError), attacker.connected() as line:
                line.sendall(rng.randbytes(rng.randrange(1, 2000)))
                attacker.done["pieces of rubbish"] += 1
                line.recv(100)


def _nonsense(rng: random.Random) -> str:
    words: list[object] = [None, -1, 10**30, "x" * 3000, [[]], {"a": {}}, "hex", 1.5]
    keys = ("game", "options", "seats", "record", "clock", "pace", "seed")
    return json.dumps({key: rng.choice(words) for key in keys})


def frames(attacker: Attacker, path: str) -> None:
    """Send binary messages and long texts on a socket."""
    address = f"ws://{attacker.host}:{attacker.port}{path}"
    while attacker.has_time:
        with (
            contextlib.suppress(OSError, WebSocketException),
            connect(address, source_address=(attacker.address, 0), close_timeout=1) as line,
        ):
            threading.Thread(target=_read_all, args=(line,), daemon=True).start()
            while attacker.has_time:
                line.send(b"x" if attacker.rng.random() < 0.7 else "y" * 4100)
                attacker.done["messages"] += 1


def _read_all(line: object) -> None:
    with contextlib.suppress(OSError, WebSocketException):
        for _ in line:  # type: ignore[attr-defined]
            pass


def half_open(attacker: Attacker) -> None:
    """Open connections that begin a request and wait."""
    with contextlib.ExitStack() as lines:
        opened = 0
        while attacker.has_time:
            if opened >= HALF_OPEN // CONNECTIONS:
                time.sleep(0.1)
                continue
            with contextlib.suppress(OSError):
                line = lines.enter_context(attacker.connected())
                opened += 1
                line.sendall(b"GET / HT")
                attacker.done["connections"] += 1


def long_records(attacker: Attacker) -> None:
    """Send long games, to start from, to upload and to view."""
    record = attacker.record
    table = json.dumps({"game": "catan", "record": record, "seats": SEATS})
    bodies = (
        ("/api/tables", table),
        ("/api/records", json.dumps({"text": record})),
        ("/api/positions", json.dumps({"source": {"record": record}})),
    )
    while attacker.has_time:
        attacker.request("POST", *attacker.rng.choice(bodies))


def bodies(attacker: Attacker, body: str, *paths: str) -> None:
    """Send one body to several paths, as fast as they are answered."""
    while attacker.has_time:
        attacker.request("POST", attacker.rng.choice(paths), body)


HTTP_KINDS: dict[str, Callable[[Attacker], None]] = {
    "requests": requests,
    "rubbish": rubbish,
    "table frames": lambda attacker: frames(attacker, "/ws/table"),
    "analysis frames": lambda attacker: frames(attacker, "/ws/analysis"),
    "half-open": half_open,
    "long records": long_records,
    "wide bodies": lambda attacker: bodies(
        attacker, wide_object(WIDE_BYTES), "/api/tables", "/api/levels"
    ),
    "wide options": lambda attacker: bodies(
        attacker, wide_options(WIDE_OPTIONS), "/api/tables", "/api/levels"
    ),
    "wide logins": lambda attacker: bodies(attacker, wide_object(WIDE_BYTES), "/api/login"),
}
SERVER_KINDS = {**HTTP_KINDS, **SOCKET_KINDS}
KINDS = {**SERVER_KINDS, **HOST_KINDS}


def attack(kind: str, attacker: Attacker) -> None:
    """Attack over one connection at a time, until the time is over."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        KINDS[kind](attacker)


def run(kind: str, url: str, chosen: argparse.Namespace) -> Counter[str]:
    """Attack over a few connections; return the count of each action."""
    record = chosen.record.read_text(encoding="utf-8") if chosen.record else ""
    attackers = [
        Attacker(url, chosen.address, chosen.seed + n, chosen.seconds, record, chosen.tokens)
        for n in range(1 if kind in HOST_KINDS and kind != "wrong tokens" else CONNECTIONS)
    ]
    threads = [threading.Thread(target=attack, args=(kind, one), daemon=True) for one in attackers]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + chosen.seconds + 1
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    done: Counter[str] = Counter()
    for one in attackers:
        done.update(one.done.copy())
    return done


def main(words: Sequence[str] | None = None) -> None:
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # of frames after a close
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("url")
    parser.add_argument("address")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--tokens", nargs="*", default=[])
    chosen = parser.parse_args(words)
    print(json.dumps(run(chosen.kind, chosen.url, chosen)), flush=True)


if __name__ == "__main__":
    main()
