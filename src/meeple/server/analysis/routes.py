"""Routes of analysis: the plies of any game, its boards, and the socket for agents' results."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Annotated, Literal

from fastapi import APIRouter, Response, WebSocket, WebSocketDisconnect
from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from meeple.errors import MeepleError
from meeple.sentences import as_json
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.asked import Asked, Json
from meeple.server.analysis.reviews import Reviews
from meeple.server.analysis.sources import ActionName, GameSource, Ply
from meeple.server.analysis.thinker import Thinker
from meeple.server.errors import Busy, error_message
from meeple.server.web.answers import WordedRoute, json_answer
from meeple.server.web.inbox import Inbox, Rubbish, fault_of
from meeple.server.web.json_limits import takes
from meeple.server.web.requests import SeatTokens, part
from meeple.server.web.schemas import MAX_SEATS, GameChoice, Spec, Strict, Token

router = APIRouter(route_class=WordedRoute)

MAX_CELLS = 1024

Seat = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Tokens = Annotated[list[Token], Field(max_length=MAX_SEATS, fail_fast=True)]
RequestId = Annotated[int, Field(ge=0, lt=2**31)]  # comes back with every answer
Piece = Annotated[str, StringConstraints(max_length=8)]


class Positions(Strict):
    """A request for the plies of a game."""

    source: GameSource


class SceneOf(Strict):
    """A request for a board, from the view of a seat if that may be chosen.

    `explain` asks for explanations of the position too.
    """

    source: GameSource
    ply: Ply
    seat: Seat | None = None
    explain: bool = False


class Arrangement(GameChoice):
    """Stones on a board, cell by cell, and the seat to move, if ambiguous."""

    pieces: Annotated[list[Piece], Field(max_length=MAX_CELLS, fail_fast=True)]
    to_move: Seat | None = None


class Question(Strict):
    """A request for an analysis by an agent, by default the strongest one."""

    source: GameSource
    spec: Spec | None = None
    tokens: Tokens = []
    id: RequestId = 0


class Analyse(Question):
    """Analyse one position."""

    type: Literal["analyse"]
    ply: Ply
    seconds: Annotated[float, Field(ge=0.1, le=600)]


class Sweep(Question):
    """Analyse every position of a game, each for `seconds`.

    `ready` accepts the review that the server made when the game ended, whatever its seconds.
    """

    type: Literal["sweep"]
    seconds: Annotated[float, Field(ge=0.01, le=10)]
    ready: bool = False


class QuickGames(Question):
    """Play quick games after an action of a set-up."""

    type: Literal["games"]
    ply: Ply
    action: ActionName


class Stop(Strict):
    """Stop the analysis."""

    type: Literal["stop"]
    id: RequestId = 0


Message = Annotated[Analyse | Sweep | QuickGames | Stop, Field(discriminator="type")]
MESSAGE: TypeAdapter[Analyse | Sweep | QuickGames | Stop] = TypeAdapter(Message)


_Analyst = Annotated[Analyst, part(Analyst)]
_Reviews = Annotated[Reviews, part(Reviews)]


@router.post("/api/positions")
@takes("game_json")
async def positions(wanted: Positions, analyst: _Analyst, tokens: SeatTokens) -> Response:
    """Return the texts of a game's plies."""
    asked = await analyst.ask(wanted.source, tokens)
    return json_answer(await analyst.positions(asked))


@router.post("/api/scenes")
@takes("game_json")
async def scene(wanted: SceneOf, analyst: _Analyst, tokens: SeatTokens) -> Json:
    """Return the board at a ply, and its legal actions."""
    asked = await analyst.ask(wanted.source, tokens)
    return await analyst.scene(asked, wanted.ply, wanted.seat, wanted.explain)


@router.post("/api/arrange")
async def placing_moves(wanted: Arrangement, analyst: _Analyst) -> Json:
    """Return options and moves that lead to the given stones."""
    found = await analyst.arrange(wanted.game, wanted.options, wanted.pieces, wanted.to_move)
    return {"options": dict(found["options"]), "moves": found["moves"]}


class Desk:
    """The analyses of a page: a new request cancels the previous one."""

    def __init__(self, socket: WebSocket, analyst: Analyst, reviews: Reviews) -> None:
        self._socket, self._analyst, self._reviews = socket, analyst, reviews
        self._thinker = Thinker(analyst)
        self._task: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    async def take(self, message: Analyse | Sweep | QuickGames | Stop) -> None:
        """Cancel the current analysis and start the requested one."""
        await self._cancel()
        if isinstance(message, Stop):
            await self.send({"type": "done", "id": message.id})
        else:
            self._task = asyncio.create_task(self._run(message))

    async def close(self) -> None:
        """Cancel the current analysis and release the sessions."""
        await self._cancel()
        self._thinker.close()

    async def _cancel(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self, message: Analyse | Sweep | QuickGames) -> None:
        try:
            asked = await self._analyst.ask(message.source, message.tokens)
            async with contextlib.aclosing(self._results(asked, message)) as found:
                async for one in found:
                    await self.send(one)
            await self.send({"type": "done", "id": message.id})
        except MeepleError as error:
            busy = isinstance(error, Busy)
            fault = {**error_message(error), "busy": busy, "id": message.id}
            await self.send(fault)

    async def _results(
        self, asked: Asked, message: Analyse | Sweep | QuickGames
    ) -> AsyncGenerator[Json, None]:
        spec = message.spec or await self._analyst.judge(asked)
        thinker = self._thinker
        if isinstance(message, Analyse):
            kind, stream = "thought", thinker.think(asked, message.ply, spec, message.seconds)
        elif isinstance(message, Sweep):
            ready = message.ready and message.spec is None
            made = await self._reviews.of(asked, spec) if ready else None
            sweep = thinker.sweep(asked, spec, message.seconds) if made is None else made.messages()
            kind, stream = "value", sweep
        else:
            kind = "games"
            stream = thinker.quick_games(asked, message.ply, message.action, spec)
        async with contextlib.aclosing(stream):
            async for one in stream:
                yield {"type": kind, "id": message.id, **one}

    async def send(self, message: Json) -> None:
        """Send a message; one at a time."""
        async with self._sending:
            await self._socket.send_text(as_json(message))


@router.websocket("/ws/analysis")
async def thoughts(socket: WebSocket, analyst: _Analyst, reviews: _Reviews) -> None:
    """Serve analyses until the page disconnects."""
    await socket.accept()
    desk = Desk(socket, analyst, reviews)
    limits = analyst.limits
    inbox = Inbox(socket, limits.game_json, limits.analysis_messages, limits)
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                try:
                    await desk.take(MESSAGE.validate_json(await inbox.next_text()))
                except (ValidationError, Rubbish) as error:
                    await inbox.bear()
                    await desk.send({"type": "error", "text": fault_of(error)})
                except MeepleError as error:
                    await desk.send(error_message(error))
    finally:
        await desk.close()
