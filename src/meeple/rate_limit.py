"""Rates: how much somebody may ask in a time, by a monotonic clock. Nothing here knows a server."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable


class TokenBucket:
    """So many tokens a second, and so many saved up at most."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = time.monotonic):
        self.rate, self.burst, self.now = rate, burst, now
        self.tokens, self.at = burst, now()

    def take(self, count: float = 1) -> bool:
        """Whether there were so many left."""
        self._fill()
        if self.tokens < count:
            return False
        self.tokens -= count
        return True

    def reserve(self, count: float) -> float:
        """Take tokens, future ones too; returns the seconds until they are there."""
        self._fill()
        self.tokens -= count
        return max(0.0, -self.tokens / self.rate)

    def _fill(self) -> None:
        time_now = self.now()
        self.tokens = min(self.burst, self.tokens + (time_now - self.at) * self.rate)
        self.at = time_now

    async def wait(self, count: int = 1) -> None:
        """Until there are so many, or as many as can be saved up, and take them.

        Whoever sends too much is not read meanwhile.
        """
        wanted = min(count, int(self.burst))
        while not self.take(wanted):
            await asyncio.sleep(max(0.01, (wanted - self.tokens) / self.rate))


class TokenBuckets:
    """A bucket for every caller, the last ones remembered."""

    def __init__(self, rate: float, burst: float, most: int = 4096) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, caller: str, count: float = 1) -> bool:
        """Whether the caller may ask once more, or for so many at once; below 0, they come back."""
        return self._of(caller).take(count)

    def reserve(self, caller: str, count: float) -> float:
        """Take tokens of a caller, future ones too; returns the seconds until they are there."""
        return self._of(caller).reserve(count)

    async def wait(self, caller: str, count: int) -> None:
        """Until the caller may ask for so many."""
        await self._of(caller).wait(count)

    def _of(self, caller: str) -> TokenBucket:
        bucket = self._buckets.pop(caller, None) or TokenBucket(self._rate, self._burst)
        self._buckets[caller] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket
