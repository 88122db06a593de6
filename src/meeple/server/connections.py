"""Connections that must bring their requests in time, and few of one address.

Before any password is asked for: who only opens connections, or sends a request letter by letter,
would else use up the files that the system lets a server open.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from meeple.server.security import caller

HEADER_SECONDS = 10.0  # from the opening of a connection, or its first letter, to all headers
BODY_SECONDS = 60.0  # from there to the end of the request


@dataclass
class Limits:
    """What one server allows its connections."""

    each: int  # open at once of one address, those of sockets apart
    header_seconds: float = HEADER_SECONDS
    body_seconds: float = BODY_SECONDS
    open: Counter[str] = field(default_factory=Counter)  # by caller

    def enter(self, who: str) -> bool:
        """Count a connection; False where there are too many of its caller."""
        if self.open[who] >= self.each:
            return False
        self.open[who] += 1
        return True

    def leave(self, who: str) -> None:
        """A connection has ended, or is a socket now."""
        self.open[who] -= 1
        if not self.open[who]:
            del self.open[who]


def protocol(limits: Limits) -> type[H11Protocol]:
    """HTTP as uvicorn speaks it, within these limits."""

    class Limited(TimedProtocol):
        allowed = limits

    return Limited


class TimedProtocol(H11Protocol):
    """HTTP over a connection that is closed where a request takes too long to come."""

    allowed: Limits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._who = caller({"client": self.client})
        self._timer: asyncio.TimerHandle | None = None
        self._in_body = False
        self._is_counted = self.allowed.enter(self._who)
        if self._is_counted:
            self._allow(self.allowed.header_seconds)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._timer is None:  # the next request of a connection that was kept
            self._allow(self.allowed.header_seconds)
        super().data_received(data)
        state = self.conn.their_state
        if self.transport.get_protocol() is not self:  # a socket now, which the guard counts
            self._uncount()
        elif state is h11.SEND_BODY:
            if not self._in_body:
                self._in_body = True
                self._allow(self.allowed.body_seconds)
        elif state is not h11.IDLE or not self.conn.trailing_data[0]:
            self._in_body = False
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._uncount()
        super().connection_lost(exc)

    def _allow(self, seconds: float) -> None:
        """Close the connection unless what is awaited comes in time."""
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _uncount(self) -> None:
        self._stop_timer()
        if self._is_counted:
            self._is_counted = False
            self.allowed.leave(self._who)
