"""Pairings: all groups at once (round robin, pairs, gauntlet), or by scores (Swiss)."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from meeple.arena.plan.seeds import seeds_of
from meeple.errors import UsageError

Format = Literal["round-robin", "pairs", "gauntlet", "swiss"]
FORMATS: tuple[Format, ...] = ("round-robin", "pairs", "gauntlet", "swiss")

Group = tuple[int, ...]  # numbers of the agents that play each other

_TRIES = 20_000  # pairings that are looked at before one with repeated pairs is taken


def round_robin(agents: int, players: int) -> list[Group]:
    """Return every group of at most `players` agents, all of the same size."""
    return list(itertools.combinations(range(agents), min(players, agents)))


def gauntlet(agents: int, players: int, first: int = 1) -> list[Group]:
    """Return the groups of one of the `first` agents and other agents.

    Raises:
        UsageError: No other agent is left.
    """
    if not 1 <= first < agents:
        raise UsageError(
            f"a gauntlet of {agents} agents has from 1 to {agents - 1} that meet all others, "
            f"not {first}"
        )
    others = range(first, agents)
    size = min(players - 1, len(others))
    return [(one, *group) for one in range(first) for group in itertools.combinations(others, size)]


def usual_rounds(agents: int, players: int) -> int:
    """Return the default number of rounds of a Swiss tournament.

    They single out one agent if the stronger agent wins every game.
    """
    return 1 if agents <= players else int(np.ceil(np.log2(agents)))


class Swiss:
    """The pairings of a Swiss tournament: agents of similar scores meet, and no two meet twice.

    An agent's score is the sum over the rounds of its mean share of the win. An agent without a
    place in a round has a *bye*, worth an equal share, 1 / players; byes go to the agents with the
    fewest byes, among these to the lowest score. In games for more than two, tables are filled from
    the highest score, each with the agents that have met the fewest others at it. The pairings
    depend only on the seed and the scores; the first round is random.
    """

    def __init__(self, agents: int, players: int, seed: int) -> None:
        self.scores = np.zeros(agents)
        self.byes = np.zeros(agents, dtype=np.int64)
        self._players = min(players, agents)
        self._met = np.zeros((agents, agents), dtype=np.int64)
        rng = np.random.default_rng([*seeds_of(seed, 0x53776973, count=2)])
        self._lot = rng.permutation(agents)

    @property
    def tables(self) -> int:
        """Number of tables in a round."""
        return len(self.scores) // self._players

    def pair(self) -> list[Group]:
        """Return the groups of the next round, and count the byes."""
        ranked = self._ranked()
        out = len(ranked) % self._players
        # From the highest score; among equal numbers of byes, the lowest score has the next one.
        worst_first = ranked[::-1]
        sitting = sorted(worst_first, key=lambda agent: int(self.byes[agent]))[:out]
        playing = [agent for agent in ranked if agent not in sitting]
        groups = self._pairs(playing) if self._players == 2 else self._fill(playing)
        self.seat(groups)
        return groups

    def seat(self, groups: Iterable[Group]) -> None:
        """Count who meets whom in a round of these groups, and the byes of all others."""
        sitting = set(range(len(self.scores)))
        for group in groups:
            sitting -= set(group)
            for one, other in itertools.permutations(group, 2):
                self._met[one, other] += 1
        for agent in sitting:
            self.byes[agent] += 1
            self.scores[agent] += 1 / self._players

    def score(self, shares: Iterable[tuple[int, float]]) -> None:
        """Count the mean shares of a round's agents."""
        for agent, share in shares:
            self.scores[agent] += share

    def _ranked(self) -> list[int]:
        """Return the agents, the highest score first, in random order among equals."""
        places = np.argsort(self._lot)
        rounded = np.round(self.scores, 9)
        return [int(agent) for agent in np.lexsort((places, -rounded))]

    def _pairs(self, ranked: Sequence[int]) -> list[Group]:
        """Pair each agent with the next in the ranking that it has not met."""
        tries = 0

        def rest(left: list[int]) -> list[Group] | None:
            nonlocal tries
            if not left:
                return []
            first, *others = left
            for other in others:
                tries += 1
                if tries > _TRIES:
                    return None
                if not self._met[first, other]:
                    found = rest([agent for agent in others if agent != other])
                    if found is not None:
                        return [(first, other), *found]
            return None

        return rest(list(ranked)) or self._fill(ranked)

    def _fill(self, ranked: Sequence[int]) -> list[Group]:
        """Fill tables from the highest score, with the agents that have met the fewest there."""
        left = list(ranked)
        groups = []
        while left:
            table = [left.pop(0)]
            while len(table) < self._players:
                at = table
                nearest = min(left, key=lambda agent: int(self._met[agent, at].sum()))
                table.append(nearest)
                left.remove(nearest)
            groups.append(tuple(table))
        return groups
