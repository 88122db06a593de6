"""Backends, where games and training run outside this process, and the places they run at."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from meeple.errors import UsageError
from meeple.plugins import PlugInTable

_PLACE = re.compile(
    r"([a-z][a-z0-9-]*)(?:://([A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5}))?", re.ASCII
)


@dataclass(frozen=True)
class Backend:
    """Runs games and training with workers in other processes.

    Attributes:
        games: "module:function", called as f(place, conditions, specs, workers); returns an
            `Executor` of fixtures and their outcomes, see `meeple.arena.games`. Its `close`
            releases all processes.
        training: "module:function", called as f(place, workers); returns a context manager whose
            value is a `TrainingBackend` of `meeple.learn.workers.contract`.
    """

    games: str
    training: str


BACKENDS = PlugInTable("backends", Backend, {}, targets=("games", "training"))
"""Every backend by name; all of them are of plug-ins."""


@dataclass(frozen=True)
class Place:
    """Where a backend runs: on this machine alone, or on machines that an address leads to."""

    backend: str
    host: str | None = None  # None: this machine
    port: int = 0
    without_token: bool = False  # whether to accept machines that do not authenticate clients
    say: Callable[[str], None] = lambda sentence: None
    """Called with a sentence about lost workers, and at the end about all jobs."""

    @property
    def name(self) -> str:
        """The place as a user writes it."""
        return self.backend if self.host is None else f"{self.backend}://{self.host}:{self.port}"


def place_of(words: Place | str | None) -> Place | None:
    """Parse `BACKEND` or `BACKEND://HOST:PORT`; None is this process.

    Raises:
        UsageError: the words are no place, or no such backend is installed.
    """
    if words is None or isinstance(words, Place):
        return words
    match = _PLACE.fullmatch(words)
    port = int(match[3] or 0) if match else 0
    if match is None or port > 65535:
        raise UsageError(
            "a place is the name of a backend, such as ray, for this machine alone, or "
            f"ray://HOST:PORT, for the head of a cluster; not '{words}'"
        )
    name = match[1]
    if name not in BACKENDS:
        raise UsageError(f"no backend called {name} is installed: pip install meeple-{name}")
    return Place(name, match[2], port)
