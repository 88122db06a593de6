"""How much of its time an engine takes for a move."""

from dataclasses import dataclass

_PARTS = 20  # of the time that is left, one is taken for a move


@dataclass(frozen=True)
class TimeControl:
    """Time in seconds: for all moves, then for each period of so many moves.

    As `time_settings` of GTP has it: without a period, all moves are made in the main time.
    """

    main: float
    period: float
    moves: int  # in each period; 0: there are no periods

    def for_a_move(self, left: float | None = None, moves_left: int | None = None) -> float | None:
        """Seconds for the next move, `left` of them being left; None: as many as it likes.

        `moves_left`: the moves that are left in the period, where it has begun; else 0 or None.
        """
        if self.period > 0 and self.moves == 0 and self.main == 0:
            return None  # GTP's way to say that there is no limit
        if left is not None and moves_left:
            return max(left, 0.0) / moves_left
        remaining = self.main if left is None else left
        if self.moves and remaining <= 0:
            return self.period / self.moves
        share = max(remaining, 0.0) / _PARTS
        return max(share, self.period / self.moves) if self.moves else share
