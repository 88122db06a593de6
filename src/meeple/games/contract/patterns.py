"""Patterns of cells: what a game declares so that tables of weights can evaluate its positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

Cells = tuple[int, ...]  # an ordered group of cells, as the kernel `ownership` numbers them


@dataclass(frozen=True)
class Patterns:
    """The patterns of a board, each an ordered group of cells with one table of weights.

    Attributes:
        placements: for each pattern, groups of cells of one length that share its table. The
            game's symmetries place every group elsewhere on the board, with the same table.
        stages: number of tables of each pattern, by the share of cells that have an owner.
        anywhere: whether the weights that were learned on one board serve boards of every size.
        seats_alike: whether a board is worth as much to one seat as the board with all owners
            exchanged is to the other: in Reversi, not in Hex. The weights are those of the player
            to move; a game whose symmetries exchange the seats must declare it.
    """

    placements: Sequence[Sequence[Cells]]
    stages: int = 1
    anywhere: bool = False
    seats_alike: bool = False


@runtime_checkable
class HasPatterns(Protocol):
    """Declares patterns: for `meeple train` with patterns and `minimax:eval=PATH`.

    The game has two players and the kernel `ownership`. The first `num_cells` numbers of its
    observation belong to the cells, in their order, so that its symmetries permute both alike.
    """

    def patterns(self) -> Patterns:
        """Return the patterns of this board."""
        ...
