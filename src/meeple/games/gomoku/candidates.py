"""What a selective search asks of a Gomoku position: candidates, wins by fours, quietness.

A straight four is a row that lacks one stone at both ends; a pattern of a straight four is a window
that lacks two stones, one of them at its first place, with an empty place behind it: one stone
inside makes a straight four. Sources: Allis, van den Herik and Huntjens, "Go-Moku solved by new
search techniques", 1996, for the defences of a three.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.fours import NO_CELL, STRIDE, completing_through, win_by_fours
from meeple.games.gomoku.opening import PLAY
from meeple.games.gomoku.threats import cell_at, completing_places, line_of, windows
from meeple.kernels import bits_set, kernel

MAX_QUIET = 20  # candidates where no four and no open three forces any

# What a stone on a cell is worth for the order of candidates, for each line through the cell: a
# four, an open three; for each open window that lacks three and four stones. Of the player to move,
# and of the opponent, who would gain it otherwise.
_FOUR, _THREE, _TWO, _ONE = (40, 28), (30, 22), (4, 3), (1, 1)
# Above these sums, a score holds the number of patterns that a stone blocks, and above that, in how
# many directions it makes an own four.
_BLOCK, _OWN_FOUR = 1 << 12, 1 << 20
_CELL = 512  # more than the cells of a board


@kernel
def candidates(s: Any, moves: Any, complete: Any) -> None:
    """List the moves worth searching, best first; none if the whole board is to be searched.

    The whole board is searched under Renju and in the opening. A move that wins by five or by a
    straight four is listed alone, as is the block of a four. A three of the opponent, who would
    make a straight four, leaves fours and its blocks; otherwise the best `MAX_QUIET` cells by the
    lines through them are listed.

    Args:
        s: the state.
        moves: the list.
        complete: [1] set to 1 if every other move loses, or if the listed move wins.
    """
    size, mover = np.int64(s.size), np.int64(s.to_move)
    cells = size * size
    complete[0] = 0
    moves.count = 0
    if s.renju != 0 or s.stage != PLAY:
        return
    if s.moves == 0:
        moves.actions[0] = (size // 2) * size + size // 2
        moves.count = 1
        return
    for cell in range(cells):
        moves.actions[cell] = 0
    five, straight, _ = _score_lines(s, moves, mover, True)
    their_five, _, patterns = _score_lines(s, moves, 1 - mover, False)
    single = five if five >= 0 else their_five
    if single < 0:
        single = straight
    if single >= 0:
        moves.actions[0] = single
        moves.count = 1
        complete[0] = 1
        return
    if patterns > 0:
        _count_blocks(s, moves, 1 - mover)
        complete[0] = 1
        moves.count = _list_best(moves, cells, patterns * _BLOCK, cells)
        if moves.count == 0:  # nothing blocks all of them: what blocks some
            moves.count = _list_best(moves, cells, _BLOCK, cells)
        return
    moves.count = _list_best(moves, cells, 1, MAX_QUIET)


@kernel
def forced_win(s: Any, nodes: int, distance: Any) -> None:
    """Write the plies of a win by fours of the player to move, 0 if none was found."""
    distance[0] = 0 if s.renju != 0 or s.stage != PLAY else win_by_fours(s, nodes)


@kernel
def quiet(s: Any, out: Any) -> None:
    """Write whether the last stone made no four, which the player to move would have to block."""
    out[0] = 1
    if s.last >= 0 and s.renju == 0 and s.stage == PLAY:
        row, column = divmod(np.int64(s.last), np.int64(s.size))
        own, other = s.lines[s.to_move], s.lines[1 - s.to_move]
        size, length, exact = np.int64(s.size), np.int64(s.in_a_row), s.exact != 0
        cell = row * STRIDE + column
        if completing_through(other, own, cell, size, length, exact) != NO_CELL:
            out[0] = 0


@kernel
def _score_lines(s: Any, moves: Any, player: int, own_turn: bool) -> tuple[int, int, int]:
    """Add a player's lines to the scores of all cells.

    Returns:
        A cell that completes a row, or -1; a cell that makes a straight four, or -1; the number of
        patterns of straight fours.
    """
    size, length = np.int64(s.size), np.int64(s.in_a_row)
    side = 0 if own_turn else 1
    five, straight, patterns = -1, -1, 0
    for direction in range(4):
        for at in range(size if direction < 2 else 2 * size - 1):
            word, places, low = line_of(direction, at, size)
            own = np.int64(s.lines[player, word])
            if own == 0 or places < length:
                continue
            free = (((1 << places) - 1) << low) & ~np.int64(s.lines[1 - player, word])
            lack_1, lack_2, lack_3, lack_4 = windows(own, free, length)
            empty = free & ~own
            open_ends = empty & (empty >> length)
            if s.exact:
                single = ~((own << 1) | (own >> length))
                lack_1 &= single
                lack_2 &= single
                open_ends &= ~((own << 1) | (own >> (length + 1)))
            if lack_1:
                five = _first_cell(completing_places(lack_1, empty, length), direction, at, size)
            if lack_2:
                fours = completing_places(lack_2, empty, length)
                score = _FOUR[side] + (_OWN_FOUR if own_turn else 0)
                _add_score(moves, fours, direction, at, size, score)
                found = lack_2 & open_ends
                if found:
                    patterns += bits_set(np.uint64(found))
                    inner = completing_places(found << 1, empty, length - 1)
                    straight = _first_cell(inner, direction, at, size)
            if lack_3:
                threes = completing_places((lack_3 & open_ends) << 1, empty, length - 1)
                _add_score(moves, threes, direction, at, size, _THREE[side])
            for place in range(length):
                twos = (lack_3 & (empty >> place)) << place
                _add_score(moves, twos, direction, at, size, _TWO[side])
                ones = (lack_4 & (empty >> place)) << place
                _add_score(moves, ones, direction, at, size, _ONE[side])
    return five, straight, patterns


@kernel
def _count_blocks(s: Any, moves: Any, player: int) -> None:
    """Count for every empty cell the patterns of a player's straight fours that contain it."""
    size, length = np.int64(s.size), np.int64(s.in_a_row)
    for direction in range(4):
        for at in range(size if direction < 2 else 2 * size - 1):
            word, places, low = line_of(direction, at, size)
            own = np.int64(s.lines[player, word])
            if own == 0 or places < length:
                continue
            free = (((1 << places) - 1) << low) & ~np.int64(s.lines[1 - player, word])
            empty = free & ~own
            found = windows(own, free, length)[1] & empty & (empty >> length)
            if s.exact:
                found &= ~((own << 1) | (own >> (length + 1)))
            if found:
                for place in range(length + 1):
                    blocks = (found & (empty >> place)) << place
                    _add_score(moves, blocks, direction, at, size, _BLOCK)


