"""Shares the event loop's time: each piece of a connection's data is charged before it is parsed.

Costs are upper estimates in seconds of the event loop. A connection and an address each have a
budget; a connection whose budget is used up is read later. Addresses take turns.
"""

import asyncio
from collections import deque
from typing import Protocol

from meeple.rate_limit import TokenBucket, TokenBuckets
from meeple.server.limits import ServerLimits

PIECE_COST = 50e-6  # seconds for a turn
BYTE_COST = 2e-8  # seconds for a byte
LINE_COST = 10e-6  # seconds for a line of HTTP: a header, or one of the two lines of a chunk
REQUEST_COST = 1e-3  # seconds for a request
FRAME_COST = 200e-6  # seconds for a WebSocket frame, including control frames and fragments


class Taker(Protocol):
    """A connection that takes turns."""

    def take_turn(self) -> None:
        """Parse one piece."""


class Pace:
    """Schedules the turns of all connections of a server."""

    def __init__(self, limits: ServerLimits) -> None:
        self._budgets = TokenBuckets(limits.address_time)
        self._max_seconds = limits.iteration_seconds  # of the turns in one iteration of the loop
        self._queues: dict[str, deque[tuple[Taker, float]]] = {}  # by address, in turn
        self._is_serving = False

    def reserve(self, address: str, own: TokenBucket, cost: float) -> float:
        """Charge a connection and its address; return the seconds until both can afford it."""
        return max(own.reserve(cost), self._budgets.reserve(address, cost))

    def give_back(self, address: str, cost: float) -> None:
        """Refund a charge to an address whose connection ended before its turn."""
        self._budgets.take(address, -cost)

    def enqueue(self, address: str, taker: Taker, cost: float) -> None:
        """Queue a charged turn behind the waiting ones of its address."""
        self._queues.setdefault(address, deque()).append((taker, cost))
        if not self._is_serving:
            self._is_serving = True
            asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        """Serve turns of the addresses in rotation, up to the limit."""
        spent = 0.0
        while self._queues and spent < self._max_seconds:
            address = next(iter(self._queues))
            queue = self._queues.pop(address)
            taker, cost = queue.popleft()
            if queue:
                self._queues[address] = queue  # at the end
            spent += cost
            taker.take_turn()
        self._is_serving = bool(self._queues)
        if self._is_serving:
            asyncio.get_running_loop().call_soon(self._serve)
