"""Routes of play: games and agents to choose from, new tables, seats, and lists of tables."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from meeple.server.play.lobby import Lobby
from meeple.server.play.tables import Tables
from meeple.server.play.views import view_of
from meeple.server.store import MAX_LISTED, RESULTS, Filter
from meeple.server.web.answers import as_json, json_answer
from meeple.server.web.requests import SeatTokens, part
from meeple.server.web.schemas import Claim, GameChoice, GameId, NewTable

router = APIRouter()

_Lobby = Annotated[Lobby, part(Lobby)]
_Tables = Annotated[Tables, part(Tables)]


@router.get("/api/games")
async def game_list(lobby: _Lobby) -> dict[str, Any]:
    """Return every game with its options, every agent and every network."""
    return await lobby.catalogue()


@router.post("/api/levels")
async def level_list(wanted: GameChoice, lobby: _Lobby) -> dict[str, Any]:
    """Return a game's players, agents by strength, default evaluator and networks."""
    return await lobby.levels(wanted.game, wanted.options)


class TableQuery(BaseModel):
    """The filter of a list of games; an empty field does not filter."""

    game: Annotated[str, StringConstraints(max_length=64)] = ""
    status: Annotated[str, StringConstraints(pattern="^(playing|over|)$")] = ""
    player: Annotated[str, StringConstraints(max_length=60)] = ""
    text: Annotated[str, StringConstraints(max_length=60)] = ""
    result: Annotated[str, StringConstraints(pattern=f"^({'|'.join(RESULTS)}|)$")] = ""
    ids: Annotated[str, StringConstraints(max_length=4000, pattern=r"^[A-Za-z0-9_,-]*$")] = ""
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 30
    before: Annotated[float | None, Field(allow_inf_nan=False)] = None

    def filter(self) -> Filter:
        """Return the filter of the database."""
        ids = tuple(word for word in self.ids.split(",") if word)
        return Filter(**{**self.model_dump(), "ids": ids})


@router.get("/api/tables")
async def table_list(lobby: _Lobby, wanted: Annotated[TableQuery, Query()]) -> dict[str, Any]:
    """Return stored games, the last played first."""
    return await lobby.tables(wanted.filter())


@router.post("/api/tables")
async def new_table(wanted: NewTable, tables: _Tables) -> dict[str, Any]:
    """Begin a game."""
    table, tokens, invites = await tables.create(wanted)
    return {"id": table.id, "tokens": tokens, "invites": invites}


@router.post("/api/tables/{id}/claim")
async def claimed_seat(id: GameId, wanted: Claim, tables: _Tables) -> dict[str, Any]:
    """Take the seat of an invitation."""
    seat, token = await tables.claim(await tables.get(id), wanted.invite, wanted.name)
    return {"seat": seat, "token": token}


@router.get("/api/tables/{id}")
async def table_view(id: GameId, tables: _Tables, tokens: SeatTokens) -> Response:
    """Return a table as the holder of the request's tokens may see it."""
    while True:
        table = await tables.get(id)
        you = table.seats_of(tokens)
        async with table.upkeep.lock:
            if tables.has(table):  # not dropped after a failed write
                view = view_of(table, you, host=table.is_host(tokens), here=tables.here(table))
                return json_answer(as_json(view))
