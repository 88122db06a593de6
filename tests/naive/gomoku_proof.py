"""Checks a claimed win in Gomoku against every reply that matters, on sets of cells.

The attacker's moves come from a strategy under test; that they win is checked here. A position is a
pair of integers, the cells of both players as bits.
"""

from collections.abc import Callable, Iterator

from tests.naive.gomoku import STEPS

Strategy = Callable[[int, int], int]  # the cell of the attacker, from the stones of both


class NaiveProof:
    """Freestyle Gomoku for one attacker, whose stones come first in every pair."""

    def __init__(self, size: int, in_a_row: int, strategy: Strategy, most: int) -> None:
        """`strategy` chooses the attacker's moves; `most`: positions before the check gives up."""
        self._cells, self._length = size * size, in_a_row
        self._rows = list(_rows(size, in_a_row))
        self._strategy, self._most = strategy, most
        self._proven: set[tuple[int, int]] = set()
        self.positions = 0

    def attacker_wins(self, own: int, other: int) -> bool:
        """Return whether the strategy wins from a position, with the attacker to move.

        Raises:
            OverflowError: the win has more positions than the limit.
        """
        if (own, other) in self._proven:
            return True
        self.positions += 1
        if self.positions > self._most:
            raise OverflowError(f"more than {self._most} positions")
        if own | other == (1 << self._cells) - 1:
            return False
        cell = 1 << self._strategy(own, other)
        assert not cell & (own | other), "the strategy must choose an empty cell"
        own |= cell
        if not (self._has_row(own) or self._every_reply_loses(own, other)):
            return False
        self._proven.add((own & ~cell, other))
        return True

    def _every_reply_loses(self, own: int, other: int) -> bool:
        if self._completing(other, own):
            return False
        wins = self._completing(own, other)
        if wins & (wins - 1):
            return True  # one reply cannot block two rows
        replies = wins or self._refutations(own, other)
        return replies != 0 and all(
            self.attacker_wins(own, other | 1 << cell)
            for cell in range(self._cells)
            if replies >> cell & 1
        )

    def _refutations(self, own: int, other: int) -> int:
        """Return the replies to a threat that matter: all others lose to the same fours.

        If the defender passes, the attacker wins by a line of fours. A reply matters if it is on
        a cell of that line, or makes a four of the defender, perhaps with the stones that the line
        makes the defender place. If there is no such line, every empty cell matters.
        """
        line = self._fours(own, other)
        if line is None:
            return (1 << self._cells) - 1 & ~(own | other)
        fours, blocks = line
        found = fours | blocks
        for row in self._rows:
            stones = row & (other | blocks)
            if not row & own and stones.bit_count() >= self._length - 2:
                found |= row & ~stones
        return found & ~(own | other)

    def _fours(self, own: int, other: int) -> tuple[int, int] | None:
        """Return the fours of a shortest win by fours, and the cells that block them."""
        for depth in range(1, 9):
            line = self._fours_to(own, other, depth)
            if line is not None:
                return line
        return None

    def _fours_to(self, own: int, other: int, depth: int) -> tuple[int, int] | None:
        """Return a win of at most `depth` fours; the attacker is to move."""
        must = self._completing(other, own)
        if must & (must - 1):
            return None
        for four in _bits(must or self._making_four(own, other)):
            wins = self._completing(own | four, other)
            if wins & (wins - 1):
                return four, wins
            if wins and depth > 1:
                line = self._fours_to(own | four, other | wins, depth - 1)
                if line is not None:
                    return four | line[0], wins | line[1]
        return None

    def _has_row(self, own: int) -> bool:
        return any(row & own == row for row in self._rows)

    def _completing(self, own: int, other: int) -> int:
        """Return the cells where a player completes a row."""
        return self._lacking(1, own, other)

    def _making_four(self, own: int, other: int) -> int:
        """Return the cells where a player makes a four."""
        return self._lacking(2, own, other)

    def _lacking(self, stones: int, own: int, other: int) -> int:
        """Return the empty cells of the player's open rows that lack this number of stones."""
        found = 0
        for row in self._rows:
            if not row & other and (row & own).bit_count() == self._length - stones:
                found |= row & ~own
        return found


def _bits(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


def _rows(size: int, length: int) -> Iterator[int]:
    """Yield every winning row of a board, as bits of its cells."""
    for row in range(size):
        for column in range(size):
            for down, right in STEPS:
                last_row, last = row + down * (length - 1), column + right * (length - 1)
                if last_row < size and 0 <= last < size:
                    yield sum(
                        1 << (row + down * at) * size + column + right * at for at in range(length)
                    )
