"""What a selective search asks of a Gomoku position: candidates, wins by fours, quietness.

A straight four is a row that lacks one stone at both ends; a pattern of a straight four is a
stretch (`threats.py`) that lacks two stones besides its ends: one stone inside makes a straight
four. Sources: Allis, van den Herik and Huntjens, "Go-Moku solved by new search techniques", 1996,
for the defences of a three.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.fours import (
    NO_CELL,
    STRIDE,
    clear_path,
    completing_through,
    search_fours,
    win_by_fours,
)
from meeple.games.gomoku.lines import MAX_SIZE, PAIRS, PLACES, cell_at, is_exact, pair_at
from meeple.games.gomoku.opening import PLAY
from meeple.games.gomoku.renju import allowed
from meeple.games.gomoku.threat_moves import mark_refutations
from meeple.games.gomoku.threats import COMMON_LENGTH, completing_places, windows
from meeple.kernels import bits_set, kernel, lowest_bit

MAX_QUIET = 20  # candidates where no threat of the opponent forces any
DEFENCE_NODES = 50  # fours of a search for the opponent's win

# What a stone on a cell is worth for the order of candidates, for each line through the cell: a
# four, an open three; for each open window that lacks three and four stones. Of the player to move,
# and of the opponent, who would gain it otherwise.
_FOUR, _THREE, _TWO, _ONE = (40, 28), (30, 22), (4, 3), (1, 1)
# Above these sums, a score holds the number of patterns that a stone blocks, and above that, in how
# many directions it makes an own four.
_BLOCK, _OWN_FOUR = 1 << 12, 1 << 20
_CELL = 512  # more than the cells of a board
_ALL = (1 << MAX_SIZE) - 1


@kernel
def candidates(s: Any, moves: Any, complete: Any) -> None:
    """List the moves worth searching, best first; none if the whole board is to be searched.

    The whole board is searched in the opening. A move that wins by five or by a straight four is
    listed alone, as is the block of a four. A three of the opponent, who would make a straight
    four, leaves fours and its blocks; another win by fours of the opponent leaves fours and what
    may refute it. Otherwise the best `MAX_QUIET` cells by the lines through them are listed.
    Forbidden cells of Renju are left out.

    Args:
        s: the state.
        moves: the list; its actions hold the scores of the cells `row * MAX_SIZE + column` first.
        complete: [1] set to 1 if every other move loses, or if the listed move wins.
    """
    size, mover = np.int64(s.size), np.int64(s.to_move)
    complete[0] = 0
    moves.count = 0
    if s.stage != PLAY:
        return
    if s.moves == 0:
        moves.actions[0] = (size // 2) * size + size // 2
        moves.count = 1
        return
    for cell in range(MAX_SIZE * MAX_SIZE):
        moves.actions[cell] = 0
    restricted = s.renju != 0 and mover == s.black
    five, straight, _ = _score_lines(s, moves, mover, 0)
    their_five, _, patterns = _score_lines(s, moves, 1 - mover, 1)
    if five < 0:
        five = their_five if their_five >= 0 else straight
        if restricted and five >= 0 and not (allowed(s, five // MAX_SIZE) >> (five % MAX_SIZE)) & 1:
            five = -1
    if five >= 0:
        moves.actions[0] = five // MAX_SIZE * size + five % MAX_SIZE
        moves.count = 1
        complete[0] = 1
        return
    if their_five >= 0:  # and the block is forbidden
        return
    least = 0
    if patterns > 0:
        _count_blocks(s, moves, 1 - mover)
        least = patterns * _BLOCK
    elif _mark_defences(s, moves, 1 - mover):
        least = _BLOCK
    if least == 0:
        moves.count = _list_best(s, moves, 1, MAX_QUIET, restricted)
        _write_listed(moves)
        return
    moves.count = _list_best(s, moves, least, MAX_SIZE * MAX_SIZE, restricted)
    if moves.count == 0 and least > _BLOCK:  # nothing blocks all of them: what blocks some
        moves.count = _list_best(s, moves, _BLOCK, MAX_SIZE * MAX_SIZE, restricted)
    # A straight four of Black may be forbidden.
    complete[0] = moves.count > 0 and (s.renju == 0 or restricted)
    _write_listed(moves)


@kernel
def forced_win(s: Any, nodes: int, distance: Any) -> None:
    """Write the plies of a win by fours of the player to move, 0 if none was found.

    Black's fours in Renju may be forbidden: none is found.
    """
    distance[0] = 0
    if s.stage == PLAY and (s.renju == 0 or s.to_move != s.black):
        distance[0] = win_by_fours(s, nodes)


@kernel
def quiet(s: Any, out: Any) -> None:
    """Write whether the last stone made no four, which the player to move would have to block."""
    out[0] = 1
    if s.last >= 0 and s.stage == PLAY:
        row, column = divmod(np.int64(s.last), np.int64(s.size))
        own, other = s.lines[s.to_move], s.lines[1 - s.to_move]
        size, length = np.int64(s.size), np.int64(s.in_a_row)
        exact = is_exact(s, 1 - np.int64(s.to_move))
        cell = row * STRIDE + column
        if completing_through(other, own, cell, size, length, exact) != NO_CELL:
            out[0] = 0


@kernel
def _score_lines(s: Any, moves: Any, player: int, side: int) -> tuple[int, int, int]:
    """Add a player's lines to the scores of all cells.

    Args:
        s: the state.
        moves: its actions are the scores.
        player: the player.
        side: 0 if the player is to move, else 1.

    Returns:
        A cell that completes a row, or -1; a cell that makes a straight four, or -1; the number of
        patterns of straight fours.
    """
    size, length, exact = np.int64(s.size), np.int64(s.in_a_row), is_exact(s, player)
    lines, blocks = s.lines[player], s.lines[1 - player]
    five, straight, patterns = -1, -1, 0
    for pair in range(PAIRS):
        own = pair_at(lines, pair)
        if own == 0:
            continue
        free = PLACES[size, pair] & ~pair_at(blocks, pair)
        if length == COMMON_LENGTH:
            lack_1, lack_2, lack_3, lack_4 = windows(own, free, COMMON_LENGTH)
        else:
            lack_1, lack_2, lack_3, lack_4 = windows(own, free, length)
        empty = free & ~own
        ends = empty & (empty >> length)
        if exact:
            single = ~((own << 1) | (own >> length))
            lack_1 &= single
            lack_2 &= single
            ends &= ~((own << 1) | (own >> (length + 1)))
        fours, threes = 0, 0
        if lack_1:
            fives = completing_places(lack_1, empty, length)
            five = cell_at(pair, lowest_bit(np.uint64(fives)))
        if lack_2:
            fours = completing_places(lack_2, empty, length)
            found = lack_2 & ends
            if found:
                patterns += bits_set(np.uint64(found))
                inner = completing_places(found << 1, empty, length - 1)
                straight = cell_at(pair, lowest_bit(np.uint64(inner)))
        if lack_3:
            threes = completing_places((lack_3 & ends) << 1, empty, length - 1)
        if length == COMMON_LENGTH:
            twos = _cover(lack_3, empty, COMMON_LENGTH)
            ones = _cover(lack_4, empty, COMMON_LENGTH)
        else:
            twos, ones = _cover(lack_3, empty, length), _cover(lack_4, empty, length)
        places = fours | twos[0] | twos[1] | twos[2] | ones[0] | ones[1] | ones[2]
        while places:
            place = lowest_bit(np.uint64(places))
            places &= places - 1
            score = _TWO[side] * _count_at(twos, place) + _ONE[side] * _count_at(ones, place)
            score += _THREE[side] * ((threes >> place) & 1)
            if (fours >> place) & 1:
                score += _FOUR[side] + (0 if side else _OWN_FOUR)
            moves.actions[cell_at(pair, place)] += score
    return five, straight, patterns


@kernel
def _cover(found: int, empty: int, length: int) -> tuple[int, int, int]:
    """Return how many of the windows from these places contain each empty place, as three bits."""
    ones, twos, fours = 0, 0, 0
    for place in range(length):
        within = (found & (empty >> place)) << place
        carry = ones & within
        ones ^= within
        fours |= twos & carry
        twos ^= carry
    return ones, twos, fours


@kernel
def _count_at(cover: tuple[int, int, int], place: int) -> int:
    ones, twos, fours = cover
    return ((ones >> place) & 1) + (((twos >> place) & 1) << 1) + (((fours >> place) & 1) << 2)


@kernel
def _count_blocks(s: Any, moves: Any, player: int) -> None:
    """Count for every empty cell the patterns of a player's straight fours that contain it."""
    size, length, exact = np.int64(s.size), np.int64(s.in_a_row), is_exact(s, player)
    for pair in range(PAIRS):
        own = pair_at(s.lines[player], pair)
        if own == 0:
            continue
        free = PLACES[size, pair] & ~pair_at(s.lines[1 - player], pair)
        empty = free & ~own
        found = windows(own, free, length)[1] & empty & (empty >> length)
        if exact:
            found &= ~((own << 1) | (own >> (length + 1)))
        if found:
            for place in range(length + 1):
                blocks = (found & (empty >> place)) << place
                while blocks:
                    cell = cell_at(pair, lowest_bit(np.uint64(blocks)))
                    blocks &= blocks - 1
                    moves.actions[cell] += _BLOCK


