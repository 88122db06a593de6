"""Static knowledge about a Gomoku position: threats, winning cells, identity up to symmetry.

A window is a stretch of a line that is just long enough for a winning row. It is open to a player
if the opponent has no stone in it.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import COLUMNS, FALLING, MAX_SIZE, RISING, is_exact
from meeple.games.gomoku.opening import MORE_STONES, PLAY, is_choice
from meeple.kernels import add, bits_set, kernel, scramble

EXACT_SIZE = 8  # largest board whose cells fit in one word

_ZERO = np.uint64(0)
# Masks of every other bit, pair, group of four... of a word.
_GROUPS = tuple(
    np.uint64(mask)
    for mask in (
        0x5555555555555555,
        0x3333333333333333,
        0x0F0F0F0F0F0F0F0F,
        0x00FF00FF00FF00FF,
        0x0000FFFF0000FFFF,
        0x00000000FFFFFFFF,
    )
)

WON, NEARLY_WON = 0.99, 0.95  # below 1, the value of a proven win

# Weights on the log-odds scale. CHANCES: of open windows that lack two, three and four stones, of
# the player to move and of the opponent. THEIR_FOUR, THEIR_THREE: of the opponent's threats, which
# cost a move to answer. Rounded from a logistic regression on 3,000 quiet positions of games of
# `uct:sims=4000`, 9x9 to 15x15. It found no effect of windows that lack four stones; their weight
# is for positions with few stones.
OWN_CHANCES, THEIR_CHANCES = (0.5, 0.07, 0.01), (0.4, 0.05, 0.01)
THEIR_FOUR, THEIR_THREE = 0.5, 0.3


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Estimate shares from threats or, if no threat decides, from open windows.

    The player to move wins by a four (a window that lacks one stone), the opponent by two fours
    that one stone cannot stop. A three that becomes a four with two ends nearly wins, unless the
    opponent has a four first. Source of the threats: Allis, van den Herik and Huntjens, "Go-Moku
    solved by new search techniques", 1996. In a swap opening, the player to move chooses the better
    colour; before a choice, the colours are equal.
    """
    mover = np.int64(s.to_move)
    if s.stage == PLAY:
        share = _share(s, mover)
    elif is_choice(s.stage):
        share = _share(s, 1 - np.int64(s.black))  # White moves next
        share = max(share, 1.0 - share)
    else:
        share = 0.5
    out[mover] = share
    out[1 - mover] = 1.0 - share


@kernel
def _share(s: Any, mover: int) -> float:
    """Return the estimated share of a player who moves next."""
    fours, threes, own_2, own_3, own_4 = survey(s, mover)
    their_fours, their_threes, their_2, their_3, their_4 = survey(s, 1 - mover)
    if fours > 0:
        share = WON
    elif their_fours > 1:
        share = 1.0 - WON
    elif threes > 0 and their_fours == 0:
        share = NEARLY_WON
    else:
        odds = OWN_CHANCES[0] * own_2 + OWN_CHANCES[1] * own_3 + OWN_CHANCES[2] * own_4
        odds -= THEIR_CHANCES[0] * their_2 + THEIR_CHANCES[1] * their_3 + THEIR_CHANCES[2] * their_4
        odds -= THEIR_FOUR * their_fours + THEIR_THREE * their_threes
        share = 1.0 / (1.0 + np.exp(-odds))
        share = min(max(share, 1.0 - NEARLY_WON), NEARLY_WON)
    return share


