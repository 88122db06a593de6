"""Limits of connections: their number an address, timeouts of requests, and a rate of parsing.

They apply before the password is checked and before anything is parsed. A `Connection` is between
the transport and uvicorn's protocols, HTTP and then perhaps WebSocket: it passes data on in pieces,
when `pacing` gives it a turn, and stops reading meanwhile.
"""

import asyncio
import struct
from collections import Counter
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from meeple.rate_limit import TokenBucket
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.web import pacing
from meeple.server.web.guard import caller
from meeple.server.web.pacing import Pace

_LONG, _LONGER = 126, 127  # codes in a frame's length: the length follows in 2 or 8 bytes


class OpenConnections:
    """The open connections of a server by address, and the turns in which they are parsed."""

    def __init__(self, max_per_address: int, limits: ServerLimits = LIMITS) -> None:
        """Create the counts; `max_per_address`: open connections, without WebSockets."""
        self.limits = limits
        self.open: Counter[str] = Counter()
        self.pace = Pace(limits)
        self._max_per_address = max_per_address

    def enter(self, who: str) -> bool:
        """Count a connection; return False if its address has too many."""
        if self.open[who] >= self._max_per_address:
            return False
        self.open[who] += 1
        return True

    def leave(self, who: str) -> None:
        """Uncount a connection that has ended or become a WebSocket."""
        self.open[who] -= 1
        if not self.open[who]:
            del self.open[who]


def protocol(connections: OpenConnections) -> "type[Connection]":
    """Return uvicorn's protocol for HTTP and WebSocket, with limits of its connections."""

    class Limited(Connection):
        counts = connections

    return Limited


