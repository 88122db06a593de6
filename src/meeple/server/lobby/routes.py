"""Routes of the lobby: games and agents to choose from, and the list of stored games."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, StringConstraints

from meeple.server.lobby.lessons import Lessons, StepChoice
from meeple.server.lobby.lobby import Lobby
from meeple.server.play.seats import hashes
from meeple.server.store import MAX_LISTED, RESULTS, Filter
from meeple.server.web.answers import WordedRoute
from meeple.server.web.requests import SeatTokens, part
from meeple.server.web.schemas import GameChoice, GameName

router = APIRouter(route_class=WordedRoute)

_Lobby = Annotated[Lobby, part(Lobby)]
_Lessons = Annotated[Lessons, part(Lessons)]


@router.get("/api/games")
async def game_list(lobby: _Lobby) -> dict[str, Any]:
    """Return every game with its options, every agent and network, and limits of uploads."""
    return await lobby.catalogue()


@router.post("/api/levels")
async def level_list(wanted: GameChoice, lobby: _Lobby) -> dict[str, Any]:
    """Return a game's players, agents by strength, default evaluator and networks."""
    return await lobby.levels(wanted.game, wanted.options)


@router.get("/api/lessons/{name}")
async def lesson(name: GameName, lessons: _Lessons) -> dict[str, Any]:
    """Return a game's rules in short, and the number of steps of its lesson."""
    return await lessons.contents(name)


@router.post("/api/lessons/{name}")
async def lesson_step(name: GameName, wanted: StepChoice, lessons: _Lessons) -> dict[str, Any]:
    """Return the board of a step of a lesson, and the reply to an action."""
    return await lessons.step(name, wanted)


class TableQuery(BaseModel):
    """The filter of a list of games; an empty field does not filter."""

    game: Annotated[str, StringConstraints(max_length=64)] = ""
    status: Annotated[str, StringConstraints(pattern="^(playing|over|)$")] = ""
    player: Annotated[str, StringConstraints(max_length=60)] = ""
    text: Annotated[str, StringConstraints(max_length=60)] = ""
    result: Annotated[str, StringConstraints(pattern=f"^({'|'.join(RESULTS)}|)$")] = ""
    ids: Annotated[str, StringConstraints(max_length=4000, pattern=r"^[A-Za-z0-9_,-]*$")] = ""
    mine: bool = False
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 30
    before: Annotated[float | None, Field(allow_inf_nan=False)] = None

    def filter(self, tokens: tuple[str, ...]) -> Filter:
        """Return the filter of the database; `mine` are `ids` and what the tokens' holder began."""
        ids = tuple(word for word in self.ids.split(",") if word)
        held = hashes(tokens) if self.mine else None
        return Filter(**{**self.model_dump(exclude={"mine"}), "ids": ids, "held": held})


@router.get("/api/tables")
async def table_list(
    lobby: _Lobby, wanted: Annotated[TableQuery, Query()], tokens: SeatTokens
) -> dict[str, Any]:
    """Return stored games, the last played first."""
    return await lobby.tables(wanted.filter(tokens), hashes(tokens))
