"""The application: its routes, middleware and error responses."""

import asyncio
import contextlib
import gc
import sys
import threading
import warnings
from collections.abc import AsyncIterator, Mapping
from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import StringConstraints

from meeple.games.contract.registry import load_file, loaded_files
from meeple.sentences import LANGUAGES
from meeple.server.analysis import routes as analysis
from meeple.server.cups import routes as cups
from meeple.server.errors import NotFound, refusal
from meeple.server.library import routes as library
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.lobby import routes as lobby
from meeple.server.pages import ROUTES, Page, added_pages
from meeple.server.play import routes as play
from meeple.server.play import socket as table_socket
from meeple.server.play.precompile import precompile_all
from meeple.server.puzzles import routes as puzzles
from meeple.server.resources import Resources
from meeple.server.services import Services
from meeple.server.settings import STATIC, ServerSettings
from meeple.server.store import GameStore
from meeple.server.study import routes as study
from meeple.server.thinking.pool import Pool
from meeple.server.training import routes as training
from meeple.server.training.budget import watch
from meeple.server.web.answers import add_error_answers
from meeple.server.web.assets import Assets
from meeple.server.web.endless import end_endless_calls
from meeple.server.web.guard import Guard, caller, password_of
from meeple.server.web.json_limits import takes
from meeple.server.web.schemas import Strict
from meeple.server.web.serving import compress_responses
from meeple.server.web.sessions import COOKIE

SWITCH = 0.001  # seconds between switches of Python's threads; default 0.005
PATIENCE = 1.0  # seconds that a start waits for kernels: enough to load cached ones


class Login(Strict):
    """The password that a client sends."""

    password: Annotated[str, StringConstraints(max_length=200)]


def create_app(settings: ServerSettings, limits: ServerLimits = LIMITS) -> FastAPI:
    """Create the application; its database and workers are open while it runs.

    Raises:
        MeepleError: A file of games cannot be loaded, or the session key not read or made.
    """
    ignore_alias_warning()
    for file in settings.game_files:
        load_file(file)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = GameStore(settings.data, settings.url, limits.max_data_bytes)
        sys.setswitchinterval(SWITCH)
        pool = Pool(settings.workers, settings.queue, settings.game_files, settings.runs, limits)
        await pool.start()
        resources = Resources(store, pool, settings.runs, limits)
        services = app.state.services = Services.of(
            resources, settings.game_files, only_here=settings.only_here
        )
        app.state.parts = services.by_class()
        preparing = threading.Thread(target=_compile_and_freeze, name="precompile", daemon=True)
        preparing.start()
        await asyncio.to_thread(preparing.join, PATIENCE)
        ended = threading.Event()
        threading.Thread(target=watch, args=(services.runs.stop_excess, ended), daemon=True).start()
        games = loaded_files()
        threading.Thread(target=end_endless_calls, args=(games, ended), daemon=True).start()
        closing = asyncio.create_task(services.tables.close_left())
        try:
            yield
        finally:
            ended.set()
            closing.cancel()
            await services.close()

    app = FastAPI(title="Meeple", lifespan=lifespan, docs_url=None, redoc_url=None)
    compress_responses(app)
    app.add_middleware(
        Guard, settings=settings, password=password_of(settings, limits), limits=limits
    )
    for subject in (lobby, cups, play, table_socket, library, study, puzzles, analysis, training):
        app.include_router(subject.router)
    add_error_answers(app)
    _add_pages(app, added_pages())
    return app


def ignore_alias_warning() -> None:
    """Ignore pydantic's warning that parameters of FastAPI have an alias, in all threads.

    FastAPI ignores it inside `warnings.catch_warnings`, which another thread that compiles kernels
    can leave in the meantime.
    """
    warnings.filterwarnings("ignore", message="The 'alias' attribute", category=UserWarning)


def _compile_and_freeze() -> None:
    """Compile the kernels that showing games needs, and freeze the objects in memory.

    The garbage collector skips frozen objects; scanning them would delay all requests.
    """
    precompile_all()
    gc.freeze()


def _add_pages(app: FastAPI, plug_ins: Mapping[str, Page]) -> None:
    assets = Assets(STATIC, tuple(plug_ins.items()))

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        return assets.page("index.html")

    @app.get("/login", include_in_schema=False)
    def login_page() -> Response:
        return assets.plain_page("login.html")

    @app.post("/api/login")
    @takes("login_json")
    async def login(given: Login, request: Request) -> JSONResponse:
        password = request.scope["password"]
        if password is None:
            raise refusal(NotFound, "no_password")
        cookie = await password.log_in(given.password, caller(dict(request.scope)))
        answer = JSONResponse({"done": True})
        answer.set_cookie(
            COOKIE, cookie, max_age=password.sessions.max_seconds, httponly=True, samesite="strict"
        )
        return answer

    for name, page in plug_ins.items():
        if page.router is not None:
            app.mount(f"{ROUTES}/{name}", page.router)
    app.mount(assets.address, assets)
    app.mount("/static/languages", StaticFiles(directory=LANGUAGES), name="languages")
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
