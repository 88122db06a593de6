"""Routes of cups: a new one, its view, and taking part."""

from typing import Annotated, Any

from fastapi import APIRouter

from meeple.server.cups.cups import Cups, Joining, NewCup
from meeple.server.web.answers import WordedRoute
from meeple.server.web.requests import SeatTokens, charged, part
from meeple.server.web.schemas import GameId

router = APIRouter(route_class=WordedRoute)

_Cups = Annotated[Cups, part(Cups)]


@router.post("/api/cups", dependencies=[charged("new_cups")])
async def new_cup(wanted: NewCup, cups: _Cups) -> dict[str, str]:
    """Create a cup of people and agents."""
    return await cups.create(wanted)


@router.get("/api/cups/{id}")
async def cup_view(id: GameId, cups: _Cups, tokens: SeatTokens) -> dict[str, Any]:
    """Return a cup: its players with their scores, and its games."""
    return await cups.view(id, tokens)


@router.post("/api/cups/{id}/join")
async def join_cup(id: GameId, wanted: Joining, cups: _Cups) -> dict[str, str]:
    """Take part in a cup."""
    return {"token": await cups.join(id, wanted.name)}


@router.post("/api/cups/{id}/start")
async def start_cup(id: GameId, cups: _Cups, tokens: SeatTokens) -> dict[str, Any]:
    """Begin a cup."""
    await cups.start(id, tokens)
    return await cups.view(id, tokens)
