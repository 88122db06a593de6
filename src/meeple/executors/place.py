"""The place where jobs run, as a user writes it: `ray`, or `ray://HOST:PORT`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from meeple.errors import UsageError

RAY = "ray"
_ADDRESS = re.compile(rf"{RAY}(?:://([A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{{1,5}}))?")


@dataclass(frozen=True)
class Place:
    """A Ray cluster."""

    host: str | None = None  # of its head; None: a new cluster of this machine alone
    port: int = 0
    without_token: bool = False  # whether to accept a cluster without authentication
    say: Callable[[str], None] = lambda sentence: None
    """Called with a sentence about lost workers, and at the end about all jobs."""

    @property
    def name(self) -> str:
        return RAY if self.host is None else f"{RAY}://{self.host}:{self.port}"


def place_of(words: Place | str | None) -> Place | None:
    """Parse `ray` or `ray://HOST:PORT`; None is this process. Raises UsageError."""
    if words is None or isinstance(words, Place):
        return words
    match = _ADDRESS.fullmatch(words)
    port = int(match[2] or 0) if match else 0
    if match is None or port > 65535:
        raise UsageError(
            f"games are played on {RAY}, a Ray cluster of this machine alone, or on "
            f"{RAY}://HOST:PORT, the head of a cluster; not on '{words}'"
        )
    return Place(match[1], port)
