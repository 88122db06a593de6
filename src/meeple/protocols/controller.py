"""What drives another program that plays: the line to it, the clock, and what it answers.

Each protocol's `controller.py` has one class that keeps to `Controller`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from meeple.errors import EngineError, MeepleError, shown
from meeple.games.contract.game import Position

MAX_LINE_CHARS = 200_000  # characters that an engine may write in one line
MAX_LINES = 100_000  # that it may write before its answer: progress, comments


class Channel(Protocol):
    """Lines to a program and from it."""

    def send(self, line: str) -> None:
        """Write a line. Raises EngineError where the program has ended or reads nothing."""
        ...

    def receive(self, deadline: float, stop: Callable[[], bool] | None = None) -> str:
        """The program's next line, without its end, before `deadline` on `time.monotonic`.

        Raises EngineError where it has ended or says nothing in time, and Stopped where `stop`
        says so.
        """
        ...


@dataclass(frozen=True)
class EngineLimits:
    """How long a program may take for a move, in seconds of wall clock."""

    seconds: float | None = None
    """It is told to take that long; None: as it likes."""
    grace: float = 30.0
    """What it may take beyond that, until it has lost on time; and for every other answer, the
    first one after its start included."""

    def deadline(self) -> float:
        """Of a move that begins now, on `time.monotonic`."""
        return time.monotonic() + (self.seconds or 0.0) + self.grace

    def answer_deadline(self) -> float:
        """Of any other answer that is asked for now, on `time.monotonic`."""
        return time.monotonic() + self.grace


@dataclass(frozen=True)
class EngineAnswer:
    """A program's choice, and what it tells of it."""

    action: int
    value: tuple[float, ...] | None = None
    """The expected share of the win of each seat; None: it does not say."""
    principal_variation: tuple[int, ...] = ()
    simulations: int = 0
    visits: Mapping[int, int] = field(default_factory=dict)
    """By action."""


class Controller(Protocol):
    """One protocol's side of the conversation with a program that plays one game after another."""

    name: str  # the program's, as it says; "" before it has said so

    def start(self) -> None:
        """Greet the program and learn what it can do. Raises EngineError."""
        ...

    def begin(self, seed: int) -> None:
        """A new game; programs that take seeds draw all randomness from it. Raises EngineError."""
        ...

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> EngineAnswer:
        """The program's move here, legal or not. Raises EngineError, Stopped."""
        ...

    def farewell(self) -> tuple[str, ...]:
        """The lines that end the program."""
        ...


def unexpected_line(line: str, expected: str) -> EngineError:
    """The fault of a program whose line is not of its protocol."""
    return EngineError(f"it says {shown(line)}, where {expected} is meant to come", "rubbish")


def refused(what: str, answer: str) -> EngineError:
    """The fault of a program that refuses a command that it has to take."""
    return EngineError(f"it refuses {what}: {shown(answer)}", "rubbish")


def action_named(position: Position, name: str) -> int:
    """The legal action that a program names. Raises EngineError."""
    try:
        return position.parse_action(name)
    except MeepleError as error:
        raise EngineError(str(error), "illegal") from None
