"""What all subjects of a server use: its database, workers and threads."""

from dataclasses import dataclass, field
from pathlib import Path

from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.store import GameStore
from meeple.server.thinking.pool import Pool
from meeple.server.threads import Threads
from meeple.server.work import Work


@dataclass(frozen=True)
class Resources:
    """The shared resources of a running server."""

    store: GameStore
    pool: Pool  # worker processes in which agents search
    runs: Path  # folder whose networks may play
    limits: ServerLimits = LIMITS
    writer: Threads = field(default_factory=lambda: Threads(1, "store"))
    """The single thread that writes to the store."""
    work: Work = field(init=False)  # lanes of threads for long work

    def __post_init__(self) -> None:
        object.__setattr__(self, "work", Work(self.limits))

    async def close(self) -> None:
        """Return after all writes are done."""
        self.work.close()
        self.writer.close(wait=True)
        await self.pool.close()
        self.store.close()
