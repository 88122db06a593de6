"""Who meets whom: all groups of agents at once (round robin, gauntlet), or by scores (Swiss)."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from meeple.arena.seeds import seeds_of
from meeple.errors import UsageError

Format = Literal["round-robin", "gauntlet", "swiss"]
FORMATS: tuple[Format, ...] = ("round-robin", "gauntlet", "swiss")

Group = tuple[int, ...]  # agents that meet, by their numbers

_TRIES = 20_000  # pairings that are looked at before one with repeated pairs is taken


def round_robin(agents: int, players: int) -> list[Group]:
    """Every group of agents that fits at one board."""
    return list(itertools.combinations(range(agents), min(players, agents)))


def gauntlet(agents: int, players: int, first: int = 1) -> list[Group]:
    """Each of the `first` agents with every group of the others that fits at a board beside it.

    Raises UsageError unless somebody else is left.
    """
    if not 1 <= first < agents:
        raise UsageError(
            f"a gauntlet of {agents} agents has from 1 to {agents - 1} that meet all others, "
            f"not {first}"
        )
    others = range(first, agents)
    beside = min(players - 1, len(others))
    return [
        (one, *group) for one in range(first) for group in itertools.combinations(others, beside)
    ]


def usual_rounds(agents: int, players: int) -> int:
    """Rounds of a Swiss tournament where nothing else is said: enough to single out one agent, if
    the better one always won.
    """
    return 1 if agents <= players else int(np.ceil(np.log2(agents)))


class Swiss:
    """The pairings of a Swiss tournament: those of near scores meet, and no two meet twice.

    Scores are sums over the rounds of an agent's mean share of the win. Agents that find no place
    at a table in a round have a *bye*, which counts as much as an even result there, 1 / players:
    those of the lowest scores that have had the fewest. In games for more than two, tables are
    filled from the top by those who have met the fewest at them. Everything follows from the seed
    and the scores; the first round is drawn by lot.
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
        """In every round."""
        return len(self.scores) // self._players

    def pair(self) -> list[Group]:
        """The groups of the next round, who sits out being noted."""
        ranked = self._ranked()
        out = len(ranked) % self._players
        # Ranked from the top; of equally many byes, the last of the ranking has the next one.
        worst_first = ranked[::-1]
        sitting = sorted(worst_first, key=lambda agent: int(self.byes[agent]))[:out]
        playing = [agent for agent in ranked if agent not in sitting]
        groups = self._pairs(playing) if self._players == 2 else self._fill(playing)
        for agent in sitting:
            self.byes[agent] += 1
            self.scores[agent] += 1 / self._players
        for group in groups:
            for one, other in itertools.permutations(group, 2):
                self._met[one, other] += 1
        return groups

    def score(self, shares: Iterable[tuple[int, float]]) -> None:
        """Count the mean shares of a round's agents."""
        for agent, share in shares:
            self.scores[agent] += share

    def _ranked(self) -> list[int]:
        """The agents, the highest score first, by lot among equals."""
        places = np.argsort(self._lot)
        rounded = np.round(self.scores, 9)
        return [int(agent) for agent in np.lexsort((places, -rounded))]

    def _pairs(self, ranked: Sequence[int]) -> list[Group]:
        """Each with the next in the ranking that it has not met, so that all find somebody."""
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
        """Tables from the top, each with those who have met the fewest at it."""
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
