"""Routes of the library: uploads and downloads of records, the explorer, and replays."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field, model_validator

from meeple.errors import UsageError
from meeple.server.analysis.record_text import decoded
from meeple.server.analysis.sources import GameSource, Ply
from meeple.server.errors import refusal
from meeple.server.library.downloads import GameFile
from meeple.server.library.library import Library
from meeple.server.web.answers import WordedRoute, json_answer
from meeple.server.web.json_limits import takes
from meeple.server.web.requests import SeatTokens, charged, part
from meeple.server.web.schemas import File, GameId, Record, Strict

router = APIRouter(route_class=WordedRoute)

MAX_GAMES_PER_DOWNLOAD = 100

Format = Literal["jsonl", "sgf", "ggf", "psq"]
Ids = Annotated[str, Query(max_length=MAX_GAMES_PER_DOWNLOAD * 25, pattern=r"^[A-Za-z0-9_,-]+$")]


class OpeningsQuery(Strict):
    """A position: a game, and the number of its plies."""

    source: GameSource
    ply: Ply


class Upload(Strict):
    """Games as a text, or as the bytes of a file, in any format of records.

    Of more games than the limit, `first` is the number of the first one to store.
    """

    text: Record | None = None
    data: File | None = None
    first: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> "Upload":
        if (self.text is None) == (self.data is None):
            raise ValueError("games are sent as one of 'text' or 'data'")
        return self

    @property
    def content(self) -> str | bytes:
        """The uploaded content; raises UsageError for invalid base64."""
        return decoded(self.data or "") if self.text is None else self.text


_Library = Annotated[Library, part(Library)]


@router.post("/api/records", dependencies=[charged("new_games")])
@takes("game_json")
async def new_ids(wanted: Upload, library: _Library, tokens: SeatTokens) -> dict[str, Any]:
    """Store all games of a file, or none; return their ids and sentences on how it was read."""
    ids, notices = await library.add(wanted.content, wanted.first, tokens)
    return {"ids": ids, "notices": notices}


@router.get("/api/records")
async def records_file(ids: Ids, library: _Library, format: Format = "jsonl") -> Response:
    """Return several games as one file, in the requested order."""
    named = list(dict.fromkeys(id for id in ids.split(",") if id))
    if not 1 <= len(named) <= MAX_GAMES_PER_DOWNLOAD:
        raise refusal(UsageError, "downloads_at_once", most=MAX_GAMES_PER_DOWNLOAD, n=len(named))
    return file_answer(await library.file(named, format, "games"))


@router.get("/api/tables/{id}/record")
async def record_file(id: GameId, library: _Library, format: Format = "jsonl") -> Response:
    """Return one game as a file."""
    return file_answer(await library.file([id], format))


def file_answer(file: GameFile) -> Response:
    """Return a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.text, media_type=f"{file.media_type}; charset=utf-8", headers=headers)


@router.post("/api/explore")
@takes("game_json")
async def explore(wanted: OpeningsQuery, library: _Library, tokens: SeatTokens) -> dict[str, Any]:
    """Return the moves played from a position in the finished games of the library."""
    return await library.explore(wanted.source, wanted.ply, tokens)


@router.get("/api/tables/{id}/replay")
async def replay(id: GameId, library: _Library) -> Response:
    """Return the texts of a game's plies; raise Forbidden while they reveal hidden cards."""
    return json_answer(await library.replay(id))
