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
    WIDE,
    WORD,
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
    by_discs=np.int8,  # whether payoffs are shares of the cells
    open_to=np.int8,  # the player that `open` is of
    size=np.int16,
    cells=np.int32,  # size * size
    discs=(np.uint64, (2, 2)),  # [player, word]
    open=(np.uint64, (2,)),  # where that player may lay a disc, kept from the move before
)
Options = record(size=np.int16, by_discs=np.int8)

_HALF = np.uint64(32)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Two discs each in the middle, those of a colour diagonal to each other."""
    s.to_move = 0
    s.size = options.size
    s.cells = np.int32(options.size) * np.int32(options.size)
    s.by_discs = options.by_discs
    for player in range(2):
        for word in range(2):
            s.discs[player, word] = ZERO
    size = np.int64(s.size)
    middle = size // 2
    for row in range(middle - 1, middle + 1):
        for column in range(middle - 1, middle + 1):
            place = place_of(size, row * size + column)
            player = 1 if row == column else 0
            s.discs[player, place // WORD] |= ONE << np.uint64(place % WORD)
    s.open[0], s.open[1] = _moves(s, 0)
    s.open_to = 0


@kernel
def _moves(s: Any, player: int) -> Any:
    """The cells, as two words, where a player could lay a disc."""
    own, other = s.discs[player, 0], s.discs[1 - player, 0]
    if s.size != WIDE:
        return movable(own, other, BOARDS[s.size, 0]), ZERO
    return movable_wide(own, s.discs[player, 1], other, s.discs[1 - player, 1])


@kernel
def _open(s: Any) -> Any:
    """The cells where the player to move could lay a disc."""
    if s.open_to == s.to_move:
        return s.open[0], s.open[1]
    return _moves(s, np.int64(s.to_move))


@kernel
def legal(s: Any, moves: Any) -> None:
    """Every cell where a disc turns over others; the pass, `size * size`, only if there is none."""
    size = np.int64(s.size)
    _list(_open(s), size, moves)
    if moves.count == 0:
        add(moves, s.cells)


@kernel
def _list(cells: Any, size: int, moves: Any) -> None:
    """The actions of cells, two words, in order."""
    low, high = cells
    count = 0
    while low != ZERO:
        moves.actions[count] = cell_of(size, lowest_bit(low))
        count += 1
        low &= low - ONE
    while high != ZERO:
        moves.actions[count] = cell_of(size, WORD + lowest_bit(high))
        count += 1
        high &= high - ONE
    moves.count = count


@kernel
def prune(s: Any, moves: Any) -> None:
    """Corners alone where there is one to take, else every legal move; all weigh the same."""
    size = np.int64(s.size)
    _list(corners_first(_open(s), size), size, moves)
    if moves.count == 0:
        add(moves, s.cells)
    for index in range(moves.count):
        moves.probabilities[index] = 1.0


@kernel
def narrow(s: Any, moves: Any, last: int) -> None:
    """Without moves beside an empty corner, where there are others."""
    size = np.int64(s.size)
    filled = s.discs[0, 0] | s.discs[1, 0], s.discs[0, 1] | s.discs[1, 1]
    low, high = beside_empty_corners(filled, size)
    kept = 0
    for index in range(moves.count):
        action = np.int64(moves.actions[index])
        if action >= s.cells:
            return  # a pass
        place = place_of(size, action)
        near = high if place // WORD else low
        if near >> np.uint64(place % WORD) & ONE == ZERO:
            moves.actions[kept] = action
            moves.probabilities[kept] = moves.probabilities[index]
            kept += 1
    if kept > 0:
        moves.count = kept


@kernel
def count_legal(s: Any, moves: Any) -> None:
    """How many they are, a pass for one."""
    low, high = _open(s)
    moves.count = max(bits_set(low) + bits_set(high), 1)


@kernel
def play(s: Any, action: int) -> None:
    """Lay a disc on cell `row * size + column` and turn discs over, or pass (`size * size`)."""
    player = np.int64(s.to_move)
    if action < s.cells:
        _lay(s, player, place_of(np.int64(s.size), action))
    s.open[0], s.open[1] = _moves(s, 1 - player)
    s.open_to = 1 - player
    s.to_move = 1 - player
    if s.open[0] | s.open[1] == ZERO:
        low, high = _moves(s, player)
        if low | high == ZERO:
            s.to_move = OVER


@kernel
def _lay(s: Any, player: int, place: int) -> None:
    """Add a disc and turn over those it closes in."""
    own, other = s.discs[player, 0], s.discs[1 - player, 0]
    if s.size != WIDE:
        bit = ONE << np.uint64(place)
        turned = flips(bit, own, other)
        s.discs[player, 0] = own | turned | bit
        s.discs[1 - player, 0] = other ^ turned
        return
    own_high, other_high = s.discs[player, 1], s.discs[1 - player, 1]
    bit, bit_high = ZERO, ZERO
    if place < WORD:
        bit = ONE << np.uint64(place)
    else:
        bit_high = ONE << np.uint64(place - WORD)
    turned, turned_high = flips_wide(bit, bit_high, own, own_high, other, other_high)
    s.discs[player, 0] = own | turned | bit
    s.discs[player, 1] = own_high | turned_high | bit_high
    s.discs[1 - player, 0] = other ^ turned
    s.discs[1 - player, 1] = other_high ^ turned_high


@kernel
def payoffs(s: Any, out: Any) -> None:
    """All for whoever has more discs, or a half each; `by_discs`, each player's share of the cells.

    The empty ones go to the winner, as tournaments count, or in a draw are shared.
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
    """Planes [3, size, size]: own discs, their discs, where the player to move may lay one."""
    size = np.int64(s.size)
    cells = np.int64(s.cells)
    low, high = ZERO, ZERO
    if s.to_move != OVER:
        low, high = _moves(s, np.int64(s.to_move))
    for cell in range(cells):
        place = place_of(size, cell)
        word, shift = place // WORD, np.uint64(place % WORD)
        moves = high if word else low
        out[cell] = np.float32((s.discs[player, word] >> shift) & ONE)
        out[cells + cell] = np.float32((s.discs[1 - player, word] >> shift) & ONE)
        out[2 * cells + cell] = np.float32((moves >> shift) & ONE)


