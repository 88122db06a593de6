"""What the pool keeps of each task on its way, and of each worker; the pool decides over them."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.errors import MeepleError
from meeple.server.thinking.process import WorkerProcess

WAITING = "waiting"
MOVE_PATIENCE, ANALYSIS_PATIENCE = 0.5, 3.0  # seconds, see `Job.patience`


@dataclass(frozen=True)
class Task:
    """A position, and the agent that is to think about it."""

    key: str  # what the agent remembers under; equal keys go to the same worker, in turn
    game: str
    options: Mapping[str, Any]
    seed: int
    actions: tuple[int, ...]  # replayed, chance outcomes included
    spec: str  # with the path of its network, checked
    agent_seed: int


@dataclass(eq=False)
class Job:
    """A task on its way, or a slice of one."""

    task: Task
    seconds: float | None  # of a slice; None: the agent is to choose
    whole: float | None  # seconds of the analysis that the slice is of
    since: float  # by the loop's clock
    answer: asyncio.Future[dict[str, Any]]
    number: int = 0  # of the order, once it is given
    tries: int = 0
    state: str = WAITING
    stopped: bool = False
    late: bool = False  # stopped because it took too long
    alarm: asyncio.TimerHandle | None = None  # rings when it does

    @property
    def patience(self) -> float:
        """Seconds that it waits longer than others for the worker that remembers its game."""
        return MOVE_PATIENCE if self.seconds is None else ANALYSIS_PATIENCE

    def order(self, forget: Sequence[str]) -> dict[str, Any]:
        """What its worker is told; `forget`: keys it need not remember any more."""
        return {
            **asdict(self.task),
            "options": dict(self.task.options),
            "number": self.number,
            "seconds": self.seconds,
            "whole": self.whole,
            "forget": list(forget),
        }

    def fail(self, error: MeepleError) -> None:
        """Answer whoever waits with an error."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(eq=False)
class Place:
    """A worker, what it does, and the keys that it remembers, the latest last."""

    process: WorkerProcess
    job: Job | None = None
    memory: OrderedDict[str, None] = field(default_factory=OrderedDict)
    forget: list[str] = field(default_factory=list)

    def works_on(self, key: str) -> bool:
        """Whether it thinks about a key's task at the moment."""
        return self.job is not None and self.job.task.key == key


@dataclass(eq=False)
class Stream:
    """An analysis under way."""

    key: str
    stopped: bool = False
