"""Routes of the library: uploads and downloads of records, the explorer, and replays."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field, StringConstraints, model_validator

from meeple.errors import UsageError
from meeple.server.analysis.sources import Ply, Source
from meeple.server.answers import as_json, json_answer
from meeple.server.errors import Forbidden
from meeple.server.library.downloads import GameFile, file_of
from meeple.server.library.explore import explored, first_plies, played_games
from meeple.server.library.replays import replay_of
from meeple.server.library.uploads import read_games
from meeple.server.record_text import decoded
from meeple.server.routes.requests import services_of, tokens_of
from meeple.server.schemas import GameId, Record, Strict
from meeple.server.work import most_plies

router = APIRouter()

MAX_GAMES_PER_DOWNLOAD = 100
MAX_BASE64_CHARACTERS = 1_100_000  # of a file of 800 kB, more than a year of WTHOR

Format = Literal["jsonl", "sgf", "ggf", "psq"]
Ids = Annotated[str, Query(max_length=MAX_GAMES_PER_DOWNLOAD * 25, pattern=r"^[A-Za-z0-9_,-]+$")]


class Position(Strict):
    """A position: a game, and the number of its plies."""

    source: Source
    ply: Ply


class Upload(Strict):
    """Games as a text, or as the bytes of a file, in any format of records.

    Of more games than the limit, `first` is the number of the first one to store.
    """

    text: Record | None = None
    data: Annotated[str, StringConstraints(max_length=MAX_BASE64_CHARACTERS)] | None = None
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


@router.post("/api/records")
async def new_ids(wanted: Upload, request: Request) -> dict[str, Any]:
    """Store all games of a file, or none, and return their ids."""
    services = services_of(request)
    content = wanted.content
    lane = services.work.on(most_plies(content))
    games = await lane.do(read_games, content, wanted.first)
    stored = [(game.game, game.plies) for game in games]
    await services.writer.do(services.store.add_all, stored)
    return {"ids": [game.id for game in games]}


@router.get("/api/records")
async def records_file(ids: Ids, request: Request, format: Format = "jsonl") -> Response:
    """Return several games as one file, in the requested order."""
    named = list(dict.fromkeys(id for id in ids.split(",") if id))
    if not 1 <= len(named) <= MAX_GAMES_PER_DOWNLOAD:
        raise UsageError(
            f"from 1 to {MAX_GAMES_PER_DOWNLOAD} games can be downloaded at once, not {len(named)}"
        )
    services = services_of(request)
    lane = services.work.on(await services.work.files.do(services.store.count_plies, named))
    return _file_answer(await lane.do(file_of, services.store, named, format, "games"))


@router.get("/api/tables/{id}/record")
async def record_file(id: GameId, request: Request, format: Format = "jsonl") -> Response:
    """Return one game as a file."""
    services = services_of(request)
    lane = services.work.on(await services.work.files.do(services.store.count_plies, [id]))
    return _file_answer(await lane.do(file_of, services.store, [id], format))


@router.post("/api/explore")
async def explore(wanted: Position, request: Request) -> dict[str, Any]:
    """Return the moves played from a position in the finished games of the library."""
    services = services_of(request)
    asked = await services.analyst.ask(wanted.source, tokens_of(request))
    asked.check_looks()
    line = first_plies(asked.line, wanted.ply)
    kept = await services.work.files.do(played_games, services.store, asked.line.game, len(line))
    lane = services.work.on(sum(len(game.actions) for game in kept))
    return await lane.do(explored, asked.line.game, kept, line)


def _file_answer(file: GameFile) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.text, media_type=f"{file.media_type}; charset=utf-8", headers=headers)


@router.get("/api/tables/{id}/replay")
async def replay(id: GameId, request: Request) -> Response:
    """Return the texts of a game's plies; raise Forbidden while they reveal hidden cards."""
    services = services_of(request)
    table = await services.tables.get(id)
    if table.game.hides and not table.is_over:
        raise Forbidden("while hidden cards are in play there is no replay of this game")
    position, values = table.position.copy(), list(table.history.values)
    lane = services.work.on(len(values))
    text = await lane.do(lambda: as_json(replay_of(table, position, values)))
    return json_answer(text)
