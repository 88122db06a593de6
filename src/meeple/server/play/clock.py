"""How long people may think: so many seconds a move, or a game with something added each move."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass
class Clock:
    """The time that every seat has left; it runs for one seat at most. Agents have no clock."""

    kind: Literal["move", "game"]
    seconds: float  # of a move, or at the start of a game
    increment: float  # added after each move of a game
    left: list[float]  # [players], as of when it last stood still
    running: int | None = None
    now: Callable[[], float] = field(default=time.monotonic, repr=False)
    _since: float = 0.0

    @classmethod
    def new(cls, terms: dict[str, Any], players: int) -> "Clock":
        """A clock by its terms: kind, seconds, increment, and what was left if it went before."""
        left = terms.get("left") or [float(terms["seconds"])] * players
        return cls(terms["kind"], terms["seconds"], terms.get("increment", 0.0), list(left))

    def terms(self) -> dict[str, Any]:
        """What `new` makes the same clock from, standing still."""
        return {
            "kind": self.kind,
            "seconds": self.seconds,
            "increment": self.increment,
            "left": [round(self.remaining(seat), 3) for seat in range(len(self.left))],
        }

    def remaining(self, seat: int) -> float:
        """The seconds a seat has left now, not below 0."""
        spent = self.now() - self._since if seat == self.running else 0.0
        return max(0.0, self.left[seat] - spent)

    def run_for(self, seat: int | None, moved: bool = False) -> None:
        """Go on for a seat, or stand still; `moved`: the one it ran for has made its move."""
        before = self.running
        if before is not None:
            self.left[before] = self.remaining(before)
            if moved and self.kind == "game":
                self.left[before] += self.increment
        if seat is not None and self.kind == "move" and (moved or seat != before):
            self.left[seat] = self.seconds
        self.running = seat
        self._since = self.now()
