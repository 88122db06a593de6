"""`meeple serve`: the page in the browser, for everybody who can reach it."""

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
from meeple.server.settings import Settings, usual_folder, usual_workers

PASSWORD = "MEEPLE_PASSWORD"
PASSWORD_FILE = "MEEPLE_PASSWORD_FILE"  # whose first line it is: for containers
MAX_PASSWORD_BYTES = 4096
FILES = 16_384  # that may be open at once, where the system allows it: each page holds a socket


def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; anything but 127.0.0.1 asks for a password.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the games are kept.")
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
    settings = Settings(
        data=data or usual_folder(),
        runs=runs,
        host=host,
        port=port,
        password=None,
        workers=workers or usual_workers(),
        game_files=loaded_files(),
    )
    if not settings.only_here:
        settings = Settings(**{**vars(settings), "password": _password()})
    _run(settings, show)


def _password() -> str:
    """What everybody must know who plays from another machine."""
    word = os.environ.get(PASSWORD, "") or _password_in_file()
    if not word and sys.stdin.isatty():
        word = typer.prompt("A password for those who play here", hide_input=True)
    if len(word) < 4:
        raise UsageError(
            "others can reach this server, so it needs a password of four letters or more: "
            f"type one, or set {PASSWORD}, or {PASSWORD_FILE} to a file that holds it"
        )
    return word


def _password_in_file() -> str:
    """The first line of the file that the environment names; "" where it names none."""
    path = os.environ.get(PASSWORD_FILE, "")
    if not path:
        return ""
    try:
        lines = read_bounded(path, MAX_PASSWORD_BYTES).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{PASSWORD_FILE}: cannot read {path}: {reason}") from None
    return lines[0].strip() if lines else ""


def _run(settings: Settings, show: bool) -> None:
    """Listen until Ctrl-C."""
    import uvicorn

    from meeple.server.app import create_app
    from meeple.server.connections import Limits, protocol
    from meeple.server.json_limits import WITH_GAME
    from meeple.server.store import Store

    limits = Limits(each=max(8, allow_files() // 4))
    Store(settings.data).close()  # what is wrong with the folder is said before anything starts
    listener = _listener(settings.host, settings.port)
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    config = uvicorn.Config(
        create_app(settings),
        http=protocol(limits),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=WITH_GAME.max_bytes,
        proxy_headers=False,  # limits count callers by their addresses, which nobody may make up
        ws_per_message_deflate=False,  # it took a tenth of the time of a busy server
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = uvicorn.Server(config)
    address = f"http://{name}:{listener.getsockname()[1]}/"
    print(f"Meeple is at {address}", flush=True)
    if show:
        webbrowser.open(address)  # it may connect already, and is answered when all is ready
    server.run(sockets=[listener])


def allow_files() -> int:
    """As many files as the system lets this process open, sockets among them; how many that is.

    Often it grants 1024 unless asked.
    """
    if sys.platform == "win32":
        return FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises MeepleError where that cannot be."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise MeepleError(f"cannot listen at {host}, port {port}: {reason}") from None
    listener.set_inheritable(True)
    return listener