class Connection(asyncio.Protocol):
    """A connection, which is the transport of uvicorn's protocols."""

    counts: OpenConnections

    def __init__(self, **uvicorn: Any) -> None:
        """Create the connection; `uvicorn`: the arguments of uvicorn's protocols."""
        self._inner: Any = TimedHTTP(self.counts.limits, **uvicorn)
        self._frames: Frames | None = None  # of a WebSocket
        self._waiting = bytearray()
        self._budget = TokenBucket(self.counts.limits.connection_time)
        self._is_held = False  # whether the inner protocol has paused reading
        self._next: tuple[int, float] | None = None  # the piece that is paid for: bytes, cost
        self._timer: asyncio.TimerHandle | None = None
        self._is_counted = self._is_request_paid = False

    # ------------------------------------------------------------ the network's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._inner.connection_made(self)
        self._address = caller({"client": self._inner.client})
        self._is_counted = self.counts.enter(self._address)
        if not self._is_counted:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        if len(self._waiting) > self.counts.limits.max_buffered_bytes:
            self._transport.pause_reading()
        self._request_turn()

    def eof_received(self) -> None:
        self._inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._uncount()
        self._waiting.clear()
        if self._timer is not None and self._next is not None:
            self._timer.cancel()
            self.counts.pace.give_back(self._address, self._next[1])
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    # ------------------------------------------------------------ turns

    def _request_turn(self) -> None:
        """Charge the next piece, and queue it when the budgets allow it."""
        if self._next is not None or self._is_held or self._transport.is_closing():
            return
        self._next = self._next_piece()
        if self._next is None:
            self._transport.resume_reading()  # no data, or an incomplete frame head
            return
        cost = self._next[1]
        delay = self.counts.pace.reserve(self._address, self._budget, cost)
        if delay:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(delay, self._enqueue)
        else:
            self._enqueue()

    def _enqueue(self) -> None:
        self._timer = None
        if self._next is not None:
            self.counts.pace.enqueue(self._address, self, self._next[1])

    def _next_piece(self) -> tuple[int, float] | None:
        """Return the size of the next piece, and its cost; None if more must be read first."""
        if not self._waiting:
            return None
        if self._frames is not None:
            return self._frames.next_piece(self._waiting)
        size = min(len(self._waiting), self.counts.limits.max_piece_bytes)
        cost = pacing.PIECE_COST + pacing.BYTE_COST * size
        cost += pacing.LINE_COST * self._waiting.count(b"\n", 0, size)
        if not self._is_request_paid and self._inner.conn.their_state is h11.IDLE:
            self._is_request_paid = True
            cost += pacing.REQUEST_COST
        return size, cost

    def take_turn(self) -> None:
        """Pass the charged piece to the inner protocol."""
        paid, self._next = self._next, None
        if paid is None or self._transport.is_closing():
            return
        piece = bytes(self._waiting[: paid[0]])
        del self._waiting[: paid[0]]
        inner = self._inner
        if self._frames is not None and self._frames.is_abuse(closed=inner.close_sent):
            self._transport.abort()
            return
        inner.data_received(piece)
        if inner is self._inner and self._frames is None:
            self._is_request_paid &= inner.conn.their_state is h11.IDLE
        self._request_turn()

    def _uncount(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self.counts.leave(self._address)

    # ------------------------------------------------------------ the inner protocol's side

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the transport."""
        return getattr(self._transport, name)

    def pause_reading(self) -> None:
        """Stop passing data on."""
        self._is_held = True

    def resume_reading(self) -> None:
        """Pass data on again."""
        self._is_held = False
        self._request_turn()

    @property
    def has_waiting(self) -> bool:
        """Whether data wait for their turn."""
        return bool(self._waiting)

    def get_protocol(self) -> Any:
        """Return the inner protocol."""
        return self._inner

    def set_protocol(self, protocol: Any) -> None:
        """Switch to WebSocket, which the guard counts."""
        self._inner, self._frames, self._is_held = protocol, Frames(self.counts.limits), False
        protocol.close_timeout = self.counts.limits.close_seconds
        self._uncount()


class TimedHTTP(H11Protocol):
    """HTTP with timeouts, and without pipelining.

    The connection ends if a request takes too long, and after a request that another one follows
    before its answer.
    """

    def __init__(self, limits: ServerLimits, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._limits = limits
        self._timer: asyncio.TimerHandle | None = None
        self._in_body = False

    def connection_made(self, transport: Any) -> None:  # a Connection
        super().connection_made(transport)
        self._start_timer(self._limits.header_seconds)

    def data_received(self, data: bytes) -> None:
        if self._timer is None:  # the next request of a kept-alive connection
            self._start_timer(self._limits.header_seconds)
        super().data_received(data)
        state = self.conn.their_state
        if self.transport.get_protocol() is not self:  # a socket now
            self._stop_timer()
        elif state is h11.SEND_BODY:
            if not self._in_body:
                self._in_body = True
                self._start_timer(self._limits.body_seconds)
        elif state is not h11.IDLE or not self.conn.trailing_data[0]:
            self._in_body = False
            self._stop_timer()
            if state is h11.DONE and self.conn.trailing_data[0]:
                self.cycle.keep_alive = False

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, except one whose next request waits for its turn."""
        if not cast(Connection, self.transport).has_waiting:
            super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Frames:
    """Tracks the WebSocket frames of a connection by their heads."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._left = 0  # remaining bytes of the current frame
        self._fragments = 0  # frames of the current message
        self._after_close = 0
        self._begins = False  # whether the last piece begins a frame

    def next_piece(self, waiting: bytearray) -> tuple[int, float] | None:
        """Return the available bytes of one frame, and their cost; None for an incomplete head."""
        cost = pacing.PIECE_COST
        self._begins = not self._left
        if self._begins:
            size = _frame_size(waiting)
            if size is None:
                return None
            self._left = size
            cost = pacing.FRAME_COST
            if not waiting[0] & 0x08:  # no control frame
                self._fragments = 0 if waiting[0] & 0x80 else self._fragments + 1
        size = min(len(waiting), self._left, self._limits.max_piece_bytes)
        self._left -= size
        return size, cost + pacing.BYTE_COST * size

    def is_abuse(self, *, closed: bool) -> bool:
        """Return whether the last piece exceeds a limit.

        Args:
            closed: whether the server has sent its close frame.
        """
        self._after_close += closed and self._begins
        return (
            self._fragments > self._limits.max_fragments
            or self._after_close > self._limits.max_frames_after_close
        )


def _frame_size(data: bytearray) -> int | None:
    """Return the size of the frame that `data` begins with; None if its head is incomplete."""
    if len(data) < 2:
        return None
    mask = 4 if data[1] & 0x80 else 0
    length = data[1] & 0x7F
    if length < _LONG:
        return 2 + mask + length
    kind = ">H" if length == _LONG else ">Q"
    end = 2 + struct.calcsize(kind)
    if len(data) < end:
        return None
    return end + mask + int(struct.unpack(kind, data[2:end])[0])
