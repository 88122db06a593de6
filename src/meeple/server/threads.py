"""Threads for what would hold up the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class Threads:
    """A few threads; with one alone, calls are made in the order of their coming."""

    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def do(self, call: Callable[..., _Result], *args: Any, **named: Any) -> _Result:
        """Call something that takes long. Raises what it raises."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(call, *args, **named))

    def close(self, *, wait: bool) -> None:
        """Take no more calls; `wait` until all are done, or drop those that have not begun."""
        self._executor.shutdown(wait=wait, cancel_futures=not wait)
