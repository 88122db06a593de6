"""The parts of a running server, created once at its start."""

from dataclasses import dataclass

from meeple.server.analysis.analyst import Analyst
from meeple.server.play.tables import Tables
from meeple.server.settings import Settings
from meeple.server.store import Store
from meeple.server.thinking.pool import Pool
from meeple.server.threads import Threads
from meeple.server.training.runs import Runs
from meeple.server.work import Work


@dataclass(frozen=True)
class Services:
    """The parts of a running server, for its routes."""

    settings: Settings
    store: Store
    writer: Threads  # the single thread that writes to the store
    pool: Pool
    tables: Tables
    analyst: Analyst
    runs: Runs
    work: Work

    @classmethod
    def of(cls, settings: Settings, store: Store, pool: Pool) -> "Services":
        """Create the parts of a server on this database and these workers."""
        writer = Threads(1, "store")
        work = Work()
        tables = Tables(settings, store, writer, pool, work)
        return cls(
            settings=settings,
            store=store,
            writer=writer,
            pool=pool,
            tables=tables,
            analyst=Analyst(tables, pool, work, settings.runs),
            runs=Runs(settings.runs, settings.game_files),
            work=work,
        )

    async def close(self) -> None:
        """Stop all agents, and return after all plies are stored."""
        await self.tables.close()
        self.work.close()
        self.writer.close(wait=True)
        await self.pool.close()
        self.store.close()
