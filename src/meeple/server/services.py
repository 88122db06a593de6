"""The parts of a running server, created once at its start."""

from dataclasses import dataclass
from typing import Any

from meeple.server.analysis.analyst import Analyst
from meeple.server.library.library import Library
from meeple.server.limits import ServerLimits
from meeple.server.lobby.lobby import Lobby
from meeple.server.play.tables import Tables
from meeple.server.settings import ServerSettings
from meeple.server.store import GameStore
from meeple.server.thinking.pool import Pool
from meeple.server.threads import Threads
from meeple.server.training.runs import Runs
from meeple.server.work import Work


@dataclass(frozen=True)
class Services:
    """The parts of a running server."""

    limits: ServerLimits
    store: GameStore
    writer: Threads  # the single thread that writes to the store
    pool: Pool
    work: Work
    tables: Tables
    lobby: Lobby
    analyst: Analyst
    library: Library
    runs: Runs

    @classmethod
    def of(
        cls, settings: ServerSettings, store: GameStore, pool: Pool, limits: ServerLimits
    ) -> "Services":
        """Create the parts of a server on this database and these workers."""
        writer, work = Threads(1, "store"), Work(limits)
        tables = Tables(store, writer, pool, work, settings.runs, limits)
        analyst = Analyst(tables, pool, work, settings.runs, limits)
        return cls(
            limits=limits,
            store=store,
            writer=writer,
            pool=pool,
            work=work,
            tables=tables,
            lobby=Lobby(store, work, settings.runs),
            analyst=analyst,
            library=Library(store, writer, work, tables, analyst, limits),
            runs=Runs(settings.runs, settings.game_files, limits),
        )

    def by_class(self) -> dict[type, Any]:
        """Return the parts by their classes, as routes ask for them."""
        return {type(part): part for part in vars(self).values()}

    async def close(self) -> None:
        """Stop all agents, and return after all plies are stored."""
        await self.tables.close()
        self.work.close()
        self.writer.close(wait=True)
        await self.pool.close()
        self.store.close()
