"""What a server is told when it is started."""

import os
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def usual_folder() -> Path:
    """Where games are kept, if nobody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("meeple", appauthor=False)


def usual_workers() -> int:
    """Processes that think: one for each core, but no more than four."""
    return max(1, min(4, os.cpu_count() or 1))


@dataclass(frozen=True)
class Settings:
    """Fixed while the server runs."""

    data: Path = field(default_factory=usual_folder)  # a folder, made if missing
    runs: Path = Path("runs")  # training runs to show, and to play against
    host: str = "127.0.0.1"
    port: int = 8000  # 0: any free one
    password: str | None = None  # asked of everybody; needed where others can reach the server
    workers: int = field(default_factory=usual_workers)
    queue: int = 1000  # choices of agents that may wait
    game_files: tuple[str, ...] = ()  # Python files that define further games

    @property
    def only_here(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK
