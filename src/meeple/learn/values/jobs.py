"""The jobs of a run of values, their results, and the files of labels.

A job labels a shard of games or plays paired games of the gate. It contains everything that its
result depends on, except for the games and the seed of the run and the weights of the networks that
it names. Its result is the same whichever worker does it. The labels of a shard are one file, which
is written completely or not at all.
"""

from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from meeple.errors import CheckpointError
from meeple.search.values.examples import ValueExamples
from meeple.search.values.labels import OTHER, Settings
from meeple.tensor_file import read_metadata, read_tensors, write_tensors

KIND = "Meeple labels"
_TYPES = frozenset({"F16", "F32", "I32", "I8"})


class SeedStream(IntEnum):
    """The purposes of random numbers; each has seeds of its own."""

    LABELS = 0
    FIT = 1
    GATE = 2
    PAST = 3


class JobNetworks(NamedTuple):
    """The names of the networks that the policies of a job play with."""

    network: str | None = None
    other: str | None = None
    past: str | None = None


class Shard(NamedTuple):
    """Games to play and label; their labels make one file."""

    round: int
    number: int
    first: int  # number of its first game in the round
    games: int
    variant: int  # index of the game among those that the run learns
    networks: JobNetworks
    settings: Settings
    policies: tuple[int, ...]  # that may play a seat; drawn for each game
    chances: tuple[float, ...]  # their probabilities


class Pairs(NamedTuple):
    """Games that are played twice: a seat is played by one policy, then by another."""

    number: int
    first: int  # number of its first pair in the match; variants of the game take turns
    pairs: int
    networks: JobNetworks
    opponent: int  # policy of all other seats
    seed: int  # of the match


class LabelledShard(NamedTuple):
    """The result of a shard."""

    shard: Shard
    examples: ValueExamples
    seconds: float  # duration of the job
    worker: str  # name


class PlayedPairs(NamedTuple):
    """The result of pairs."""

    pairs: Pairs
    shares: tuple[tuple[float, float], ...]
    """For each pair, the seat's share of the win with the new network, and with the other one."""


Job = Shard | Pairs
Result = LabelledShard | PlayedPairs


def games_of(job: Job) -> int:
    """Return the number of games that a job plays."""
    if isinstance(job, Shard):
        return job.games
    return job.pairs * games_of_a_pair(job.opponent)


def games_of_a_pair(opponent: int) -> int:
    """Return the number of games of a pair: 1 if the other policy plays only against itself.

    That policy's share is then known without a game.
    """
    return 1 if opponent == OTHER else 2


# ------------------------------------------------------------ files of labels


def write_shard(path: Path, examples: ValueExamples, about: dict[str, object]) -> None:
    """Write a shard atomically. Raises CheckpointError if that fails."""
    write_tensors(path, KIND, examples._asdict(), about)


def read_shard(path: Path) -> ValueExamples:
    """Read a shard. Raises CheckpointError if the file is damaged or of another kind."""
    _, tensors = read_tensors(path, KIND, _TYPES)
    try:
        return ValueExamples(*(tensors[name] for name in ValueExamples._fields))
    except KeyError as error:
        raise CheckpointError(f"{path} lacks the labels' {error}") from None


def games_in_shard(path: Path) -> int:
    """Return the number of labelled games of a shard; 0 if the file does not say."""
    try:
        return int(read_metadata(path, KIND)["games"])
    except (CheckpointError, KeyError, TypeError, ValueError):
        return 0
