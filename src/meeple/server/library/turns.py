"""Work that may take seconds, done for one request after the other."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from meeple.server.errors import Busy

MOST_WAITING = 8  # requests at once; they are served one after the other

_Result = TypeVar("_Result")


class Turns:
    """Does what may take seconds for one after the other, so that play goes on beside it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def do(self, call: Callable[..., _Result], *args: Any) -> _Result:
        """Call something in a thread. Raises Busy, and what it raises."""
        if self._waiting >= MOST_WAITING:
            raise Busy("many games are being brought or taken at the moment: try again in a minute")
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(call, *args)
        finally:
            self._waiting -= 1
