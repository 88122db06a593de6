"""What a selective search asks of a Gomoku position: candidates, wins by fours, quietness.

A straight four is a row that lacks one stone at both ends; a pattern of a straight four is a
stretch (`threats.py`) that lacks two stones besides its ends: one stone inside makes a straight
four. Sources: Allis, van den Herik and Huntjens, "Go-Moku solved by new search techniques", 1996,
for the defences of a three.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.cell_scores import LENGTH, THEIR_FOURS, THEIR_STRAIGHTS, score_cells
from meeple.games.gomoku.fours import (
    NO_CELL,
    clear_path,
    completing_through,
    search_fours,
    win_by_fours,
)
from meeple.games.gomoku.lines import (
    MAX_SIZE,
    PAIRS,
    cell_in_pair,
    completing_places,
    pair_at,
    rows_of,
    side_of,
    single,
)
from meeple.games.gomoku.opening import PLAY
from meeple.games.gomoku.renju import NOT_FORBIDDEN, allowed, forbidden
from meeple.games.gomoku.threat_moves import mark_refutations
from meeple.kernels import bits_set, inlined, kernel, lowest_bit

MAX_QUIET = 20  # candidates where no threat of the opponent forces any
DEFENCE_NODES = 50  # fours of a search for the opponent's win

# What a stone on a cell is worth for the order of candidates, where `cell_scores.py` has no table:
# for each line through the cell a four, an open three; for each open window that lacks three and
# four stones. Of the player to move, and of the opponent, who would gain it otherwise.
FOUR, THREE, TWO, ONE = (40, 28), (30, 22), (4, 3), (1, 1)

# Above these sums, or those of `cell_scores.py`, a score holds the number of patterns that a stone
# blocks, and above that, in how many directions it makes an own four.
_BLOCK, _OWN_FOUR = 1 << 12, 1 << 20
_SCORES = 256  # scores from here on count as equal, in the order of candidates
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
        moves: the list; its actions hold the scores of all cells first.
        complete: [1] set to 1 if every other move loses, or if the listed move wins.
    """
    complete[0] = 0
    moves.count = 0
    if s.stage != PLAY:
        return
    size = np.int64(s.size)
    if s.moves == 0:
        moves.actions[0] = (size // 2) * size + size // 2
        moves.count = 1
        return
    restricted = s.renju != 0 and s.to_move == s.black
    five, their_five, straight, threatened, may_be_lost = _score(s, moves)
    if five < 0:
        five = their_five if their_five >= 0 else straight
        if restricted and five >= 0 and forbidden(s, five) != NOT_FORBIDDEN:
            five = -1
    if five >= 0:
        moves.actions[0] = five
        moves.count = 1
        complete[0] = 1
    elif their_five >= 0:  # and the block is forbidden
        moves.count = 0
    else:
        _list_moves(s, moves, complete, restricted, threatened, may_be_lost)


@kernel
def _score(s: Any, moves: Any) -> tuple[int, int, int, bool, bool]:
    """Write the scores of all cells as the actions, and list the cells as the probabilities.

    Returns:
        A cell that completes a row of the player to move, or -1; of the opponent; a cell that makes
        a straight four of the player to move, or -1; whether the opponent can make a straight four;
        and whether the opponent may have a win by fours.
    """
    mover, size = np.int64(s.to_move), np.int64(s.size)
    for cell in range(size * size):
        moves.actions[cell] = 0
    if s.in_a_row == LENGTH:
        five, their_five, straight, seen = score_cells(s, moves, mover, _OWN_FOUR)
        return five, their_five, straight, seen & THEIR_STRAIGHTS != 0, seen & THEIR_FOURS != 0
    five, straight = _score_lines(s, moves, mover, 0)
    their_five, their_straight = _score_lines(s, moves, 1 - mover, 1)
    _collect_cells(s, moves)
    return five, their_five, straight, their_straight >= 0, True


@kernel
def _list_moves(
    s: Any, moves: Any, complete: Any, restricted: bool, threatened: bool, may_be_lost: bool
) -> None:
    """List the candidates where no row and no own straight four is one stone away."""
    scored = np.int64(moves.count)
    moves.count = 0
    least = 0
    if threatened:
        least = _count_blocks(s, moves, 1 - np.int64(s.to_move)) * _BLOCK
    if least == 0 and may_be_lost and _mark_defences(s, moves, 1 - np.int64(s.to_move)):
        least = _BLOCK
    if least == 0:
        _list_best(s, moves, scored, restricted)
        return
    _list_all(s, moves, least, restricted)
    if moves.count == 0 and least > _BLOCK:  # nothing blocks all of them: what blocks some
        _list_all(s, moves, _BLOCK, restricted)
    # A straight four of Black may be forbidden.
    complete[0] = moves.count > 0 and (s.renju == 0 or restricted)


@kernel
def forced_win(s: Any, nodes: int, distance: Any) -> None:
    """Write the plies of a win by fours of the player to move, 0 if none was found."""
    distance[0] = win_by_fours(s, nodes) if s.stage == PLAY else 0


@kernel
def quiet(s: Any, out: Any) -> None:
    """Write whether the last stone made no four, which the player to move would have to block."""
    out[0] = 1
    if s.last >= 0 and s.stage == PLAY:
        opponent = side_of(s, 1 - np.int64(s.to_move))
        if completing_through(opponent, np.int64(s.last)) != NO_CELL:
            out[0] = 0


@kernel
def _score_lines(s: Any, moves: Any, player: int, side: int) -> tuple[int, int]:
    """Add a player's lines to the scores of all cells.

    Args:
        s: the state.
        moves: its actions are the scores.
        player: the player.
        side: 0 if the player is to move, else 1.

    Returns:
        A cell that completes a row, or -1; a cell that makes a straight four, or -1.
    """
    mine = side_of(s, player)
    size, length = mine.size, mine.length
    five, straight = -1, -1
    for pair in range(PAIRS):
        own = pair_at(mine.own, pair)
        if own == 0:
            continue
        empty, ends, lack_1, lack_2, lack_3, lack_4 = rows_of(mine, pair, own)
        if mine.exact:
            lack_2 &= single(own, length)
        fours, threes = 0, 0
        if lack_1:
            fives = completing_places(lack_1, empty, length)
            five = cell_in_pair(size, pair, lowest_bit(np.uint64(fives)))
        if lack_2:
            fours = completing_places(lack_2, empty, length)
            found = lack_2 & ends
            if found:
                inner = completing_places(found << 1, empty, length - 1)
                straight = cell_in_pair(size, pair, lowest_bit(np.uint64(inner)))
        if lack_3:
            threes = completing_places((lack_3 & ends) << 1, empty, length - 1)
        twos, ones = _cover(lack_3, empty, length), _cover(lack_4, empty, length)
        places = fours | twos[0] | twos[1] | twos[2] | ones[0] | ones[1] | ones[2]
        while places:
            place = lowest_bit(np.uint64(places))
            places &= places - 1
            score = TWO[side] * _count_at(twos, place) + ONE[side] * _count_at(ones, place)
            score += THREE[side] * ((threes >> place) & 1)
            if (fours >> place) & 1:
                score += FOUR[side] + (0 if side else _OWN_FOUR)
            moves.actions[cell_in_pair(size, pair, place)] += score
    return five, straight


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
def _count_blocks(s: Any, moves: Any, player: int) -> int:
    """Count the patterns of a player's straight fours, at each empty cell those that contain it."""
    patterns = 0
    theirs = side_of(s, player)
    size, length = theirs.size, theirs.length
    for pair in range(PAIRS):
        own = pair_at(theirs.own, pair)
        if own == 0:
            continue
        empty, ends, _, lack_2, _, _ = rows_of(theirs, pair, own)
        found = lack_2 & ends
        if found:
            patterns += bits_set(np.uint64(found))
            for place in range(length + 1):
                blocks = (found & (empty >> place)) << place
                while blocks:
                    cell = cell_in_pair(size, pair, lowest_bit(np.uint64(blocks)))
                    blocks &= blocks - 1
                    moves.actions[cell] += _BLOCK
    return patterns


@kernel
def _mark_defences(s: Any, moves: Any, player: int) -> bool:
    """Mark the cells that may refute a win by fours of a player; return whether there is one."""
    plies, _ = search_fours(s, player, DEFENCE_NODES, s.deck, True)
    if plies == 0:
        clear_path(s.deck)
        return False
    mark_refutations(s, player, s.deck, plies // 2 - 1, s.replies)
    clear_path(s.deck)
    size = np.int64(s.size)
    for row in range(size):
        places = np.int64(s.replies[row])
        s.replies[row] = 0
        while places:
            moves.actions[row * size + lowest_bit(np.uint64(places))] |= _BLOCK
            places &= places - 1
    return True


@kernel
def _list_all(s: Any, moves: Any, least: int, restricted: bool) -> None:
    """List the cells with at least a score, best first.

    Args:
        s: the state.
        moves: the list; its actions hold the score of each cell, and are kept if none is listed.
        least: the least score of a listed cell.
        restricted: whether to leave out cells that Renju forbids.
    """
    count, size = 0, np.int64(s.size)
    for row in range(size):
        free = np.int64(allowed(s, row)) if restricted else _ALL
        for column in range(size):
            action = row * size + column
            score = np.int64(moves.actions[action])
            if score < least or not (free >> column) & 1:
                continue
            key = np.float32((score % _BLOCK) * _CELL + (_CELL - 1 - action))  # below 2**24: exact
            place = count
            count += 1
            while place > 0 and moves.probabilities[place - 1] < key:
                moves.probabilities[place] = moves.probabilities[place - 1]
                place -= 1
            moves.probabilities[place] = key
    moves.count = count
    for place in range(count):
        moves.actions[place] = _CELL - 1 - np.int64(moves.probabilities[place]) % _CELL


@kernel
def _collect_cells(s: Any, moves: Any) -> None:
    """List the cells with a score as the first `count` probabilities."""
    size, count = np.int64(s.size), 0
    for cell in range(size * size):
        if moves.actions[cell] != 0:
            moves.probabilities[count] = np.float32(cell)
            count += 1
    moves.count = count


@kernel
def _list_best(s: Any, moves: Any, scored: int, restricted: bool) -> None:
    """List at most `MAX_QUIET` cells with a score, best first: the cells of each score are counted.

    Args:
        s: the state.
        moves: the list; its actions hold the score of each cell.
        scored: the number of cells that its probabilities list.
        restricted: whether to leave out cells that Renju forbids.
    """
    numbers = s.deck  # of cells of each score; then the place of the next
    most = 0
    for index in range(scored):
        cell = np.int64(moves.probabilities[index])
        score = _base_score(moves, cell)
        numbers[score] += 1
        most = max(most, score)
    place, least = np.int64(0), most
    while least > 0 and place < MAX_QUIET:
        number = np.int64(numbers[least])
        numbers[least] = place
        place += number
        least -= 1
    for index in range(scored):
        cell = np.int64(moves.probabilities[index])
        score = _base_score(moves, cell)
        if score > least:
            listed = np.int64(numbers[score])
            numbers[score] += 1
            if listed < MAX_QUIET:
                s.replies[listed] = cell
    for score in range(most + 1):
        numbers[score] = 0
    moves.count = 0
    best: Any = min(place, MAX_QUIET)
    for index in range(best):
        cell = np.int64(s.replies[index])
        s.replies[index] = 0
        if not restricted or forbidden(s, cell) == NOT_FORBIDDEN:
            moves.actions[moves.count] = cell
            moves.count += 1


@inlined
def _base_score(moves: Any, cell: int) -> Any:
    """Return the score of a cell, without what is counted above it, at most `_SCORES` - 1."""
    return min(np.int64(moves.actions[cell]) & (_BLOCK - 1), _SCORES - 1)
