"""One finished game of a match or tournament: line-up, record, costs and fault."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from meeple.arena.games.forfeit import Fault
from meeple.games.contract.records import GameRecord


@dataclass(frozen=True)
class Outcome:
    """A finished game. Tuples and lists have one entry a seat."""

    number: int  # of its fixture
    lineup: tuple[int, ...]  # the agent in every seat
    record: GameRecord
    choices: tuple[int, ...]
    seconds: tuple[float, ...]  # wall clock of all choices
    simulations: tuple[int, ...]
    habits: Mapping[str, Sequence[float]]
    fault: Fault | None = None  # that ended the game
    warm: bool = True  # False for an agent's first game in a worker, which includes loading kernels
