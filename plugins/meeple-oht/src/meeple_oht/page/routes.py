"""Routes of a tournament's page: its table, its games, one game; read-only."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from meeple.server.web.answers import WordedRoute
from meeple.server.web.requests import part
from meeple_oht.page.views import TournamentViews

router = APIRouter(route_class=WordedRoute)

Number = Annotated[int, Path(ge=0, le=2**53)]
MaybeNumber = Annotated[int | None, Query(ge=0, le=2**53)]
_Views = Annotated[TournamentViews, part(TournamentViews)]


@router.get("/api/oht")
def table(views: _Views) -> dict[str, Any]:
    """Return the standings of the tournament."""
    return views.table()


@router.get("/api/oht/games")
def games(views: _Views, player: MaybeNumber = None, before: MaybeNumber = None) -> dict[str, Any]:
    """Return games, the newest first."""
    return views.games(player, before)


@router.get("/api/oht/games/{id}")
def game(id: Number, views: _Views, ply: MaybeNumber = None) -> dict[str, Any]:
    """Return one game after `ply` plies, by default all."""
    return views.game(id, ply)
