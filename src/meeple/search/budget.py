"""The limits of a tree search: simulations, seconds, and a callback that stops it."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from meeple.errors import UsageError
from meeple.search.checks import check_seconds, check_simulations
from meeple.search.machine.slices import Clock


@dataclass(frozen=True, kw_only=True)
class Budget(Clock):
    """The limits of one search; at least one is given.

    Raises UsageError if there is no limit, or one is out of range.
    """

    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None and self.stop is None:
            raise UsageError("a search needs a limit: simulations, seconds, or both")
        check_simulations(self.simulations)
        check_seconds(self.seconds)

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
        done = 0
        for steps in self.slices():
            wanted = steps if self.simulations is None else min(steps, self.simulations - done)
            ran = run(wanted)
            done += ran
            if ran < wanted or done == self.simulations:
                break
        return done
