"""The pool's records of tasks, workers and analyses."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.errors import MeepleError
from meeple.server.thinking.process import WorkerProcess

WAITING = "waiting"


@dataclass(frozen=True)
class AgentTask:
    """A position, and the agent that searches it."""

    key: str  # of the agent's session; tasks of a key run one at a time, in the worker that has it
    game: str
    options: Mapping[str, Any]
    seed: int
    actions: tuple[int, ...]  # replayed, chance outcomes included
    spec: str  # checked
    agent_seed: int
    games: int | None = None  # quick games to play from the position, in place of a search


@dataclass(eq=False)
class PoolJob:
    """A task in the pool, or a slice of one."""

    task: AgentTask
    seconds: float | None  # of a slice of an analysis; None: choose a move
    whole: float | None  # seconds of the whole analysis
    since: float  # time of the request, by the loop's clock
    answer: asyncio.Future[dict[str, Any]]
    patience: float  # extra seconds to wait for the worker that holds the session of the key
    number: int = 0  # of the order, once it is sent
    tries: int = 0
    state: str = WAITING
    stopped: bool = False
    late: bool = False  # stopped because it took too long
    alarm: asyncio.TimerHandle | None = None  # fires when it takes too long

    def order(self, forget: Sequence[str]) -> dict[str, Any]:
        """Return the order for a worker; `forget`: keys of sessions that the worker drops."""
        return {
            **asdict(self.task),
            "options": dict(self.task.options),
            "number": self.number,
            "seconds": self.seconds,
            "whole": self.whole,
            "forget": list(forget),
        }

    def fail(self, error: MeepleError) -> None:
        """Raise an error in the waiting caller."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(eq=False)
class WorkerSlot:
    """A worker, its current job, and the keys of its sessions, the most recent last."""

    process: WorkerProcess
    job: PoolJob | None = None
    memory: OrderedDict[str, None] = field(default_factory=OrderedDict)
    forget: list[str] = field(default_factory=list)

    def works_on(self, key: str) -> bool:
        """Return whether the current job has this key."""
        return self.job is not None and self.job.task.key == key


@dataclass(eq=False)
class Stream:
    """An analysis in progress."""

    key: str
    stopped: bool = False
