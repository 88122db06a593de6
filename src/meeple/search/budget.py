"""The limits of a search: simulations, seconds, and a callback that stops it."""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from meeple.errors import UsageError
from meeple.search.checks import check_seconds, check_simulations

_SLICE_SECONDS = 0.01  # between two looks at the clock, at most
_LAST_SLICE_SECONDS = 0.0005
_FIRST_SLICE = 16  # simulations, before it is known how long they take
_LONGEST_SLICE = 1_000_000  # simulations between two looks at Ctrl-C


def slice_seconds(left: float | None) -> float:
    """Return the time until the next look at the clock, of a search with this time left.

    It is an eighth of the time left, since later simulations may take longer than earlier ones:
    while new memory is first written, up to seven times as long.
    """
    if left is None:
        return _SLICE_SECONDS
    return min(_SLICE_SECONDS, max(left / 8, _LAST_SLICE_SECONDS))


@dataclass(frozen=True)
class Budget:
    """The limits of one search; its clock starts when it is made. At least one is given.

    Raises UsageError if there is no limit, or one is out of range.
    """

    simulations: int | None = None
    seconds: float | None = None
    stop: Callable[[], bool] | None = None  # polled between slices of simulations
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None and self.stop is None:
            raise UsageError("a search needs a limit: simulations, seconds, or both")
        check_simulations(self.simulations)
        check_seconds(self.seconds)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.began

    def is_spent(self) -> bool:
        """Whether time is up or the callback stops the search."""
        if self.seconds is not None and self.elapsed >= self.seconds:
            return True
        return self.stop is not None and self.stop()

    def shared(self, threads: int) -> list["Budget"]:
        """Divide the simulations among threads; other limits stay."""
        if self.simulations is None:
            return [self] * threads
        each, more = divmod(max(self.simulations, threads), threads)
        counts = [each + (thread < more) for thread in range(threads)]
        return [dataclasses.replace(self, simulations=count) for count in counts]

    def spend(self, run: Callable[[int], int]) -> int:
        """Run simulations until a limit is reached; return how many were run.

        `run(count)` runs at most `count` simulations and returns how many it ran; fewer end the
        search. It is called at least once.
        """
        timed = self.seconds is not None or self.stop is not None
        slice_, done = _FIRST_SLICE if timed else _LONGEST_SLICE, 0
        while self.simulations is None or done < self.simulations:
            wanted = slice_ if self.simulations is None else min(slice_, self.simulations - done)
            before = time.perf_counter()
            ran = run(wanted)
            done += ran
            if ran < wanted or (timed and self.is_spent()):
                break
            if timed:
                slice_ = self._next_slice(slice_, ran / max(time.perf_counter() - before, 1e-9))
        return done

    def _next_slice(self, last: int, rate: float) -> int:
        """Return the simulations until the next look at the clock, at `rate` a second."""
        seconds = slice_seconds(None if self.seconds is None else self.seconds - self.elapsed)
        return max(1, int(min(rate * seconds, 4 * last)))
