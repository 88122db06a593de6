"""The clock of all searches: steps until a time is over, or until a callback stops the search."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SLICE_SECONDS = 0.01  # between two looks at the clock, at most
LAST_SLICE_SECONDS = 0.0005
LONGEST_SLICE = 1_000_000  # steps


@dataclass(frozen=True, kw_only=True)
class Clock:
    """The time of a search, which starts when the clock is made."""

    seconds: float | None = None
    stop: Callable[[], bool] | None = None  # polled between slices
    first: int = 16  # steps of the first slice, before it is known how long they take
    began: float = field(default_factory=time.perf_counter)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.began

    def is_spent(self) -> bool:
        """Whether time is up or the callback stops the search."""
        if self.seconds is not None and self.elapsed >= self.seconds:
            return True
        return self.stop is not None and self.stop()

    def slices(self) -> Iterator[int]:
        """Yield the steps that the caller is to run next, until the clock is spent.

        A slice takes at most an eighth of the time left, since later steps may take longer than
        earlier ones: while new memory is first written, up to seven times as long.
        """
        steps = self.first
        while True:
            before = time.perf_counter()
            yield steps
            seconds = time.perf_counter() - before
            if self.is_spent():
                return
            wanted = SLICE_SECONDS
            if self.seconds is not None:
                left = self.seconds - self.elapsed
                wanted = min(SLICE_SECONDS, max(left / 8, LAST_SLICE_SECONDS))
            rate = steps / max(seconds, 1e-9)
            steps = max(1, int(min(rate * wanted, 8 * steps, LONGEST_SLICE)))
