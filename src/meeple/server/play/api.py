"""Routes of play: which games there are, new tables, seats, lists, and the socket of a table."""

import asyncio
import contextlib
import json
from collections import deque
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from meeple.agents.kinds import AGENTS
from meeple.errors import MeepleError
from meeple.games.contract.registry import game_class, game_names, make_from
from meeple.options import described
from meeple.server.errors import Forbidden
from meeple.server.house import answer_of, house_of, tokens_of
from meeple.server.play.levels import levels, networks
from meeple.server.play.ready import family_of
from meeple.server.play.table import Table
from meeple.server.play.tables import Tables
from meeple.server.play.views import title, view_of
from meeple.server.schemas import (
    MESSAGE,
    Answer,
    Claim,
    GameChoice,
    GameId,
    NewTable,
    Pause,
    Play,
    Watch,
)
from meeple.server.security import Bucket
from meeple.server.sockets import first_fault, next_text
from meeple.server.specs import agent_names
from meeple.server.store import MOST_LISTED, RESULTS, Filter, StoredGame, seat_words

router = APIRouter()

LONGEST_MESSAGE = 4096  # characters, of the socket of a table
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 20.0, 60.0
UNSENT = 50  # messages that may wait for a slow page


# ------------------------------------------------------------ what can be played


@router.get("/api/games")
def games(request: Request) -> dict[str, Any]:
    """Every game with its options, every agent, every network."""
    found = [describe(name) for name in game_names()]
    agents = [
        {
            "name": name,
            "usage": AGENTS[name].usage(name),
            "help": AGENTS[name].help,
            "keys": [described(key, option) for key, option in AGENTS[name].keys.items()],
        }
        for name in agent_names()
    ]
    known = networks(house_of(request).settings.runs)
    return {
        "games": found,
        "agents": agents,
        "networks": [
            {"name": name, "game": learned.game, "options": learned.options}
            for name, learned in known.items()
        ],
    }


def describe(name: str) -> dict[str, Any]:
    """A game and its options."""
    kind = game_class(name)
    game = kind()
    return {
        "name": name,
        "title": title(name),
        "summary": kind.summary,
        "players": game.players,
        "hides": game.hides,
        "family": family_of(kind),
        "options": [described(key, option) for key, option in kind.declared.items()],
    }


@router.post("/api/levels")
def strengths(wanted: GameChoice, request: Request) -> dict[str, Any]:
    """The strengths of agents for a game, and how many play it."""
    game = make_from(wanted.game, wanted.options)
    found = levels(game, house_of(request).settings.runs)
    return {
        "players": game.players,
        "seats": [game.player_name(seat) for seat in range(game.players)],
        "levels": [{"name": one.name, "spec": one.spec, "words": one.words} for one in found],
    }


# ------------------------------------------------------------ tables


@router.post("/api/tables")
async def create(wanted: NewTable, request: Request) -> dict[str, Any]:
    """Begin a game."""
    table, tokens, invites = await house_of(request).tables.create(wanted)
    return {"id": table.id, "tokens": tokens, "invites": invites}


@router.post("/api/tables/{id}/claim")
async def claim(id: GameId, wanted: Claim, request: Request) -> dict[str, Any]:
    """Take the seat of an invitation."""
    tables = house_of(request).tables
    seat, token = await tables.claim(await tables.get(id), wanted.invite, wanted.name)
    return {"seat": seat, "token": token}


