"""Where jobs are to be done, as a user says it: `ray`, or `ray://HOST:PORT`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from meeple.errors import UsageError

RAY = "ray"
_ADDRESS = re.compile(rf"{RAY}(?:://([A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{{1,5}}))?")


@dataclass(frozen=True)
class Place:
    """A Ray cluster."""

    host: str | None = None  # of its head; None: a cluster of one's own, on this machine
    port: int = 0
    without_token: bool = False  # whether a cluster that anybody may use is accepted
    say: Callable[[str], None] = lambda sentence: None
    """Told in a sentence what happens to workers, and in the end what became of all jobs."""

    @property
    def name(self) -> str:
        return RAY if self.host is None else f"{RAY}://{self.host}:{self.port}"


def place_of(words: Place | str | None) -> Place | None:
    """The place that `ray` or `ray://HOST:PORT` names; None is this process. Raises UsageError."""
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
