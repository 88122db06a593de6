"""Rate limits: token buckets on a monotonic clock, one or one per caller."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple


class Rate(NamedTuple):
    """A rate limit."""

    per_second: float
    burst: float  # at once, after a pause


class TokenBucket:
    """A token bucket: gains `rate.per_second` tokens a second, up to `rate.burst`."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic):
        self.rate, self.now = rate, now
        self.tokens, self.at = rate.burst, now()

    def take(self, count: float = 1) -> bool:
        """Take tokens if there are enough; return whether there were."""
        self._fill()
        if self.tokens < count:
            return False
        self.tokens -= count
        return True

    def reserve(self, count: float) -> float:
        """Take tokens, future ones too; return the seconds until the bucket has them."""
        self._fill()
        self.tokens -= count
        return max(0.0, -self.tokens / self.rate.per_second)

    def _fill(self) -> None:
        time_now = self.now()
        self.tokens = min(
            self.rate.burst, self.tokens + (time_now - self.at) * self.rate.per_second
        )
        self.at = time_now

    async def wait(self, count: int = 1) -> None:
        """Wait for tokens, at most `burst`, and take them.

        A connection that sends too much is not read meanwhile.
        """
        wanted = min(count, int(self.rate.burst))
        while not self.take(wanted):
            await asyncio.sleep(max(0.01, (wanted - self.tokens) / self.rate.per_second))


class TokenBuckets:
    """A token bucket for each caller; only the most recent callers are remembered."""

    def __init__(self, rate: Rate, max_callers: int = 4096) -> None:
        self._rate, self._max_callers = rate, max_callers
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, caller: str, count: float = 1) -> bool:
        """Take a caller's tokens if there are enough; a negative count returns tokens."""
        return self._of(caller).take(count)

    def reserve(self, caller: str, count: float) -> float:
        """Take a caller's tokens, future ones too; return the seconds until the bucket has them."""
        return self._of(caller).reserve(count)

    async def wait(self, caller: str, count: int) -> None:
        """Wait for tokens of a caller, at most `burst`, and take them."""
        await self._of(caller).wait(count)

    def _of(self, caller: str) -> TokenBucket:
        bucket = self._buckets.pop(caller, None) or TokenBucket(self._rate)
        self._buckets[caller] = bucket
        if len(self._buckets) > self._max_callers:
            self._buckets.popitem(last=False)
        return bucket
