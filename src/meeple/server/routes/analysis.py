"""Routes of analysis: the plies of any game, its boards, and the socket on which agents think."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from meeple.errors import MeepleError
from meeple.server.analysis.asked import Asked, Json
from meeple.server.analysis.sources import Ply, Source
from meeple.server.analysis.thinker import Thinker
from meeple.server.answers import as_json, json_answer
from meeple.server.errors import Busy
from meeple.server.json_limits import WITH_GAME
from meeple.server.routes.requests import services_of, tokens_of
from meeple.server.schemas import MAX_SEATS, GameChoice, Spec, Strict, Token
from meeple.server.sockets import Inbox, Rubbish, fault_of

router = APIRouter()

MESSAGES_PER_SECOND, MESSAGE_BURST = 5.0, 30.0
MAX_CELLS = 1024

Seat = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Tokens = Annotated[list[Token], Field(max_length=MAX_SEATS, fail_fast=True)]
RequestId = Annotated[int, Field(ge=0, lt=2**31)]  # comes back with every answer
Piece = Annotated[str, StringConstraints(max_length=8)]


class Positions(Strict):
    """Which game's plies are wanted."""

    source: Source


class SceneOf(Strict):
    """Which board is wanted, and through whose eyes, where that may be chosen."""

    source: Source
    ply: Ply
    seat: Seat | None = None


class Arrangement(GameChoice):
    """Stones on a board, cell by cell, and whose turn it is, if that is not clear."""

    pieces: Annotated[list[Piece], Field(max_length=MAX_CELLS, fail_fast=True)]
    to_move: Seat | None = None


class Question(Strict):
    """What somebody wants thought about, and by whom: if not said, by the strongest there is."""

    source: Source
    spec: Spec | None = None
    tokens: Tokens = []
    id: RequestId = 0


class Analyse(Question):
    """Think about one position."""

    type: Literal["analyse"]
    ply: Ply
    seconds: Annotated[float, Field(ge=0.1, le=600)]


class Sweep(Question):
    """Think about every position of a game, for so long about each."""

    type: Literal["sweep"]
    seconds: Annotated[float, Field(ge=0.01, le=10)]


class Stop(Strict):
    """Think no more."""

    type: Literal["stop"]
    id: RequestId = 0


Message = Annotated[Analyse | Sweep | Stop, Field(discriminator="type")]
MESSAGE: TypeAdapter[Analyse | Sweep | Stop] = TypeAdapter(Message)


@router.post("/api/positions")
async def positions(wanted: Positions, request: Request) -> Response:
    """A game's plies in words."""
    analyst = services_of(request).analyst
    asked = await analyst.ask(wanted.source, tokens_of(request))
    return json_answer(await analyst.positions(asked))


@router.post("/api/scenes")
async def scene(wanted: SceneOf, request: Request) -> Json:
    """The board at a ply, and what can be played there."""
    analyst = services_of(request).analyst
    asked = await analyst.ask(wanted.source, tokens_of(request))
    return await analyst.scene(asked, wanted.ply, wanted.seat)


@router.post("/api/arrange")
async def placing_moves(wanted: Arrangement, request: Request) -> Json:
    """Moves that place stones so."""
    analyst = services_of(request).analyst
    moves = await analyst.arrange(wanted.game, wanted.options, wanted.pieces, wanted.to_move)
    return {"moves": moves}


class Desk:
    """A page that analyses: one thing is thought about at a time, the last that it asked for."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._analyst = services_of(socket).analyst
        self._thinker = Thinker(self._analyst)
        self._task: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    async def take(self, message: Analyse | Sweep | Stop) -> None:
        """Leave what was thought about before, and begin anew."""
        await self._leave()
        if isinstance(message, Stop):
            await self.send({"type": "done", "id": message.id})
        else:
            self._task = asyncio.create_task(self._work(message))

    async def close(self) -> None:
        """The page is gone."""
        await self._leave()
        self._thinker.close()

    async def _leave(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _work(self, message: Analyse | Sweep) -> None:
        try:
            asked = await self._analyst.ask(message.source, message.tokens)
            async with contextlib.aclosing(self._found(asked, message)) as found:
                async for one in found:
                    await self.send(one)
            await self.send({"type": "done", "id": message.id})
        except MeepleError as error:
            busy = isinstance(error, Busy)
            fault = {"type": "error", "text": str(error), "busy": busy, "id": message.id}
            await self.send(fault)

    async def _found(self, asked: Asked, message: Analyse | Sweep) -> AsyncGenerator[Json, None]:
        spec, seconds = message.spec or await self._analyst.judge(asked), message.seconds
        if isinstance(message, Analyse):
            kind, stream = "thought", self._thinker.think(asked, message.ply, spec, seconds)
        else:
            kind, stream = "value", self._thinker.sweep(asked, spec, seconds)
        async with contextlib.aclosing(stream):
            async for one in stream:
                yield {"type": kind, "id": message.id, **one}

    async def send(self, message: Json) -> None:
        """Send a message; one at a time."""
        async with self._sending:
            await self._socket.send_text(as_json(message))


@router.websocket("/ws/analysis")
async def thoughts(socket: WebSocket) -> None:
    """Think about positions while the page is there."""
    await socket.accept()
    desk = Desk(socket)
    inbox = Inbox(socket, WITH_GAME, rate=MESSAGES_PER_SECOND, burst=MESSAGE_BURST)
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                try:
                    await desk.take(MESSAGE.validate_json(await inbox.next_text()))
                except (ValidationError, Rubbish) as error:
                    await inbox.bear()
                    await desk.send({"type": "error", "text": fault_of(error)})
                except MeepleError as error:
                    await desk.send({"type": "error", "text": str(error)})
    finally:
        await desk.close()
