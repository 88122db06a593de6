"""The parts of a running server, created once at its start."""

from dataclasses import dataclass
from typing import Any

from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.reviews import Reviews
from meeple.server.cups.cups import Cups
from meeple.server.library.library import Library
from meeple.server.lobby.lessons import Lessons
from meeple.server.lobby.lobby import Lobby
from meeple.server.play.tables import Tables
from meeple.server.puzzles.puzzles import Puzzles
from meeple.server.resources import Resources
from meeple.server.study.studies import Studies
from meeple.server.training.runs import Runs


@dataclass(frozen=True)
class Services:
    """The shared resources of a server, and one object for each subject."""

    resources: Resources
    tables: Tables
    lobby: Lobby
    lessons: Lessons
    cups: Cups
    analyst: Analyst
    reviews: Reviews
    library: Library
    studies: Studies
    puzzles: Puzzles
    runs: Runs

    @classmethod
    def of(
        cls, resources: Resources, game_files: tuple[str, ...], *, only_here: bool
    ) -> "Services":
        """Create the parts of a server.

        Args:
            resources: what they share.
            game_files: files that define further games.
            only_here: whether only this machine can reach the server.
        """
        tables = Tables(resources)
        analyst = Analyst(resources, tables)
        reviews = Reviews(analyst, resources)
        tables.on_over.append(reviews.begin)
        return cls(
            resources=resources,
            tables=tables,
            lobby=Lobby(resources),
            lessons=Lessons(resources),
            cups=Cups(resources, tables),
            analyst=analyst,
            reviews=reviews,
            library=Library(resources, tables, analyst),
            studies=Studies(resources, analyst),
            puzzles=Puzzles(resources),
            runs=Runs(resources.runs, game_files, resources.limits, only_here=only_here),
        )

    def by_class(self) -> dict[type, Any]:
        """Return the parts by their classes, as routes ask for them."""
        return {type(part): part for part in vars(self).values()}

    async def close(self) -> None:
        """Stop all agents, and return after all plies are stored."""
        await self.reviews.close()
        await self.cups.close()
        await self.tables.close()
        await self.resources.close()
