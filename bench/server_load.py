"""Many games at one server at once: `python bench/server_load.py [--games 200] [--seconds 60]`.

Starts `meeple serve` with a folder of its own, has so many people play random moves against an
agent at the same time, and prints how soon each of their moves was answered by a new view (the
agent's thinking not counted), and requests for lists and views. Every move that was sent is looked
for in the server's own account of the game at the end. Exit status 1 where one is missing, or
anything was refused. `--total N` plays N short games instead, one after the other on each socket,
and prints the memory of the server and its workers as it goes.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
import psutil
from websockets.asyncio.client import ClientConnection, connect

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("hex", {"size": 7}),
    ("reversi", {"size": 6}),
    ("gomoku", {"size": 9}),
    ("nim", {"heaps": "3,5,7"}),
    ("ledge", {}),
)
SHORT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nim", {"stones": 7}),
    ("gomoku", {"size": 3, "in_a_row": 3}),
    ("hex", {"size": 3}),
)
LOOKS = 0.2  # chance that a person looks at a list or a view after a move
WARM_UP = 12  # games of each kind before the clock runs, so that all is compiled


@dataclass
class Figures:
    """What was measured."""

    moves: list[float] = field(default_factory=list)  # seconds until the view after a move
    looks: list[float] = field(default_factory=list)  # seconds of a request
    replies: int = 0  # moves of agents
    finished: int = 0
    faults: list[str] = field(default_factory=list)

    def report(self) -> dict[str, Any]:
        """The figures as JSON."""
        both = self.moves + self.looks
        return {
            "moves": len(self.moves),
            "requests": len(self.looks),
            "agent_moves": self.replies,
            "games_finished": self.finished,
            "faults": len(self.faults),
            "p50_ms": _percentile(both, 0.5),
            "p95_ms": _percentile(both, 0.95),
            "p99_ms": _percentile(both, 0.99),
            "move_p95_ms": _percentile(self.moves, 0.95),
            "request_p95_ms": _percentile(self.looks, 0.95),
            "most_ms": _percentile(both, 1.0),
        }


def _percentile(times: list[float], share: float) -> float:
    if not times:
        return 0.0
    ordered = sorted(times)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


class Person:
    """Plays random moves until a time that may yet be set: `ends` holds it."""

    def __init__(
        self,
        url: str,
        http: httpx2.AsyncClient,
        figures: Figures,
        seed: int,
        ends: list[float],
    ) -> None:
        self.url, self.http, self.figures, self.ends = url, http, figures, ends
        self.rng = random.Random(seed)

    async def play(self, kind: tuple[str, dict[str, Any]], spec: str, start: asyncio.Event) -> None:
        """One game, or as much of it as there is time for; then its moves are looked for."""
        game, options = kind
        seats = [{"kind": "me"}, {"kind": "agent", "spec": spec}]
        if self.rng.random() < 0.5:
            seats.reverse()
        body = {"game": game, "options": options, "seats": seats}
        answer = await self.http.post(f"{self.url}/api/tables", json=body)
        made = answer.json()
        if answer.status_code != 200:
            self.figures.faults.append(answer.text)
            return
        await start.wait()
        address = f"{self.url.replace('http', 'ws')}/ws/table"
        played: dict[int, str] = {}
        async with connect(address, max_size=None) as socket:
            tokens = list(made["tokens"].values())
            watch = {"type": "watch", "table": made["id"], "tokens": tokens}
            await socket.send(json.dumps(watch))
            await self._at_the_board(socket, made["id"], played)
        await self._check(made, played)

    async def _at_the_board(
        self, socket: ClientConnection, table: str, played: dict[int, str]
    ) -> None:
        sent: tuple[int, float] | None = None
        last = 0
        while (left := self.ends[0] - time.monotonic()) > 0:
            try:
                async with asyncio.timeout(left):
                    view = json.loads(await socket.recv())
            except TimeoutError:
                return
            if view["type"] != "table":
                self.figures.faults.append(view.get("text", view["type"]))
                continue
            if sent is not None and view["ply"] > sent[0]:
                self.figures.moves.append(time.monotonic() - sent[1])
                sent = None
            mine = set(view["you"])
            fresh = [event for event in view["events"]["list"] if event["ply"] >= last]
            self.figures.replies += sum(event["seat"] not in mine for event in fresh)
            last = max(last, view["ply"])
            if view["status"] == "over":
                self.figures.finished += 1
                return
            if view["actions"] and sent is None:
                await asyncio.sleep(self.rng.random() * 0.5)
                action = self.rng.choice(view["actions"])
                played[view["ply"]] = action["name"]
                sent = view["ply"], time.monotonic()
                move = {"type": "play", "ply": view["ply"], "actions": [action["id"]]}
                await socket.send(json.dumps(move))
                if self.rng.random() < LOOKS:
                    path = self.rng.choice(["/api/tables?limit=20", f"/api/tables/{table}"])
                    began = time.monotonic()
                    answer = await self.http.get(self.url + path)
                    self.figures.looks.append(time.monotonic() - began)
                    if answer.status_code != 200:
                        self.figures.faults.append(answer.text)
        if sent is not None:
            del played[sent[0]]  # not yet answered, so it may come or not

    async def _check(self, made: dict[str, Any], played: dict[int, str]) -> None:
        """Every move that was answered is in the server's account of the game."""
        answer = await self.http.get(f"{self.url}/api/tables/{made['id']}")
        account = {event["ply"]: event["text"] for event in answer.json()["events"]["list"]}
        lost = [ply for ply, name in played.items() if account.get(ply) != name]
        if lost:
            self.figures.faults.append(f"{made['id']} lost its moves {lost}")


