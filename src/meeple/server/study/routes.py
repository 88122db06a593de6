"""Routes of studies."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import Response

from meeple.sentences import as_json
from meeple.server.library.routes import file_answer
from meeple.server.study.messages import FileFormat, Link, NewStudy, SaveStudy
from meeple.server.study.studies import Studies
from meeple.server.web.answers import WordedRoute, json_answer
from meeple.server.web.json_limits import takes
from meeple.server.web.requests import SeatTokens, charged, part

router = APIRouter(route_class=WordedRoute)

_Studies = Annotated[Studies, part(Studies)]


@router.post("/api/studies", dependencies=[charged("new_studies")])
@takes("game_json")
async def new_study(wanted: NewStudy, studies: _Studies, tokens: SeatTokens) -> Response:
    """Store a study; return it with its links for reading (`id`) and writing (`key`)."""
    return json_answer(as_json(await studies.create(wanted, tokens)))


@router.get("/api/studies/{link}")
async def study(link: Link, studies: _Studies) -> Response:
    """Return a study."""
    return json_answer(as_json(await studies.get(link)))


@router.post("/api/studies/{key}")
@takes("game_json")
async def save(key: Link, wanted: SaveStudy, studies: _Studies) -> Response:
    """Store a changed study, unless it was changed meanwhile (409); return its new version."""
    return json_answer(as_json(await studies.save(key, wanted)))


@router.post("/api/studies/{key}/remove")
async def remove(key: Link, studies: _Studies) -> dict[str, Any]:
    """Delete a study."""
    await studies.remove(key)
    return {"done": True}


@router.get("/api/studies/{link}/file")
async def study_file(link: Link, studies: _Studies, format: FileFormat = "jsonl") -> Response:
    """Return a study as a file."""
    return file_answer(await studies.file(link, format))
