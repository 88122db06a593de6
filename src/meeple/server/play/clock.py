"""Clocks of people: seconds a move, or seconds a game with an increment a move."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

ClockKind = Literal["move", "game"]


@dataclass
class Clock:
    """The remaining time of every seat; runs for at most one seat. Agents have no clock."""

    kind: ClockKind
    seconds: float  # for each move, or at the start of a game
    increment: float  # seconds added after each move of a game
    left: list[float]  # [players] seconds, when the clock last stopped
    running: int | None = None
    now: Callable[[], float] = field(default=time.monotonic, repr=False)
    _since: float = 0.0

    @classmethod
    def new(cls, terms: dict[str, Any], players: int) -> "Clock":
        """Return a clock of stored terms: kind, seconds, increment, and the remaining times."""
        left = terms.get("left") or [float(terms["seconds"])] * players
        return cls(terms["kind"], terms["seconds"], terms.get("increment", 0.0), list(left))

    def terms(self) -> dict[str, Any]:
        """Return the terms from which `new` makes the same clock, stopped."""
        return {
            "kind": self.kind,
            "seconds": self.seconds,
            "increment": self.increment,
            "left": list(self.times()),
        }

    def remaining(self, seat: int) -> float:
        """Return the remaining seconds of a seat, at least 0."""
        spent = self.now() - self._since if seat == self.running else 0.0
        return max(0.0, self.left[seat] - spent)

    def times(self) -> tuple[float, ...]:
        """Return the remaining seconds of all seats, in milliseconds' precision."""
        return tuple(round(self.remaining(seat), 3) for seat in range(len(self.left)))

    def restore(self, times: Sequence[float] | None, seat: int | None) -> None:
        """Return to earlier remaining times (None: unknown, so unchanged) and run for a seat."""
        self.left = list(times or self.times())
        self.running, self._since = seat, self.now()

    @property
    def is_up(self) -> bool:
        """Whether the seat that it runs for has no time left."""
        return self.running is not None and self.remaining(self.running) <= 0

    def run_for(self, seat: int | None, moved: bool = False) -> None:
        """Run for a seat, or stop; `moved`: the seat that it ran for has made its move."""
        before = self.running
        if before is not None:
            self.left[before] = self.remaining(before)
            if moved and self.kind == "game":
                self.left[before] += self.increment
        if seat is not None and self.kind == "move" and (moved or seat != before):
            self.left[seat] = self.seconds
        self.running = seat
        self._since = self.now()