@kernel
def rollout(s: Any, rng: Any) -> None:
    """Uniformly random moves to the end."""
    guided_rollout(s, rng, 0)


@kernel
def guided_rollout(s: Any, rng: Any, guidance: int) -> None:
    """Random moves to the end.

    Where there is a legal corner, with chance guidance / 2**32 one of those, else any legal move.
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
    """The same on the board of two words."""
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
            place = WORD + lowest_bit(nth_bit(high, choice - below_high))
        _lay(s, player, place)
        s.to_move = 1 - player


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Both players' estimated shares; exact at the end. See `heuristic.py`."""
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
    """The same by what cells are worth alone, as a first program counts; see `cell_worth.py`."""
    if s.to_move == OVER:
        payoffs(s, out)
        return
    first, second = (s.discs[0, 0], s.discs[0, 1]), (s.discs[1, 0], s.discs[1, 1])
    out[0] = estimate_by_cells(first, second, np.int64(s.size))
    out[1] = 1.0 - out[0]


@kernel
def identity(s: Any, key: Any) -> None:
    """The discs of the player to move and those of the other; hashed on a board of two words.

    Two hashes of 64 bits each agree by chance in 1 of 2**128.
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
    """The seat that has a disc on each cell, [size * size], or -1 where it is empty."""
    size = np.int64(s.size)
    for cell in range(s.cells):
        place = place_of(size, cell)
        word, shift = place // WORD, np.uint64(place % WORD)
        out[cell] = -1
        for player in range(2):
            if (s.discs[player, word] >> shift) & ONE != ZERO:
                out[cell] = player
