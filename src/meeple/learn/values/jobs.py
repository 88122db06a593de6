"""What the work of a run falls into: shards of labels, and paired games that decide.

A job says all that its result depends on, but for the games that the run learns, its seed and what
the networks are that it names. So its result is the same whoever does it, and whenever.
"""

from enum import IntEnum
from typing import NamedTuple

from meeple.learn.values.shards import ValueExamples
from meeple.search.values.labels import OTHER, Settings


class Stream(IntEnum):
    """Of the seeds of a run: each kind of work has its own."""

    LABELS = 0
    FIT = 1
    GATE = 2
    PAST = 3


class Networks(NamedTuple):
    """The networks of a labeller's policies by name: files of the run's folder."""

    network: str | None = None
    other: str | None = None
    past: str | None = None


def names_of(networks: Networks) -> set[str]:
    """Those that there are."""
    return {name for name in networks if name is not None}


class Shard(NamedTuple):
    """Games to play and label, whose labels are a file."""

    round: int
    number: int
    first: int  # game of the round
    games: int
    variant: int  # index of the game among those that the run learns
    networks: Networks
    settings: Settings
    policies: tuple[int, ...]  # that a seat may have, drawn for each game
    chances: tuple[float, ...]  # of each of them


class Pairs(NamedTuple):
    """Games that are played twice each: a seat by one policy, and then by another."""

    number: int
    first: int  # pair of the match; variants of the game have their turns
    pairs: int
    networks: Networks
    opponent: int  # policy of all other seats
    seed: int  # of the match


class Labelled(NamedTuple):
    """What came of a shard."""

    shard: Shard
    cases: ValueExamples
    seconds: float  # that it took
    worker: str  # who made it


class Played(NamedTuple):
    """What came of pairs."""

    pairs: Pairs
    shares: tuple[tuple[float, float], ...]
    """Of the seat in each pair: the network's that is tested, and the other's."""


Job = Shard | Pairs


def games_of(job: Job) -> int:
    """The games that are played for a job."""
    if isinstance(job, Shard):
        return job.games
    return job.pairs * games_of_a_pair(job.opponent)


def games_of_a_pair(opponent: int) -> int:
    """Return the number of games of a pair: 1 if the other policy plays only against itself.

    That policy's share is then known without a game.
    """
    return 1 if opponent == OTHER else 2


Result = Labelled | Played