@router.get("/api/tables")
async def listed(
    request: Request,
    game: Annotated[str, Query(max_length=64)] = "",
    status: Annotated[str, Query(pattern="^(playing|over|)$")] = "",
    player: Annotated[str, Query(max_length=60)] = "",
    text: Annotated[str, Query(max_length=60)] = "",
    result: Annotated[str, Query(pattern=f"^({'|'.join(RESULTS)}|)$")] = "",
    ids: Annotated[str, Query(max_length=4000, pattern=r"^[A-Za-z0-9_,-]*$")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 30,
    before: Annotated[float | None, Query(allow_inf_nan=False)] = None,
) -> dict[str, Any]:
    """Stored games, the last played first."""
    named = tuple(word for word in ids.split(",") if word)
    wanted = Filter(
        game=game,
        status=status,
        player=player,
        text=text,
        result=result,
        ids=named,
        limit=limit + 1,
        before=before,
    )
    found = await asyncio.to_thread(house_of(request).store.list, wanted)
    more = found[limit - 1].updated if len(found) > limit else None
    return {"tables": [summary(stored) for stored in found[:limit]], "more": more}


def summary(stored: StoredGame) -> dict[str, Any]:
    """A stored game in a list."""
    return {
        "id": stored.id,
        "game": stored.game,
        "title": title(stored.game),
        "options": stored.options,
        "seats": [seat_words(seat) for seat in stored.seats],
        "status": stored.status,
        "result": _outcome(stored),
        "plies": stored.plies,
        "created": stored.created,
        "updated": stored.updated,
        "origin": stored.origin,
    }


def _outcome(stored: StoredGame) -> str:
    """The result of a stored game in words."""
    if stored.result is None:
        return "" if stored.status == "playing" else "broken off"
    payoffs, how = stored.result["payoffs"], stored.result["how"]
    if payoffs is None:
        return "broken off"
    first = [seat for seat, share in enumerate(payoffs) if share == max(payoffs)]
    if len(first) == len(payoffs):
        return "a draw"
    names = [seat_words(seat) for seat in stored.seats]
    name = names[first[0]]
    if names.count(name) > 1:
        name = f"{name} (seat {first[0] + 1})"
    return f"{name} won" + (f" ({how})" if how != "rules" else "")


@router.get("/api/tables/{id}")
async def looked_at(id: GameId, request: Request) -> Response:
    """A table as those see it whose tokens the request was sent with."""
    tables = house_of(request).tables
    table = await tables.get(id)
    tokens = tokens_of(request)
    you = table.seats_of(tokens)
    async with table.lock:
        view = view_of(table, you, host=table.is_host(tokens), here=tables.here(table))
    return answer_of(view)


# ------------------------------------------------------------ the socket


class Page:
    """A page that shows a table: it gets the newest view whenever it can take one."""

    def __init__(self, socket: WebSocket, tables: Tables, table: Table, tokens: tuple[str, ...]):
        self.socket, self.tables, self.table, self.tokens = socket, tables, table, tokens
        self._due = asyncio.Event()
        self._changed = False
        self._waiting: deque[dict[str, Any]] = deque(maxlen=UNSENT)
        self._known = 0  # plies whose events the page has
        self._cuts = table.cuts
        self._reader: int | None = None

    @property
    def you(self) -> frozenset[int]:
        """The seats it acts for."""
        return self.table.seats_of(self.tokens)

    def wake(self) -> None:
        """The table has changed."""
        self._changed = True
        self._due.set()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message after the next view."""
        self._waiting.append(message)
        self._due.set()

    async def send_all(self) -> None:
        """Send what is due, for ever."""
        while True:
            await self._due.wait()
            self._due.clear()
            if self._changed:
                self._changed = False
                async with self.table.lock:  # what is being stored is told when it is
                    view = self._view()
                await self._send(view)
            while self._waiting:
                await self._send(self._waiting.popleft())

    def _view(self) -> dict[str, Any]:
        table, you = self.table, self.you
        reader = table.reader(you)
        since = min(self._known, table.unchanged_since(self._cuts))
        if reader != self._reader:
            since = 0  # others' words
        view = view_of(
            table,
            you,
            since=since,
            host=table.is_host(self.tokens),
            here=self.tables.here(table),
        )
        self._known, self._cuts, self._reader = table.ply, table.cuts, reader
        return {"type": "table", **view}

    async def _send(self, message: dict[str, Any]) -> None:
        await self.socket.send_text(json.dumps(message, ensure_ascii=False, allow_nan=False))


@router.websocket("/ws/table")
async def play_at(socket: WebSocket) -> None:
    """Play at a table, or look on."""
    await socket.accept()
    house = house_of(socket)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        page = await _seated(socket, house.tables)
        if page is None:
            return
        sender = asyncio.create_task(page.send_all())
        try:
            house.tables.watch(page.table, page)
            await _listen(page)
        except MeepleError as error:
            await socket.send_json({"type": "error", "text": str(error)})
        finally:
            house.tables.unwatch(page.table, page)
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)


async def _seated(socket: WebSocket, tables: Tables) -> Page | None:
    """The page, after its first message; None where that is none, and it has been told."""
    try:
        text = await asyncio.wait_for(next_text(socket, LONGEST_MESSAGE), timeout=20)
        first = Watch.model_validate_json(text)
        table = await tables.get(first.table)
    except (ValidationError, MeepleError, TimeoutError) as error:
        words = str(error) if isinstance(error, MeepleError) else "the first message names a table"
        await socket.send_json({"type": "error", "text": words, "fatal": True})
        await socket.close(4404)
        return None
    return Page(socket, tables, table, tuple(first.tokens))


async def _listen(page: Page) -> None:
    """Do what the page asks for, until it leaves."""
    bucket = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
    hint: asyncio.Task[None] | None = None
    try:
        while True:
            try:
                text = await next_text(page.socket, LONGEST_MESSAGE)
                await bucket.wait()
                message = MESSAGE.validate_json(text)
                if message.type == "hint":
                    if hint is None or hint.done():
                        hint = asyncio.create_task(_give_hint(page))
                else:
                    await _do(page, message)
            except ValidationError as error:
                page.tell({"type": "error", "text": first_fault(error)})
            except MeepleError as error:
                page.tell({"type": "error", "text": str(error)})
                page.wake()
    finally:
        if hint is not None:
            hint.cancel()


async def _give_hint(page: Page) -> None:
    try:
        thought = await page.tables.hint(page.table, page.you)
        page.tell({"type": "hint", **thought})
    except MeepleError as error:
        page.tell({"type": "error", "text": str(error)})


async def _do(page: Page, message: Any) -> None:
    """One message. Raises MeepleError in a sentence."""
    tables, table, you = page.tables, page.table, page.you
    host = table.is_host(page.tokens)
    if not you and not host:
        raise Forbidden("you look on here: only players may do that")
    if isinstance(message, Play):
        await tables.play(table, you, message.ply, message.actions)
    elif isinstance(message, Answer):
        await tables.answer(table, you, message.agree)
    elif isinstance(message, Pause):
        if not host:
            raise Forbidden("only who began the game may hold it")
        tables.pause(table, message.on)
    elif message.type == "undo":
        await tables.undo(table, you)
    elif message.type == "now":
        tables.now(table)
    elif message.type == "resign":
        await tables.resign(table, you)
    else:
        await _rematch(page)


async def _rematch(page: Page) -> None:
    """A new game, and the page's own tokens by their new seats."""
    table = page.table
    fresh = await page.tables.rematch(table)
    tokens = {
        str(seat): token for token in page.tokens for seat in sorted(fresh.seats_of((token,)))
    }
    page.tell({"type": "rematch", "table": fresh.id, "tokens": tokens})
