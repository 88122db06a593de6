"""Routes of the library: records brought and taken along, and replays."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from meeple.errors import UsageError
from meeple.games.records import GameRecord, replay
from meeple.server.analysis.sources import Line
from meeple.server.errors import Busy, Forbidden
from meeple.server.house import House, house_of
from meeple.server.library.records import (
    FORMATS,
    Brought,
    public,
    read_games,
    replay_of,
    write_records,
)
from meeple.server.play.views import about
from meeple.server.schemas import GameId, Record, Strict
from meeple.server.store import OVER, as_record, seat_words

router = APIRouter()

MOST_UPLOADS = 8  # under way at once; they are read one after the other
MOST_TAKEN = 100  # games of one download

Format = Literal["jsonl", "sgf"]
Ids = Annotated[str, Query(max_length=MOST_TAKEN * 25, pattern=r"^[A-Za-z0-9_,-]+$")]


class Upload(Strict):
    """Games as text: lines of JSON, or SGF."""

    text: Record


class Desk:
    """Reads uploads, one at a time, so that play goes on beside them."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def read(self, text: str) -> list[Brought]:
        """The games of a text. Raises Busy, and MeepleError for a text that is wrong."""
        if self._waiting >= MOST_UPLOADS:
            raise Busy("many games are being brought at the moment: try again in a minute")
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(read_games, text)
        finally:
            self._waiting -= 1


def _desk_of(request: Request) -> Desk:
    state = request.app.state
    if not hasattr(state, "library_desk"):
        state.library_desk = Desk()
    found: Desk = state.library_desk
    return found


@router.post("/api/records")
async def bring(wanted: Upload, request: Request) -> dict[str, Any]:
    """Keep games, all of them or none."""
    house = house_of(request)
    games = await _desk_of(request).read(wanted.text)
    for game in games:
        await house.tables.written(house.store.add, game.game, game.plies)
    return {"ids": [game.id for game in games]}


@router.get("/api/records")
async def take(ids: Ids, request: Request, format: Format = "jsonl") -> Response:
    """Several games as one file, in the order that was asked for."""
    house = house_of(request)
    named = list(dict.fromkeys(id for id in ids.split(",") if id))
    if not 1 <= len(named) <= MOST_TAKEN:
        raise UsageError(f"from 1 to {MOST_TAKEN} games can be taken at once, not {len(named)}")
    records = [await _record(house, id) for id in named]
    return await _file(records, format, "games")


@router.get("/api/tables/{id}/record")
async def taken(id: GameId, request: Request, format: Format = "jsonl") -> Response:
    """One game as a file."""
    record = await _record(house_of(request), id)
    return await _file([record], format, f"{record.game}-{id}")


async def _record(house: House, id: str) -> GameRecord:
    """A game as anybody may have it. Raises NotFound, Forbidden."""
    stored, plies = await house.tables.written(house.store.game, id)
    record = await asyncio.to_thread(as_record, stored, plies)
    if stored.status == OVER:
        return record
    return await asyncio.to_thread(_as_known, record)


def _as_known(record: GameRecord) -> GameRecord:
    position = replay(record)
    return public(record, position.game, position)


async def _file(records: list[GameRecord], format: Format, name: str) -> Response:
    text = await asyncio.to_thread(write_records, records, format)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format}"'}
    return Response(text, media_type=f"{FORMATS[format]}; charset=utf-8", headers=headers)


@router.get("/api/tables/{id}/replay")
async def replayed(id: GameId, request: Request) -> dict[str, Any]:
    """A game, ply by ply, in words. Raises Forbidden where not all of it may be known yet."""
    table = await house_of(request).tables.get(id)
    if table.game.hides and not table.is_over:
        raise Forbidden("while hidden cards are in play there is no replay of this game")
    position, values = table.position.copy(), list(table.values)
    seats = [seat_words(asdict(seat)) for seat in table.seats]
    line = Line(position, seats, opening=table.opening)
    return {
        "id": table.id,
        **about(table.game),
        "family": table.game.scene(table.game.start(line.seed), None).family,
        "seats": seats,
        "players": [table.game.player_name(seat) for seat in range(table.game.players)],
        "status": table.status,
        "result": table.winner_words(),
        "origin": table.origin,
        "opening": table.opening,
        "notes": _notes(table.notes),
        "plies": await asyncio.to_thread(replay_of, line, values),
    }


def _notes(notes: dict[str, Any]) -> dict[str, Any]:
    """What a record says beside the moves, as far as it is text."""
    said = {name: value for name, value in notes.items() if isinstance(value, str)}
    comments = notes.get("comments")
    if isinstance(comments, dict):
        texts = {place: text for place, text in comments.items() if isinstance(text, str)}
        return {**said, "comments": texts}
    return said
