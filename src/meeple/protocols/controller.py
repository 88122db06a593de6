"""The interface to an external program: its channel, time limits and answers.

Each protocol's `controller.py` has one class that implements `Controller`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from meeple.errors import EngineError, MeepleError, shown
from meeple.games.contract.game import Position

MAX_LINE_CHARS = 200_000  # characters that an engine may write in one line
MAX_LINES = 100_000  # that an engine may write before its answer: progress, comments


class Channel(Protocol):
    """The lines to and from a program."""

    def send(self, line: str) -> None:
        """Write a line. Raises EngineError if the program has ended or does not read."""
        ...

    def receive(self, deadline: float, stop: Callable[[], bool] | None = None) -> str:
        """Wait for the program's next line and return it without its newline.

        Args:
            deadline: time on `time.monotonic` until which to wait.
            stop: returns whether to stop waiting.

        Raises:
            EngineError: the program has ended, or wrote no line in time.
            Stopped: `stop` returned True.
        """
        ...


@dataclass(frozen=True)
class EngineLimits:
    """The time limits of a program, in seconds of wall clock."""

    seconds: float | None = None
    """The time for a move that the program is sent; None: no limit."""
    grace: float = 30.0
    """The time beyond `seconds` after which a program loses on time; also the limit of every other
    answer, including the first one after its start."""

    def deadline(self) -> float:
        """Return the deadline of a move that begins now, on `time.monotonic`."""
        return time.monotonic() + (self.seconds or 0.0) + self.grace

    def answer_deadline(self) -> float:
        """Return the deadline of any other answer requested now, on `time.monotonic`."""
        return time.monotonic() + self.grace


@dataclass(frozen=True)
class EngineAnswer:
    """A program's action, and what it reports about it."""

    action: int
    value: tuple[float, ...] | None = None
    """The expected share of the win of each seat; None: not reported."""
    principal_variation: tuple[int, ...] = ()
    simulations: int = 0
    visits: Mapping[int, int] = field(default_factory=dict)
    """Visit counts by action."""


class Controller(Protocol):
    """Drives a program by one protocol, game after game."""

    name: str  # the program's own name; "" before it has sent one

    def start(self) -> None:
        """Send the first commands and query what the program supports. Raises EngineError."""
        ...

    def begin(self, seed: int) -> None:
        """Begin a new game; programs with a seed command are sent `seed`. Raises EngineError."""
        ...

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> EngineAnswer:
        """Return the program's action, legal or not. Raises EngineError, Stopped."""
        ...

    def farewell(self) -> tuple[str, ...]:
        """Return the lines that end the program."""
        ...


def unexpected_line(line: str, expected: str) -> EngineError:
    """Return the error of a line that breaks the protocol."""
    return EngineError(f"it says {shown(line)}, but {expected} is expected", "rubbish")


def refused(what: str, answer: str) -> EngineError:
    """Return the error of a program that refuses a mandatory command."""
    return EngineError(f"it refuses {what}: {shown(answer)}", "rubbish")


def common_plies(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return the length of the common prefix of two games."""
    if other[: len(one)] == one:
        return len(one)
    pairs = enumerate(zip(one, other, strict=False))
    return next((ply for ply, (a, b) in pairs if a != b), min(len(one), len(other)))


def action_named(position: Position, name: str) -> int:
    """Return the legal action of a name. Raises EngineError."""
    try:
        return position.parse_action(name)
    except MeepleError as error:
        raise EngineError(str(error), "illegal") from None