@kernel
def _mark_defences(s: Any, moves: Any, player: int) -> bool:
    """Mark the cells that may refute a win by fours of a player; return whether there is one."""
    if s.renju != 0 and player == s.black:
        return False
    plies, _ = search_fours(s, player, DEFENCE_NODES, s.deck)
    if plies == 0:
        clear_path(s.deck)
        return False
    size, length, exact = np.int64(s.size), np.int64(s.in_a_row), is_exact(s, player)
    attack, defence = s.lines[player], s.lines[1 - player]
    mark_refutations(attack, defence, s.deck, plies // 2 - 1, s.replies, size, length, exact)
    clear_path(s.deck)
    for row in range(size):
        places = np.int64(s.replies[row])
        s.replies[row] = 0
        while places:
            moves.actions[row * MAX_SIZE + lowest_bit(np.uint64(places))] |= _BLOCK
            places &= places - 1
    return True


@kernel
def _list_best(s: Any, moves: Any, least: int, most: int, restricted: bool) -> int:
    """List the best cells by the scores in `actions`; return their number.

    Args:
        s: the state.
        moves: the list; holds the score of each cell.
        least: the least score of a listed cell.
        most: the most cells to list.
        restricted: whether to leave out cells that Renju forbids.
    """
    count, size = 0, np.int64(s.size)
    for row in range(size):
        free = np.int64(allowed(s, row)) if restricted else _ALL
        for column in range(size):
            score = np.int64(moves.actions[row * MAX_SIZE + column])
            if score < least or not (free >> column) & 1:
                continue
            action = row * size + column
            key = np.float32((score % _BLOCK) * _CELL + (_CELL - 1 - action))  # below 2**24: exact
            if count == most and key < moves.probabilities[most - 1]:
                continue
            place = count if count < most else most - 1
            count = min(count + 1, most)
            while place > 0 and moves.probabilities[place - 1] < key:
                moves.probabilities[place] = moves.probabilities[place - 1]
                place -= 1
            moves.probabilities[place] = key
    return count


@kernel
def _write_listed(moves: Any) -> None:
    for place in range(moves.count):
        moves.actions[place] = _CELL - 1 - np.int64(moves.probabilities[place]) % _CELL
