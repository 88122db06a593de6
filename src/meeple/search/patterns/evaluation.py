"""The evaluation of a position by patterns, in a kernel.

With the contents of cells (`contents.py`) as digits, and the stage of the position:

    logit = bias[stage] + tempo[occupied cells]
            + sum over all placements of weights[stage, weight_of[view, entry]]

For two players, the view is the player to move, and the logit that of this player's share. For
more, each seat has a logit, of the view `mover * players + seat`, shares are their softmax, and
there is no tempo.

The kernel remembers the cells that it evaluated last, and updates only the entries of placements
with cells that have changed; with one stage and two players, also the sum. In a search most
positions differ in few cells from the one before.
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
    SHARES,
    TABLES,
    RecordType,
    inlined,
    kernel,
    lowest_bit,
    record,
)
from meeple.kernels.table import KernelTable, Memory, caller
from meeple.search.machine.leaves import TABLES_AT
from meeple.search.patterns.contents import (
    BOTH_SEATS,
    combinations,
    content_at,
    write_contents,
)
from meeple.search.patterns.drawn import Drawn
from meeple.search.patterns.layout import PatternLayout, layout_of

CELLS_PER_WORD = 8
HALF = 32  # bits of a player's sum
MAX_INT16 = 2**15 - 1
MEASURED_PLIES = 9  # depths of search, from 0, of which deviations are known
NO_CHANGE = np.uint64(0)
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)

Weights = npt.NDArray[np.float32]  # [stages, weights + 1], the bias last


def tables_record(game: Game, layout: PatternLayout) -> RecordType:
    """Return the record of the weights and of the position that was evaluated last."""
    contents, placements, stages = layout.contents, len(layout.groups), stages_of(layout)
    cells, (views, entries) = contents.cells, layout.weight_of.shape
    words = -(-cells // CELLS_PER_WORD)
    used = np.bincount([cell for group in layout.groups for cell in group], minlength=cells)
    summed = stages == 1 and views == BOTH_SEATS
    most_limits = max((len(limits) for limits in contents.limits), default=1)
    return record(
        kernel=np.int64,  # address of the game's kernel that is called for the contents
        lowest=np.int64,  # added to a byte that the kernel writes
        contents=np.int64,  # number of contents
        planes_read=np.int64,  # of the observation; 0: the kernel writes contents
        planes=(np.int32, (max(1, len(contents.planes)),)),
        limits=(np.float32, (max(1, len(contents.planes)), most_limits)),  # then NaN
        bases=(np.int32, (max(1, len(contents.planes)),)),  # the value of a level of each plane
        codes=(np.int8, (len(contents.codes),)),
        observation=(np.float32, (game.num_features if contents.planes else 1,)),
        occupied=np.int64,  # cells that are not empty
        cells=(np.uint64, (words,)),  # of the position to evaluate, a byte a cell
        before=(np.uint64, (words,)),  # of the position that `entries` belong to
        entries=(np.uint32, (placements + 1,)),  # the last is spare
        stage_of=(np.int32, (cells + 1,)),
        uses=(np.uint64, (cells,)),  # the number of placements of each cell
        placed=(np.uint32, (cells, int(used.max()))),  # placements of each cell, then the spare one
        power=(np.uint32, (cells, int(used.max()))),  # the value of the cell's digit there
        weight_of=(np.uint32, (views, entries)),
        weights=(np.float32, (stages, layout.weights + 1)),
        tempo=(np.float32, (cells + 1,)),
        unit=np.float32,  # logit of one unit of `packed`
        packed=(np.int16, (stages, views, entries)),  # weight of an entry
        # For two players and one stage only: `packed` of player 1 times 2**32 plus that of player
        # 2, and its sum over all entries.
        both=(np.int64, (entries if summed else 1,)),
        total=np.int64,
    )


def stages_of(layout: PatternLayout) -> int:
    """Return the number of stages of a layout."""
    return int(layout.stage_of.max()) + 1


class PatternEvaluation:
    """The weights of a game's patterns in memory, and the kernel that evaluates by them."""

    def __init__(
        self, game: Game, weights: Weights | None = None, drawn: Drawn | None = None
    ) -> None:
        """Lay out the patterns of a game.

        Args:
            game: a game that declares patterns, or one that `drawn` fits.
            weights: [stages, weights + 1] float32; all 0 by default.
            drawn: patterns that are used instead of those that the game declares.

        Raises:
            UsageError: there are no patterns, or the weights have another shape.
        """
        self.drawn = drawn
        self.layout = layout_of(game, *((drawn.patterns, drawn.contents) if drawn else ()))
        kind = tables_record(game, self.layout)
        self.memory = np.zeros(1, kind)
        self._fill(self.memory[0], game)
        if weights is not None:
            if weights.shape != self.weights.shape:
                raise UsageError(
                    f"the patterns of {game!r} have weights {list(self.weights.shape)}, "
                    f"not {list(weights.shape)}"
                )
            self.weights[:] = weights
        self.deviations = np.zeros((len(self.weights), MEASURED_PLIES), np.float32)
        """[stages, plies] standard deviations, in logits over 4, of the value of a search of so
        many plies from one of half as many, see `search.minimax.probcut`; 0 if not measured."""
        self.tempo = np.zeros_like(self.memory["tempo"][0])
        """[cells + 1] what `add_tempo` adds to the logit of the player to move, by the number of
        occupied cells, so that searches of odd and even depth agree within a stage."""
        self.pack()
        table = KernelTable(
            "patterns",
            {EVALUATE_STATE: evaluate},
            Memory({TABLES: kind}, {SHARES: game.players}),
        )
        self._table = table
        self.kernel = table.address_of(EVALUATE_STATE)

    def _fill(self, memory: Any, game: Game) -> None:
        layout, contents = self.layout, self.layout.contents
        game.compile(contents.kernel)
        memory.kernel = game.address_of(contents.kernel)
        memory.lowest, memory.contents = contents.lowest, contents.count
        memory.planes_read = len(contents.planes)
        memory.planes[: len(contents.planes)] = contents.planes
        memory.limits[:] = np.nan  # above which no value is
        for plane, limits in enumerate(contents.limits):
            memory.limits[plane, : len(limits)] = limits
            memory.bases[plane] = combinations(contents.limits[:plane])
        memory.codes[:] = np.frombuffer(contents.codes, np.int8)
        empty = np.full(memory.cells.nbytes, -memory.lowest, np.int8).view(np.uint64)
        memory.cells[:] = memory.before[:] = empty
        memory.entries[:-1] = layout.first_entry
        memory.stage_of[:] = layout.stage_of
        memory.placed[:] = len(layout.groups)
        uses = memory.uses
        for number, group in enumerate(layout.groups):
            for digit, cell in enumerate(group):
                memory.placed[cell, uses[cell]] = number
                memory.power[cell, uses[cell]] = contents.count**digit
                uses[cell] += 1
        memory.weight_of[:] = layout.weight_of

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

    def add_tempo(self, is_added: bool) -> None:
        """Let the kernel add the tempo, or not: searches of one depth alone do not need it."""
        self.memory["tempo"][0] = self.tempo if is_added else 0.0

    def pack(self) -> None:
        """Bring the tables that `evaluate` reads up to date with the weights."""
        memory, weights = self.memory[0], self.weights[:, :-1]
        memory["unit"] = max(float(np.abs(weights).max()), 1e-6) / MAX_INT16
        units = np.rint(weights / memory["unit"]).astype(np.int16)
        memory["packed"][:] = units[:, memory["weight_of"]]
        if len(memory["both"]) > 1:
            first, second = memory["packed"][0].astype(np.int64)
            memory["both"][:] = (first << HALF) + second
            memory["total"] = memory["both"][memory["entries"][:-1]].sum()

    def shares(self, position: BarePosition) -> npt.NDArray[np.float64]:
        """Return [players] the shares of an unfinished position, by the weights of `pack`."""
        shares = np.zeros(position.game.players)
        caller("evaluate_state")(
            self.kernel, self.address, position.address, position.to_move, shares.ctypes.data
        )
        return shares

    def stage(self, position: BarePosition) -> int:
        """Return the stage of a position."""
        return int(self.layout.stage_of[self.occupied(position)])

    def occupied(self, position: BarePosition) -> int:
        """Return the number of cells of a position that are not empty."""
        return int(_occupied(self.memory[0], position.address))

    def evaluate_in(self, rules: npt.NDArray[np.int64]) -> None:
        """Let a search evaluate by these weights, as they are now.

        Args:
            rules: [KERNELS + 1] the search's table of kernels; this evaluation must outlive it.
        """
        self.pack()
        rules[EVALUATE_STATE], rules[TABLES_AT] = self.kernel, self.address

    @property
    def address(self) -> int:
        """The address of the memory."""
        return int(self.memory.ctypes.data)


