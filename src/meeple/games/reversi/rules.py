"""Reversi (Othello): enclose the opponent's discs to turn them over; the most discs win.

Player 1 is Black and begins; player 2, White, has the cells d4 and e5 of an 8x8 board at the start.
A player who cannot turn over a disc passes; when neither player can, the game is over.

Boards are words of bits in the layout of `bits.py`: [player, low or high word].
"""

from typing import Any

import numpy as np

from meeple.games.reversi.bits import (
    BOARDS,
    CORNERS,
    ONE,
    STRIDE,
    WIDE,
    WORD_BITS,
    ZERO,
    cell_of,
    flips,
    flips_wide,
    movable,
    movable_wide,
    nth_bit,
    place_of,
)
from meeple.games.reversi.cell_worth import beside_empty_corners, corners_first, estimate_by_cells
from meeple.games.reversi.heuristic import estimate
from meeple.kernels import (
    OVER,
    add,
    below,
    bits_set,
    kernel,
    lowest_bit,
    next_uint64,
    record,
    scramble,
)

PLANES = 3

State = record(
    to_move=np.int8,
    by_discs=np.int8,  # whether a payoff is a share of the cells, not a win
    open_to=np.int8,  # the player whose moves `open` holds
    size=np.int16,
    cells=np.int32,  # size * size
    discs=(np.uint64, (2, 2)),  # [player, word]
    open=(np.uint64, (2,)),  # cells where that player may lay a disc, cached by the last move
)
Options = record(
    size=np.int16,
    by_discs=np.int8,
    to_move=np.int8,
    board=(np.int8, (WIDE * WIDE,)),  # the seat of each cell's disc, -1: empty
)

