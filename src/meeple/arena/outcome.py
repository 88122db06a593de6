"""One finished game of a match or tournament, as data: who sat where, what came of it, its cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from meeple.arena.forfeit import Fault, shares_of
from meeple.games.contract.records import GameRecord


@dataclass(frozen=True)
class Outcome:
    """A finished game. Tuples and lists have an entry for each seat."""

    number: int  # of its fixture
    lineup: tuple[int, ...]  # the agent in every seat
    record: GameRecord
    choices: tuple[int, ...]
    seconds: tuple[float, ...]  # wall clock of all choices
    simulations: tuple[int, ...]
    habits: Mapping[str, Sequence[float]]
    fault: Fault | None = None  # that ended it
    warm: bool = True  # no agent's first game in its worker, whose time includes loading kernels

    @property
    def shares(self) -> Sequence[float]:
        """Each seat's share of the win."""
        return shares_of(self.record)

    def share_of(self, agent: int) -> float:
        """What an agent won, from all seats that it held."""
        pairs = zip(self.lineup, self.shares, strict=True)
        return sum(share for holder, share in pairs if holder == agent)
