"""The page of an Online Hex Tournament: a small application of its own, in the server's guard."""

import contextlib
import socket
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from meeple.errors import MeepleError
from meeple.server.app import STATIC, add_error_answers
from meeple.server.connections import Limits, protocol
from meeple.server.routes import tournament
from meeple.server.security import Guard
from meeple.server.settings import Settings
from meeple.server.tournament.views import TournamentViews

NEXT_PORTS = 20  # that are tried where the usual one is taken
MAX_CONNECTIONS_PER_ADDRESS = 256  # of one address


def create_page(file: Path, host: str) -> FastAPI:
    """The application, for a tournament's file. Raises MeepleError where it is no such file."""
    views = TournamentViews(file)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        views.close()

    app = FastAPI(title="Meeple: a tournament", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.views = views
    app.add_middleware(Guard, settings=Settings(host=host), password=None)
    app.include_router(tournament.router)
    add_error_answers(app)

    @app.get("/", include_in_schema=False)
    def index() -> FileResponse:
        return FileResponse(STATIC / "tournament.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


class Page:
    """A tournament's page that is served, in this thread or beside it."""

    def __init__(self, file: Path, host: str, port: int, *, or_next: bool = False) -> None:
        """`or_next`: the next free port will do. Raises MeepleError where none can be had."""
        self._socket = _listener(host, port, NEXT_PORTS if or_next and port else 1)
        name = f"[{host}]" if ":" in host else host
        self.port = int(self._socket.getsockname()[1])
        self.url = f"http://{name}:{self.port}/"
        config = uvicorn.Config(
            create_page(file, host),
            http=protocol(Limits(each=MAX_CONNECTIONS_PER_ADDRESS)),
            log_level="warning",
            proxy_headers=False,
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Serve until Ctrl-C."""
        self._server.run(sockets=[self._socket])

    def start(self) -> None:
        """Serve in a thread, until `stop` or the end of this process."""
        self._thread = threading.Thread(target=self.run, name="oht-page", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End what `start` began."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()


def _listener(host: str, port: int, tries: int) -> socket.socket:
    """A socket that listens at this port, or one of the next ones."""
    error: OSError | None = None
    for number in range(port, min(port + tries, 65_536)):
        try:
            family = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, number), family=family)
        except OSError as failure:
            error = failure
    reason = error.strerror if error is not None and error.strerror else str(error)
    raise MeepleError(f"the page cannot listen at {host}, port {port}: {reason}") from None
