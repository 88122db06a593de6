"""What matches and tournaments count: games; in a game for one side, deals that two agents played.

Against a par, a share says how many points were made, not who is stronger. Two agents therefore
play the same deal, one after the other, and the agent with more points wins the deal.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from meeple.games.contract.records import GameRecord
from meeple.games.contract.result import SHARE_TOLERANCE


class Played(Protocol):
    """A game that was played: `Entry` and `Outcome`."""

    @property
    def lineup(self) -> tuple[int, ...]:
        """The agent in each seat."""
        ...

    @property
    def record(self) -> GameRecord:
        """The record of the game."""
        ...


class Counted(NamedTuple):
    """One result: of a game, or of a deal."""

    lineup: tuple[int, ...]  # the agent in each seat; of a deal, the two agents
    shares: Sequence[float]  # of the win, of each of them
    points: tuple[tuple[int, float], ...]  # in a game of points: the agent and points of each side
    numbers: tuple[int, ...]  # the places of its games, of which a deal has two

    @property
    def is_deal(self) -> bool:
        """Whether two agents played a deal one after the other, so that there are no seats."""
        return len(self.numbers) > 1

    @property
    def of_agents(self) -> dict[int, float]:
        """The share of each agent, over all its seats."""
        shares: defaultdict[int, float] = defaultdict(float)
        for agent, share in zip(self.lineup, self.shares, strict=True):
            shares[agent] += share
        return dict(shares)


def share_of_deal(first: float, second: float) -> float:
    """Return an agent's share of a deal, from its shares in the two games: 1, 1/2 or 0.

    In one of them it plays; in the other, where the other agent plays, it has the par's share.
    """
    lead = first + second - 1
    return 0.5 * (1 + float(np.sign(lead))) if abs(lead) > SHARE_TOLERANCE else 0.5


def counted(games: Iterable[Played]) -> Iterator[Counted]:
    """Yield the results of games in order; a deal that one agent alone has played has none."""
    waiting: defaultdict[tuple[object, ...], list[Counted]] = defaultdict(list)
    for number, game in enumerate(games):
        record, lineup = game.record, game.lineup
        if not record.shares:  # broken off
            continue
        sides = record.tally.get("sides", ())
        points = tuple(
            (lineup[side[0]], float(record.tally["points"][side[0]]))
            for side in sides
            if "points" in record.tally
        )
        found = Counted(lineup, record.shares, points, (number,))
        if len(sides) != 1:
            yield found
            continue
        opening = record.actions[: record.opening]
        mirrored = waiting[(lineup[-1], lineup[0], record.seed, opening)]
        if mirrored:
            yield _deal(mirrored.pop(0), found)
        else:
            waiting[(lineup[0], lineup[-1], record.seed, opening)].append(found)


def _deal(one: Counted, other: Counted) -> Counted:
    """Return the result of a deal from its two games."""
    first, second = one.lineup[0], other.lineup[0]
    share = share_of_deal(one.of_agents[first], other.of_agents[first])
    shares = (share, 1 - share)
    return Counted((first, second), shares, one.points + other.points, one.numbers + other.numbers)
