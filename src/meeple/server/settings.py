"""The settings of a server."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from meeple.listening import url_of

STATIC = Path(__file__).resolve().parent / "static"  # the files of the pages
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def usual_folder() -> Path:
    """Return the default folder of the games."""
    from platformdirs import user_data_path

    return user_data_path("meeple", appauthor=False)


def usual_workers() -> int:
    """Return the default number of worker processes: one a core, at most four."""
    return max(1, min(4, os.cpu_count() or 1))


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server, fixed while it runs."""

    data: Path = field(default_factory=usual_folder)  # a folder, made if missing
    runs: Path = Path("runs")  # training runs to show, and to play against
    host: str = "127.0.0.1"
    port: int = 8000  # 0: any free one
    password: str | None = None  # of all clients; required if other machines reach the server
    workers: int = field(default_factory=usual_workers)
    queue: int = 1000  # maximum number of agents' moves that wait
    game_files: tuple[str, ...] = ()  # Python files that define further games

    @property
    def only_here(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def url(self) -> str:
        """The address of the page."""
        return url_of(self.host, self.port)
