"""Whether a new network may take the incumbent's place: paired games, a test as they come."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from meeple.arena.lockstep import Stop
from meeple.arena.sprt import wald_bounds
from meeple.learn.values.jobs import Networks, Pairs, Played, Result, games_of_a_pair
from meeple.learn.values.work import Work

MATCHES = "games that decide"  # what jobs of paired games are called
_FEWEST = 64  # pairs before a test may end: the variance is estimated from them


class Verdict(NamedTuple):
    """What paired games against one opponent gave."""

    opponent: str
    games: int  # pairs
    share: float  # of the new network's seat
    difference: float  # to the share of the incumbent's, in the same seats of the same games
    accepted: bool | None  # None: the games were too few to say

    def words(self) -> str:
        """In a sentence."""
        decided = {True: "better", False: "no better", None: "undecided"}[self.accepted]
        return (
            f"against {self.opponent} {self.share:.1%} of {self.games} games, "
            f"{100 * self.difference:+.1f} points: {decided}"
        )


class DifferenceTest:
    """Wald's sequential test of paired differences: worse by gain / 2, or better by `gain`?

    Its bounds are those of `meeple.arena.sprt`. What it observes is another thing than there: not
    how two agents share their games, which says Elo points, but how much more of the same game one
    network wins than another in the same seat, among opponents of both. Such differences have no
    few values that could be counted, so the normal distribution's likelihoods are taken, at the
    variance found so far.
    """

    def __init__(self, gain: float, error: float) -> None:
        self._low, self._high = -gain / 2, gain
        self._bounds = wald_bounds(error, error)
        self.count, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, difference: float) -> bool | None:
        """Take in a pair; True or False once the test has decided."""
        self.count += 1
        self._sum += difference
        self._squares += difference * difference
        variance = self._squares / self.count - self.mean**2
        if self.count < _FEWEST or variance <= 0:
            return None
        middle = (self._low + self._high) / 2
        ratio = (self._high - self._low) * (self._sum - self.count * middle) / variance
        low, high = self._bounds
        return None if low < ratio < high else ratio > 0

    @property
    def mean(self) -> float:
        """Of the differences so far."""
        return self._sum / max(self.count, 1)


class Match(NamedTuple):
    """Paired games that decide: a network's seat, the same seat by another one, and an opponent."""

    opponent: tuple[str, int]  # a name and a policy: of all other seats
    networks: Networks
    seed: int
    games: int  # pairs, at most


def compare(work: Work, match: Match, test: DifferenceTest, stop: Stop = lambda: False) -> Verdict:
    """One seat by the network among those of an opponent, against what the other network does.

    Both play the same games, with all cards open. The test takes them in by their numbers, in
    whatever order they come, so that it ends after the same pair whoever plays them; what was
    played beyond that does not count. Ends early, with what there is, where `stop` turns true.
    """
    name, policy = match.opponent
    total, expected = 0.0, 0
    decided: bool | None = None
    early: dict[int, Played] = {}  # that came before others which are to be counted first
    tally = work.tally(MATCHES)

    def jobs() -> Iterator[Pairs]:
        for number, first in enumerate(range(0, match.games, work.pairs)):
            if decided is not None:
                return
            pairs = min(work.pairs, match.games - first)
            yield Pairs(number, first, pairs, match.networks, policy, match.seed)

    def take(result: Result) -> bool:
        nonlocal total, decided, expected
        assert isinstance(result, Played)
        early[result.pairs.number] = result
        while decided is None and expected in early:
            for share, other in early.pop(expected).shares:
                tally.kept += games_of_a_pair(policy)
                total += share
                decided = test.add(share - other)
                if decided is not None:
                    break
            expected += 1
        return stop()

    work.do(MATCHES, jobs(), take)
    return Verdict(name, test.count, total / max(test.count, 1), test.mean, decided)


def passes(verdicts: Sequence[Verdict]) -> bool:
    """Return whether a network is no weaker than the incumbent.

    It is worse against no opponent, and better against one of them; if no test has decided, the
    mean of all differences decides.
    """
    decided = [verdict.accepted for verdict in verdicts]
    gained = sum(verdict.difference for verdict in verdicts)
    return False not in decided and (True in decided or gained > 0)
