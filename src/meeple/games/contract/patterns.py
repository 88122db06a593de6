"""Patterns of cells: what a game declares so that tables of weights can evaluate its positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

Cells = tuple[int, ...]  # an ordered group of cells, as the observation numbers them


@dataclass(frozen=True)
class Patterns:
    """The patterns of a board, each an ordered group of cells with one table of weights.

    Attributes:
        placements: for each pattern, groups of cells of one length that share its table. The
            game's symmetries place every group elsewhere on the board, with the same table.
        stages: number of tables of each pattern, by the share of cells that are not empty.
        anywhere: whether the weights that were learned on one board serve boards of every size.
        seats_alike: whether a board is worth as much to one seat as the board with all owners
            exchanged is to the other: in Reversi, not in Hex. Otherwise each seat to move has
            weights of its own, shared where a symmetry of the game exchanges the seats.
    """

    placements: Sequence[Sequence[Cells]]
    stages: int = 1
    anywhere: bool = False
    seats_alike: bool = False


@runtime_checkable
class HasPatterns(Protocol):
    """Declares patterns: for `meeple train` with patterns and `minimax:eval=PATH`.

    If the game has the kernel `ownership` or `contents`, the first `num_cells` numbers of its
    observation belong to the cells, in their order, so that its symmetries permute both alike.
    """

    def patterns(self) -> Patterns:
        """Return the patterns of this board."""
        ...
