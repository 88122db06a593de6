"""The evaluation of a position by patterns, in a kernel.

For the player to move, with the digits of `layout.py` and the stage of the position:

    logit = bias[stage] + sum over all placements of weights[stage, weight_of[entry]]
    share = 1 / (1 + exp(-logit))

The kernel remembers the cells that it evaluated last, and updates only the entries of placements
with cells that have changed. In a search most positions differ in few cells from the one before.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.kernels import (
    EVALUATE_STATE,
    OWNERSHIP,
    SHARES,
    TABLES,
    RecordType,
    inlined,
    invoke2,
    kernel,
    record,
)
from meeple.kernels.table import KernelTable, Memory
from meeple.search.patterns.layout import PatternLayout, exchanged, layout_of

NO_PLACEMENT = -1  # ends a cell's list of placements

Weights = npt.NDArray[np.float32]  # [stages, weights + 1], the bias last


def tables_record(layout: PatternLayout, stages: int) -> RecordType:
    """Return the record of the weights and of the position that was evaluated last."""
    cells, placements = len(layout.stage_of) - 1, len(layout.groups)
    used = np.bincount([cell for group in layout.groups for cell in group], minlength=cells)
    return record(
        ownership=np.int64,  # address of the game's kernel
        occupied=np.int64,  # cells with an owner
        owners=(np.int8, (cells,)),  # of the position to evaluate: a seat, or -1
        before=(np.int8, (cells,)),  # of the position that `entries` belong to
        entries=(np.int32, (placements,)),  # with digits 1 and 2 for the first and second seat
        stage_of=(np.int32, (cells + 1,)),
        placed=(np.int32, (cells, int(used.max()) + 1)),  # placements of each cell
        power=(np.int32, (cells, int(used.max()) + 1)),  # of 3: the cell's digit there
        weight_of=(np.int32, (2, len(layout.weight_of))),  # [mover] of an entry
        weights=(np.float32, (stages, layout.weights + 1)),
    )


class PatternEvaluation:
    """The weights of a game's patterns in memory, and the kernel that evaluates by them."""

    def __init__(self, game: Game, weights: Weights | None = None) -> None:
        """Lay out the patterns of a game.

        Args:
            game: a game of two players that declares patterns.
            weights: [stages, weights + 1] float32; all 0 by default.

        Raises:
            UsageError: the game declares no patterns, or the weights have another shape.
        """
        self.layout = layout_of(game)
        stages = int(self.layout.stage_of.max()) + 1
        kind = tables_record(self.layout, stages)
        self.memory = np.zeros(1, kind)
        self._fill(self.memory[0], game.address_of(OWNERSHIP))
        if weights is not None:
            if weights.shape != self.weights.shape:
                raise UsageError(
                    f"the patterns of {game!r} have weights {list(self.weights.shape)}, "
                    f"not {list(weights.shape)}"
                )
            self.weights[:] = weights
        table = KernelTable(
            "patterns", {EVALUATE_STATE: evaluate}, Memory({TABLES: kind}, {SHARES: 2})
        )
        self._table = table
        self.kernel = table.address_of(EVALUATE_STATE)

    def _fill(self, memory: Any, ownership: int) -> None:
        layout = self.layout
        memory.ownership = ownership
        memory.before[:] = -1
        memory.entries[:] = layout.first_entry
        memory.stage_of[:] = layout.stage_of
        memory.placed[:] = NO_PLACEMENT
        uses = np.zeros(len(memory.before), np.int64)
        for number, group in enumerate(layout.groups):
            for digit, cell in enumerate(group):
                memory.placed[cell, uses[cell]] = number
                memory.power[cell, uses[cell]] = 3**digit
                uses[cell] += 1
        memory.weight_of[0] = layout.weight_of
        memory.weight_of[1] = layout.weight_of[exchanged(layout)]

    @property
    def weights(self) -> Weights:
        """[stages, weights + 1] in the memory that the kernel reads."""
        weights: Weights = self.memory["weights"][0]
        return weights

    @property
    def address(self) -> int:
        """The address of the memory."""
        return int(self.memory.ctypes.data)


@kernel
def evaluate(tables: Any, state: int, mover: int, shares: Any) -> None:
    """Write the shares of a state at an address, whose player to move is `mover`."""
    observe_cells(tables, state)
    share = 1.0 / (1.0 + np.exp(-logit_of(tables, mover)))
    shares[mover] = share
    shares[1 - mover] = 1.0 - share


@inlined
def observe_cells(tables: Any, state: int) -> None:
    """Bring the entries of all placements up to date with the state at an address."""
    invoke2(tables.ownership, state, tables.owners.ctypes.data)
    for cell in range(tables.owners.shape[0]):
        change = np.int32(tables.owners[cell]) - np.int32(tables.before[cell])
        if change != 0:
            _change_cell(tables, cell, change)


@inlined
def _change_cell(tables: Any, cell: int, change: Any) -> None:
    if tables.before[cell] < 0:
        tables.occupied += 1
    elif tables.owners[cell] < 0:
        tables.occupied -= 1
    tables.before[cell] = tables.owners[cell]
    use = 0
    while tables.placed[cell, use] >= 0:
        tables.entries[tables.placed[cell, use]] += change * tables.power[cell, use]
        use += 1


@inlined
def logit_of(tables: Any, mover: int) -> Any:
    """The logit of the mover's share, of the position that was observed last."""
    weights = tables.weights[tables.stage_of[tables.occupied]]
    weight_of = tables.weight_of[mover]
    total = weights[weights.shape[0] - 1]
    for placement in range(tables.entries.shape[0]):
        total += weights[weight_of[tables.entries[placement]]]
    return np.float64(total)
