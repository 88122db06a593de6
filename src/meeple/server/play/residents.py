"""The tables in memory: loaded, looked on at, written, and let go when nobody uses them.

Everything is written to the database before anybody is told of it.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Protocol

from meeple.errors import MeepleError
from meeple.games.contract.registry import make_from
from meeple.server.errors import TooMany
from meeple.server.play.precompile import precompile, wait_for_kernels
from meeple.server.play.stored import columns_of, table_of, terms_of
from meeple.server.play.table import Table
from meeple.server.play.views import view_of
from meeple.server.store import Ply, Store, StoredGame, readable
from meeple.server.threads import Threads
from meeple.server.work import Work

MAX_IDLE_TABLES = 256  # games kept in memory although nobody looks at them
MAX_IDLE_BYTES = 200_000_000  # that those take, about
MAX_WATCHERS = 5000

LOG = logging.getLogger(__name__)


class Watcher(Protocol):
    """Somebody who is told when a table has changed."""

    tokens: tuple[str, ...]

    def wake(self) -> None:
        """The table has changed."""
        ...

    def tell(self, message: dict[str, Any]) -> None:
        """A message beside the view."""
        ...


class Residents:
    """The tables in memory, and who looks on at each."""

    def __init__(
        self, store: Store, writer: Threads, work: Work, on_drop: Callable[[Table], None]
    ) -> None:
        """`writer`: the one thread in which the store is called; `work` sets games up.

        `on_drop` is called with a table that has been let go.
        """
        self._store, self._writer, self._work = store, writer, work
        self._on_drop = on_drop
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._watchers: dict[str, set[Watcher]] = defaultdict(set)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All of them."""
        return tuple(self._tables.values())

    def find(self, id: str) -> Table | None:
        """The table of that name, if it is in memory."""
        return self._tables.get(id)

    def has(self, table: Table) -> bool:
        """Whether that table is the one in use."""
        return self._tables.get(table.id) is table

    # ------------------------------------------------------------ in and out

    async def get(self, id: str) -> Table:
        """A table, from memory or the database. Raises NotFound, and Busy."""
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
            table.upkeep.used = time.monotonic()  # after all that came while it was set up
            self._trim()
            return table
        finally:
            del self._loading[id]

    async def add(self, stored: StoredGame, table: Table, played: Sequence[Ply] = ()) -> None:
        """Begin a new table, at which that was played already: store it, and keep it in memory."""
        table.begin()
        stored.status, stored.result, stored.terms = table.status, table.result, terms_of(table)
        plies = [*played, *table.history.plies(len(played))]
        await self._writer.do(self._store.add, stored, plies)
        self._tables[table.id] = table
        self._trim()

    def _trim(self) -> None:
        """Let go of the tables that nobody has used for longest."""
        idle = [
            table
            for table in self._tables.values()
            if not self.is_watched(table)
            and table.upkeep.agents is None
            and not table.upkeep.lock.locked()
        ]
        idle.sort(key=lambda table: table.upkeep.used, reverse=True)
        total = 0
        for number, table in enumerate(idle):
            total += table.cost
            if number and (number >= MAX_IDLE_TABLES or total > MAX_IDLE_BYTES):
                self._drop(table)

    def _drop(self, table: Table) -> None:
        """Forget a table in memory."""
        self._tables.pop(table.id, None)
        if table.upkeep.alarm:
            table.upkeep.alarm.cancel()
        self._on_drop(table)

    # ------------------------------------------------------------ changing

    @contextlib.asynccontextmanager
    async def held(self, table: Table) -> AsyncIterator[None]:
        """Nobody else changes the table meanwhile.

        Raises MeepleError where it is not the one in use: what could not be stored was forgotten,
        and who still has that table must not write over the game as it is.
        """
        async with table.upkeep.lock:
            if not self.has(table):
                raise MeepleError("this game had to be loaded again: look at it anew")
            yield

    async def write(self, table: Table, first: int, keep: int | None = None) -> None:
        """Store the plies from `first` on. What cannot be stored did not happen.

        A caller that is cancelled meanwhile ends after the plies are stored, and not before: they
        are in memory already, where others would see them.
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
            # What the database says may hold what it was to store: cards, and tokens' hashes.
            raise MeepleError("the game cannot be stored: see the server's messages") from error

    # ------------------------------------------------------------ looking on

    def watch(self, table: Table, watcher: Watcher) -> None:
        """Tell somebody of all changes from now on. Raises TooMany."""
        if sum(map(len, self._watchers.values())) >= MAX_WATCHERS:
            raise TooMany("too many people are looking on at this server")
        if not self.has(table):
            raise MeepleError("this game had to be loaded again: look at it anew")
        self._watchers[table.id].add(watcher)
        self.wake(table)

    def unwatch(self, table: Table, watcher: Watcher) -> None:
        """Tell them no more."""
        watchers = self._watchers[table.id]
        watchers.discard(watcher)
        if not watchers:
            del self._watchers[table.id]
            self._trim()
        else:
            self.wake(table)

    def is_watched(self, table: Table) -> bool:
        """Whether anybody looks on."""
        return bool(self._watchers.get(table.id))

    def here(self, table: Table) -> frozenset[int]:
        """The seats whose people look on at the moment."""
        return table.seats_of(self._tokens(table))

    def _tokens(self, table: Table) -> Iterable[str]:
        return [token for one in self._watchers.get(table.id, ()) for token in one.tokens]

    def wake(self, table: Table) -> None:
        """Let everybody who looks on know that it has changed."""
        for watcher in self._watchers.get(table.id, ()):
            watcher.wake()

    def tell(self, table: Table, message: dict[str, Any]) -> None:
        """Send everybody who looks on a message beside the view."""
        for watcher in list(self._watchers.get(table.id, ())):
            watcher.tell(message)


def set_up(stored: StoredGame, plies: Sequence[Ply] = ()) -> Table:
    """A table whose game can be shown at once. Raises MeepleError for one not known here, Damaged.

    It is shown once, as much of what may be damaged is only read then.
    """
    with readable(stored.id):
        precompile(make_from(stored.game, stored.options))
        table = table_of(stored, plies)
        view_of(table, frozenset())
        return table