@kernel
def survey(s: Any, player: int) -> tuple[int, int, int, int, int]:
    """Count a player's threats and open windows.

    Returns:
        The number of cells that complete a row (2 stands for two or more); the number of lines on
        which one stone makes a row that can be completed at both ends; the numbers of open windows
        with at least one stone that lack two, three and four stones.
    """
    size, length = np.int64(s.size), np.int64(s.in_a_row)
    fours, cell, threes, lacking_2, lacking_3, lacking_4 = 0, -1, 0, 0, 0, 0
    for direction in range(4):
        for at in range(size if direction < 2 else 2 * size - 1):
            word, places, low = line_of(direction, at, size)
            own = np.int64(s.lines[player, word])
            if own == 0 or places < length:
                continue
            free = (((1 << places) - 1) << low) & ~np.int64(s.lines[1 - player, word])
            lack_1, lack_2, lack_3, lack_4 = windows(own, free, length)
            empty = free & ~own
            open_ends = lack_2 & empty & (empty >> length)  # empty at and just past the window
            if is_exact(s, player):
                lack_1 &= ~((own << 1) | (own >> length))
                open_ends &= ~((own << 1) | (own >> (length + 1)))
            threes += 1 if open_ends else 0
            lacking_2 += bits_set(np.uint64(lack_2))
            lacking_3 += bits_set(np.uint64(lack_3))
            lacking_4 += bits_set(np.uint64(lack_4))
            completing = completing_places(lack_1, empty, length)
            while completing:
                at_place = bits_set(np.uint64((completing & -completing) - 1))
                completing &= completing - 1
                other = cell_at(direction, at, at_place, size)
                fours = 1 if cell in (-1, other) and fours < 2 else 2
                cell = other
    return fours, threes, lacking_2, lacking_3, lacking_4


@kernel
def winning_actions(s: Any, moves: Any) -> None:
    """List the cells where a stone of the player to move completes a row."""
    if s.stage != PLAY:
        return
    size, length, player = np.int64(s.size), np.int64(s.in_a_row), np.int64(s.to_move)
    for direction in range(4):
        for at in range(size if direction < 2 else 2 * size - 1):
            word, places, low = line_of(direction, at, size)
            own = np.int64(s.lines[player, word])
            if bits_set(np.uint64(own)) < length - 1 or places < length:
                continue
            free = (((1 << places) - 1) << low) & ~np.int64(s.lines[1 - player, word])
            lack_1 = windows(own, free, length)[0]
            if is_exact(s, player):
                lack_1 &= ~((own << 1) | (own >> length))
            completing = completing_places(lack_1, free & ~own, length)
            while completing:
                at_place = bits_set(np.uint64((completing & -completing) - 1))
                completing &= completing - 1
                _add_once(moves, cell_at(direction, at, at_place, size))


@kernel
def completing_places(lack_1: int, empty: int, length: int) -> int:
    """Return the empty places of a line in windows that lack one stone."""
    completing = 0
    if lack_1:
        for place in range(length):
            completing |= (lack_1 & (empty >> place)) << place
    return completing


@kernel
def _add_once(moves: Any, action: int) -> None:
    """Append an action unless it is listed already."""
    for index in range(moves.count):
        if moves.actions[index] == action:
            return
    add(moves, action)


@kernel
def line_of(direction: int, at: int, size: int) -> tuple[Any, Any, Any]:
    """Return the index of a line's word, its number of places, and its first place.

    Args:
        direction: 0 rows, 1 columns, 2 rising and 3 falling diagonals, as in `lines.py`.
        at: the number of the line, from the top; of a column, from the left.
        size: the size of the board.
    """
    if direction < 2:
        return at + direction * np.int64(COLUMNS), size, 0
    places = size - abs(at - (size - 1))
    if direction == 2:
        return at + np.int64(RISING), places, max(at - (size - 1), 0)
    return at - (size - 1) + np.int64(FALLING), places, max(size - 1 - at, 0)


@kernel
def cell_at(direction: int, at: int, place: int, size: int) -> int:
    """Return the cell at a place of a line."""
    if direction == 0:
        return at * size + place
    if direction == 1:
        return place * size + at
    row = at - place if direction == 2 else at - (size - 1) + place
    return row * size + place


@kernel
def windows(own: int, free: int, length: int) -> tuple[int, int, int, int]:
    """Return the first places of open windows with a stone that lack 1, 2, 3 and 4 stones."""
    open_, ones, twos, fours = count_windows(own, free, length)
    return (
        holding(length - 1, open_, ones, twos, fours),
        holding(length - 2, open_, ones, twos, fours),
        holding(length - 3, open_, ones, twos, fours),
        holding(length - 4, open_, ones, twos, fours),
    )


