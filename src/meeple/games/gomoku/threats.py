"""Static knowledge about a Gomoku position: threats, winning cells, identity up to symmetry.

The words for rows that lack stones, windows and stretches, are those of `lines.py`.
"""

from typing import Any, NamedTuple

import numpy as np

from meeple.games.boards.bits import exchanged
from meeple.games.gomoku.cell_network import evaluate_cells
from meeple.games.gomoku.lines import (
    COLUMNS,
    COMMON_LENGTH,
    HALF,
    MAX_SIZE,
    PAIRS,
    PLACES,
    cell_in_pair,
    completing_places,
    pair_at,
    places_in_rows,
    rows_of,
    side_of,
)
from meeple.games.gomoku.opening import MORE_STONES, PLAY, is_choice
from meeple.kernels import add, bits_set, kernel, lowest_bit, scramble

EXACT_SIZE = 8  # largest board whose cells fit in one word

_ZERO = np.uint64(0)
_LOW_HALF = (1 << HALF) - 1
_FOUR = 8  # more than the lines through a cell

WON, NEARLY_WON = 0.99, 0.95  # below 1, the value of a proven win
MOST_BY_CHANCES = 0.94  # where no threat decides


class Survey(NamedTuple):
    """Numbers of a player's threats and chances."""

    fours: int  # cells that complete a row; 2 stands for two or more
    threes: int  # lines on which one stone makes a row that can be completed at both ends
    lacking_2: int  # open windows that lack two stones
    lacking_3: int  # open windows with a stone that lack three
    lacking_4: int
    twos: int  # stretches that lack three stones: one stone makes a three
    fours_and_threes: int  # cells where a stone makes a four and, on another line, a four or three


# Weights on the log-odds scale, in the order of `Survey`, of the player to move and of the
# opponent, for rules that `cell_network.py` does not evaluate. A logistic regression of results on
# 44,544 positions, in which no threat decides, of 2,150 games of this search with itself, from one
# to six random stones.
OWN = (0.0, 0.0, 0.54, 0.18, 0.042, 0.096, 0.85)
THEIR = (1.75, 1.08, 0.49, 0.167, 0.021, 0.092, 1.15)


@kernel
def heuristic(s: Any, out: Any) -> None:
    """Estimate shares from threats or, if no threat decides, from all chances.

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
    if s.in_a_row == COMMON_LENGTH:
        value, five, their_fives, straight = evaluate_cells(s, mover)
        odds = float(value) if s.moves > 0 else 0.0
    else:
        own, their = survey(s, mover), survey(s, 1 - mover)
        five, their_fives, straight = own.fours > 0, np.int64(their.fours), own.threes > 0
        odds = _weighted(own, OWN) - _weighted(their, THEIR)
    if five:
        share = WON
    elif their_fives > 1:
        share = 1.0 - WON
    elif straight and their_fives == 0:
        share = NEARLY_WON
    else:
        share = 1.0 / (1.0 + np.exp(-odds))
        share = min(max(share, 1.0 - MOST_BY_CHANCES), MOST_BY_CHANCES)
    return share


@kernel
def _weighted(found: Any, weights: Any) -> float:
    return float(
        weights[0] * found.fours
        + weights[1] * found.threes
        + weights[2] * found.lacking_2
        + weights[3] * found.lacking_3
        + weights[4] * found.lacking_4
        + weights[5] * found.twos
        + weights[6] * found.fours_and_threes
    )


@kernel
def survey(s: Any, player: int) -> Survey:
    """Count a player's threats and chances; `s` is changed during the call only."""
    side, marks = side_of(s, player), s.deck
    size, length = side.size, side.length
    fours, completed, threes, lacking_2, lacking_3, lacking_4 = 0, -1, 0, 0, 0, 0
    twos, fours_and_threes, marked = 0, 0, 0
    for pair in range(PAIRS):
        own = pair_at(side.own, pair)
        if own == 0:
            continue
        empty, ends, lack_1, lack_2, lack_3, lack_4 = rows_of(side, pair, own)
        lacking_2 += bits_set(np.uint64(lack_2))
        lacking_3 += bits_set(np.uint64(lack_3))
        lacking_4 += bits_set(np.uint64(lack_4))
        open_2, open_3 = lack_2 & ends, lack_3 & ends
        twos += bits_set(np.uint64(open_3))
        if open_2:
            threes += 1 if open_2 & _LOW_HALF else 0
            threes += 1 if open_2 & ~_LOW_HALF else 0
        if lack_1:
            completing = completing_places(lack_1, empty, length)
            while completing:
                cell = cell_in_pair(size, pair, lowest_bit(np.uint64(completing)))
                completing &= completing - 1
                fours = 1 if completed in (-1, cell) and fours < 2 else 2
                completed = cell
        if lack_2 | open_3:
            in_fours = completing_places(lack_2, empty, length)
            places = in_fours | completing_places(open_3 << 1, empty, length - 1)
            while places:
                place = lowest_bit(np.uint64(places))
                places &= places - 1
                cell = cell_in_pair(size, pair, place)
                # A four counts as one line, and once more above all lines.
                marks[cell] += _FOUR + 1 if (in_fours >> place) & 1 else 1
                marked = 1
    if marked:
        for cell in range(size * size):
            mark = np.int64(marks[cell])
            marks[cell] = 0
            fours_and_threes += 1 if mark > _FOUR + 1 else 0
    return Survey(fours, threes, lacking_2, lacking_3, lacking_4, twos, fours_and_threes)


@kernel
def winning_actions(s: Any, moves: Any) -> None:
    """List the cells where a stone of the player to move completes a row."""
    if s.stage != PLAY:
        return
    side = side_of(s, np.int64(s.to_move))
    for pair in range(PAIRS):
        own = pair_at(side.own, pair)
        if bits_set(np.uint64(own)) < side.length - 1:
            continue
        free = PLACES[side.size, pair] & ~pair_at(side.other, pair)
        places = places_in_rows(1, own, free, side.length, side.exact)
        while places:
            _add_once(moves, cell_in_pair(side.size, pair, lowest_bit(np.uint64(places))))
            places &= places - 1


@kernel
def _add_once(moves: Any, action: int) -> None:
    """Append an action unless it is listed already."""
    for index in range(moves.count):
        if moves.actions[index] == action:
            return
    add(moves, action)


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
    return exchanged(word, 0, 3) >> np.uint64(EXACT_SIZE - size)


@kernel
def _upside_down(word: Any, size: int) -> Any:
    """Return a packed board with its rows in reverse order."""
    return exchanged(word, 3, 6) >> np.uint64(8 * (EXACT_SIZE - size))


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
