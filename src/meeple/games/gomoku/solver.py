"""The solver of Gomoku: wins by threats, as a capability of the game."""

import numpy as np
import numpy.typing as npt

from meeple.games.contract.position import BarePosition
from meeple.games.contract.rules import Rules
from meeple.games.gomoku.fours import MAX_FOURS
from meeple.games.gomoku.opening import PLAY
from meeple.games.gomoku.threat_search import (
    MAX_PLIES,
    NODES,
    WIN,
    new_threat_stack,
    open_threats,
    read_line,
    run_threats,
)

SLOTS = 1 << 18  # of the table, 24 bytes each
MIN_NODES = 100_000  # of a try: shorter ones lose more time than they win, see `nodes`
MIN_STONES = 3


class ThreatSolver:
    """Finds wins by fours and threes, see `capabilities.PositionSolver`; keeps its table."""

    share = 0.1  # most positions have no such win
    nodes_per_second = 10_000_000
    finds_wins_only = True

    def __init__(self, game: Rules, slots: int = SLOTS) -> None:
        """Allocate a table of `slots` entries, a power of two, and load the kernels."""
        self._stack = new_threat_stack(slots)
        self.open(BarePosition(game))
        self.advance(1)
        self._mover = 0
        _ = self.line

    def nodes(self, position: BarePosition) -> int | None:
        """Return the nodes of a try; None in an opening, or with too few stones for threats.

        Most wins need fewer than 50,000 nodes. Alpha-beta finds the wins of a shorter try a little
        later, and misses the time in all other positions.
        """
        in_opening = position.row.view(position.game.State)[0].stage != PLAY
        return None if in_opening or len(position.actions) < MIN_STONES else MIN_NODES

    def order_by(self, evaluation: int, memory: int) -> None:
        """Ignore the evaluation: threats are not ordered by it."""

    def open(self, position: BarePosition, attacker: int | None = None) -> None:
        """Begin to search for a win of the player to move, or of another seat."""
        self._row: npt.NDArray[np.uint8] = position.row.copy()
        self._state = self._row.view(position.game.State)[0]
        self._attacker = position.to_move if attacker is None else attacker
        open_threats(self._state, self._stack, self._attacker)

    def advance(self, nodes: int) -> bool:
        """Search about `nodes` further nodes; return whether the search is finished."""
        return bool(run_threats(self._state, self._stack, nodes))

    @property
    def searched(self) -> int:
        """The nodes since `open`."""
        return int(self._stack.cursor[NODES])

    @property
    def payoffs(self) -> npt.NDArray[np.float64] | None:
        """[2] the attacker's win; None if threats do not win."""
        if self.plies == 0:
            return None
        payoffs = np.zeros(2)
        payoffs[self._attacker] = 1.0
        return payoffs

    @property
    def plies(self) -> int:
        """The most plies until the attacker has won; 0 if threats do not win."""
        return int(self._stack.cursor[WIN])

    @property
    def line(self) -> list[int]:
        """The actions of the win against the longest defence."""
        cells = np.zeros(MAX_PLIES + 2 * MAX_FOURS, np.int16)
        count = read_line(self._state, self._stack, cells)
        return [int(cell) for cell in cells[:count]]
