"""The chat of a table: its last messages, in memory only."""

import time
from collections import deque
from typing import Any

from meeple.rate_limit import Rate, TokenBucket
from meeple.server.errors import TooMany, refusal

MAX_LINES = 100
BYTES_OF_LINE = 200  # estimated memory of a line beside its text
BYTES_OF_CHARACTER = 4


class Chat:
    """The last lines that people at a table wrote."""

    def __init__(self) -> None:
        self.lines: deque[dict[str, Any]] = deque(maxlen=MAX_LINES)
        self._rates: dict[int | None, TokenBucket] = {}
        self._count = 0

    @property
    def cost(self) -> int:
        """The estimated memory, in bytes."""
        return sum(BYTES_OF_LINE + BYTES_OF_CHARACTER * len(line["text"]) for line in self.lines)

    def add(self, seat: int | None, text: str, rate: Rate) -> dict[str, Any]:
        """Add a line of a seat, or of the creator without a seat, and return it.

        Raises:
            TooMany: The seat writes faster than the rate.
        """
        if not self._rates.setdefault(seat, TokenBucket(rate)).take():
            raise refusal(TooMany, "chat_too_fast")
        self._count += 1
        line = {"id": self._count, "seat": seat, "text": text, "at": time.time()}
        self.lines.append(line)
        return line