@kernel
def count_windows(own: int, free: int, length: int) -> tuple[int, int, int, int]:
    """Count the stones of all windows of a line in parallel.

    Returns:
        The first places of open windows, and the three bits of the number of stones in the window
        at each place.
    """
    open_, ones, twos, fours = free, own, 0, 0
    for place in range(1, length):
        stone = own >> place
        carry = ones & stone
        ones ^= stone
        fours |= twos & carry
        twos ^= carry
        open_ &= free >> place
    return open_, ones, twos, fours


@kernel
def holding(stones: int, open_: int, ones: int, twos: int, fours: int) -> int:
    """Return the open windows with exactly `stones` stones; none if `stones` < 1."""
    if stones < 1:
        return 0
    open_ &= ones if stones & 1 else ~ones
    open_ &= twos if stones & 2 else ~twos
    return open_ & (fours if stones & 4 else ~fours)


@kernel
def identity(s: Any, key: Any) -> None:
    """Write the stones of the player to move and of the opponent.

    Up to 8x8 the key is exact: the smallest of the keys of the eight rotations and reflections. On
    larger boards it is two hashes of the board without symmetries, which collide with probability
    2**-128. Complements of the words tell the stages of a swap opening apart, and the colours of
    Renju.
    """
    size, mover = np.int64(s.size), np.int64(s.to_move)
    if size > EXACT_SIZE:
        key[0], key[1] = _digest(s.lines[mover], size), _digest(s.lines[1 - mover], size)
    else:
        _write_exact_key(s, key, mover, size)
    stage = np.int64(s.stage)
    if is_choice(stage) or (s.renju != 0 and mover != s.black):
        key[0] = ~key[0]
    if stage == MORE_STONES or (s.renju != 0 and mover != s.black):
        key[1] = ~key[1]


@kernel
def _write_exact_key(s: Any, key: Any, mover: int, size: int) -> None:
    """Write the smallest key of the symmetric images of a board of up to 8x8 cells."""
    key[0], key[1] = ~_ZERO, ~_ZERO
    for first_word in (0, np.int64(COLUMNS)):
        mine = _packed(s.lines[mover], first_word, size)
        theirs = _packed(s.lines[1 - mover], first_word, size)
        for reflection in range(4):
            if reflection == 2:
                mine, theirs = _upside_down(mine, size), _upside_down(theirs, size)
            elif reflection > 0:
                mine, theirs = _mirrored(mine, size), _mirrored(theirs, size)
            if mine < key[0] or (mine == key[0] and theirs < key[1]):
                key[0], key[1] = mine, theirs


@kernel
def _packed(lines: Any, first_word: int, size: int) -> Any:
    """Return the rows or the columns of up to 8x8 cells as one word, eight bits each."""
    word = _ZERO
    for at in range(size):
        word |= np.uint64(lines[first_word + at]) << np.uint64(8 * at)
    return word


@kernel
def _mirrored(word: Any, size: int) -> Any:
    """Return a packed board with the places of each row in reverse order."""
    for step in range(3):
        word = _exchanged(word, step)
    return word >> np.uint64(EXACT_SIZE - size)


@kernel
def _upside_down(word: Any, size: int) -> Any:
    """Return a packed board with its rows in reverse order."""
    for step in range(3, 6):
        word = _exchanged(word, step)
    return word >> np.uint64(8 * (EXACT_SIZE - size))


@kernel
def _exchanged(word: Any, step: int) -> Any:
    """Return a word with neighbouring groups of `2**step` bits exchanged."""
    mask, shift = _GROUPS[step], np.uint64(1 << step)
    return ((word >> shift) & mask) | ((word & mask) << shift)


@kernel
def _digest(lines: Any, size: int) -> Any:
    """Return a hash of a player's stones, three rows at a time."""
    word = _ZERO
    for row in range(0, size, 3):
        three = np.uint64(lines[row])
        for beside in range(1, min(3, size - row)):
            three |= np.uint64(lines[row + beside]) << np.uint64(MAX_SIZE * beside)
        word = scramble(word ^ three) + np.uint64(row + 1)
    return word
