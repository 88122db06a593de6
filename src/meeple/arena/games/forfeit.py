"""Games that a seat loses because its agent failed: the rule and the fault."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from meeple.agents.agent import Agent
from meeple.errors import CustomAgentError, EngineError, MeepleError, UsageError

OnFault = Literal["lose", "stop"]
ON_FAULT: tuple[OnFault, ...] = ("lose", "stop")

MARGIN = 0.1
"""Seconds beyond the limit that a choice may take, for the delay of the machine and of pipes.
Engines that stop by their own clock exceed it by about 10 ms on an idle machine."""


class Fault(NamedTuple):
    """The failure of a seat's agent."""

    seat: int  # from 0
    kind: str  # one of errors.FAULTS
    message: str  # the sentence of its error


@dataclass(frozen=True)
class FaultRule:
    """The consequence of a failing agent.

    Attributes:
        on_fault: "lose": the seat loses the game; "stop": the error is raised; None: an external
            program loses the game, and the error of an agent from a file is raised, since its
            author can correct it.
        move_seconds: wall-clock limit of a choice, exceeded after `MARGIN` more; None: no limit.
    """

    on_fault: OnFault | None = None
    move_seconds: float | None = None

    def check(self) -> None:
        """Raise UsageError for an unknown value."""
        if self.on_fault not in (None, *ON_FAULT):
            raise UsageError(f"on_fault must be one of {', '.join(ON_FAULT)}, not {self.on_fault}")
        if self.move_seconds is not None and not self.move_seconds > 0:
            raise UsageError(f"move_seconds must be more than 0, not {self.move_seconds:g}")

    def forgives(self, error: MeepleError) -> bool:
        """Return whether an error loses the game for its agent; other errors are raised."""
        if self.on_fault == "stop":
            return False
        kinds = (EngineError, CustomAgentError) if self.on_fault == "lose" else EngineError
        return isinstance(error, kinds)

    def check_time(self, agent: Agent, seconds: float) -> None:
        """Raise EngineError if a choice took too long."""
        if self.move_seconds is not None and seconds > self.move_seconds + MARGIN:
            raise EngineError(
                f"{agent.spec} took {seconds:.2f} s for a move; {self.move_seconds:g} are allowed",
                "time",
            )


STRICT = FaultRule("stop")
"""Every error is raised."""


def fault_of(error: MeepleError, seat: int) -> Fault:
    """Return the fault of an error that loses the game."""
    return Fault(seat, str(getattr(error, "fault", "crash")), str(error))


def notes_of(fault: Fault) -> dict[str, int | str]:
    """Return the notes of a forfeited game's record."""
    return {"forfeit": fault.seat, "fault": fault.kind}
