"""Timers that fire when the time of a person at a table is up."""

import asyncio
from collections.abc import Awaitable, Callable

from meeple.server.play.table import Table

LATE = 0.05  # seconds after the time is up, so that no time is left when the timer fires


class Alarms:
    """At most one timer for each table."""

    def __init__(self, time_is_up: Callable[[Table, int], Awaitable[None]]) -> None:
        """Create the timers; `time_is_up` is awaited with the table and the seat without time."""
        self._time_is_up = time_is_up
        self._rung: set[asyncio.Future[None]] = set()

    def set(self, table: Table) -> None:
        """Start the timer of the running clock; a change of the table before then disables it."""
        if table.upkeep.alarm:
            table.upkeep.alarm.cancel()
            table.upkeep.alarm = None
        clock = table.clock
        if clock is None or clock.running is None:
            return
        seat, version = clock.running, table.version

        def ring() -> None:
            if table.version == version and clock.running == seat:
                task = asyncio.ensure_future(self._time_is_up(table, seat))
                self._rung.add(task)
                task.add_done_callback(self._rung.discard)

        loop = asyncio.get_running_loop()
        table.upkeep.alarm = loop.call_later(clock.remaining(seat) + LATE, ring)