_HALF = np.uint64(32)
_ROW = np.uint64(0xFF)
# [256] a row's eight bits, each in a byte.
_BYTES_OF = np.array(
    [sum((bits >> n & 1) << 8 * n for n in range(8)) for bits in range(256)], np.uint64
)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Start with the discs of the options, usually two of each player in the middle."""
    s.size = options.size
    s.cells = np.int32(options.size) * np.int32(options.size)
    s.by_discs = options.by_discs
    for player in range(2):
        for word in range(2):
            s.discs[player, word] = ZERO
    size = np.int64(s.size)
    for cell in range(size * size):
        owner = np.int64(options.board[cell])
        if owner >= 0:
            place = place_of(size, cell)
            s.discs[owner, place // WORD_BITS] |= ONE << np.uint64(place % WORD_BITS)
    _turn_to(s, np.int64(options.to_move))


@kernel
def _turn_to(s: Any, player: int) -> None:
    """Set the player to move, or end the game if neither player can lay a disc."""
    s.open[0], s.open[1] = _moves(s, player)
    s.open_to = player
    s.to_move = player
    if s.open[0] | s.open[1] == ZERO:
        low, high = _moves(s, 1 - player)
        if low | high == ZERO:
            s.to_move = OVER


@kernel
def _moves(s: Any, player: int) -> Any:
    """Return the cells where a player could lay a disc, as two words of bits."""
    own, other = s.discs[player, 0], s.discs[1 - player, 0]
    if s.size != WIDE:
        return movable(own, other, BOARDS[s.size, 0]), ZERO
    return movable_wide(own, s.discs[player, 1], other, s.discs[1 - player, 1])


@kernel
def _open(s: Any) -> Any:
    """Return the cells where the player to move could lay a disc, as two words of bits."""
    if s.open_to == s.to_move:
        return s.open[0], s.open[1]
    return _moves(s, np.int64(s.to_move))


@kernel
def legal(s: Any, moves: Any) -> None:
    """List every cell where a disc turns over others; if none, the pass `size * size`."""
    size = np.int64(s.size)
    _list(_open(s), size, moves)
    if moves.count == 0:
        add(moves, s.cells)


@kernel
def _list(cells: Any, size: int, moves: Any) -> None:
    """List the cells set in two words of bits as actions, in ascending order."""
    low, high = cells
    count = 0
    while low != ZERO:
        moves.actions[count] = cell_of(size, lowest_bit(low))
        count += 1
        low &= low - ONE
    while high != ZERO:
        moves.actions[count] = cell_of(size, WORD_BITS + lowest_bit(high))
        count += 1
        high &= high - ONE
    moves.count = count


@kernel
def prune(s: Any, moves: Any) -> None:
    """List only corners if one is legal, else every legal move; all weights are 1."""
    size = np.int64(s.size)
    _list(corners_first(_open(s), size), size, moves)
    if moves.count == 0:
        add(moves, s.cells)
    for index in range(moves.count):
        moves.probabilities[index] = 1.0


@kernel
def narrow(s: Any, moves: Any, last: int) -> None:
    """Remove moves beside an empty corner, unless no other move would remain."""
    size = np.int64(s.size)
    filled = s.discs[0, 0] | s.discs[1, 0], s.discs[0, 1] | s.discs[1, 1]
    low, high = beside_empty_corners(filled, size)
    kept = 0
    for index in range(moves.count):
        action = np.int64(moves.actions[index])
        if action >= s.cells:
            return  # a pass
        place = place_of(size, action)
        near = high if place // WORD_BITS else low
        if near >> np.uint64(place % WORD_BITS) & ONE == ZERO:
            moves.actions[kept] = action
            moves.probabilities[kept] = moves.probabilities[index]
            kept += 1
    if kept > 0:
        moves.count = kept


@kernel
def count_legal(s: Any, moves: Any) -> None:
    """Count the legal actions; a pass counts as one."""
    low, high = _open(s)
    moves.count = max(bits_set(low) + bits_set(high), 1)


@kernel
def play(s: Any, action: int) -> None:
    """Lay a disc on cell `row * size + column` and turn discs over, or pass (`size * size`)."""
    player = np.int64(s.to_move)
    if action < s.cells:
        _lay(s, player, place_of(np.int64(s.size), action))
    _turn_to(s, 1 - player)


@kernel
def _lay(s: Any, player: int, place: int) -> None:
    """Add a disc and turn over the discs that it encloses."""
    own, other = s.discs[player, 0], s.discs[1 - player, 0]
    if s.size != WIDE:
        bit = ONE << np.uint64(place)
        turned = flips(bit, own, other)
        s.discs[player, 0] = own | turned | bit
        s.discs[1 - player, 0] = other ^ turned
        return
    own_high, other_high = s.discs[player, 1], s.discs[1 - player, 1]
    bit, bit_high = ZERO, ZERO
    if place < WORD_BITS:
        bit = ONE << np.uint64(place)
    else:
        bit_high = ONE << np.uint64(place - WORD_BITS)
    turned, turned_high = flips_wide(bit, bit_high, own, own_high, other, other_high)
    s.discs[player, 0] = own | turned | bit
    s.discs[player, 1] = own_high | turned_high | bit_high
    s.discs[1 - player, 0] = other ^ turned
    s.discs[1 - player, 1] = other_high ^ turned_high


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Write 1 for the player with more discs and 0 for the other; 0.5 each in a draw.

    With `by_discs`, write each player's share of the cells. Empty cells count for the winner, as in
    tournaments; in a draw they are shared.
    """
    first = bits_set(s.discs[0, 0]) + bits_set(s.discs[0, 1])
    second = bits_set(s.discs[1, 0]) + bits_set(s.discs[1, 1])
    cells = np.int64(s.cells)
    if first > second:
        first = cells - second
    elif second > first:
        second = cells - first
    if s.by_discs and first != second:
        out[0] = first / cells
        out[1] = second / cells
    else:
        out[0] = 0.5 if first == second else 1.0 if first > second else 0.0
        out[1] = 1.0 - out[0]


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write planes [3, size, size]: own discs, opponent discs, moves of the player to move."""
    size = np.int64(s.size)
    cells = np.int64(s.cells)
    low, high = ZERO, ZERO
    if s.to_move != OVER:
        low, high = _moves(s, np.int64(s.to_move))
    for cell in range(cells):
        place = place_of(size, cell)
        word, shift = place // WORD_BITS, np.uint64(place % WORD_BITS)
        moves = high if word else low
        out[cell] = np.float32((s.discs[player, word] >> shift) & ONE)
        out[cells + cell] = np.float32((s.discs[1 - player, word] >> shift) & ONE)
        out[2 * cells + cell] = np.float32((moves >> shift) & ONE)


@kernel
def rollout(s: Any, rng: Any) -> None:
    """Play uniformly random moves to the end."""
    guided_rollout(s, rng, 0)


@kernel
def guided_rollout(s: Any, rng: Any, guidance: int) -> None:
    """Play random moves to the end, with a preference for corners.

    If a corner is legal, one is played with probability guidance / 2**32; otherwise any legal move.
    """
    if s.to_move == OVER:
        return
    if s.size == WIDE:
        _rollout_wide(s, rng, guidance)
        return
    board, corners = BOARDS[s.size, 0], CORNERS[s.size, 0]
    player = np.int64(s.to_move)
    own, other = s.discs[player, 0], s.discs[1 - player, 0]
    while True:
        moves = movable(own, other, board)
        if moves == ZERO:
            own, other = other, own
            player = 1 - player
            moves = movable(own, other, board)
            if moves == ZERO:
                break
        if guidance and moves & corners != ZERO and np.int64(next_uint64(rng) >> _HALF) < guidance:
            moves &= corners
        bit = nth_bit(moves, below(rng, bits_set(moves)))
        turned = flips(bit, own, other)
        own, other = other ^ turned, own | turned | bit
        player = 1 - player
    s.discs[player, 0] = own
    s.discs[1 - player, 0] = other
    s.to_move = OVER


@kernel
def _rollout_wide(s: Any, rng: Any, guidance: int) -> None:
    """Do the same on a board of two words."""
    while s.to_move != OVER:
        player = np.int64(s.to_move)
        low, high = _moves(s, player)
        if low | high == ZERO:
            player = 1 - player
            low, high = _moves(s, player)
            if low | high == ZERO:
                s.to_move = OVER
                return
        corners, corners_high = low & CORNERS[WIDE, 0], high & CORNERS[WIDE, 1]
        if (
            guidance
            and corners | corners_high != ZERO
            and np.int64(next_uint64(rng) >> _HALF) < guidance
        ):
            low, high = corners, corners_high
        below_high = bits_set(low)
        choice = below(rng, below_high + bits_set(high))
        if choice < below_high:
            place = lowest_bit(nth_bit(low, choice))
        else:
            place = WORD_BITS + lowest_bit(nth_bit(high, choice - below_high))
        _lay(s, player, place)
        s.to_move = 1 - player


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Write both players' estimated payoffs, exact at the end; see `heuristic.py`."""
    if s.to_move == OVER:
        payoffs(s, out)
        return
    player = np.int64(s.to_move)
    own = s.discs[player, 0], s.discs[player, 1]
    theirs = s.discs[1 - player, 0], s.discs[1 - player, 1]
    share = estimate(own, theirs, np.int64(s.size), s.by_discs)
    out[player] = share
    out[1 - player] = 1.0 - share


