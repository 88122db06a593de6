"""Which episodes are played next: their numbers, in waves, each number once."""

import itertools
from collections import deque
from collections.abc import Sequence

from meeple.learn.config import Config
from meeple.learn.run.schema import RunState


def checkpoint_marks(config: Config) -> list[int]:
    """After how many episodes a network is kept: evenly from 0 to the last."""
    run = config.run
    marks = {round(run.episodes * n / (run.networks - 1)) for n in range(run.networks)}
    return sorted(marks)


class WaveSchedule:
    """Hands out the numbers of episodes that a run has not learned from when it is taken up."""

    def __init__(self, config: Config, state: RunState) -> None:
        self._games = config.selfplay.games
        self._marks = checkpoint_marks(config)
        self._missing = deque(state.missing)
        self._top = state.top

    def next(self, waves: int) -> list[Sequence[int]]:
        """The numbers of the next waves' episodes, of so many waves or of all that are left."""
        return list(itertools.islice(iter(self._wave, None), waves))

    def _wave(self) -> Sequence[int] | None:
        """Of one, whose numbers go no further than the next mark; None where all are out."""
        if self._missing:
            count = min(self._games, len(self._missing))
            return [self._missing.popleft() for _ in range(count)]
        first = self._top
        mark = next((mark for mark in self._marks if mark > first), first)
        self._top = min(first + self._games, mark)
        return range(first, self._top) if self._top > first else None