@kernel
def evaluate(tables: Any, state: int, mover: int, shares: Any) -> None:
    """Write the shares of a state at an address, whose player to move is `mover`.

    A chance node is evaluated as if seat 0 were to move.
    """
    observe_cells(tables, state)
    stage = np.uint64(tables.stage_of[np.uint64(tables.occupied)])
    bias = tables.weights[stage, tables.weights.shape[1] - 1]
    bias += tables.tempo[np.uint64(tables.occupied)]
    mover = max(mover, 0)
    if tables.packed.shape[1] == BOTH_SEATS:
        if tables.packed.shape[0] == 1:
            total = np.int32(tables.total)
            if mover == 0:
                total = np.int32((tables.total - np.int64(total)) >> HALF)
        else:
            total = sum_of(tables.packed[stage, np.uint64(mover)], tables.entries, np.int32(0))
        share = 1.0 / (1.0 + np.exp(-(np.float64(total) * tables.unit + bias)))
        shares[mover] = share
        shares[1 - mover] = 1.0 - share
        return
    players = _players_of(tables.packed.shape[1])
    for seat in range(players):
        packed = tables.packed[stage, np.uint64(mover * players + seat)]
        shares[seat] = np.float64(sum_of(packed, tables.entries, np.int32(0))) * tables.unit
    softmax(shares, players)


