"""Games that a seat loses because its agent failed: what counts as failing, and who then wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from meeple.agents.agent import Agent
from meeple.errors import CustomAgentError, EngineError, MeepleError, UsageError
from meeple.games.contract.records import GameRecord

OnFault = Literal["lose", "stop"]
ON_FAULT: tuple[OnFault, ...] = ("lose", "stop")

MARGIN = 0.1
"""Seconds that a choice may come late: what the machine and the pipes take, and the agent does not.
Engines that stop by their own clock are late by some 10 ms of it on a machine that is not busy."""


class Fault(NamedTuple):
    """How a seat failed."""

    seat: int  # from 0
    kind: str  # one of errors.FAULTS
    message: str  # the sentence of its error


@dataclass(frozen=True)
class FaultRule:
    """What becomes of a game in which an agent fails.

    `on_fault`: "lose", the seat loses the game, whatever its agent is; "stop", the error is raised;
    None, another program loses the game, as nobody here can mend it, and an agent of a file stops
    everything with its error, as its author is here to mend it. `move_seconds`: wall clock that a
    choice may take, `MARGIN` more being forgiven; None has no limit.
    """

    on_fault: OnFault | None = None
    move_seconds: float | None = None

    def check(self) -> None:
        """Raises UsageError for a value that there is not."""
        if self.on_fault not in (None, *ON_FAULT):
            raise UsageError(f"on_fault must be one of {', '.join(ON_FAULT)}, not {self.on_fault}")
        if self.move_seconds is not None and not self.move_seconds > 0:
            raise UsageError(f"move_seconds must be more than 0, not {self.move_seconds:g}")

    def forgives(self, error: MeepleError) -> bool:
        """Whether an error costs its agent the game; else it is to be raised."""
        if self.on_fault == "stop":
            return False
        kinds = (EngineError, CustomAgentError) if self.on_fault == "lose" else EngineError
        return isinstance(error, kinds)

    def check_time(self, agent: Agent, seconds: float) -> None:
        """Raises EngineError where a choice took too long."""
        if self.move_seconds is not None and seconds > self.move_seconds + MARGIN:
            raise EngineError(
                f"{agent.spec} took {seconds:.2f} s for a move; {self.move_seconds:g} are allowed",
                "time",
            )


STRICT = FaultRule("stop")
"""Every error is raised."""


def fault_of(error: MeepleError, seat: int) -> Fault:
    """The fault behind an error that a rule forgives."""
    return Fault(seat, str(getattr(error, "fault", "crash")), str(error))


def notes_of(fault: Fault) -> dict[str, int | str]:
    """What the record of a forfeited game says besides."""
    return {"forfeit": fault.seat, "fault": fault.kind}


def shares_of(record: GameRecord) -> Sequence[float]:
    """Each seat's share of a game: its payoffs; of a forfeited one 0 for the seat that failed, and
    the rest shared evenly among the others. Empty for a game that was broken off.
    """
    if record.payoffs is not None:
        return record.payoffs
    forfeit, seats = record.notes.get("forfeit"), len(record.seats)
    if not isinstance(forfeit, int) or not 0 <= forfeit < seats:
        return ()
    return forfeited(forfeit, seats)


def forfeited(loser: int, seats: int) -> list[float]:
    """The share of each seat of a game that one of them has forfeited."""
    return [0.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