@kernel
def _first_cell(places: int, direction: int, at: int, size: int) -> int:
    place = bits_set(np.uint64((places & -places) - 1))
    return int(cell_at(direction, at, place, size))


@kernel
def _add_score(moves: Any, places: int, direction: int, at: int, size: int, score: int) -> None:
    while places:
        place = bits_set(np.uint64((places & -places) - 1))
        places &= places - 1
        moves.actions[cell_at(direction, at, place, size)] += score


@kernel
def _list_best(moves: Any, cells: int, least: int, most: int) -> int:
    """List the best cells by the scores in `actions`; return their number.

    Args:
        moves: the list; holds the score of each cell.
        cells: of the board.
        least: the least score of a listed cell.
        most: the most cells to list.
    """
    count = 0
    for cell in range(cells):
        score = np.int64(moves.actions[cell])
        if score < least:
            continue
        key = np.float32((score % _BLOCK) * _CELL + (_CELL - 1 - cell))  # below 2**24: exact
        if count == most and key < moves.probabilities[most - 1]:
            continue
        place = count if count < most else most - 1
        count = min(count + 1, most)
        while place > 0 and moves.probabilities[place - 1] < key:
            moves.probabilities[place] = moves.probabilities[place - 1]
            place -= 1
        moves.probabilities[place] = key
    for place in range(count):
        moves.actions[place] = _CELL - 1 - np.int64(moves.probabilities[place]) % _CELL
    return count