@kernel
def simple_heuristic(s: Any, out: Any) -> None:
    """Write both players' estimated payoffs from cell weights alone; see `cell_worth.py`."""
    if s.to_move == OVER:
        payoffs(s, out)
        return
    first, second = (s.discs[0, 0], s.discs[0, 1]), (s.discs[1, 0], s.discs[1, 1])
    out[0] = estimate_by_cells(first, second, np.int64(s.size))
    out[1] = 1.0 - out[0]


@kernel
def identity(s: Any, key: Any) -> None:
    """Write the discs of the player to move and of the opponent; hashes on a board of two words.

    Both 64-bit hashes of two different positions agree with probability 2**-128.
    """
    player = np.int64(s.to_move)
    if s.size != WIDE:
        key[0] = s.discs[player, 0]
        key[1] = s.discs[1 - player, 0]
        return
    for word in range(2):
        value = np.uint64(word + 1)
        for side in range(2):
            owner = player if side == 0 else 1 - player
            for half in range(2):
                value = scramble(value ^ s.discs[owner, half]) + value
        key[word] = value


@kernel
def ownership(s: Any, out: Any) -> None:
    """Write the seat whose disc is on each cell, [size * size]; -1: empty."""
    size = np.int64(s.size)
    if size == STRIDE:
        _own_rows(s.discs[0, 0], s.discs[1, 0], out)
        return
    for cell in range(s.cells):
        place = place_of(size, cell)
        word, shift = place // WORD_BITS, np.uint64(place % WORD_BITS)
        out[cell] = -1
        for player in range(2):
            if (s.discs[player, word] >> shift) & ONE != ZERO:
                out[cell] = player


@kernel
def _own_rows(first: Any, second: Any, out: Any) -> None:
    """Write the owners of the cells of an 8x8 board."""
    for row in range(STRIDE):
        shift = np.uint64(row * STRIDE)
        theirs = _BYTES_OF[(second >> shift) & _ROW]
        empty = _BYTES_OF[~((first | second) >> shift) & _ROW]
        owners = theirs | (empty * _ROW)
        for column in range(STRIDE):
            out[row * STRIDE + column] = np.int8(owners >> np.uint64(8 * column))
