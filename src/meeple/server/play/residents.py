"""The tables in memory: loaded, watched, stored, and dropped when idle.

Every change is written to the database before it is sent to clients.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol

from meeple.errors import MeepleError
from meeple.games.contract.registry import make_from
from meeple.server.errors import TooMany, refusal
from meeple.server.play.precompile import precompile, wait_for_kernels
from meeple.server.play.stored import columns_of, table_of, terms_of
from meeple.server.play.table import Table
from meeple.server.play.views import view_of
from meeple.server.resources import Resources
from meeple.server.store import Ply, StoredGame, readable

LOG = logging.getLogger(__name__)


class Watcher(Protocol):
    """A client that is notified of changes of a table."""

    held: frozenset[str]
    """Hashes of its tokens, made once."""

    def wake(self) -> None:
        """Note that the table has changed."""
        ...

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message in addition to the view."""
        ...


class Residents:
    """The tables in memory, and the watchers of each."""

    def __init__(self, resources: Resources, on_drop: Callable[[Table], None]) -> None:
        """Create an empty set; `on_drop` is called with each table that is dropped."""
        self._store, self._writer, self._work = resources.store, resources.writer, resources.work
        self._limits, self._on_drop = resources.limits, on_drop
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._watchers: dict[str, set[Watcher]] = defaultdict(set)
        self._present: dict[str, tuple[int, frozenset[int], int]] = {}
        """By table: its version, the seats of its watchers, and the number of those without."""
        self._greeting: set[str] = set()  # tables whose watchers will be notified of who came

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables in memory."""
        return tuple(self._tables.values())

    def find(self, id: str) -> Table | None:
        """Return the table of an id if it is in memory."""
        return self._tables.get(id)

    def has(self, table: Table) -> bool:
        """Return whether this object is the current one of its id."""
        return self._tables.get(table.id) is table

    # ------------------------------------------------------------ loading and dropping

    async def get(self, id: str) -> Table:
        """Return a table from memory or the database; raise NotFound or Busy."""
        while (table := self._tables.get(id)) is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            await asyncio.shield(self._loading[id])
        table.upkeep.used = time.monotonic()
        return table

    async def _load(self, id: str) -> Table:
        try:
            stored, plies = await self._writer.do(self._store.game, id)
            await wait_for_kernels(stored.game)
            table = self._tables[id] = await self._work.on(len(plies)).do(set_up, stored, plies)
            table.upkeep.used = time.monotonic()  # later than all requests during the set-up
            self._trim()
            return table
        finally:
            del self._loading[id]

    async def add(self, stored: StoredGame, table: Table, played: Sequence[Ply] = ()) -> None:
        """Begin a new table after the plies `played`: store it and hold it in memory."""
        table.begin()
        stored.status, stored.result, stored.terms = table.status, table.result, terms_of(table)
        plies = [*played, *table.history.plies(len(played))]
        await self._writer.do(self._store.add, stored, plies)
        self._tables[table.id] = table
        self._trim()

    def _trim(self) -> None:
        """Drop the idle tables that were used least recently, beyond the limits."""
        idle = [table for table in self._tables.values() if self._is_idle(table)]
        idle.sort(key=lambda table: table.upkeep.used, reverse=True)
        total, limits = 0, self._limits
        for number, table in enumerate(idle):
            total += table.cost
            if number and (number >= limits.max_idle_tables or total > limits.max_idle_bytes):
                self._drop(table)

    def _drop(self, table: Table) -> None:
        self._tables.pop(table.id, None)
        if table.upkeep.alarm:
            table.upkeep.alarm.cancel()
        self._on_drop(table)

    # ------------------------------------------------------------ changing

    @contextlib.asynccontextmanager
    async def held(self, table: Table) -> AsyncIterator[None]:
        """Lock the table for a change.

        Raises:
            MeepleError: The table was dropped after a failed write. A caller that still holds it
                must not overwrite the stored game.
        """
        async with table.upkeep.lock:
            if not self.has(table):
                raise refusal(MeepleError, "open_again")
            yield

    async def write(self, table: Table, first: int, keep: int | None = None) -> None:
        """Store the plies from `first` on; a table that cannot be stored is dropped from memory.

        A cancelled caller ends only after the plies are stored, since they are already in memory,
        where other clients would see them.
        """
        table.version += 1
        storing = asyncio.create_task(self._store_plies(table, first, keep))
        try:
            await asyncio.shield(storing)
        except asyncio.CancelledError:
            await asyncio.wait([storing])
            raise

    async def _store_plies(self, table: Table, first: int, keep: int | None) -> None:
        plies, columns = table.history.plies(first), columns_of(table)
        try:
            append = self._store.append
            await self._writer.do(append, table.id, first, plies, keep=keep, **columns)
        except Exception as error:
            LOG.error("game %s cannot be stored", table.id, exc_info=error)
            self._drop(table)
            self.tell(table, {"type": "reload"})
            # The database's message may contain the row: hidden cards and hashes of tokens.
            raise refusal(MeepleError, "not_stored") from error

    async def remove(self, table: Table) -> None:
        """Delete a table from memory and the database; the caller holds its lock."""
        await self._writer.do(self._store.remove, table.id)
        self._drop(table)
        self.tell(table, {"type": "reload"})

    async def close_left(self) -> None:
        """Close the stored games that nobody has continued since `left_days`, nor looks at."""
        before = time.time() - 86_400 * self._limits.left_days
        kept = [table.id for table in self._tables.values() if not self._is_idle(table)]
        for id in await self._writer.do(self._store.close_left, before, kept):
            if (table := self._tables.get(id)) is not None:
                self._drop(table)

    def _is_idle(self, table: Table) -> bool:
        running = table.upkeep.agents is not None or table.upkeep.lock.locked()
        return not running and not self.is_watched(table)

    # ------------------------------------------------------------ watchers

    def watch(self, table: Table, watcher: Watcher) -> None:
        """Notify a watcher of all changes from now on; raise TooMany beyond the limit."""
        if sum(map(len, self._watchers.values())) >= self._limits.max_watchers:
            raise refusal(TooMany, "too_many_watchers")
        if not self.has(table):
            raise refusal(MeepleError, "open_again")
        self._watchers[table.id].add(watcher)
        watcher.wake()
        self._present.pop(table.id, None)
        if len(self._watchers[table.id]) > 1:
            self._greet(table)

    def unwatch(self, table: Table, watcher: Watcher) -> None:
        """Stop notifying a watcher."""
        watchers = self._watchers[table.id]
        watchers.discard(watcher)
        if not watchers:
            del self._watchers[table.id]
            self._trim()
        self._present.pop(table.id, None)
        self._greet(table)

    def _greet(self, table: Table) -> None:
        """Notify the watchers that one came or left, the later the more there are.

        Many who come and go then cost no more than a view every few milliseconds.
        """
        watchers = self._watchers.get(table.id)
        if watchers and table.id not in self._greeting:
            self._greeting.add(table.id)
            delay = len(watchers) * self._limits.greeting_seconds
            asyncio.get_running_loop().call_later(delay, self._end_greeting, table)

    def _end_greeting(self, table: Table) -> None:
        self._greeting.discard(table.id)
        self.wake(table)

    def is_watched(self, table: Table) -> bool:
        """Return whether a table has a watcher."""
        return bool(self._watchers.get(table.id))

    def view(self, table: Table, held: frozenset[str], since: int = 0) -> dict[str, Any]:
        """Return the view of a client with hashes of tokens, and its events from ply `since` on."""
        here, watching = self._presence(table)
        return view_of(
            table,
            table.seats_with(held),
            since=since,
            host=table.is_host(held),
            here=here,
            watching=watching,
        )

    def _presence(self, table: Table) -> tuple[frozenset[int], int]:
        """Return the seats of all watchers, and the number of those who only look on.

        It is made once for each change of the table or of its watchers.
        """
        known = self._present.get(table.id)
        if known is None or known[0] != table.version:
            here, watching = frozenset[int](), 0
            watchers = self._watchers.get(table.id, ())
            for one in watchers:
                seats = table.seats_with(one.held)
                here |= seats
                watching += not seats and not table.is_host(one.held)
            known = table.version, here, watching
            if watchers:
                self._present[table.id] = known
        return known[1:]

    def wake(self, table: Table) -> None:
        """Notify all watchers of a change."""
        for watcher in self._watchers.get(table.id, ()):
            watcher.wake()

    def tell(self, table: Table, message: dict[str, Any]) -> None:
        """Send all watchers a message in addition to the view."""
        for watcher in list(self._watchers.get(table.id, ())):
            watcher.tell(message)


def set_up(stored: StoredGame, plies: Sequence[Ply] = ()) -> Table:
    """Return a table that can be shown without delay.

    The table is shown once, because some damage of its row is detected only then.

    Raises:
        MeepleError: The game is unknown.
        Damaged: The row cannot be read.
    """
    with readable(stored.id):
        precompile(make_from(stored.game, stored.options))
        table = table_of(stored, plies)
        view_of(table, frozenset())
        return table
