"""A game under analysis, with the client's access to its positions.

`Tables.may_analyse` decides on each ply of an unfinished game.
"""

from dataclasses import dataclass
from typing import Any

from meeple.errors import UsageError
from meeple.games.contract.replay import Replay
from meeple.kernels import OVER
from meeple.server.errors import refusal
from meeple.server.play.table import Table
from meeple.server.play.tables import Tables

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A game under analysis, and the client's tokens."""

    line: Replay
    table: Table | None  # the table of the game, if it has one
    tokens: tuple[str, ...]
    tables: Tables

    @property
    def is_open(self) -> bool:
        """Whether any client may see the whole game."""
        return self.table is None or self.table.is_over or not self.line.game.hides

    @property
    def you(self) -> frozenset[int]:
        """The client's seats at the table."""
        return frozenset() if self.table is None else self.table.seats_of(self.tokens)

    def viewer(self, ply: int, wanted: int | None = None) -> int | None:
        """Return the seat whose view of a position is shown: the wanted one, or the one to move.

        Raises:
            Forbidden: The client may not see the position.
        """
        self.line.check(ply)
        mover = self.line.movers[ply]
        only = None
        if self.table is not None:
            only = self.tables.may_analyse(self.table, self.tokens, mover)
        if only is not None:
            return only
        if wanted is not None and wanted >= self.line.game.seats:
            raise refusal(UsageError, "no_seat", seat=wanted, last=self._last_seat)
        return wanted if wanted is not None else mover if mover >= 0 else None

    def check_looks(self) -> None:
        """Raise Forbidden if the client may not even see the list of plies."""
        if self.table is not None:
            seat = min(self.you, default=OVER)  # if the game hides something, players see more
            self.tables.may_analyse(self.table, self.tokens, seat)

    @property
    def _last_seat(self) -> int:
        return self.line.game.seats - 1
