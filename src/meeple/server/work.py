"""Lanes of threads for work that may take seconds: bounded queues, shared fairly among callers.

Short work never waits for long work: they have separate lanes.
"""

import asyncio
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from meeple.low_priority import make_thread_low_priority
from meeple.server.errors import Busy, refusal
from meeple.server.limits import LIMITS, LaneLimits, ServerLimits

MIN_PLY_CHARACTERS = 3  # of a ply in a text
HALF_LIFE = 60.0  # seconds, of a caller's recorded work
FORGOTTEN = 0.01  # seconds of recorded work, below which a caller's record is deleted

caller_now: ContextVar[str] = ContextVar("caller_now", default="")
"""The address of the client whose request is being handled."""

_Result = TypeVar("_Result")
_Caller = TypeVar("_Caller", bound=Hashable)


class RecentWork(Generic[_Caller]):
    """Each caller's seconds of work, with exponential decay."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._used: OrderedDict[_Caller, tuple[float, float]] = OrderedDict()
        """Seconds of work and their time, the last charged caller last."""

    def of(self, caller: _Caller) -> float:
        """Return the recent seconds of a caller."""
        seconds, then = self._used.get(caller, (0.0, 0.0))
        return seconds * 0.5 ** ((self._now() - then) / HALF_LIFE) if seconds else 0.0

    def charge(self, caller: _Caller, seconds: float) -> None:
        """Add seconds to a caller's, and forget callers who have long done nothing."""
        self._used[caller] = (self.of(caller) + seconds, self._now())
        self._used.move_to_end(caller)
        while len(self._used) > 1 and self.of(next(iter(self._used))) < FORGOTTEN:
            self._used.popitem(last=False)


@dataclass(eq=False)
class _Call:
    """A waiting or running call."""

    caller: str
    number: int  # in the lane's order of arrival
    do: Callable[[], Any]
    answer: "asyncio.Future[Any]"


class Lane:
    """A pool of threads with a queue: the caller with the least recent work is served first."""

    def __init__(
        self,
        name: str,
        limits: LaneLimits,
        *,
        gives_way: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create the threads.

        Args:
            name: prefix of the threads' names.
            limits: numbers of threads and of waiting calls.
            gives_way: whether the threads have a low priority.
            now: clock, in seconds.
        """
        begin = make_thread_low_priority if gives_way else None
        self._executor = ThreadPoolExecutor(
            limits.threads, thread_name_prefix=name, initializer=begin
        )
        self._limits = limits
        self._running = 0
        self._used: RecentWork[str] = RecentWork(now)
        self._waiting: list[_Call] = []
        self._numbers = itertools.count()

    @property
    def load(self) -> tuple[int, int]:
        """The numbers of waiting and of running calls."""
        return len(self._waiting), self._running

    async def do(self, call: Callable[..., _Result], *args: Any, **named: Any) -> _Result:
        """Make a call in a thread and return its result; raise Busy if too many calls wait."""
        caller, limits = caller_now.get(), self._limits
        of_caller = sum(other.caller == caller for other in self._waiting)
        if len(self._waiting) >= limits.max_waiting or of_caller >= limits.max_waiting_per_caller:
            raise refusal(Busy, "setting_up_busy")
        answer: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        work = partial(_timed, partial(call, *args, **named))
        own = _Call(caller, next(self._numbers), work, answer)
        self._waiting.append(own)
        self._begin()
        try:
            return await answer
        finally:
            if own in self._waiting:  # the request was cancelled
                self._waiting.remove(own)

    def close(self) -> None:
        """Accept no more calls, and do not wait for the running ones."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        """Start waiting calls in idle threads."""
        loop = asyncio.get_running_loop()
        while self._waiting and self._running < self._limits.threads:
            call = min(self._waiting, key=lambda one: (self._used.of(one.caller), one.number))
            self._waiting.remove(call)
            self._running += 1
            done = loop.run_in_executor(self._executor, call.do)
            done.add_done_callback(partial(self._ended, call))

    def _ended(self, call: _Call, done: "asyncio.Future[tuple[float, Any, Any]]") -> None:
        self._running -= 1
        if done.cancelled():  # the server closes
            call.answer.cancel()
            return
        seconds, result, error = done.result()
        self._used.charge(call.caller, seconds)
        if not call.answer.done():
            if error is None:
                call.answer.set_result(result)
            else:
                call.answer.set_exception(error)
        self._begin()


def _timed(call: Callable[[], Any]) -> tuple[float, Any, Exception | None]:
    """Make a call; return its processor seconds, its result, and its exception."""
    began = time.thread_time()
    try:
        result, error = call(), None
    except Exception as raised:
        result, error = None, raised
    return time.thread_time() - began, result, error


class Work:
    """The lanes of a server; `ServerLimits` says what each is for."""

    def __init__(self, limits: ServerLimits = LIMITS) -> None:
        self._long_plies = limits.long_plies
        self.short = Lane("short", limits.short_lane)
        self.long = Lane("long", limits.long_lane, gives_way=True)
        self.files = Lane("files", limits.files_lane)
        self.games = Lane("games", limits.games_lane)
        self.runs = Lane("runs", limits.runs_lane)

    def on(self, plies: int) -> Lane:
        """Return the lane for work on this number of plies."""
        return self.long if plies > self._long_plies else self.short

    def close(self) -> None:
        """Accept no more calls."""
        for lane in (self.short, self.long, self.files, self.games, self.runs):
            lane.close()


def most_plies(content: str | bytes | None) -> int:
    """Return an upper bound of the number of plies in a text of a record or of typed moves.

    In a binary record, each byte may be a ply.
    """
    return len(content or "") // (MIN_PLY_CHARACTERS if isinstance(content, str) else 1)
