"""The time control of a game, and the share of it for one move."""

from dataclasses import dataclass

_PARTS = 20  # a move may use 1/20 of the remaining time


@dataclass(frozen=True)
class TimeControl:
    """A time control: main time, then periods of `moves` moves, as in GTP's `time_settings`.

    Without periods, all moves are made in the main time.
    """

    main: float  # seconds
    period: float  # seconds of each period
    moves: int  # in each period; 0: no periods

    def seconds_for_move(
        self, left: float | None = None, moves_left: int | None = None
    ) -> float | None:
        """Return the seconds for the next move; None means no limit.

        Args:
            left: remaining seconds; None means all.
            moves_left: remaining moves of the current period; 0 or None during the main time.
        """
        if self.period > 0 and self.moves == 0 and self.main == 0:
            return None  # no limit, in GTP
        if left is not None and moves_left:
            return max(left, 0.0) / moves_left
        remaining = self.main if left is None else left
        if self.moves and remaining <= 0:
            return self.period / self.moves
        share = max(remaining, 0.0) / _PARTS
        return max(share, self.period / self.moves) if self.moves else share
