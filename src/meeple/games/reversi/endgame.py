"""Exact results of Reversi's endgames on boards of one word (up to 8x8).

Principal variation search of the final disc difference, empty cells counted for the winner, with a
table of bounds; moves ordered by the opponent's mobility ("fastest first"), by regions with an odd
number of empty cells, and by corners; cuts by bounds of the positions after each move; the last
cells are searched by `last_cells.py`. The rules of thumb are those of Andersson's endgame solver
(1998). An explicit stack lets the search stop and resume at any node. `ReversiSolver` calls it from
Python.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.position import BarePosition
from meeple.games.reversi.bits import (
    BOARDS,
    CORNERS,
    ONE,
    WIDE,
    ZERO,
    cell_of,
    flips,
    lowest,
    movable,
    with_neighbours,
)
from meeple.games.reversi.last_cells import (
    MAX_LAST,
    UNKNOWN,
    Count,
    final_score,
    odd_regions,
    score_of_last,
)
from meeple.games.reversi.rules import State
from meeple.kernels import bits_set, inlined, invoke4, kernel, lowest_bit
from meeple.kernels.memory import larger_part

MAX_PLIES = 128  # of a stack: a pass may follow each move
NO_MOVE = -1
MAX_MOVES = 40  # of a position

# Columns of `stack.frames`: the window, the lower bound at entry, the best score and its move, the
# next move, the number of moves, and whether the next move is searched again with a wider window.
ALPHA, BETA, BOTTOM, BEST, BEST_MOVE, NEXT, COUNT, AGAIN = range(8)
# Words of `stack.cursor`: the current ply, whether it is just entered, the board's size.
PLY, ENTERING, SIZE = range(3)
ORDERED_WELL = 9  # empty cells from which more is computed to order moves
PROBED = 9  # empty cells from which the positions after all moves are looked up first
GUIDED = 13  # empty cells from which an evaluation orders moves
MAX_BOUND = 64
WINDOW = 7  # discs of a window of scores, after the winner is known
MOBILITY_SHARE, LOGIT = np.float32(1.0), np.float32(30.0)
BEST_KEY = np.float32(1e6)
_MIX, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_S32 = np.uint64(32)

# Slots of the table, 32 bytes each: at first, and at most. A position gets one slot for two of its
# usual nodes, so that the table of a small search stays in the processor's cache.
FIRST_SLOTS, SLOTS = 1 << 14, 1 << 20
# Nodes by the number of empty cells: fitted to positions of own games with 16 to 20, by discs.
NODES_OF_ONE, NODES_PER_CELL = 0.13, 2.45
WINNER_ALONE = 20  # times fewer nodes if only the winner matters
MAX_EMPTY = 26  # empty cells of the largest position that the solver takes

Words = npt.NDArray[np.uint64]


class ReversiSolver:
    """Solves positions near the end, see `capabilities.PositionSolver`; keeps its table."""

    share = 0.7  # it is tried only where it can be expected to finish
    nodes_per_second = 30_000_000
    finds_wins_only = False

    def __init__(self, size: int, by_discs: bool) -> None:
        """Allocate the table, and load the kernels.

        Args:
            size: cells along a side, at most 8.
            by_discs: whether payoffs are shares of the cells, so that every disc counts.
        """
        self._size, self._by_discs = size, by_discs
        stack = new_stack(SLOTS)
        self._table = stack.table  # whole; searches use a part
        self._stack = stack._replace(table=self._table[:FIRST_SLOTS])
        self._mover = self._plies = self._began = 0
        self._window, self._bounds = (0, 0), (0, 0)
        self._own = self._other = ZERO
        self._search_window(-1, 1)
        run_endgame(self._stack, 0)  # so that no search's clock pays for loading the kernels
        cell_of(self._size, 0)

    def nodes(self, position: BarePosition) -> int | None:
        """Return the usual number of nodes; None if it is too far from the end."""
        empty = self._size**2 - sum(int(own).bit_count() for own in self._discs(position))
        if empty > MAX_EMPTY:
            return None
        return int(NODES_OF_ONE * NODES_PER_CELL**empty) // (1 if self._by_discs else WINNER_ALONE)

    def order_by(self, evaluation: int, memory: int) -> None:
        """Order moves far from the end by an evaluation, see `PositionSolver`."""
        self._stack.guide[:] = evaluation, memory

    def open(self, position: BarePosition, attacker: int | None = None) -> None:
        """Begin to solve a position, in which a player is to move; `attacker` is ignored."""
        nodes = self.nodes(position)
        self._enlarge_table(SLOTS if nodes is None else nodes // 2)
        self._stack.state[:] = position.row.view(position.game.State)
        self._stack.state["to_move"] = 0
        discs = self._discs(position)
        self._mover, self._began = position.to_move, int(self._stack.counter[0]["nodes"])
        self._plies = position.game.max_plies - len(position.actions)
        self._own, self._other = discs[self._mover], discs[1 - self._mover]
        self._bounds = -(self._size**2), self._size**2
        self._search_window(-1, 1)

    def _enlarge_table(self, slots: int) -> None:
        """Use at least this number of slots, if the table has them, and keep all entries."""
        table = larger_part(self._table, len(self._stack.table), slots)
        self._stack = self._stack._replace(table=table)

    def advance(self, nodes: int) -> bool:
        """Search about `nodes` further nodes; return whether the position is solved."""
        return bool(run_endgame(self._stack, nodes)) and not self._widen()

    def _search_window(self, alpha: int, beta: int) -> None:
        self._window = alpha, beta
        open_endgame(self._stack, self._own, self._other, self._size, alpha, beta)

    def _widen(self) -> bool:
        """Search the next window if the score lies outside the last one and its size counts."""
        score, (alpha, beta), (least, most) = self._score, self._window, self._bounds
        if not self._by_discs or alpha < score < beta:
            return False
        least, most = (max(least, score), most) if score >= beta else (least, min(most, score))
        self._bounds = least, most
        if least == most:
            return False
        if score >= beta:
            self._search_window(least - 1, min(least + WINDOW, most + 1))
        else:
            self._search_window(max(most - WINDOW, least - 1), most + 1)
        return True

    @property
    def _score(self) -> int:
        return int(self._stack.frames[0, BEST])

    @property
    def payoffs(self) -> npt.NDArray[np.float64]:
        """[2] the payoffs of the solved position, by seat."""
        score, cells = self._score, self._size**2
        if not self._by_discs:
            score = cells * int(np.sign(score))
        payoffs = np.full(2, 0.5 - score / (2 * cells))
        payoffs[self._mover] = 0.5 + score / (2 * cells)
        return payoffs

    @property
    def line(self) -> list[int]:
        """The best action of the solved position."""
        place = int(self._stack.frames[0, BEST_MOVE])
        return [self._size**2 if place == NO_MOVE else int(cell_of(self._size, place))]

    @property
    def searched(self) -> int:
        """The nodes searched since `open`."""
        return int(self._stack.counter[0]["nodes"]) - self._began

    @property
    def plies(self) -> int:
        """The plies of the longest game from the solved position on."""
        return self._plies

    def _discs(self, position: BarePosition) -> Words:
        """Return [2] the discs of both seats."""
        discs: Words = position.row.view(position.game.State)["discs"][0, :, 0]
        return discs


def solver_of(size: int, by_discs: bool) -> ReversiSolver | None:
    """Return a solver for a board, or None for a board of two words."""
    return None if size == WIDE else ReversiSolver(size, by_discs)


class EndgameStack(NamedTuple):
    """The memory of a search; `[d]` is the position `d` plies below the root."""

    discs: Words  # [MAX_PLIES, 2] of the player to move and of the opponent
    moves: npt.NDArray[np.int8]  # [MAX_PLIES, MAX_MOVES] places, the best first
    turned: Words  # [MAX_PLIES, MAX_MOVES] discs that each move turns
    keys: npt.NDArray[np.float32]  # [MAX_MOVES] of the moves that are being ordered
    frames: npt.NDArray[np.int32]  # [MAX_PLIES, 8]
    cursor: npt.NDArray[np.int64]  # [3]
    counter: npt.NDArray[np.void]  # [1] Count
    table: Words  # [slots, 4]
    guide: npt.NDArray[np.int64]  # [2] addresses of an evaluation and its memory; 0: none
    state: npt.NDArray[np.void]  # [1] State, to evaluate
    shares: npt.NDArray[np.float64]  # [2]


def new_stack(slots: int) -> EndgameStack:
    """Allocate the memory of a search; `slots` of its table is a power of two."""
    return EndgameStack(
        discs=np.zeros((MAX_PLIES, 2), np.uint64),
        moves=np.zeros((MAX_PLIES, MAX_MOVES), np.int8),
        turned=np.zeros((MAX_PLIES, MAX_MOVES), np.uint64),
        keys=np.zeros(MAX_MOVES, np.float32),
        frames=np.zeros((MAX_PLIES, 8), np.int32),
        cursor=np.zeros(3, np.int64),
        counter=np.zeros(1, Count),
        table=np.zeros((slots, 4), np.uint64),
        guide=np.zeros(2, np.int64),
        state=np.zeros(1, State),
        shares=np.zeros(2),
    )


@kernel
def open_endgame(stack: Any, own: Any, other: Any, size: int, alpha: int, beta: int) -> None:
    """Begin a search for the score of a position, if it lies between alpha and beta."""
    stack.cursor[SIZE] = size
    stack.discs[0, 0] = own
    stack.discs[0, 1] = other
    _enter(stack, 0, alpha, beta)


@kernel
def run_endgame(stack: Any, nodes: int) -> bool:
    """Continue for about `nodes` nodes; return whether the search is finished."""
    cursor, frames, count = stack.cursor, stack.frames, stack.counter[0]
    last = count.nodes + nodes
    while count.nodes < last:
        ply = cursor[PLY]
        frame = frames[ply]
        if cursor[ENTERING]:
            cursor[ENTERING] = 0
            if _expand(stack, ply):
                if ply == 0:
                    return True
                _return(stack, ply)
                continue
        if frame[NEXT] == frame[COUNT] or frame[BEST] >= frame[BETA]:
            _store(stack, ply)
            if ply == 0:
                return True
            _return(stack, ply)
            continue
        _visit(stack, ply)
    return False


@inlined
def _enter(stack: Any, ply: int, alpha: int, beta: int) -> None:
    frame = stack.frames[ply]
    frame[ALPHA] = alpha
    frame[BOTTOM] = alpha
    frame[BETA] = beta
    frame[BEST] = UNKNOWN
    frame[BEST_MOVE] = NO_MOVE
    frame[NEXT] = 0
    frame[AGAIN] = 0
    stack.cursor[PLY] = ply
    stack.cursor[ENTERING] = 1


@kernel
def _expand(stack: Any, ply: int) -> bool:
    """List and order a position's moves; True if its score is known without them."""
    frame, board = stack.frames[ply], BOARDS[stack.cursor[SIZE], 0]
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    empty = board & ~(own | other)
    cells = bits_set(empty)
    stack.counter[0].nodes += 1
    hint = NO_MOVE
    slot = _find(stack.table, own, other)
    if slot >= 0:
        entry = stack.table[slot, BOUNDS]
        hint = _move(entry)
        if ply > 0 and _answers(frame, entry):  # the root needs its best move
            return True
    legal = movable(own, other, board)
    if legal == ZERO:
        if movable(other, own, board) == ZERO:
            frame[BEST] = final_score(own, other, cells)
            return True
        stack.moves[ply, 0] = NO_MOVE  # a pass
        frame[COUNT] = 1
        return False
    return bool(_order(stack, ply, legal, empty, cells, hint))


