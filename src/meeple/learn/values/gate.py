"""Whether a new network may take the incumbent's place: paired games, a test as they come."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from meeple.arena.sprt import wald_bounds
from meeple.search.values.labels import NETWORK, OTHER, Labeller

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


def compare(
    labellers: Sequence[Labeller],
    opponent: tuple[str, int],
    test: DifferenceTest,
    games: int,
    seed: int,
    stop: Callable[[], bool] = lambda: False,
) -> Verdict:
    """One seat by the labellers' network among those of an opponent, against what its other does.

    Each labeller's game has its turn. The opponent is a name and a policy; NETWORK is what is
    tested, and OTHER the incumbent. Both play the same games, with all cards open. Among itself,
    the other gets an equal share.
    """
    name, policy = opponent
    total, decided = 0.0, None
    while test.count < games and decided is None and not stop():
        number, which = divmod(test.count, len(labellers))
        labeller = labellers[which]
        players = labeller.game.players
        round_, seat = divmod(number, players)
        shares = [
            1 / players
            if policy == mine == OTHER
            else _share(labeller, mine, policy, seat, (seed, round_))
            for mine in (NETWORK, OTHER)
        ]
        total += shares[0]
        decided = test.add(shares[0] - shares[1])
    return Verdict(name, test.count, total / max(test.count, 1), test.mean, decided)


def _share(
    labeller: Labeller, mine: int, others: int, seat: int, numbers: tuple[int, int]
) -> float:
    """What a seat gets of one game, which the numbers are of."""
    policies = np.full(labeller.game.players, others, dtype=np.int8)
    policies[seat] = mine
    board = int(np.random.default_rng(numbers).integers(2**62))
    return float(labeller.play_game(board, policies)[seat])


def passes(verdicts: Sequence[Verdict]) -> bool:
    """Whether a network is no weaker than the incumbent: against no opponent worse, and against
    one better, or by the mean of all where the games were too few to say.
    """
    decided = [verdict.accepted for verdict in verdicts]
    gained = sum(verdict.difference for verdict in verdicts)
    return False not in decided and (True in decided or gained > 0)
