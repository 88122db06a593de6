"""Simulated people: players, friends, spectators, and readers of games.

Each player records what it was shown. That is what the server has acknowledged: none of it may be
missing later.
"""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import meeple
from bench.chaos.findings import Findings
from meeple.games.contract.records import record_of

Json = dict[str, Any]

ADDRESS = "127.0.0.2"  # of all people; the quiet client and attackers have others
HIDING = "catan"  # the game that hides something
READY = 900.0  # seconds until all games can be played, where they must be compiled first
PATIENCE = 30.0  # seconds without a message after which a person looks anew
REST = 1.0  # seconds until one tries again
GAME_SECONDS = 60.0  # that a game is played for at most
MOST_HEARD = 400  # messages about hidden games that are kept to be looked at
GAMES: tuple[tuple[str, Json], ...] = (
    ("hex", {"size": 5}),
    ("reversi", {"size": 6}),
    ("gomoku", {"size": 7}),
    ("nim", {"heaps": "3,5,7"}),
    ("ledge", {}),
    ("catan", {"players": 3, "victory_points": 5}),
    ("catan-reduced", {}),
)
AGENTS = ("random", "uct:sims=30", "uct:seconds=0.05")
_GONE = (OSError, WebSocketException, httpx2.TransportError, TimeoutError)
"""What a connection raises that was cut, or refused while the server starts again."""


@dataclass(frozen=True)
class Heard:
    """A message about a game with hidden information, as it was sent."""

    table: str
    you: tuple[int, ...]
    text: str


@dataclass
class PlyAccount:
    """The plies of a table that one person was shown."""

    ply: int = 0
    told: dict[int, str] = field(default_factory=dict)
    may_shrink: bool = False  # a move is being taken back

    def take(self, view: Json) -> str:
        """Add a view; return the acknowledged plies that it contradicts, or an empty text."""
        first, ply = view["events"]["from"], view["ply"]
        fresh = {event["ply"]: event["text"] for event in view["events"]["list"]}
        fault = ""
        if ply < self.ply and not self.may_shrink:
            fault = f"{self.ply} plies were acknowledged, and there are {ply}"
        elif not self.may_shrink:
            changed = [
                at for at, text in self.told.items() if at >= first and fresh.get(at) != text
            ]
            if changed:
                fault = f"ply {changed[0]} differs from before"
        if ply < self.ply:
            self.may_shrink = False
        self.told = {at: text for at, text in self.told.items() if at < first} | fresh
        self.ply = ply
        return fault


class World:
    """What all people share: the server, the findings, and the tables."""

    def __init__(self, url: str, findings: Findings, seed: int, midway: str = "") -> None:
        """`midway`: the record of a game of Catan in which cards are hidden."""
        self.url, self.findings, self.midway = url, findings, midway
        self.rng = random.Random(seed)
        self.tables: list[str] = []
        self.heard: list[Heard] = []
        self.sockets: set[ClientConnection] = set()
        self.accounts: list[tuple[str, list[str], PlyAccount]] = []
        """Of every player: the table, the tokens, and what was acknowledged."""
        transport = httpx2.AsyncHTTPTransport(local_address=ADDRESS)
        self.http = httpx2.AsyncClient(timeout=PATIENCE, transport=transport)

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """Return a request's answer as JSON or text; None if it failed."""
        try:
            answer = await self.http.request(method, self.url + path, **more)
        except _GONE:
            await asyncio.sleep(REST)
            return None
        if answer.status_code != 200:
            self.findings.refused(answer.status_code, answer.text)
            await asyncio.sleep(REST)
            return None
        is_json = "json" in answer.headers.get("content-type", "")
        return (
            answer.json()
            if is_json and "ndjson" not in answer.headers["content-type"]
            else answer.text
        )

    async def get_ready(self) -> None:
        """Wait until every game has been shown once. Raises RuntimeError after `READY`."""
        ends = time.monotonic() + READY
        while time.monotonic() < ends:
            games = await self.ask("GET", "/api/games")
            if games is not None and all(one["family"] for one in games["games"]):
                return
            await asyncio.sleep(REST)
        raise RuntimeError("the server does not get its games ready")

    @contextlib.asynccontextmanager
    async def socket(self, path: str) -> AsyncIterator[ClientConnection]:
        """Return a socket that `cut` may close at any time."""
        address = self.url.replace("http", "ws") + path
        async with connect(
            address, max_size=None, local_addr=(ADDRESS, 0), close_timeout=1, open_timeout=PATIENCE
        ) as socket:
            self.sockets.add(socket)
            try:
                yield socket
            finally:
                self.sockets.discard(socket)

    async def check_accounts(self) -> None:
        """Check that every acknowledged move is in the server's record of its game."""
        for table, tokens, account in self.accounts:
            headers = {"x-seat-tokens": ",".join(tokens)}
            view = await self.ask("GET", f"/api/tables/{table}", headers=headers)
            if view is None:
                self.findings.fault(f"table {table} cannot be had")
                continue
            known = len(account.told)
            if fault := account.take(view):
                self.findings.fault(f"table {table} ({view['game']}), at the end: {fault}")
            self.findings.counts["plies looked for at the end"] += known

    def cut(self, share: float) -> None:
        """Close a share of all sockets without a close frame."""
        for socket in list(self.sockets):
            if self.rng.random() < share:
                socket.transport.abort()
                self.findings.counts["connections cut"] += 1

    def note(self, table: str, you: list[int], text: str) -> None:
        """Keep an evenly spaced sample of the messages about games with hidden information."""
        counts = self.findings.counts
        counts["messages about games that hide"] += 1
        if len(self.heard) < MOST_HEARD:
            self.heard.append(Heard(table, tuple(you), text))
            return
        place = self.rng.randrange(counts["messages about games that hide"])
        if place < MOST_HEARD:
            self.heard[place] = Heard(table, tuple(you), text)


