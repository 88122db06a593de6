"""Work that may take seconds, done in a few threads: bounded, and shared out fairly among callers.

What takes a moment never waits for what takes long: each has lanes of its own.
"""

import asyncio
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from meeple.low_priority import make_thread_low_priority
from meeple.server.errors import Busy

LONG = 1000  # plies: a game that has more takes the long way
SHORTEST_PLY = 3  # characters of a text, of which each ply takes so many at least
HALF_LIFE = 60.0  # seconds after which half of what a caller has had is forgotten
FORGOTTEN = 0.01  # seconds of work that need not be remembered

caller_now: ContextVar[str] = ContextVar("caller_now", default="")
"""Who asks for what is being done: an address."""

_Result = TypeVar("_Result")


@dataclass(eq=False)
class _Call:
    """Something to be done."""

    caller: str
    number: int  # of the lane's calls, in the order of their coming
    do: Callable[[], Any]
    answer: "asyncio.Future[Any]"


class Lane:
    """A few threads, and those who wait for them: next comes who has had the least of late."""

    def __init__(
        self,
        name: str,
        threads: int,
        *,
        most: int,
        most_each: int,
        gives_way: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`most`: calls that may wait at once; `most_each`: of one caller.

        `gives_way`: what is played in its threads lets everything else go on.
        """
        begin = make_thread_low_priority if gives_way else None
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=begin)
        self._threads, self._most, self._most_each = threads, most, most_each
        self._running, self._now = 0, now
        self._waiting: list[_Call] = []
        self._numbers = itertools.count()
        self._had: dict[str, tuple[float, float]] = {}  # by caller: seconds of work, as of when

    @property
    def load(self) -> tuple[int, int]:
        """How many calls wait, and how many are being done."""
        return len(self._waiting), self._running

    async def do(self, call: Callable[..., _Result], *args: Any, **named: Any) -> _Result:
        """Call something in a thread. Raises Busy where too many wait, and what it raises."""
        caller = caller_now.get()
        of_caller = sum(other.caller == caller for other in self._waiting)
        if len(self._waiting) >= self._most or of_caller >= self._most_each:
            raise Busy("many games are being set up or read at the moment: try again in a minute")
        answer: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        work = partial(_timed, partial(call, *args, **named))
        own = _Call(caller, next(self._numbers), work, answer)
        self._waiting.append(own)
        self._begin()
        try:
            return await answer
        finally:
            if own in self._waiting:  # whoever asked has gone
                self._waiting.remove(own)

    def close(self) -> None:
        """Take no more calls; those that have begun are done to their end, but nobody waits."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        """Give idle threads something to do."""
        loop = asyncio.get_running_loop()
        while self._waiting and self._running < self._threads:
            call = min(self._waiting, key=lambda one: (self._had_by(one.caller), one.number))
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
        self._charge(call.caller, seconds)
        if not call.answer.done():
            if error is None:
                call.answer.set_result(result)
            else:
                call.answer.set_exception(error)
        self._begin()

    def _had_by(self, caller: str) -> float:
        """The seconds of work that a caller has had of late: the older, the less they count."""
        seconds, then = self._had.get(caller, (0.0, 0.0))
        return seconds * 0.5 ** ((self._now() - then) / HALF_LIFE) if seconds else 0.0

    def _charge(self, caller: str, seconds: float) -> None:
        self._had[caller] = (self._had_by(caller) + seconds, self._now())
        for known in [one for one in self._had if self._had_by(one) < FORGOTTEN]:
            del self._had[known]


def _timed(call: Callable[[], Any]) -> tuple[float, Any, Exception | None]:
    """The processor seconds that a call took, its result, and what it raised."""
    began = time.thread_time()
    try:
        result, error = call(), None
    except Exception as raised:
        result, error = None, raised
    return time.thread_time() - began, result, error


class Work:
    """The lanes of a server."""

    def __init__(self) -> None:
        self.short = Lane("short", 2, most=200, most_each=100)
        self.long = Lane("long", 1, most=16, most_each=8, gives_way=True)
        self.files = Lane("files", 1, most=100, most_each=50)
        """For what is looked up in the database, and of networks in their files."""
        self.games = Lane("games", 1, most=100, most_each=50)
        """For what is said of all games: after a start it waits until they can be shown."""
        self.runs = Lane("runs", 2, most=100, most_each=50)
        """For what is read of training runs, and done with them."""

    def on(self, plies: int) -> Lane:
        """The lane for work on so many plies."""
        return self.long if plies > LONG else self.short

    def close(self) -> None:
        """Take no more calls."""
        for lane in (self.short, self.long, self.files, self.games, self.runs):
            lane.close()


def most_plies(content: str | bytes | None) -> int:
    """How many plies a text may have at most: of a record, or of moves that somebody types.

    Of bytes, where each may be one, as many as they are.
    """
    return len(content or "") // (SHORTEST_PLY if isinstance(content, str) else 1)