# ---------------------------------------------------------------- the table

# Columns of `stack.table`: the discs of a position, as in `stack.discs`, bounds of its score with
# its best move, and its empty cells.
OWN, OTHER, BOUNDS, CELLS = range(4)
_MOVE_AT, _GREATEST_AT = np.uint64(16), np.uint64(8)
_BYTE = np.uint64(0xFF)
_ZERO_SCORE = 128  # of a byte


@inlined
def _slot(table: Any, own: Any, other: Any) -> Any:
    mixed = (own * _MIX) ^ ((other + _MIX) * _MIX2)
    mixed ^= mixed >> _S32
    return np.int64(mixed & np.uint64(table.shape[0] - 1))


@inlined
def _find(table: Any, own: Any, other: Any) -> Any:
    """Return the slot of a position; -1 if the table lacks it."""
    slot = _slot(table, own, other)
    if table[slot, OWN] == own and table[slot, OTHER] == other:
        return slot
    slot ^= 1
    return slot if table[slot, OWN] == own and table[slot, OTHER] == other else -1


@inlined
def _entry(least: int, greatest: int, move: int) -> Any:
    return np.uint64((least + _ZERO_SCORE) | (greatest + _ZERO_SCORE) << 8 | (move - NO_MOVE) << 16)


@inlined
def _least(entry: Any) -> Any:
    return np.int32(entry & _BYTE) - np.int32(_ZERO_SCORE)


