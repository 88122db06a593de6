"""Decides whether a new network replaces the incumbent: paired games, tested as they arrive."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from meeple.arena.figures.sprt import wald_bounds
from meeple.executors.executor import Stop
from meeple.learn.values.jobs import JobNetworks, Pairs, PlayedPairs, Result, games_of_a_pair
from meeple.learn.workers.contract import GATE, LabelWorkers

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


class GateMatch(NamedTuple):
    """Paired games of the gate against one opponent, which plays all other seats."""

    opponent: tuple[str, int]  # name and policy
    networks: JobNetworks
    seed: int
    games: int  # maximum number of pairs


def compare(
    workers: LabelWorkers, match: GateMatch, test: DifferenceTest, stop: Stop = lambda: False
) -> Verdict:
    """Compare the network and the other one in the same seats of the same games, all cards open.

    The test takes pairs in the order of their numbers, in whichever order they arrive, so that it
    ends after the same pair with any workers; later pairs do not count.

    Args:
        workers: they play the games.
        match: the games.
        test: decides.
        stop: turns true if the match is to end early, with the games played so far.
    """
    name, policy = match.opponent
    total, expected = 0.0, 0
    decided: bool | None = None
    early: dict[int, PlayedPairs] = {}  # arrived before pairs with lower numbers
    tally = workers.tally(GATE)

    def jobs() -> Iterator[Pairs]:
        size = workers.pairs_per_job
        for number, first in enumerate(range(0, match.games, size)):
            if decided is not None:
                return
            pairs = min(size, match.games - first)
            yield Pairs(number, first, pairs, match.networks, policy, match.seed)

    def take(result: Result) -> bool:
        nonlocal total, decided, expected
        assert isinstance(result, PlayedPairs)
        early[result.pairs.number] = result
        while decided is None and expected in early:
            for share, other in early.pop(expected).shares:
                tally.used += games_of_a_pair(policy)
                total += share
                decided = test.add(share - other)
                if decided is not None:
                    break
            expected += 1
        return stop()

    workers.do(GATE, jobs(), take)
    return Verdict(name, test.count, total / max(test.count, 1), test.mean, decided)


def passes(verdicts: Sequence[Verdict]) -> bool:
    """Return whether a network is no weaker than the incumbent.

    It is worse against no opponent, and better against one of them; if no test has decided, the
    mean of all differences decides.
    """
    decided = [verdict.accepted for verdict in verdicts]
    gained = sum(verdict.difference for verdict in verdicts)
    return False not in decided and (True in decided or gained > 0)
