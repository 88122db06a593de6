"""`meeple serve`: serve the page for browsers."""

import os
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from meeple.errors import MeepleError, UsageError
from meeple.files import read_bounded
from meeple.games.contract.registry import loaded_files
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
        lines = read_bounded(path, MAX_PASSWORD_BYTES).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{PASSWORD_FILE}: cannot read {path}: {reason}") from None
    return lines[0].strip() if lines else ""


def _run(settings: ServerSettings, show: bool) -> None:
    """Listen until Ctrl-C."""
    import uvicorn

    from meeple.server.app import create_app
    from meeple.server.limits import LIMITS
    from meeple.server.store import GameStore
    from meeple.server.web.connections import OpenConnections, protocol

    connections = OpenConnections(max_per_address=max(8, allow_files() // 4))
    GameStore(settings.data).close()  # raise the folder's errors before anything starts
    listener = _listener(settings.host, settings.port)
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    config = uvicorn.Config(
        create_app(settings),
        http=protocol(connections),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=LIMITS.game_json.max_bytes,
        proxy_headers=False,  # limits count by address, which a header could forge
        ws_per_message_deflate=False,  # it took 10 % of the time of a busy server
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = uvicorn.Server(config)
    address = f"http://{name}:{listener.getsockname()[1]}/"
    print(f"Meeple is at {address}", flush=True)
    if show:
        webbrowser.open(address)  # the socket accepts already, and answers once the app is ready
    server.run(sockets=[listener])


def allow_files() -> int:
    """Raise this process's limit of open files and sockets; return the new limit.

    The usual limit is 1024.
    """
    if sys.platform == "win32":
        return MAX_OPEN_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise MeepleError if that fails."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise MeepleError(f"cannot listen at {host}, port {port}: {reason}") from None
    listener.set_inheritable(True)
    return listener
