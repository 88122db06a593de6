"""The page of an Online Hex Tournament: a small separate application with the server's guard."""

import contextlib
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles

from meeple.listening import listen, port_of, url_of
from meeple.sentences import LANGUAGES
from meeple.server.pages import Page
from meeple.server.settings import STATIC, ServerSettings
from meeple.server.web.answers import add_error_answers
from meeple.server.web.assets import Assets
from meeple.server.web.guard import Guard
from meeple.server.web.serving import compress_responses, http_server
from meeple_oht.page.routes import router
from meeple_oht.page.views import TournamentViews

FILES = Page(Path(__file__).resolve().parent / "static")
MAX_CONNECTIONS = 256  # open ones of an address
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
    compress_responses(app)
    app.add_middleware(Guard, settings=ServerSettings(host=host), password=None)
    app.include_router(router)
    add_error_answers(app)

    assets = Assets(STATIC, [("oht", FILES)])

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        return assets.page("plugins/oht/tournament.html")

    app.mount(assets.address, assets)
    app.mount("/static/languages", StaticFiles(directory=LANGUAGES), name="languages")
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


class TournamentPage:
    """The server of a tournament's page, in this thread or another one."""

    def __init__(self, file: Path, host: str, port: int, *, or_next: bool = False) -> None:
        """Open the port, or with `or_next` the next free one; raise MeepleError if none is free."""
        tries = NEXT_PORTS if or_next and port else 1
        self._sockets = listen(host, port, tries=tries, what="the page ")
        self.port = port_of(self._sockets)
        self.url = url_of(host, self.port)
        self._server = http_server(create_page(file, host), MAX_CONNECTIONS)
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Serve until Ctrl-C."""
        self._server.run(sockets=self._sockets)

    def start(self) -> None:
        """Serve in a thread, until `stop` or the end of this process."""
        self._thread = threading.Thread(target=self.run, name="oht-page", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the server that `start` started has stopped, as by an error or Ctrl-C."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """Stop the server that `start` started."""
        self._server.should_exit = True
        self.wait()
