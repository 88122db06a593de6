"""Routes of the library: records brought and taken along, and replays."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from meeple.errors import UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, replay
from meeple.server.analysis.sources import Line
from meeple.server.errors import Busy, Forbidden
from meeple.server.house import House, answer_of, house_of
from meeple.server.library.records import (
    FORMATS,
    public,
    read_games,
    replay_of,
    write_records,
)
from meeple.server.play.table import Table
from meeple.server.play.views import about
from meeple.server.schemas import GameId, Record, Strict
from meeple.server.store import OVER, as_record, seat_words

router = APIRouter()
_Result = TypeVar("_Result")

MOST_WAITING = 8  # who bring games at once, or take some; they are served one after the other
MOST_PLIES_TAKEN = 100_000  # of one download: a few seconds
MOST_TAKEN = 100  # games of one download

Format = Literal["jsonl", "sgf"]
Ids = Annotated[str, Query(max_length=MOST_TAKEN * 25, pattern=r"^[A-Za-z0-9_,-]+$")]


class Upload(Strict):
    """Games as text: lines of JSON, or SGF."""

    text: Record


class Desk:
    """Does what may take seconds for one after the other, so that play goes on beside it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def do(self, call: Callable[..., _Result], *args: Any) -> _Result:
        """Call something in a thread. Raises Busy, and what it raises."""
        if self._waiting >= MOST_WAITING:
            raise Busy("many games are being brought or taken at the moment: try again in a minute")
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(call, *args)
        finally:
            self._waiting -= 1


def _desk_of(request: Request, name: Literal["bring", "take"]) -> Desk:
    state = request.app.state
    if not hasattr(state, "library_desks"):
        state.library_desks = {"bring": Desk(), "take": Desk()}
    found: Desk = state.library_desks[name]
    return found


@router.post("/api/records")
async def bring(wanted: Upload, request: Request) -> dict[str, Any]:
    """Keep games, all of them or none."""
    house = house_of(request)
    games = await _desk_of(request, "bring").do(read_games, wanted.text)
    await house.tables.written(house.store.add_all, [(game.game, game.plies) for game in games])
    return {"ids": [game.id for game in games]}


@router.get("/api/records")
async def take(ids: Ids, request: Request, format: Format = "jsonl") -> Response:
    """Several games as one file, in the order that was asked for."""
    named = list(dict.fromkeys(id for id in ids.split(",") if id))
    if not 1 <= len(named) <= MOST_TAKEN:
        raise UsageError(f"from 1 to {MOST_TAKEN} games can be taken at once, not {len(named)}")
    return await _desk_of(request, "take").do(_file, house_of(request), named, format, "games")


@router.get("/api/tables/{id}/record")
async def taken(id: GameId, request: Request, format: Format = "jsonl") -> Response:
    """One game as a file."""
    return await _desk_of(request, "take").do(_file, house_of(request), [id], format, "")


def _file(house: House, ids: list[str], format: Format, name: str) -> Response:
    """Some games as a file; without a name it is called by the game."""
    records: list[GameRecord] = []
    for id in ids:
        records.append(_record(house, id))
        plies = sum(len(record.actions) for record in records)
        if len(ids) > 1 and plies > MOST_PLIES_TAKEN:
            raise UsageError(
                f"these games have more than {MOST_PLIES_TAKEN:,} plies: take fewer at once"
            )
    text = write_records(records, format)
    name = name or f"{records[0].game}-{ids[0]}"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format}"'}
    return Response(text, media_type=f"{FORMATS[format]}; charset=utf-8", headers=headers)


def _record(house: House, id: str) -> GameRecord:
    """A game as anybody may have it. Raises NotFound, Forbidden."""
    stored, plies = house.store.game(id)
    record = as_record(stored, plies)
    if stored.status == OVER:
        return record
    position = replay(record)
    return public(record, position.game, position)


@router.get("/api/tables/{id}/replay")
async def replayed(id: GameId, request: Request) -> Response:
    """A game, ply by ply, in words. Raises Forbidden where not all of it may be known yet."""
    table = await house_of(request).tables.get(id)
    if table.game.hides and not table.is_over:
        raise Forbidden("while hidden cards are in play there is no replay of this game")
    position, values = table.position.copy(), list(table.values)
    return await _desk_of(request, "take").do(_replay, table, position, values)


def _replay(table: Table, position: Position, values: list[tuple[float, ...] | None]) -> Response:
    seats = [seat_words(asdict(seat)) for seat in table.seats]
    line = Line(position, seats, opening=table.opening)
    data = {
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
        "plies": replay_of(line, values),
    }
    return answer_of(data)


def _notes(notes: dict[str, Any]) -> dict[str, Any]:
    """What a record says beside the moves, as far as it is text."""
    said = {name: value for name, value in notes.items() if isinstance(value, str)}
    comments = notes.get("comments")
    if isinstance(comments, dict):
        texts = {place: text for place, text in comments.items() if isinstance(text, str)}
        return {**said, "comments": texts}
    return said