class Player:
    """Plays random moves at a table, takes some back, and requests hints."""

    pause_seconds = 0.3  # before a move, at most
    hints = 0.03  # probability of a request before a move

    def __init__(
        self,
        world: World,
        table: str,
        tokens: list[str],
        *,
        undoes: bool = False,
        begun_midway: bool = False,
    ) -> None:
        self.world, self.table, self.tokens, self.undoes = world, table, tokens, undoes
        self.begun_midway = begun_midway
        self.rng = random.Random(world.rng.random())
        self.account = PlyAccount()
        world.accounts.append((table, tokens, self.account))
        self._sent, self._undoing = -1, False

    async def play(self, ends: float) -> None:
        """Play until the game is over or the time is up, over any number of connections."""
        loop = asyncio.get_running_loop()
        while loop.time() < ends:
            try:
                async with self.world.socket("/ws/table") as socket, asyncio.timeout_at(ends):
                    if await self._at_the_board(socket):
                        return
            except _GONE:
                await asyncio.sleep(REST * self.rng.random())

    async def _at_the_board(self, socket: ClientConnection) -> bool:
        """Play on one connection; return whether the game is over."""
        watch = {"type": "watch", "table": self.table, "tokens": self.tokens}
        await socket.send(json.dumps(watch))
        self._sent, self._undoing = -1, False
        while True:
            text = str(await asyncio.wait_for(socket.recv(), PATIENCE))
            message = json.loads(text)
            if message["type"] == "reload":
                return False
            if message["type"] == "error":
                self.world.findings.counts["sentences"] += 1
                self._sent, self._undoing = -1, False
                self.account.may_shrink = False
                if message.get("fatal"):
                    return False
                continue
            if message["type"] != "table":
                continue
            self._take(message, text)
            if message["status"] == "over":
                return True
            if message["actions"] and self._sent != message["ply"] and not self._undoing:
                await asyncio.sleep(self.pause_seconds * self.rng.random())
                await self._move(socket, message)

    def _take(self, view: Json, text: str) -> None:
        before = self.account.ply
        fault = self.account.take(view)
        if fault:
            self.world.findings.fault(f"table {self.table} ({view['game']}): {fault}")
        if -1 < self._sent < view["ply"] and view["ply"] > before:
            self.world.findings.counts["moves"] += 1
            self.account.may_shrink = False  # what was asked before the move has been answered
        if view["ply"] < before:
            self._undoing = False
        if view["hides"] and view["status"] == "playing":
            self.world.note(self.table, view["you"], text)
            self.world.findings.counts["messages with hidden cards"] += self.begun_midway

    async def _move(self, socket: ClientConnection, view: Json) -> None:
        ply, chance = view["ply"], self.rng.random()
        if self.undoes and view["can"]["undo"] and chance < 0.05 and not self.account.may_shrink:
            self.account.may_shrink = self._undoing = True
            await socket.send(json.dumps({"type": "undo"}))
            return
        if view["can"]["hint"] and chance > 1 - self.hints:
            await socket.send(json.dumps({"type": "hint"}))
        quiet = [one for one in view["actions"] if not one["name"].startswith(("offer", "ask"))]
        action = self.rng.choice(quiet or view["actions"])
        self._sent = ply
        await socket.send(json.dumps({"type": "play", "ply": ply, "actions": [action["id"]]}))


def wish(world: World, rng: random.Random, *, midway: bool) -> Json:
    """Return a request for a table: against agents, with a friend, or with `midway` from a record.

    The server continues a record of Catan only against agents, since the player who uploads it
    knows its hidden cards.
    """
    game, options = (HIDING, {"players": 3}) if midway else rng.choice(GAMES)
    players = meeple.make(game, **options).players
    seats: list[Json] = [{"kind": "agent", "spec": rng.choice(AGENTS)} for _ in range(players)]
    seats[0] = {"kind": "me"}
    if midway:
        return {"game": game, "record": world.midway, "seats": seats}
    if rng.random() < 0.3:
        seats[1] = {"kind": "link"}
    return {"game": game, "options": options, "seats": seats}


