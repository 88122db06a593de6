"""The outcome of a tournament: points between every two agents, their ratings, and the games."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from meeple.arena.figures.counted import Counted, counted
from meeple.arena.figures.ratings import Matrix, Ratings, rate, rate_tables
from meeple.arena.figures.statistics import mean_of, wilson_interval
from meeple.games.contract.records import GameRecord
from meeple.games.contract.result import SHARE_TOLERANCE


@dataclass(frozen=True)
class Entry:
    """One finished game: which agent held each seat, and its record."""

    lineup: tuple[int, ...]
    record: GameRecord


class Scores(NamedTuple):
    """What ranks the agents of a Swiss or a league, before their ratings."""

    points: tuple[float, ...]  # those of byes included
    byes: tuple[int, ...] | None = None  # of a Swiss


class Standings:
    """The results of a tournament; agents are indices into `names`.

    Its games count, or in a game for one side the deals that two agents played: see `counted`.
    """

    def __init__(
        self, names: Sequence[str], entries: Sequence[Entry], scores: Scores | None = None
    ) -> None:
        self.names = tuple(names)
        self.entries = tuple(entries)
        self.scores = scores
        agents = len(self.names)
        self.points: Matrix = np.zeros((agents, agents))  # [i, j] that agent i won against agent j
        self.shares: Matrix = np.zeros(agents)  # [i] agent i's shares of the win, summed
        self.games = np.zeros(agents, dtype=np.int64)  # or deals that each agent took part in
        self.wins = np.zeros(agents, dtype=np.int64)  # in which its share was the greatest, alone
        self._made: list[list[float]] = [[] for _ in names]  # the points of each agent's sides
        self.draws = np.zeros(agents, dtype=np.int64)  # in which it tied for that
        results = list(counted(entries))
        self.of_deals = any(one.is_deal for one in results)  # then agents have no seats
        seats = 0 if self.of_deals or not entries else len(entries[0].lineup)
        self._held = np.zeros((agents, seats), dtype=np.int64)  # games of an agent from each seat
        self._won: Matrix = np.zeros((agents, seats))  # shares of the win from there, summed
        self._tables: dict[tuple[int, ...], Matrix] = {}  # as `rate_tables` takes them
        for result in results:
            self._count(result)

    def _count(self, result: Counted) -> None:
        """Add the points and shares of one game or deal.

        In a game of k agents, shares count as points within each of its k (k - 1) / 2 pairs. The
        pairs are dependent; the weight 2 / k gives them the information of one game (exactly so
        between equal agents). For two agents it is 1.
        """
        lineup, won, shares = result.lineup, result.shares, result.of_agents
        holders = sorted(shares)
        for seat in range(self._held.shape[1]):
            self._held[lineup[seat], seat] += 1
            self._won[lineup[seat], seat] += won[seat]
        for agent, points in result.points:
            self._made[agent].append(points)
        order = sorted(range(len(won)), key=lambda seat: lineup[seat])
        table = tuple(lineup[seat] for seat in order)
        summed = self._tables.setdefault(table, np.zeros(len(won)))
        summed += np.array(won)[order]
        best = max(shares.values())
        first = [holder for holder in holders if shares[holder] > best - SHARE_TOLERANCE]
        (self.wins if len(first) == 1 else self.draws)[first] += 1
        for agent in holders:
            self.shares[agent] += shares[agent]
            self.games[agent] += 1
            for other in holders:
                if other != agent:
                    self.points[agent, other] += 2 / len(holders) * shares[agent]

    @cached_property
    def ratings(self) -> Ratings:
        """The agents' ratings with intervals, from pairs, or from tables of more seats."""
        if self._held.shape[1] <= 2:
            return rate(self.points)
        return rate_tables(len(self.names), self._tables)

    @property
    def matrix(self) -> Matrix:
        """Agent i's share of the points against agent j: [n, n], NaN if they did not meet."""
        met = self.points + self.points.T
        return np.divide(self.points, met, out=np.full_like(met, np.nan), where=met > 0)

    def share(self, agent: int) -> float:
        """Return an agent's mean share of the win in its games."""
        return float(self.shares[agent] / self.games[agent]) if self.games[agent] else 0.0

    @property
    def seats(self) -> Matrix:
        """Each agent's mean share of the win from each seat: [n, players], NaN without games."""
        return np.divide(
            self._won, self._held, out=np.full_like(self._won, np.nan), where=self._held > 0
        )

    @property
    def seat_names(self) -> list[str]:
        """The names of the columns of `seats`."""
        return [f"seat {number}" for number in range(1, self._won.shape[1] + 1)]

    @property
    def distinct(self) -> int:
        """The number of games that differ in line-up or play."""
        return len({(entry.lineup, entry.record.actions) for entry in self.entries})

    def points_of(self, agent: int) -> dict[str, Any]:
        """Return the mean points of an agent's sides, with its interval; empty without points."""
        return mean_of("points", self._made[agent])

    def ranking(self) -> list[int]:
        """Return the agents, the best first: by score if there are any, then by rating."""
        agents = [int(agent) for agent in np.argsort(-self.ratings.elo, kind="stable")]
        if self.scores is None:
            return agents
        points = np.round(self.scores.points, 9)  # sums in another order may differ
        return sorted(agents, key=lambda agent: -points[agent])

    def _scores_of(self, agent: int) -> dict[str, float]:
        if self.scores is None:
            return {}
        points, byes = self.scores
        return {"score": points[agent]} | ({} if byes is None else {"byes": byes[agent]})

    def to_json(self) -> list[dict[str, Any]]:
        """Return each agent's results, in the order of `names`."""
        places = {agent: place for place, agent in enumerate(self.ranking(), start=1)}
        return [
            {
                "name": name,
                "place": places[agent],
                **self._scores_of(agent),
                "rating": float(self.ratings.elo[agent]),
                "interval": [float(self.ratings.low[agent]), float(self.ratings.high[agent])],
                "games": int(self.games[agent]),
                "wins": int(self.wins[agent]),
                "draws": int(self.draws[agent]),
                "share": self.share(agent),
                "share_interval": list(
                    wilson_interval(float(self.shares[agent]), int(self.games[agent]))
                ),
                **self.points_of(agent),
                "seats": _without_nan(self.seats[agent]),
            }
            for agent, name in enumerate(self.names)
        ]

    def matrix_json(self) -> list[list[float | None]]:
        """Return the matrix as JSON, null if two agents did not meet."""
        return [_without_nan(row) for row in self.matrix]


def _without_nan(row: Matrix) -> list[float | None]:
    """Return numbers with None for NaN."""
    return [None if np.isnan(x) else float(x) for x in row]
