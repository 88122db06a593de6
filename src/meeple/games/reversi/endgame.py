"""Exact results of Reversi's endgames on boards of one word (up to 8x8).

Principal variation search of the final disc difference, empty cells counted for the winner, with a
table of bounds, moves ordered by the opponent's mobility ("fastest first"), by regions with an odd
number of empty cells, and by corners; cuts by bounds of the positions after each move; and separate
code for the last four empty cells. The rules of thumb are those of Andersson's endgame solver
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
from meeple.kernels import bits_set, inlined, kernel, lowest_bit

MAX_PLIES = 128  # of a stack: a pass may follow each move
NO_MOVE = -1
MAX_MOVES = 40  # of a position

# Columns of `stack.frames`: the window, the lower bound at entry, the best score and its move, the
# next move, the number of moves, and whether the next move is searched again with a wider window.
ALPHA, BETA, BOTTOM, BEST, BEST_MOVE, NEXT, COUNT, AGAIN = range(8)
# Words of `stack.cursor`: the current ply, whether it is just entered, nodes, the board's size.
PLY, ENTERING, NODES, SIZE = range(4)
# Columns of `stack.bounds`: the least and greatest score, and the best move.
LEAST, GREATEST, MOVE = range(3)

LAST = 4  # empty cells that are searched without a stack
ORDERED_WELL = 9  # empty cells from which more is computed to order moves
HASHED = 7  # empty cells from which positions are stored, and moves ordered by mobility
_LEFT_HALF, _TOP_HALF = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x00000000FFFFFFFF)
_MIX, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_S32 = np.uint64(32)

SLOTS = 1 << 20  # of the table, 19 bytes each
# Nodes by the number of empty cells: fitted to positions of random play with 10 to 20.
NODES_OF_ONE, NODES_PER_CELL = 0.4, 2.45
WINNER_ALONE = 4  # times fewer nodes if only the winner matters
MAX_EMPTY = 26  # empty cells of the largest position that the solver takes

Words = npt.NDArray[np.uint64]


class ReversiSolver:
    """Solves positions near the end, see `capabilities.PositionSolver`; keeps its table."""

    share = 0.7  # it is tried only where it can be expected to finish

    def __init__(self, size: int, by_discs: bool) -> None:
        """Allocate the table.

        Args:
            size: cells along a side, at most 8.
            by_discs: whether payoffs are shares of the cells, so that every disc counts.
        """
        self._size, self._by_discs = size, by_discs
        self._stack = new_stack(SLOTS)
        self._mover = self._plies = 0

    def nodes(self, position: BarePosition) -> int | None:
        """Return the usual number of nodes; None if it is too far from the end."""
        empty = self._size**2 - sum(int(own).bit_count() for own in self._discs(position))
        if empty > MAX_EMPTY:
            return None
        return int(NODES_OF_ONE * NODES_PER_CELL**empty) // (1 if self._by_discs else WINNER_ALONE)

    def open(self, position: BarePosition) -> None:
        """Begin to solve a position, in which a player is to move."""
        discs = self._discs(position)
        self._mover = position.to_move
        self._plies = position.game.max_plies - len(position.actions)
        most = self._size**2 if self._by_discs else 1
        open_endgame(
            self._stack, discs[self._mover], discs[1 - self._mover], self._size, -most, most
        )

    def advance(self, nodes: int) -> bool:
        """Search about `nodes` further nodes; return whether the position is solved."""
        return bool(run_endgame(self._stack, nodes))

    @property
    def payoffs(self) -> npt.NDArray[np.float64]:
        """[2] the payoffs of the solved position, by seat."""
        score, cells = int(self._stack.frames[0, BEST]), self._size**2
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
    keys: npt.NDArray[np.int32]  # [MAX_MOVES] of the moves that are being ordered
    frames: npt.NDArray[np.int32]  # [MAX_PLIES, 8]
    cursor: npt.NDArray[np.int64]  # [4]
    hashed: Words  # [slots, 2] positions, as `discs`
    bounds: npt.NDArray[np.int8]  # [slots, 3]


def new_stack(slots: int) -> EndgameStack:
    """Allocate the memory of a search; `slots` of its table is a power of two."""
    return EndgameStack(
        discs=np.zeros((MAX_PLIES, 2), np.uint64),
        moves=np.zeros((MAX_PLIES, MAX_MOVES), np.int8),
        keys=np.zeros(MAX_MOVES, np.int32),
        frames=np.zeros((MAX_PLIES, 8), np.int32),
        cursor=np.zeros(4, np.int64),
        hashed=np.zeros((slots, 2), np.uint64),
        bounds=np.zeros((slots, 3), np.int8),
    )


@kernel
def open_endgame(stack: Any, own: Any, other: Any, size: int, alpha: int, beta: int) -> None:
    """Begin a search for the score of a position, if it lies between alpha and beta."""
    stack.cursor[NODES] = 0
    stack.cursor[SIZE] = size
    stack.discs[0, 0] = own
    stack.discs[0, 1] = other
    _enter(stack, 0, alpha, beta)


@kernel
def run_endgame(stack: Any, nodes: int) -> bool:
    """Continue for about `nodes` nodes; return whether the search is finished."""
    cursor, frames = stack.cursor, stack.frames
    last = cursor[NODES] + nodes
    while cursor[NODES] < last:
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
    frame[BEST] = -127
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
    count = bits_set(empty)
    stack.cursor[NODES] += 1
    if count <= LAST and ply > 0:  # the root needs its best move
        frame[BEST] = _last_cells(own, other, empty, count, board, frame[ALPHA], frame[BETA], stack)
        return True
    hint = NO_MOVE
    if count >= HASHED:
        slot = _slot(stack, own, other)
        if stack.hashed[slot, 0] == own and stack.hashed[slot, 1] == other:
            hint = stack.bounds[slot, MOVE]
            if ply > 0 and _answers(frame, stack.bounds[slot]):
                return True
    legal = movable(own, other, board)
    if legal == ZERO:
        if movable(other, own, board) == ZERO:
            frame[BEST] = _final(own, other, board)
            return True
        stack.moves[ply, 0] = NO_MOVE  # a pass
        frame[COUNT] = 1
        return False
    return bool(_order(stack, ply, legal, empty, count, hint))


@inlined
def _answers(frame: Any, bounds: Any) -> bool:
    """Whether stored bounds decide a position's score, which is then set."""
    least, greatest = np.int32(bounds[LEAST]), np.int32(bounds[GREATEST])
    if least >= frame[BETA] or least == greatest:
        frame[BEST] = least
        return True
    if greatest <= frame[ALPHA]:
        frame[BEST] = greatest
        return True
    return False


