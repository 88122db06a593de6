"""What all subjects of a server use: its database, workers and threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from meeple.rate_limit import TokenBuckets
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.store import GameStore
from meeple.server.thinking.pool import Pool
from meeple.server.work import Work

_Result = TypeVar("_Result")


class WriterThread:
    """A thread that makes blocking calls in order of arrival."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="store")

    async def do(self, call: Callable[..., _Result], *args: Any, **named: Any) -> _Result:
        """Make a call in the thread, and return its result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(call, *args, **named))

    def close(self) -> None:
        """Accept no more calls; return after all are done."""
        self._executor.shutdown()


@dataclass(frozen=True)
class Resources:
    """The shared resources of a running server."""

    store: GameStore
    pool: Pool  # worker processes in which agents search
    runs: Path  # folder whose networks may play
    limits: ServerLimits = LIMITS
    writer: WriterThread = field(default_factory=WriterThread)  # writes to the store
    work: Work = field(init=False)  # lanes of threads for long work
    _rates: dict[str, TokenBuckets] = field(default_factory=dict)  # by names of limits

    def __post_init__(self) -> None:
        object.__setattr__(self, "work", Work(self.limits))

    def rate(self, name: str) -> TokenBuckets:
        """Return the buckets of a `Rate` of the limits, by its name."""
        if name not in self._rates:
            self._rates[name] = TokenBuckets(getattr(self.limits, name))
        return self._rates[name]

    async def close(self) -> None:
        """Return after all writes are done."""
        self.work.close()
        self.writer.close()
        await self.pool.close()
        self.store.close()
