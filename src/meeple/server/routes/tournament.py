"""Routes of a tournament's page: its table, its games, one game; read-only."""

from typing import Annotated, Any, cast

from fastapi import APIRouter, Path, Query, Request

from meeple.server.tournament.views import TournamentViews

router = APIRouter()

Number = Annotated[int, Path(ge=0, le=2**53)]
MaybeNumber = Annotated[int | None, Query(ge=0, le=2**53)]


def _views(request: Request) -> TournamentViews:
    return cast(TournamentViews, request.app.state.views)


@router.get("/api/oht")
def table(request: Request) -> dict[str, Any]:
    """Return the standings of the tournament."""
    return _views(request).table()


@router.get("/api/oht/games")
def games(
    request: Request, player: MaybeNumber = None, before: MaybeNumber = None
) -> dict[str, Any]:
    """Return games, the newest first."""
    return _views(request).games(player, before)


@router.get("/api/oht/games/{id}")
def game(id: Number, request: Request, ply: MaybeNumber = None) -> dict[str, Any]:
    """Return one game after `ply` plies, by default all."""
    return _views(request).game(id, ply)
