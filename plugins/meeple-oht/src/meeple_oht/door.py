"""Accepts connections within limits on their number and rate.

The limits are applied before the TLS handshake: a refused connection costs one `accept` and one
`close`.
"""

import asyncio
import logging
import socket
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from meeple.listening import allow_open_files, listen, port_of
from meeple.rate_limit import TokenBuckets
from meeple_oht.keepalive import keep_alive
from meeple_oht.limits import HOST_LIMITS, HostLimits

LOG = logging.getLogger(__name__)
RETRY_SECONDS = 0.1  # until the next attempt after `accept` failed
REPORT_SECONDS = 60.0  # between two log lines about refused connections
MAX_REPORTED = 5  # addresses in such a line


@dataclass
class Guest:
    """An accepted connection."""

    address: str
    is_known: bool = False  # whether it has sent a player's token


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Guest], Awaitable[None]]


class Door:
    """Listens and passes each accepted connection to a serve function."""

    def __init__(self, tls: ssl.SSLContext | None, limits: HostLimits = HOST_LIMITS) -> None:
        self._tls, self._limits = tls, limits
        files = allow_open_files(limits.max_connections + limits.reserved_files)
        self._room = max(limits.min_connections, files - limits.reserved_files)
        self._open: Counter[str] = Counter()  # connections by address
        self._strangers: Counter[str] = Counter()
        self._count = 0
        self._handshakes = TokenBuckets(limits.handshakes)
        self._listeners: list[socket.socket] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._refused: Counter[tuple[str, str]] = Counter()  # by address and reason
        self._reported = -REPORT_SECONDS

    async def listen(self, host: str, port: int, serve: Serve) -> int:
        """Start to accept connections at an address; return the port.

        Raises MeepleError if the address is not available.
        """
        listeners = await asyncio.to_thread(listen, host, port)
        self._listeners += listeners
        for listener in listeners:
            listener.setblocking(False)
            self._start(self._accept(listener, serve))
        return port_of(listeners)

    def know(self, guest: Guest) -> None:
        """Record that a connection has sent a player's token."""
        if not guest.is_known:
            guest.is_known = True
            _count_down(self._strangers, guest.address)

    def note(self, address: str, reason: str) -> None:
        """Count a refusal; refusals are logged in one line a minute."""
        self._refused[address, reason] += 1
        if time.monotonic() - self._reported >= REPORT_SECONDS:
            self._report()

    async def close(self) -> None:
        """Stop listening and end all connections at once."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in self._listeners:
            listener.close()
        self._report()

    # ------------------------------------------------------------ a connection

    async def _accept(self, listener: socket.socket, serve: Serve) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(0)  # accepting does not suspend while connections are queued
            try:
                connection, place = await loop.sock_accept(listener)
            except OSError as error:
                self.note("", error.strerror or str(error))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            address = str(place[0])
            refusal = self._refusal(address)
            if refusal:
                connection.close()
                self.note(address, refusal)
                continue
            self._count += 1
            self._open[address] += 1
            self._strangers[address] += 1
            self._start(self._admit(connection, Guest(address), serve))

    def _refusal(self, address: str) -> str:
        """Return why another connection of an address is refused; "" if it is accepted."""
        if self._count >= self._room:
            return "too many connections"
        if self._open[address] >= self._limits.max_connections_per_address:
            return "too many connections of this address"
        if self._strangers[address] >= self._limits.max_strangers_per_address:
            return "too many connections of this address without a token"
        return ""

    async def _admit(self, connection: socket.socket, guest: Guest, serve: Serve) -> None:
        """Serve a connection to its end, once the rate limit of its address allows it."""
        try:
            try:
                reader, writer = await self._streams(connection, guest)
            except OSError as error:  # includes TLS errors and timeouts
                LOG.debug("%s: %s", guest.address, error)
                self.note(guest.address, "no handshake" if self._tls else "broken connection")
                return
            try:
                await serve(reader, writer, guest)
            finally:
                writer.transport.abort()
        except Exception:
            LOG.exception("%s: a connection has failed", guest.address)
        finally:
            self.know(guest)
            self._count -= 1
            _count_down(self._open, guest.address)

    async def _streams(
        self, connection: socket.socket, guest: Guest
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return reader and writer of a connection, after any TLS handshake. Raises OSError."""
        loop, tls = asyncio.get_running_loop(), self._tls
        try:
            await asyncio.sleep(self._handshakes.reserve(guest.address, 1))
            keep_alive(connection)
        except BaseException:  # from here on, the transport closes it
            connection.close()
            raise
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            connection,
            ssl=tls,
            ssl_handshake_timeout=None if tls is None else self._limits.handshake_seconds,
            ssl_shutdown_timeout=None if tls is None else self._limits.close_seconds,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    # ------------------------------------------------------------ underneath

    def _report(self) -> None:
        """Log what was refused since the last report."""
        if not self._refused:
            return
        listed = [
            f"{address}: {reason} ({count:,} times)" if address else f"{reason} ({count:,} times)"
            for (address, reason), count in self._refused.most_common(MAX_REPORTED)
        ]
        more = len(self._refused) - len(listed)
        LOG.warning("refused: %s%s", "; ".join(listed), f"; and {more:,} more" if more else "")
        self._refused.clear()
        self._reported = time.monotonic()

    def _start(self, work: Awaitable[None]) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _count_down(counts: Counter[str], address: str) -> None:
    counts[address] -= 1
    if not counts[address]:
        del counts[address]
