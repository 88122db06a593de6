"""What a running server consists of, put together once when it starts."""

from dataclasses import dataclass

from meeple.server.analysis.analyst import Analyst
from meeple.server.library.turns import Turns
from meeple.server.play.tables import Tables
from meeple.server.settings import Settings
from meeple.server.store import Store
from meeple.server.thinking.pool import Pool
from meeple.server.training.runs import Runs


@dataclass(frozen=True)
class Services:
    """The parts of a running server, for its routes."""

    settings: Settings
    store: Store
    pool: Pool
    tables: Tables
    analyst: Analyst
    runs: Runs
    uploads: Turns
    downloads: Turns

    @classmethod
    def of(cls, settings: Settings, store: Store, pool: Pool) -> "Services":
        """All that works with this database and these workers."""
        tables = Tables(settings, store, pool)
        return cls(
            settings=settings,
            store=store,
            pool=pool,
            tables=tables,
            analyst=Analyst(tables, pool, settings.runs),
            runs=Runs(settings.runs, settings.game_files),
            uploads=Turns(),
            downloads=Turns(),
        )
