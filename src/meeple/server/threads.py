"""Threads for calls that would block the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class Threads:
    """A pool of threads; a single thread makes the calls in order of arrival."""

    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def do(self, call: Callable[..., _Result], *args: Any, **named: Any) -> _Result:
        """Make a call in a thread, and return its result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(call, *args, **named))

    def close(self, *, wait: bool) -> None:
        """Accept no more calls; `wait` for all of them, or cancel those that have not begun."""
        self._executor.shutdown(wait=wait, cancel_futures=not wait)
