"""The application: all routes, what wraps them, and how errors are said."""

import asyncio
import contextlib
import gc
import logging
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import StringConstraints
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from meeple.errors import MeepleError
from meeple.games.contract.registry import load_file
from meeple.server.errors import Busy, Forbidden, NotFound, TooMany, TooMuch
from meeple.server.play.precompile import precompile_all
from meeple.server.routes import analysis, library, play, table_socket, training
from meeple.server.schemas import Strict
from meeple.server.security import Guard, caller, password_of
from meeple.server.services import Services
from meeple.server.sessions import COOKIE, SESSION
from meeple.server.settings import Settings
from meeple.server.store import Store
from meeple.server.thinking.pool import Pool

LOG = logging.getLogger(__name__)
SWITCH = 0.001  # seconds that a thread computes before others have their turn; usually 0.005
PATIENCE = 1.0  # seconds that a start waits for games to be shown; what is on disk then is there
STATIC = Path(__file__).resolve().parent / "static"
STATUS: dict[type[MeepleError], int] = {
    NotFound: 404,
    Forbidden: 403,
    TooMuch: 413,
    Busy: 503,
    TooMany: 429,
}
WRONG = 400


class Login(Strict):
    """The password of a server that asks for one."""

    password: Annotated[str, StringConstraints(max_length=200)]


def create_app(settings: Settings) -> FastAPI:
    """The application; its database and its workers live as long as it runs.

    Raises MeepleError where a file of games cannot be loaded, or the key of sessions not be had.
    """
    for file in settings.game_files:
        load_file(file)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.data)
        sys.setswitchinterval(SWITCH)
        pool = Pool(settings.workers, settings.queue, settings.game_files)
        await pool.start()
        services = app.state.services = Services.of(settings, store, pool)
        getting_ready = threading.Thread(target=_get_ready, name="precompile", daemon=True)
        getting_ready.start()
        await asyncio.to_thread(getting_ready.join, PATIENCE)
        try:
            yield
        finally:
            await services.close()

    app = FastAPI(title="Meeple", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, settings=settings, password=password_of(settings))
    for subject in (play, table_socket, library, analysis, training):
        app.include_router(subject.router)
    add_error_answers(app)
    _add_pages(app)
    return app


def add_error_answers(app: FastAPI) -> None:
    """Every error is answered by one sentence."""
    app.add_exception_handler(MeepleError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _unserved)
    app.add_exception_handler(SQLAlchemyError, _unstored)


def _get_ready() -> None:
    """Compile what it takes to show games; what is in memory then is there to stay.

    The garbage collector need not look through it, as it would hold up everybody meanwhile.
    """
    precompile_all()
    gc.freeze()


def _add_pages(app: FastAPI) -> None:
    """The page itself, and the one that asks for the password."""

    @app.get("/", include_in_schema=False)
    def index() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/login", include_in_schema=False)
    def login_page() -> FileResponse:
        return FileResponse(STATIC / "login.html")

    @app.post("/api/login")
    async def login(given: Login, request: Request) -> JSONResponse:
        password = request.scope["password"]
        if password is None:
            raise NotFound("this server asks for no password")
        cookie = await password.log_in(given.password, caller(dict(request.scope)))
        answer = JSONResponse({"done": True})
        answer.set_cookie(COOKIE, cookie, max_age=SESSION, httponly=True, samesite="strict")
        return answer

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


async def _refused(request: Request, error: Any) -> JSONResponse:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), WRONG)
    return JSONResponse({"error": str(error)}, status_code=status)


async def _malformed(request: Request, error: Any) -> JSONResponse:
    """The first thing that is wrong with a request, without repeating what was sent."""
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"] if part != "body")
    words = f"{where}: {fault['msg']}" if where else str(fault["msg"])
    return JSONResponse({"error": words}, status_code=422)


async def _unserved(request: Request, error: Any) -> JSONResponse:
    return JSONResponse({"error": str(error.detail)}, status_code=error.status_code)


async def _unstored(request: Request, error: Any) -> JSONResponse:
    """A full disk, or a database that another program holds: its words are not for the page."""
    LOG.error("%s %s: the database fails", request.method, request.url.path, exc_info=error)
    words = "games cannot be stored or read at the moment: see the server's messages"
    return JSONResponse({"error": words}, status_code=503)
