"""Decides whether a new network replaces the incumbent: paired games, tested as they arrive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from meeple.arena.figures.sprt import wald_bounds
from meeple.executors.executor import Stop
from meeple.learn.values.jobs import JobNetworks, Pairs, PlayedPairs, Result, games_of_a_pair
from meeple.learn.workers.labels import GATE, GameTally, LabelWorkers

MIN_PAIRS = 64  # before a test may decide, since it estimates the variance from them


class Verdict(NamedTuple):
    """The result of paired games against one opponent."""

    opponent: str
    games: int  # pairs
    share: float  # of the new network's seat
    difference: float  # to the incumbent's share in the same seats of the same games
    accepted: bool | None  # None: too few games to decide

    def words(self) -> str:
        """Return the result as a sentence."""
        decided = {True: "better", False: "no better", None: "undecided"}[self.accepted]
        return (
            f"against {self.opponent} {self.share:.1%} of {self.games} games, "
            f"{100 * self.difference:+.1f} points: {decided}"
        )


class DifferenceTest:
    """Wald's sequential test of paired differences: worse by gain / 2, or better by `gain`?

    Its bounds are those of `meeple.arena.figures.sprt`, which tests how two agents share their
    games. This test observes how much more of the same game one network wins than another in the
    same seat, against the same opponents. These differences are not limited to a few values, so it
    uses the likelihoods of a normal distribution with the variance observed so far.
    """

    def __init__(self, gain: float, error: float) -> None:
        self._low, self._high = -gain / 2, gain
        self._bounds = wald_bounds(error, error)
        self.count, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, difference: float) -> bool | None:
        """Add the difference of a pair; return the decision, None while there is none."""
        self.count += 1
        self._sum += difference
        self._squares += difference * difference
        variance = self._squares / self.count - self.mean**2
        if self.count < MIN_PAIRS or variance <= 0:
            return None
        middle = (self._low + self._high) / 2
        ratio = (self._high - self._low) * (self._sum - self.count * middle) / variance
        low, high = self._bounds
        return None if low < ratio < high else ratio > 0

    @property
    def mean(self) -> float:
        """Mean of the differences so far."""
        return self._sum / max(self.count, 1)


@dataclass
class GateMatch:
    """Paired games of the gate against one opponent, which plays all other seats.

    Results may arrive in any order and count in the order of their numbers, so that the test ends
    after the same pair with any workers; later pairs do not count.
    """

    opponent: tuple[str, int]  # name and policy
    networks: JobNetworks
    seed: int
    games: int  # maximum number of pairs
    test: DifferenceTest
    _decided: bool | None = None
    _total: float = 0.0  # shares of the network
    _next: int = 0  # number of the next job to count
    _early: dict[int, PlayedPairs] = field(default_factory=dict)  # before lower numbers

    def play(self, workers: LabelWorkers, stop: Stop = lambda: False) -> Verdict:
        """Compare the network and the other one in the same seats of the same games.

        All cards are open. `stop` turns true if the match is to end early, with the games played
        so far.
        """
        tally = workers.tally(GATE)

        def take(result: Result) -> bool:
            assert isinstance(result, PlayedPairs)
            self._early[result.pairs.number] = result
            while self._decided is None and self._next in self._early:
                self._count(self._early.pop(self._next), tally)
                self._next += 1
            return stop()

        workers.do(GATE, self._jobs(workers.pairs_per_job), take)
        count = self.test.count
        share = self._total / max(count, 1)
        return Verdict(self.opponent[0], count, share, self.test.mean, self._decided)

    def _jobs(self, pairs_per_job: int) -> Iterator[Pairs]:
        """Yield the jobs until the test has decided."""
        for number, first in enumerate(range(0, self.games, pairs_per_job)):
            if self._decided is not None:
                return
            pairs = min(pairs_per_job, self.games - first)
            yield Pairs(number, first, pairs, self.networks, self.opponent[1], self.seed)

    def _count(self, result: PlayedPairs, tally: GameTally) -> None:
        for share, other in result.shares:
            tally.used += games_of_a_pair(result.pairs.opponent)
            self._total += share
            self._decided = self.test.add(share - other)
            if self._decided is not None:
                return


def passes(verdicts: Sequence[Verdict]) -> bool:
    """Return whether a network is no weaker than the incumbent.

    It is worse against no opponent, and better against one of them; if no test has decided, the
    mean of all differences decides.
    """
    decided = [verdict.accepted for verdict in verdicts]
    gained = sum(verdict.difference for verdict in verdicts)
    return False not in decided and (True in decided or gained > 0)
