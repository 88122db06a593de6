"""The evaluation of a position by patterns, in a kernel.

For the player to move, with the digits of `layout.py` and the stage of the position:

    logit = bias[stage] + sum over all placements of weights[stage, weight_of[entry]]
    share = 1 / (1 + exp(-logit))

The kernel remembers the cells that it evaluated last, and updates only the entries of placements
with cells that have changed; with one stage, also the sum. In a search most positions differ in few
cells from the one before.
"""

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.position import BarePosition
from meeple.kernels import (
    EVALUATE_STATE,
    OWNERSHIP,
    SHARES,
    TABLES,
    RecordType,
    inlined,
    invoke2,
    kernel,
    lowest_bit,
    record,
)
from meeple.kernels.table import KernelTable, Memory, caller
from meeple.search.patterns.layout import PatternLayout, exchanged, layout_of

CELLS_PER_WORD = 8
HALF = 32  # bits of a player's sum
MAX_INT16 = 2**15 - 1
MEASURED_PLIES = 9  # depths of search, from 0, of which deviations are known
NO_OWNERS, NO_CHANGE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)

Weights = npt.NDArray[np.float32]  # [stages, weights + 1], the bias last


def tables_record(layout: PatternLayout, stages: int) -> RecordType:
    """Return the record of the weights and of the position that was evaluated last."""
    cells, placements = len(layout.stage_of) - 1, len(layout.groups)
    words = -(-cells // CELLS_PER_WORD)
    used = np.bincount([cell for group in layout.groups for cell in group], minlength=cells)
    return record(
        ownership=np.int64,  # address of the game's kernel
        occupied=np.int64,  # cells with an owner
        owners=(np.uint64, (words,)),  # of the position to evaluate, a byte a cell: a seat, or -1
        before=(np.uint64, (words,)),  # of the position that `entries` belong to
        entries=(np.uint32, (placements + 1,)),  # digits 1 and 2 are the seats; the last is spare
        stage_of=(np.int32, (cells + 1,)),
        uses=(np.uint64, (cells,)),  # the number of placements of each cell
        placed=(np.uint32, (cells, int(used.max()))),  # placements of each cell, then the spare one
        power=(np.uint32, (cells, int(used.max()))),  # of 3: the cell's digit there
        weight_of=(np.uint32, (2, len(layout.weight_of))),  # [mover] of an entry
        weights=(np.float32, (stages, layout.weights + 1)),
        unit=np.float32,  # logit of one unit of `packed`
        packed=(np.int16, (stages, 2, len(layout.weight_of))),  # [mover] weight of an entry
        # With one stage only: `packed` of player 1 times 2**32 plus that of player 2, and its sum
        # over all entries.
        both=(np.int64, (len(layout.weight_of) if stages == 1 else 1,)),
        total=np.int64,
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
        self.deviations = np.zeros((stages, MEASURED_PLIES), np.float32)
        """[stages, plies] standard deviations, in shares, of the value of a search of so many plies
        from one of half as many, see `search.minimax.probcut`; 0 if not measured."""
        self.pack()
        table = KernelTable(
            "patterns", {EVALUATE_STATE: evaluate}, Memory({TABLES: kind}, {SHARES: 2})
        )
        self._table = table
        self.kernel = table.address_of(EVALUATE_STATE)

    def _fill(self, memory: Any, ownership: int) -> None:
        layout = self.layout
        memory.ownership = ownership
        memory.owners[:] = memory.before[:] = NO_OWNERS
        memory.entries[:-1] = layout.first_entry
        memory.stage_of[:] = layout.stage_of
        memory.placed[:] = len(layout.groups)
        uses = memory.uses
        for number, group in enumerate(layout.groups):
            for digit, cell in enumerate(group):
                memory.placed[cell, uses[cell]] = number
                memory.power[cell, uses[cell]] = 3**digit
                uses[cell] += 1
        memory.weight_of[0] = layout.weight_of
        memory.weight_of[1] = layout.weight_of[exchanged(layout)]

    def copy(self) -> "PatternEvaluation":
        """Return an evaluation with the same weights in memory of its own, for another thread."""
        other = copy.copy(self)
        other.memory = self.memory.copy()
        return other

    @property
    def weights(self) -> Weights:
        """[stages, weights + 1] in the memory that the kernel reads."""
        weights: Weights = self.memory["weights"][0]
        return weights

    def pack(self) -> None:
        """Bring the tables that `evaluate` reads up to date with the weights."""
        memory, weights = self.memory[0], self.weights[:, :-1]
        memory["unit"] = max(float(np.abs(weights).max()), 1e-6) / MAX_INT16
        units = np.rint(weights / memory["unit"]).astype(np.int16)
        for mover in range(2):
            memory["packed"][:, mover] = units[:, memory["weight_of"][mover]]
        if len(memory["packed"]) == 1:
            first, second = memory["packed"][0].astype(np.int64)
            memory["both"][:] = (first << HALF) + second
            memory["total"] = memory["both"][memory["entries"][:-1]].sum()

    def shares(self, position: BarePosition) -> npt.NDArray[np.float64]:
        """Return [2] the shares of an unfinished position, by the weights of the last `pack`."""
        shares = np.zeros(2)
        caller("evaluate_state")(
            self.kernel, self.address, position.address, position.to_move, shares.ctypes.data
        )
        return shares

    def stage(self, position: BarePosition) -> int:
        """Return the stage of a position."""
        return int(self.layout.stage_of[self.occupied(position)])

    def occupied(self, position: BarePosition) -> int:
        """Return the number of cells of a position that have an owner."""
        owners = np.zeros(len(self.layout.stage_of) - 1, np.int8)
        ownership = int(self.memory[0]["ownership"])
        caller("ownership")(ownership, position.address, owners.ctypes.data)
        return int(np.count_nonzero(owners >= 0))

    @property
    def address(self) -> int:
        """The address of the memory."""
        return int(self.memory.ctypes.data)


@kernel
def evaluate(tables: Any, state: int, mover: int, shares: Any) -> None:
    """Write the shares of a state at an address, whose player to move is `mover`."""
    observe_cells(tables, state)
    stage = np.uint64(tables.stage_of[np.uint64(tables.occupied)])
    if tables.packed.shape[0] == 1:
        total = np.int32(tables.total)
        if mover == 0:
            total = np.int32((tables.total - np.int64(total)) >> HALF)
    else:
        packed = tables.packed[stage, np.uint64(mover)]
        total = np.int32(0)
        for placement in range(tables.entries.shape[0] - 1):
            total += np.int32(packed[tables.entries[np.uint64(placement)]])
    logit = np.float64(total) * tables.unit + tables.weights[stage, tables.weights.shape[1] - 1]
    share = 1.0 / (1.0 + np.exp(-logit))
    shares[mover] = share
    shares[1 - mover] = 1.0 - share


@inlined
def observe_cells(tables: Any, state: int) -> None:
    """Bring the entries of all placements up to date with the state at an address."""
    invoke2(tables.ownership, state, tables.owners.ctypes.data)
    for word in range(tables.owners.shape[0]):
        owners, before = tables.owners[word], tables.before[word]
        changed = owners ^ before
        if changed == NO_CHANGE:
            continue
        tables.before[word] = owners
        while changed != NO_CHANGE:
            byte = lowest_bit(changed) // 8
            at = np.uint64(8 * byte)
            changed &= ~(np.uint64(0xFF) << at)
            was, now = np.int8(before >> at), np.int8(owners >> at)
            _change_cell(tables, np.uint64(CELLS_PER_WORD * word + byte), was, now)


@inlined
def _change_cell(tables: Any, cell: Any, was: Any, now: Any) -> None:
    if was < 0:
        tables.occupied += 1
    elif now < 0:
        tables.occupied -= 1
    change = np.uint32(np.int32(now) - np.int32(was))
    placed, power = tables.placed[cell], tables.power[cell]
    if tables.packed.shape[0] > 1:
        for use in range(placed.shape[0]):  # a fixed number: faster, though some are spare
            tables.entries[np.uint64(placed[use])] += change * power[use]
        return
    total = np.int64(0)
    for use in range(tables.uses[cell]):
        entry = np.uint64(placed[use])
        old = tables.entries[entry]
        new = np.uint32(old + change * power[use])
        tables.entries[entry] = new
        total += tables.both[np.uint64(new)] - tables.both[np.uint64(old)]
    tables.total += total


@inlined
def logit_of(tables: Any, mover: int) -> Any:
    """The logit of the mover's share, of the position that was observed last."""
    weights = tables.weights[tables.stage_of[tables.occupied]]
    weight_of = tables.weight_of[mover]
    entries = tables.entries
    total = weights[weights.shape[0] - 1]
    second = third = fourth = np.float32(0.0)
    whole = (entries.shape[0] - 1) // 4 * 4
    for place in range(0, whole, 4):  # four sums, since each addition waits for the one before
        first = np.uint64(place)
        total += weights[weight_of[entries[first]]]
        second += weights[weight_of[entries[first + ONE]]]
        third += weights[weight_of[entries[first + TWO]]]
        fourth += weights[weight_of[entries[first + THREE]]]
    for place in range(whole, entries.shape[0] - 1):
        total += weights[weight_of[entries[np.uint64(place)]]]
    return np.float64((total + second) + (third + fourth))
