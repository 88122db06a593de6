"""Routes of play: new tables, seats, and the view of a table."""

from typing import Annotated, Any

from fastapi import APIRouter, Response

from meeple.sentences import as_json
from meeple.server.play.messages import Claim, Invitation, NewTable
from meeple.server.play.seats import hashes
from meeple.server.play.tables import Tables
from meeple.server.web.answers import WordedRoute, json_answer
from meeple.server.web.json_limits import takes
from meeple.server.web.requests import SeatTokens, charged, part
from meeple.server.web.schemas import GameId

router = APIRouter(route_class=WordedRoute)

_Tables = Annotated[Tables, part(Tables)]


@router.post("/api/tables", dependencies=[charged("new_games")])
@takes("game_json")
async def new_table(wanted: NewTable, tables: _Tables) -> dict[str, Any]:
    """Begin a game."""
    table, tokens, invites = await tables.create(wanted)
    return {"id": table.id, "tokens": tokens, "invites": invites}


@router.get("/api/preparing")
async def games_in_preparation(tables: _Tables) -> dict[str, Any]:
    """Return the games whose kernels are being compiled, and how far."""
    return {"games": [one._asdict() for one in await tables.preparations()]}


@router.post("/api/tables/{id}/invitation")
async def invitation(id: GameId, wanted: Invitation, tables: _Tables) -> dict[str, Any]:
    """Return the seat of an invitation, and the name of the person who invites."""
    table = await tables.get(id)
    seat, creator = tables.invited(table, wanted.invite), table.agreed.creator
    return {"seat": seat, "by": "" if creator is None else table.seats[creator].name}


@router.post("/api/tables/{id}/claim")
async def claimed_seat(id: GameId, wanted: Claim, tables: _Tables) -> dict[str, Any]:
    """Take the seat of an invitation."""
    seat, token = await tables.claim(await tables.get(id), wanted.invite, wanted.name)
    return {"seat": seat, "token": token}


@router.post("/api/tables/{id}/remove")
async def removed_table(id: GameId, tables: _Tables, tokens: SeatTokens) -> dict[str, bool]:
    """Delete a game of the holder of the request's tokens."""
    await tables.remove(await tables.get(id), hashes(tokens))
    return {"ok": True}


@router.get("/api/tables/{id}")
async def table_view(id: GameId, tables: _Tables, tokens: SeatTokens) -> Response:
    """Return a table as the holder of the request's tokens may see it."""
    while True:
        table = await tables.get(id)
        async with table.upkeep.lock:
            if tables.residents.has(table):  # not dropped after a failed write
                return json_answer(as_json(tables.residents.view(table, hashes(tokens))))
