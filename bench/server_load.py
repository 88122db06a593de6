"""Load a server with many games: `python -m bench.server_load [--games 200] [--seconds 60]`.

Starts `meeple serve` in a temporary folder, lets `--games` people play random moves against an
agent at the same time, and prints how soon each of their moves was answered by a new view (without
the time of the agent), and requests for lists and views. At the end every acknowledged move must be
in the server's record of the game. The exit status is 1 if one is missing, or if anything was
refused. `--total N` plays N short games instead, eight at a time, and prints the memory of the
server and its workers after every tenth of them.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from websockets.asyncio.client import ClientConnection

from bench.chaos.findings import Findings
from bench.chaos.people import Json, Player, World
from bench.chaos.programs import ServerUnderTest

GAMES: tuple[tuple[str, Json], ...] = (
    ("hex", {"size": 7}),
    ("reversi", {"size": 6}),
    ("gomoku", {"size": 9}),
    ("nim", {"heaps": "3,5,7"}),
    ("ledge", {}),
)
SHORT: tuple[tuple[str, Json], ...] = (
    ("nim", {"stones": 7}),
    ("gomoku", {"size": 3, "in_a_row": 3}),
    ("hex", {"size": 3}),
)
LOOKS = 0.2  # probability that a person requests a list or a view after a move
WARM_UP = 12  # games before the measurement, so that all kernels are compiled
WARM_UP_SECONDS = 120.0
SHORT_SECONDS = 60.0  # limit of a short game
AT_A_TIME = 8  # short games


class Load(World):
    """A server, and the measurements."""

    def __init__(self, url: str, findings: Findings) -> None:
        super().__init__(url, findings, seed=1)
        self.moves: list[float] = []  # seconds until the view after a move
        self.looks: list[float] = []  # seconds of a request
        self.replies = 0  # moves of agents

    async def play(self, number: int, kind: tuple[str, Json], spec: str, ends: Any) -> None:
        """Play a game in either seat against an agent, until the time that `ends` returns."""
        rng, (game, options) = random.Random(number), kind
        seats = [{"kind": "me"}, {"kind": "agent", "spec": spec}]
        body = {"game": game, "options": options, "seats": seats[:: rng.choice((1, -1))]}
        made = await self.ask("POST", "/api/tables", json=body)
        if made is not None:
            player = TimedPlayer(self, made["id"], list(made["tokens"].values()))
            await player.play(await ends())
            self.findings.counts["games finished"] += player.is_over

    def report(self) -> dict[str, Any]:
        both = self.moves + self.looks
        return {
            "moves": len(self.moves),
            "requests": len(self.looks),
            "agent_moves": self.replies,
            "games_finished": self.findings.counts["games finished"],
            "faults": len(self.faults()),
            "p50_ms": _percentile(both, 50),
            "p95_ms": _percentile(both, 95),
            "p99_ms": _percentile(both, 99),
            "move_p95_ms": _percentile(self.moves, 95),
            "request_p95_ms": _percentile(self.looks, 95),
            "most_ms": _percentile(both, 100),
        }

    def faults(self) -> list[str]:
        """Return the faults, and the kinds of refusals."""
        counts = self.findings.counts
        refused = [f"{counts[x]} x {x}" for x in counts if x.startswith(("status", "sentences"))]
        return self.findings.faults + refused


def _percentile(seconds: list[float], share: float) -> float:
    return round(1000 * float(np.percentile(seconds, share)), 1) if seconds else 0.0


class TimedPlayer(Player):
    """A player whose moves are timed, and who sometimes requests a list or a view."""

    pause_seconds, hints = 0.5, 0.0

    def __init__(self, world: Load, table: str, tokens: list[str]) -> None:
        super().__init__(world, table, tokens)
        self._load = world
        self._sent_at: float | None = None
        self.is_over = False

    def _take(self, view: Json, text: str) -> None:
        if self._sent_at is not None and view["ply"] > self._sent:
            self._load.moves.append(time.monotonic() - self._sent_at)
            self._sent_at = None
        fresh = (event for event in view["events"]["list"] if event["ply"] >= self.account.ply)
        self._load.replies += sum(event["seat"] not in view["you"] for event in fresh)
        self.is_over = view["status"] == "over"
        super()._take(view, text)

    async def _move(self, socket: ClientConnection, view: Json) -> None:
        await super()._move(socket, view)
        self._sent_at = time.monotonic()
        if self.rng.random() < LOOKS:
            path = self.rng.choice(["/api/tables?limit=20", f"/api/tables/{self.table}"])
            began = time.monotonic()
            if await self.world.ask("GET", path) is not None:
                self._load.looks.append(time.monotonic() - began)


def memory(server: ServerUnderTest) -> tuple[float, float]:
    """Return the megabytes of the server, and of all its workers together."""
    own = psutil.Process(server.process.pid)
    workers = sum(child.memory_info().rss for child in own.children(recursive=True))
    return own.memory_info().rss / 1e6, workers / 1e6


async def at_once(url: str, findings: Findings, games: int, seconds: float, spec: str) -> Load:
    """Let `games` people play at once, each one game after another."""
    clock = asyncio.get_running_loop().time

    async def soon() -> float:
        return clock() + WARM_UP_SECONDS

    warm = Load(url, Findings())
    kinds = [GAMES[number % len(GAMES)] for number in range(WARM_UP)]
    await asyncio.gather(
        *(warm.play(-n, kind, "uct:sims=10", soon) for n, kind in enumerate(kinds))
    )
    await warm.http.aclose()
    load, gate, end = Load(url, findings), asyncio.Event(), float("inf")

    async def ends() -> float:
        await gate.wait()
        return end

    async def person(number: int) -> None:
        rng = random.Random(number)
        while clock() < end:
            await load.play(number, rng.choice(GAMES), spec, ends)

    tasks = [asyncio.create_task(person(number)) for number in range(games)]
    await asyncio.sleep(3)  # all have a table
    end = clock() + seconds
    gate.set()
    await asyncio.gather(*tasks)
    return load


async def in_all(server: ServerUnderTest, findings: Findings, total: int) -> Load:
    """Play many short games against a random agent, and print the memory at intervals."""
    load, numbers = Load(server.url, findings), iter(range(total))

    async def ends() -> float:
        return asyncio.get_running_loop().time() + SHORT_SECONDS

    async def person() -> None:
        for number in numbers:
            await load.play(number, SHORT[number % len(SHORT)], "random", ends)
            if (number + 1) % max(1, total // 10) == 0:
                own, workers = memory(server)
                print(f"{number + 1} games: server {own:.0f} MB, workers {workers:.0f} MB")

    await asyncio.gather(*(person() for _ in range(AT_A_TIME)))
    return load


async def measure(chosen: argparse.Namespace) -> int:
    """Measure and print; return 1 if something was lost or refused."""
    findings = Findings()
    with tempfile.TemporaryDirectory() as data:
        server = ServerUnderTest(findings, Path(data), chosen.workers)
        try:
            await server.start()
            if chosen.total:
                load = await in_all(server, findings, chosen.total)
            else:
                load = await at_once(
                    server.url, findings, chosen.games, chosen.seconds, chosen.spec
                )
            await load.check_accounts()
            await load.http.aclose()
            own, workers = memory(server)
        finally:
            server.kill()
            server.remove()
    report = {**load.report(), "server_mb": round(own), "workers_mb": round(workers)}
    print(json.dumps(report, indent=1))
    for fault in load.faults()[:10]:
        print(fault, file=sys.stderr)
    return 1 if load.faults() else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="people at once")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--spec", default="uct:seconds=0.05")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--total", type=int, default=0, help="short games in all, instead")
    return asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