@inlined
def sum_of(weights: Any, entries: Any, first: Any) -> Any:
    """`first` and the sum of the weights at all entries but the spare last one."""
    second = third = fourth = first - first
    whole = (entries.shape[0] - 1) // 4 * 4
    for place in range(0, whole, 4):  # four sums, since each addition waits for the one before
        at = np.uint64(place)
        first += weights[entries[at]]
        second += weights[entries[at + ONE]]
        third += weights[entries[at + TWO]]
        fourth += weights[entries[at + THREE]]
    for place in range(whole, entries.shape[0] - 1):
        first += weights[entries[np.uint64(place)]]
    return (first + second) + (third + fourth)


@inlined
def _players_of(views: int) -> int:
    """The number of players, more than two, of a number of views: its square root."""
    players = 3
    while players * players < views:
        players += 1
    return players


@inlined
def softmax(logits: Any, players: int) -> None:
    """Replace logits by their softmax, in place."""
    largest, total = logits[0], 0.0
    for seat in range(players):
        largest = max(largest, logits[seat])
    for seat in range(players):
        logits[seat] = np.exp(logits[seat] - largest)
        total += logits[seat]
    for seat in range(players):
        logits[seat] /= total


@kernel
def _occupied(tables: Any, state: int) -> int:
    observe_cells(tables, state)
    return int(tables.occupied)


@inlined
def observe_cells(tables: Any, state: int) -> None:
    """Bring the entries of all placements up to date with the state at an address."""
    write_contents(tables, state)
    total = change_entries(tables, tables.before, tables.cells, tables.both, tables.total)
    tables.total = total
    for word in range(tables.cells.shape[0]):
        tables.before[word] = tables.cells[word]


@inlined
def change_entries(tables: Any, before: Any, after: Any, weights: Any, total: Any) -> Any:
    """Bring the entries from some cells to others; return `total` with the change of their sum.

    Args:
        tables: whose entries and number of occupied cells change.
        before: [words] the cells that the entries belong to.
        after: [words] the cells that they are to belong to.
        weights: [entries] which are summed; [1]: nothing is summed.
        total: sum of the weights of all entries.
    """
    for word in range(after.shape[0]):
        changed = after[word] ^ before[word]
        while changed != NO_CHANGE:
            byte = lowest_bit(changed) // 8
            at = np.uint64(8 * byte)
            changed &= ~(np.uint64(0xFF) << at)
            was, now = content_at(tables, before[word], at), content_at(tables, after[word], at)
            tables.occupied += (now > 0) - np.int64(was > 0)
            change = np.uint32(np.int32(now) - np.int32(was))
            cell = np.uint64(CELLS_PER_WORD * word + byte)
            placed, power = tables.placed[cell], tables.power[cell]
            if weights.shape[0] == 1:
                for use in range(placed.shape[0]):  # a fixed number: faster, though some are spare
                    tables.entries[np.uint64(placed[use])] += change * power[use]
                continue
            for use in range(tables.uses[cell]):
                entry = np.uint64(placed[use])
                old = tables.entries[entry]
                new = np.uint32(old + change * power[use])
                tables.entries[entry] = new
                total += weights[np.uint64(new)] - weights[np.uint64(old)]
    return total
