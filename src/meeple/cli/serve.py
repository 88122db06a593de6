"""`meeple serve`: serve the page for browsers."""

import contextlib
import os
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from meeple.errors import MeepleError, UsageError
from meeple.files import read_text
from meeple.games.contract.registry import loaded_files
from meeple.listening import allow_open_files, listen, port_of
from meeple.server.settings import ServerSettings, usual_folder, usual_workers

PASSWORD = "MEEPLE_PASSWORD"
PASSWORD_FILE = "MEEPLE_PASSWORD_FILE"  # names a file with the password, for containers
MAX_PASSWORD_BYTES = 4096
MAX_OPEN_FILES = 16_384  # if the system allows it; each page needs a socket


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but 127.0.0.1 requires a password.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of the stored games.")
    ] = None,
    runs: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Training runs to show and to play against.")
    ] = Path("runs"),
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that think.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Play, watch and analyse in the browser."""
    settings = ServerSettings(
        data=data or usual_folder(),
        runs=runs,
        host=host,
        port=port,
        password=None,
        workers=workers or usual_workers(),
        game_files=loaded_files(),
    )
    if not settings.only_here:
        settings = ServerSettings(**{**vars(settings), "password": _password()})
    _run(settings, show)


def _password() -> str:
    """Return the password for players on other machines."""
    word = os.environ.get(PASSWORD, "") or _password_in_file()
    if not word and sys.stdin.isatty():
        word = typer.prompt("Password for the players", hide_input=True)
    if len(word) < 4:
        raise UsageError(
            "other machines can reach this server, so it needs a password of four letters or more: "
            f"type one, or set {PASSWORD}, or {PASSWORD_FILE} to a file that holds it"
        )
    return word


def _password_in_file() -> str:
    """Return the first line of the file that the environment names; "" if it names none."""
    path = os.environ.get(PASSWORD_FILE, "")
    if not path:
        return ""
    try:
        lines = read_text(path, MAX_PASSWORD_BYTES).splitlines()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{PASSWORD_FILE}: cannot read {path}: {reason}") from None
    return lines[0].strip() if lines else ""


def _run(settings: ServerSettings, show: bool) -> None:
    """Listen until Ctrl-C."""
    from meeple.server.app import create_app
    from meeple.server.store import GameStore
    from meeple.server.web.serving import http_server

    # Hold the folder, and raise its errors, before anything starts.
    with contextlib.closing(GameStore(settings.data, settings.url)):
        try:
            sockets = listen(settings.host, settings.port)
        except MeepleError as error:
            words = f"{error}; --port chooses another port, and 0 any free one"
            raise MeepleError(words) from None
        settings = replace(settings, port=port_of(sockets))
        files = allow_open_files(MAX_OPEN_FILES)
        server = http_server(create_app(settings), max_connections=max(8, files // 4))
        print(f"Meeple is at {settings.url}", flush=True)
        if show:
            webbrowser.open(settings.url)  # the socket accepts before the app is ready
        server.run(sockets=sockets)