@inlined
def _greatest(entry: Any) -> Any:
    return np.int32((entry >> _GREATEST_AT) & _BYTE) - np.int32(_ZERO_SCORE)


@inlined
def _move(entry: Any) -> Any:
    return np.int64(entry >> _MOVE_AT) + NO_MOVE


@inlined
def _answers(frame: Any, entry: Any) -> bool:
    """Whether stored bounds decide a position's score, which is then set."""
    least, greatest = _least(entry), _greatest(entry)
    if least >= frame[BETA] or least == greatest:
        frame[BEST] = least
        return True
    if greatest <= frame[ALPHA]:
        frame[BEST] = greatest
        return True
    return False


@inlined
def _store(stack: Any, ply: int) -> None:
    """Store what is known of a finished position; the second slot takes what is nearer the end."""
    frame, table = stack.frames[ply], stack.table
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    best = np.int64(frame[BEST])
    least, greatest = np.int64(-MAX_BOUND), np.int64(MAX_BOUND)
    slot = _find(table, own, other)
    if slot >= 0:
        entry = table[slot, BOUNDS]
        least, greatest = np.int64(_least(entry)), np.int64(_greatest(entry))
    else:
        slot = _slot(table, own, other)
        cells = np.uint64(bits_set(BOARDS[stack.cursor[SIZE], 0] & ~(own | other)))
        if table[slot, CELLS] > cells:
            slot ^= 1
        table[slot, OWN] = own
        table[slot, OTHER] = other
        table[slot, CELLS] = cells
    if best < frame[BETA]:
        greatest = best
    if best > frame[BOTTOM]:
        least = best
    table[slot, BOUNDS] = _entry(least, greatest, np.int64(frame[BEST_MOVE]))