class Server:
    """`meeple serve` in a folder that goes when it does."""

    def __init__(self, workers: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", "meeple", "serve", "--port", "0"]
        command += ["--workers", str(workers), "--data", self.folder.name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def memory(self) -> tuple[float, float]:
        """Megabytes of the server itself, and of all its workers together."""
        own = psutil.Process(self.process.pid)
        workers = sum(child.memory_info().rss for child in own.children(recursive=True))
        return own.memory_info().rss / 1e6, workers / 1e6

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(30)
        self.folder.cleanup()


async def at_once(server: Server, games: int, seconds: float, spec: str) -> Figures:
    """So many people at once, each a game after the other."""
    started = asyncio.Event()
    started.set()
    limits = httpx2.Limits(max_connections=100)
    async with httpx2.AsyncClient(timeout=60, limits=limits) as http:
        soon = [time.monotonic() + 120]
        warm = [Person(server.url, http, Figures(), -number, soon) for number in range(WARM_UP)]
        kinds = [GAMES[number % len(GAMES)] for number in range(WARM_UP)]
        await asyncio.gather(
            *(one.play(kind, "uct:sims=10", started) for one, kind in zip(warm, kinds, strict=True))
        )
        figures, gate, ends = Figures(), asyncio.Event(), [float("inf")]

        async def person(number: int) -> None:
            one = Person(server.url, http, figures, number, ends)
            while time.monotonic() < ends[0]:
                await one.play(GAMES[one.rng.randrange(len(GAMES))], spec, gate)

        tasks = [asyncio.create_task(person(number)) for number in range(games)]
        await asyncio.sleep(3)  # all have a table
        ends[0] = time.monotonic() + seconds
        gate.set()
        await asyncio.gather(*tasks)
    return figures


async def in_all(server: Server, total: int, at_a_time: int) -> Figures:
    """Many short games against a random agent; the memory is printed as they go."""
    figures = Figures()
    started = asyncio.Event()
    started.set()
    numbers = iter(range(total))
    async with httpx2.AsyncClient(timeout=60) as http:

        async def person() -> None:
            for number in numbers:
                one = Person(server.url, http, figures, number, [time.monotonic() + 60])
                await one.play(SHORT[number % len(SHORT)], "random", started)
                if (number + 1) % max(1, total // 10) == 0:
                    own, workers = server.memory()
                    print(f"{number + 1} games: server {own:.0f} MB, workers {workers:.0f} MB")

        await asyncio.gather(*(person() for _ in range(at_a_time)))
    return figures


def main() -> int:
    """Run, and print the figures; 1 where something was lost or refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="people at once")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--spec", default="uct:seconds=0.05")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--total", type=int, default=0, help="short games in all, instead")
    chosen = parser.parse_args()
    server = Server(chosen.workers)
    try:
        if chosen.total:
            figures = asyncio.run(in_all(server, chosen.total, 8))
        else:
            figures = asyncio.run(at_once(server, chosen.games, chosen.seconds, chosen.spec))
        own, workers = server.memory()
        report = {**figures.report(), "server_mb": round(own), "workers_mb": round(workers)}
    finally:
        server.close()
    print(json.dumps(report, indent=1))
    for fault in figures.faults[:10]:
        print(fault, file=sys.stderr)
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