@inlined
def _slot(stack: Any, own: Any, other: Any) -> Any:
    mixed = (own * _MIX) ^ ((other + _MIX) * _MIX2)
    mixed ^= mixed >> _S32
    return np.int64(mixed & np.uint64(stack.hashed.shape[0] - 1))


@inlined
def _store(stack: Any, ply: int) -> None:
    frame = stack.frames[ply]
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    if bits_set(BOARDS[stack.cursor[SIZE], 0] & ~(own | other)) < HASHED:
        return
    slot = _slot(stack, own, other)
    if stack.hashed[slot, 0] != own or stack.hashed[slot, 1] != other:
        stack.hashed[slot, 0] = own
        stack.hashed[slot, 1] = other
        stack.bounds[slot, LEAST] = -127
        stack.bounds[slot, GREATEST] = 127
    best = frame[BEST]
    if best < frame[BETA]:
        stack.bounds[slot, GREATEST] = best
    if best > frame[BOTTOM]:
        stack.bounds[slot, LEAST] = best
    stack.bounds[slot, MOVE] = frame[BEST_MOVE]


@kernel
def _order(stack: Any, ply: int, legal: Any, empty: Any, count: int, hint: int) -> bool:
    """List a position's moves, the most promising first; True if the table has a cut."""
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    size = stack.cursor[SIZE]
    board, corners = BOARDS[size, 0], CORNERS[size, 0]
    odd = _odd_regions(empty)
    moves, keys = stack.moves[ply], stack.keys
    listed = 0
    while legal != ZERO:
        bit = lowest(legal)
        legal ^= bit
        place = lowest_bit(bit)
        key = 4 if odd & bit != ZERO else 0
        if count >= HASHED:
            turned = flips(bit, own, other)
            theirs, ours = other ^ turned, own | turned | bit
            answers = movable(theirs, ours, board)
            key -= 8 * (bits_set(answers) + bits_set(answers & corners))
            if count >= ORDERED_WELL:
                key -= 4 * bits_set(with_neighbours(ours) & board & ~(ours | theirs))
                slot = _slot(stack, theirs, ours)
                if stack.hashed[slot, 0] == theirs and stack.hashed[slot, 1] == ours:
                    score = -np.int32(stack.bounds[slot, GREATEST])
                    if score >= stack.frames[ply, BETA]:
                        stack.frames[ply, BEST] = score
                        stack.frames[ply, BEST_MOVE] = place
                        return True
            if bit & corners != ZERO:
                key += 16
        elif bit & corners != ZERO:
            key += 2
        if place == hint:
            key = 1000
        at = listed
        while at > 0 and keys[at - 1] < key:
            keys[at] = keys[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        keys[at] = key
        moves[at] = place
        listed += 1
    stack.frames[ply, COUNT] = listed
    return False


@inlined
def _odd_regions(empty: Any) -> Any:
    """The quarters of the board with an odd number of empty cells."""
    found = ZERO
    for quarter in range(4):
        cells = _LEFT_HALF if quarter & 1 else ~_LEFT_HALF
        cells &= _TOP_HALF if quarter & 2 else ~_TOP_HALF
        if bits_set(empty & cells) & 1:
            found |= cells
    return found


@inlined
def _visit(stack: Any, ply: int) -> None:
    """Enter the position after a node's next move."""
    frame, move = stack.frames[ply], stack.moves[ply, stack.frames[ply, NEXT]]
    own, other = stack.discs[ply, 0], stack.discs[ply, 1]
    if move != NO_MOVE:
        bit = ONE << np.uint64(move)
        turned = flips(bit, own, other)
        own, other = own | turned | bit, other ^ turned
    stack.discs[ply + 1, 0] = other
    stack.discs[ply + 1, 1] = own
    beta = frame[BETA]
    if frame[NEXT] > 0 and not frame[AGAIN]:
        beta = frame[ALPHA] + 1
    _enter(stack, ply + 1, -beta, -frame[ALPHA])


@inlined
def _return(stack: Any, ply: int) -> None:
    """Hand a finished position's score to its parent."""
    score, frame = -stack.frames[ply, BEST], stack.frames[ply - 1]
    stack.cursor[PLY] = ply - 1
    narrow = frame[NEXT] > 0 and not frame[AGAIN]
    if narrow and frame[ALPHA] < score < frame[BETA] and frame[BETA] - frame[ALPHA] > 1:
        frame[AGAIN] = 1
        return
    frame[AGAIN] = 0
    move = stack.moves[ply - 1, frame[NEXT]]
    frame[NEXT] += 1
    if score > frame[BEST]:
        frame[BEST] = score
        frame[BEST_MOVE] = move
        if score > frame[ALPHA]:
            frame[ALPHA] = score


# ---------------------------------------------------------------- the last empty cells


@inlined
def _final(own: Any, other: Any, board: Any) -> Any:
    """The disc difference of a finished game; empty cells count for the winner."""
    difference = np.int32(bits_set(own)) - np.int32(bits_set(other))
    empty = np.int32(bits_set(board & ~(own | other)))
    if difference > 0:
        return difference + empty
    return difference - empty if difference < 0 else difference


@kernel
def _last_cells(
    own: Any, other: Any, empty: Any, count: int, board: Any, alpha: int, beta: int, stack: Any
) -> Any:
    """The score of a position with at most four empty cells."""
    if count == 4:
        return _four(own, other, empty, board, alpha, beta, stack)
    if count == 3:
        return _three(own, other, empty, board, alpha, beta, stack)
    if count == 2:
        return _two(own, other, empty, board, alpha, beta, stack)
    return _one(own, other, empty, board) if count == 1 else _final(own, other, board)


@kernel
def _one(own: Any, other: Any, bit: Any, board: Any) -> Any:
    """The score with one empty cell."""
    turned = flips(bit, own, other)
    if turned != ZERO:
        return _final(own | turned | bit, other ^ turned, board)
    turned = flips(bit, other, own)
    if turned != ZERO:
        return -_final(other | turned | bit, own ^ turned, board)
    return _final(own, other, board)


@kernel
def _two(own: Any, other: Any, empty: Any, board: Any, alpha: int, beta: int, stack: Any) -> Any:
    """The score with two empty cells."""
    stack.cursor[NODES] += 1
    for side in range(2):
        best = np.int32(-127)
        left = empty
        while left != ZERO:
            bit = lowest(left)
            left ^= bit
            turned = flips(bit, own, other)
            if turned != ZERO:
                score = -_one(other ^ turned, own | turned | bit, empty ^ bit, board)
                if score > best:
                    best = score
                    if best >= beta:
                        break
        if best > -127:
            return best if side == 0 else -best
        own, other = other, own
        alpha, beta = -beta, -alpha
    return _final(own, other, board)


@kernel
def _three(own: Any, other: Any, empty: Any, board: Any, alpha: int, beta: int, stack: Any) -> Any:
    """The score with three empty cells."""
    stack.cursor[NODES] += 1
    for side in range(2):
        best, low = np.int32(-127), alpha
        left = empty
        while left != ZERO:
            bit = lowest(left)
            left ^= bit
            turned = flips(bit, own, other)
            if turned != ZERO:
                score = -_two(
                    other ^ turned, own | turned | bit, empty ^ bit, board, -beta, -low, stack
                )
                if score > best:
                    best = score
                    low = max(low, best)
                    if best >= beta:
                        break
        if best > -127:
            return best if side == 0 else -best
        own, other = other, own
        alpha, beta = -beta, -alpha
    return _final(own, other, board)


@kernel
def _four(own: Any, other: Any, empty: Any, board: Any, alpha: int, beta: int, stack: Any) -> Any:
    """The score with four empty cells; cells of odd regions first."""
    stack.cursor[NODES] += 1
    odd = _odd_regions(empty) & empty
    for side in range(2):
        best, low = np.int32(-127), alpha
        for part in range(2):
            left = odd if part == 0 else empty & ~odd
            while left != ZERO and best < beta:
                bit = lowest(left)
                left ^= bit
                turned = flips(bit, own, other)
                if turned != ZERO:
                    score = -_three(
                        other ^ turned, own | turned | bit, empty ^ bit, board, -beta, -low, stack
                    )
                    if score > best:
                        best = score
                        low = max(low, best)
        if best > -127:
            return best if side == 0 else -best
        own, other = other, own
        alpha, beta = -beta, -alpha
    return _final(own, other, board)