# ---------------------------------------------------------------- moves


@kernel
def _order(stack: Any, ply: int, legal: Any, empty: Any, cells: int, hint: int) -> bool:
    """List a position's moves, the most promising first; True if the table has a cut."""
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    size = stack.cursor[SIZE]
    board, corners = BOARDS[size, 0], CORNERS[size, 0]
    odd = odd_regions(empty)
    moves, all_turned, keys = stack.moves[ply], stack.turned[ply], stack.keys
    listed = 0
    while legal != ZERO:
        bit = lowest(legal)
        legal ^= bit
        place = lowest_bit(bit)
        turned = flips(bit, own, other)
        theirs, ours = other ^ turned, own | turned | bit
        if cells >= PROBED:
            slot = _find(stack.table, theirs, ours)
            if slot >= 0:
                score = -_greatest(stack.table[slot, BOUNDS])
                if score >= stack.frames[ply, BETA]:
                    stack.frames[ply, BEST] = score
                    stack.frames[ply, BEST_MOVE] = place
                    return True
        answers = movable(theirs, ours, board)
        key = np.float32(-8 * (bits_set(answers) + bits_set(answers & corners)))
        if odd & bit != ZERO:
            key += 4
        if bit & corners != ZERO:
            key += 16
        if cells >= ORDERED_WELL:
            key -= 4 * bits_set(with_neighbours(ours) & board & ~(ours | theirs))
        if cells >= GUIDED and stack.guide[0] != 0:
            key = MOBILITY_SHARE * key - LOGIT * _logit(stack, theirs, ours)
        if place == hint:
            key = BEST_KEY
        at = listed
        while at > 0 and keys[at - 1] < key:
            keys[at] = keys[at - 1]
            moves[at] = moves[at - 1]
            all_turned[at] = all_turned[at - 1]
            at -= 1
        keys[at] = key
        moves[at] = place
        all_turned[at] = turned
        listed += 1
    stack.frames[ply, COUNT] = listed
    return False


