"""A game that somebody asks about, and who may know what of it.

For every ply of a game under way that is asked of `Tables.may_analyse`.
"""

from dataclasses import dataclass
from typing import Any

from meeple.errors import UsageError
from meeple.kernels import OVER
from meeple.server.line import Line
from meeple.server.play.table import Table
from meeple.server.play.tables import Tables

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A game that somebody asks about, and who asks."""

    line: Line
    table: Table | None  # whose game it is, where it is one's here
    tokens: tuple[str, ...]
    tables: Tables

    @property
    def is_open(self) -> bool:
        """Whether all of it may be known to anybody."""
        return self.table is None or self.table.is_over or not self.line.game.hides

    @property
    def you(self) -> frozenset[int]:
        """The seats of a table that whoever asks acts for."""
        return frozenset() if self.table is None else self.table.seats_of(self.tokens)

    def viewer(self, ply: int, wanted: int | None = None) -> int | None:
        """The seat through whose eyes a position is shown: the one to move, or the wanted one.

        Raises Forbidden where it may not be shown.
        """
        self.line.check(ply)
        mover = self.line.movers[ply]
        only = None
        if self.table is not None:
            only = self.tables.may_analyse(self.table, self.tokens, mover)
        if only is not None:
            return only
        if wanted is not None and wanted >= self.line.game.players:
            raise UsageError(f"there is no seat {wanted}: seats are 0 to {self._last_seat}")
        return wanted if wanted is not None else mover if mover >= 0 else None

    def check_looks(self) -> None:
        """Raises Forbidden where not even the list of its plies may be told."""
        if self.table is not None:
            seat = min(self.you, default=OVER)  # of a game that hides only players may know more
            self.tables.may_analyse(self.table, self.tokens, seat)

    @property
    def _last_seat(self) -> int:
        return self.line.game.players - 1
