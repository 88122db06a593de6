"""Shares the event loop's time: each piece of data of a connection is paid for before it is parsed.

Costs are seconds of the event loop, estimated from above. A connection and an address each have a
budget; a connection whose budget is used up is read later. Addresses then take turns.
"""

import asyncio
from collections import deque
from typing import Protocol

from meeple.rate_limit import TokenBucket, TokenBuckets

PIECE_BYTES = 1024  # of a connection's data that are parsed in one turn, at most
PIECE_COST = 50e-6  # of a turn
BYTE_COST = 2e-8  # of a byte
LINE_COST = 10e-6  # of a line of HTTP: a header, or one of the two lines of a chunk
REQUEST_COST = 1e-3  # of a request
FRAME_COST = 200e-6  # of a WebSocket frame, of control frames and fragments too
ADDRESS_RATE, ADDRESS_BURST = 0.4, 2.0  # seconds of the loop a second, and at once, of an address
CONNECTION_RATE, CONNECTION_BURST = 0.2, 1.0  # the same, of one connection
ITERATION_COST = 5e-3  # of the turns in one iteration of the loop, which then serves other work


class Taker(Protocol):
    """A connection that takes turns."""

    def take_turn(self) -> None:
        """Parse one piece."""


class Pace:
    """The turns of all connections of a server."""

    def __init__(self) -> None:
        self._budgets = TokenBuckets(ADDRESS_RATE, ADDRESS_BURST)
        self._queues: dict[str, deque[tuple[Taker, float]]] = {}  # by address, in turn
        self._is_serving = False

    def reserve(self, address: str, own: TokenBucket, cost: float) -> float:
        """Charge a connection and its address; the seconds until both can afford it."""
        return max(own.reserve(cost), self._budgets.reserve(address, cost))

    def give_back(self, address: str, cost: float) -> None:
        """Return a charge to an address: the connection has ended before its turn."""
        self._budgets.take(address, -cost)

    def enqueue(self, address: str, taker: Taker, cost: float) -> None:
        """Give a turn, paid for already, after those of this address that wait."""
        self._queues.setdefault(address, deque()).append((taker, cost))
        if not self._is_serving:
            self._is_serving = True
            asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        """Serve one turn of each address after the other, for a part of this iteration."""
        spent = 0.0
        while self._queues and spent < ITERATION_COST:
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
