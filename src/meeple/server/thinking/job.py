"""The pool's records of tasks, workers and analyses."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.errors import MeepleError, Stopped
from meeple.server.thinking.process import WorkerProcess
from meeple.server.work import caller_now

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
    caller: str = field(default_factory=caller_now.get)
    """Whose request it is part of; callers share the workers."""


@dataclass(eq=False)
class PoolJob:
    """A task in the pool, or a slice of one."""

    task: AgentTask
    seconds: float | None  # of a slice of an analysis; None: choose a move
    whole: float | None  # seconds of the whole analysis
    answer: asyncio.Future[dict[str, Any]]
    patience: float  # extra seconds to wait for the worker that holds the session of the key
    since: float = field(default_factory=time.monotonic)  # of the request
    ready: float = field(default_factory=time.monotonic)  # of its last entry into the queue
    begun: float = 0.0  # of the last order
    ran: float = 0.0  # seconds in a worker
    number: int = 0  # of the order, once it is sent
    tries: int = 0
    state: str = WAITING
    resumes: bool = False  # whether its search can be interrupted and continued
    gives_way: bool = False  # interrupted for a task of another caller
    partial: dict[str, Any] | None = None  # the result before the interruption
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
            "spent": self.ran,
            "forget": list(forget),
        }

    def give(self, answer: dict[str, Any]) -> None:
        """Answer the waiting caller."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: MeepleError) -> None:
        """Raise an error in the waiting caller."""
        if not self.answer.done():
            self.answer.set_exception(error)

    def cancel(self) -> None:
        """Answer with the result so far, or raise Stopped in the waiting caller without one."""
        if self.partial is not None:
            self.give(self.partial)
        self.fail(Stopped("the choice was cancelled"))


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
    caller: str
    stopped: bool = False
