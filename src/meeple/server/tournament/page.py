"""The page of an Online Hex Tournament: a small separate application with the server's guard."""

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
from meeple.server.limits import LIMITS
from meeple.server.settings import STATIC, ServerSettings
from meeple.server.tournament import routes as tournament
from meeple.server.tournament.views import TournamentViews
from meeple.server.web.answers import add_error_answers
from meeple.server.web.connections import OpenConnections, protocol
from meeple.server.web.guard import Guard

NEXT_PORTS = 20  # ports to try if the default one is in use


def create_page(file: Path, host: str) -> FastAPI:
    """Create the application of a tournament's file; raise MeepleError if the file is invalid."""
    views = TournamentViews(file)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        views.close()

    app = FastAPI(title="Meeple: a tournament", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.parts = {TournamentViews: views}
    app.add_middleware(Guard, settings=ServerSettings(host=host), password=None)
    app.include_router(tournament.router)
    add_error_answers(app)

    @app.get("/", include_in_schema=False)
    def index() -> FileResponse:
        return FileResponse(STATIC / "tournament.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


class TournamentPage:
    """The server of a tournament's page, in this thread or another one."""

    def __init__(self, file: Path, host: str, port: int, *, or_next: bool = False) -> None:
        """Open the port, or with `or_next` the next free one; raise MeepleError if none is free."""
        self._socket = _listener(host, port, NEXT_PORTS if or_next and port else 1)
        name = f"[{host}]" if ":" in host else host
        self.port = int(self._socket.getsockname()[1])
        self.url = f"http://{name}:{self.port}/"
        config = uvicorn.Config(
            create_page(file, host),
            http=protocol(OpenConnections(LIMITS.max_page_connections)),
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
        """Stop the server that `start` started."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()


def _listener(host: str, port: int, tries: int) -> socket.socket:
    """Return a socket that listens at the first free one of `tries` ports."""
    error: OSError | None = None
    for number in range(port, min(port + tries, 65_536)):
        try:
            family = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, number), family=family)
        except OSError as failure:
            error = failure
    reason = error.strerror if error is not None and error.strerror else str(error)
    raise MeepleError(f"the page cannot listen at {host}, port {port}: {reason}") from None