@inlined
def _logit(stack: Any, own: Any, other: Any) -> Any:
    """The evaluation of a position for the player to move."""
    state = stack.state[0]
    state.discs[0, 0] = own
    state.discs[1, 0] = other
    invoke4(stack.guide[0], stack.guide[1], stack.state.ctypes.data, 0, stack.shares.ctypes.data)
    share = min(max(stack.shares[0], 1e-6), 1.0 - 1e-6)
    return np.float32(np.log(share / (1.0 - share)))


@inlined
def _visit(stack: Any, ply: int) -> None:
    """Enter the position after a node's next move, or take its score if it is nearly over."""
    frame, move = stack.frames[ply], stack.moves[ply, stack.frames[ply, NEXT]]
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    if move != NO_MOVE:
        bit, turned = ONE << np.uint64(move), stack.turned[ply, frame[NEXT]]
        own, other = own | turned | bit, other ^ turned
    alpha, beta = frame[ALPHA], frame[BETA]
    if frame[NEXT] > 0 and not frame[AGAIN]:
        beta = alpha + 1
    empty = BOARDS[stack.cursor[SIZE], 0] & ~(own | other)
    if bits_set(empty) <= MAX_LAST:
        _take(stack, ply, -score_of_last(other, own, empty, -beta, -alpha, stack.counter[0]))
        return
    stack.discs[ply + 1, 0] = other
    stack.discs[ply + 1, 1] = own
    _enter(stack, ply + 1, -beta, -alpha)


@inlined
def _return(stack: Any, ply: int) -> None:
    """Hand a finished position's score to its parent."""
    stack.cursor[PLY] = ply - 1
    _take(stack, ply - 1, -stack.frames[ply, BEST])


@inlined
def _take(stack: Any, ply: int, score: int) -> None:
    """Take the score of a node's next move: search it again with a wider window, or go on."""
    frame = stack.frames[ply]
    narrow = frame[NEXT] > 0 and not frame[AGAIN]
    if narrow and frame[ALPHA] < score < frame[BETA] and frame[BETA] - frame[ALPHA] > 1:
        frame[AGAIN] = 1
        return
    frame[AGAIN] = 0
    move = stack.moves[ply, frame[NEXT]]
    frame[NEXT] += 1
    if score > frame[BEST]:
        frame[BEST] = score
        frame[BEST_MOVE] = move
        if score > frame[ALPHA]:
            frame[ALPHA] = score
