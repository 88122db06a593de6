"""Two addresses that take more than their share, for as long as the run lasts."""

import asyncio
import contextlib
import json
import random
from collections.abc import Coroutine
from typing import Any

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bench.chaos.people import PATIENCE, REST, Json, World

ADDRESSES = ("127.0.0.5", "127.0.0.6")
TABLES = 40  # of an address, all watched
ANALYSES = 64  # sockets of an address
LONG = "uct:seconds=60"
BOARD = {"game": "hex", "options": {"size": 11}}
PAUSE = 3.0  # seconds between two things that are stored
_GONE = (OSError, WebSocketException, httpx2.TransportError, TimeoutError)


class Greedy(World):
    """What the tasks of one greedy address share; all that it does is counted."""

    def __init__(self, world: World, address: str) -> None:
        super().__init__(world.url, world.findings, world.rng.randrange(2**30))
        self.address = address
        transport = httpx2.AsyncHTTPTransport(local_address=address)
        self.http = httpx2.AsyncClient(timeout=PATIENCE, transport=transport)

    def tasks(self) -> list[Coroutine[Any, Any, None]]:
        """Return all that the address does at once."""
        tables = [self._table() for _ in range(TABLES)]
        analyses = [self._analysis() for _ in range(ANALYSES)]
        return [*tables, *analyses, self._cups(), self._studies(), self._puzzles()]

    async def _stored(self, path: str, body: Json) -> Any:
        answer = await self.ask("POST", path, json=body)
        self.findings.counts[f"greedy: {path} {'refused' if answer is None else 'answered'}"] += 1
        return answer

    async def _table(self) -> None:
        """Let agents with long searches play each other, and watch."""
        seats = [{"kind": "agent", "spec": LONG}] * 2
        made = None
        while made is None:
            made = await self._stored("/api/tables", {**BOARD, "seats": seats})
        watch = {"type": "watch", "table": made["id"], "tokens": []}
        await self._hold("/ws/table", watch)

    async def _analysis(self) -> None:
        question = {"type": "analyse", "source": BOARD, "spec": LONG, "ply": 0, "seconds": 600}
        await self._hold("/ws/analysis", question)

    async def _hold(self, path: str, first: Json) -> None:
        """Keep a socket, and send its first message again after each end or refusal."""
        address = self.url.replace("http", "ws") + path
        while True:
            with contextlib.suppress(*_GONE):
                async with connect(
                    address, max_size=None, local_addr=(self.address, 0), open_timeout=PATIENCE
                ) as socket:
                    await socket.send(json.dumps(first))
                    async for text in socket:
                        self.findings.counts[f"greedy: messages of {path}"] += 1
                        if '"type":"error"' in str(text).replace(" ", "")[:60]:
                            break
            await asyncio.sleep(PAUSE)

    async def _cups(self) -> None:
        """Hold tournaments of agents with long searches, which no client watches."""
        while True:
            wanted = {**BOARD, "format": "round-robin", "agents": ["uct:seconds=10"] * 16}
            made = await self._stored("/api/cups", wanted)
            if made is not None:
                host = {"x-seat-tokens": made["token"]}
                await self.ask("POST", f"/api/cups/{made['id']}/start", headers=host)
            await asyncio.sleep(20 * PAUSE)

    async def _studies(self) -> None:
        while True:
            await self._stored("/api/studies", {"title": "Greedy", "source": BOARD})
            await asyncio.sleep(PAUSE)

    async def _puzzles(self) -> None:
        """Fail a puzzle under one name after another."""
        while True:
            person = f"made-up-{random.randrange(10**9)}"
            puzzle = await self._stored("/api/puzzles/next", {"person": person})
            if puzzle is not None:
                body = {"person": person, "moves": ["pass"]}
                await self.ask("POST", f"/api/puzzles/{puzzle['id']}/answer", json=body)
            await asyncio.sleep(PAUSE + REST)