async def person(world: World, *, midway: bool = False) -> None:
    """Play one game after another; with `midway` only games with hidden cards."""
    rng = random.Random(world.rng.random())
    loop = asyncio.get_running_loop()
    while True:
        body = wish(world, rng, midway=midway or rng.random() < 0.1)
        friends = body["seats"][1]["kind"] == "link"
        made = await world.ask("POST", "/api/tables", json=body)
        if made is None:
            continue
        world.tables.append(made["id"])
        world.findings.counts["games"] += 1
        both = [list(made["tokens"].values())]
        if friends:
            path = f"/api/tables/{made['id']}/claim"
            claim = {"invite": made["invites"]["1"], "name": "Ann"}
            claimed = await world.ask("POST", path, json=claim)
            if claimed is None:
                continue
            both.append([claimed["token"]])
        from_record = "record" in body
        undoes = not friends and body["game"] != HIDING
        sitting = [
            Player(world, made["id"], tokens, undoes=undoes, begun_midway=from_record)
            for tokens in both
        ]
        ends = loop.time() + GAME_SECONDS
        await asyncio.gather(*(one.play(ends) for one in sitting))


async def onlooker(world: World) -> None:
    """Watch tables, and read lists, replays and records."""
    rng = random.Random(world.rng.random())
    while True:
        if not world.tables:
            await asyncio.sleep(REST)
            continue
        table = rng.choice(world.tables[-30:])
        await world.ask("GET", f"/api/tables?limit={rng.randrange(1, 100)}")
        view = await world.ask("GET", f"/api/tables/{table}")
        if view is not None and view["status"] == "over":
            await world.ask("GET", f"/api/tables/{table}/{rng.choice(('replay', 'record'))}")
        elif view is not None and view["hides"]:
            world.note(table, [], json.dumps(view))
        with contextlib.suppress(*_GONE):
            async with world.socket("/ws/table") as socket:
                await socket.send(json.dumps({"type": "watch", "table": table, "tokens": []}))
                for _ in range(20):
                    text = str(await asyncio.wait_for(socket.recv(), 3))
                    message = json.loads(text)
                    if message.get("hides") and message.get("status") == "playing":
                        world.note(table, [], text)
        await asyncio.sleep(REST)


async def analyst(world: World) -> None:
    """Analyse games: its own, and those of others without hidden information."""
    rng = random.Random(world.rng.random())
    while True:
        moves = " ".join(rng.sample(["a1", "b2", "c3", "d4", "e5", "a5"], 4))
        source: Json = {"game": "hex", "options": {"size": 5}, "moves": moves}
        if world.tables and rng.random() < 0.5:
            source = {"table": rng.choice(world.tables[-30:])}
        question = {"type": "analyse", "source": source, "spec": "uct:sims=1000", "ply": 1}
        with contextlib.suppress(*_GONE):
            async with world.socket("/ws/analysis") as socket:
                await socket.send(json.dumps({**question, "seconds": 1.0}))
                while True:
                    message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                    world.findings.counts[f"analysis: {message['type']}"] += 1
                    if message["type"] in ("done", "error"):
                        break
        await asyncio.sleep(REST)


async def librarian(world: World) -> None:
    """Upload games, and download them again."""
    rng = random.Random(world.rng.random())
    while True:
        game = meeple.make("hex", size=4)
        position = game.start()
        while not position.is_over:
            position.play(int(rng.choice(position.legal_actions().tolist())))
        text = record_of(position, ["Ann", "Bob"]).to_json()
        brought = await world.ask("POST", "/api/records", json={"text": text})
        if brought is not None:
            world.findings.counts["games brought"] += 1
            taken = await world.ask("GET", f"/api/tables/{brought['ids'][0]}/record")
            if taken is not None and json.loads(taken)["actions"] != json.loads(text)["actions"]:
                world.findings.fault(f"the record of {brought['ids'][0]} is not as it was brought")
        await asyncio.sleep(2 * REST)


def long_game(plies: int) -> str:
    """Return the record of a game of Catan in which no player builds, so that it does not end."""
    game = meeple.make("catan")
    position, rng = game.start(1), np.random.default_rng(1)
    costly = ("build", "buy", "city", "settlement")
    while len(position.actions) < plies and not position.is_over:
        if position.to_move < 0:
            position.play_chance()
            continue
        legal = position.legal_actions()
        names = [position.action_name(int(action)) for action in legal]
        cheap = [i for i, name in enumerate(names) if not any(word in name for word in costly)]
        position.play(int(legal[rng.choice(cheap or range(len(legal)))]))
    return record_of(position, [""] * game.players).to_json()
