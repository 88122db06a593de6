"""Forced wins in Gomoku by the definition: every threat is tried, and every reply to it."""

from collections.abc import Callable
from functools import partial

from tests.naive.gomoku import BLACK, STEPS, NaiveGomoku
from tests.naive.renju import NaiveRenju

Cell = tuple[int, int]
Stones = frozenset[tuple[Cell, int]]


class NaiveThreats:
    """Forced wins of one player, the attacker; positions are the stones, whoever placed them."""

    def __init__(self, game: NaiveGomoku, attacker: int) -> None:
        self._game, self._attacker = game, attacker
        self._by_fours: dict[Stones, bool] = {}
        self._by_threats: dict[Stones, bool] = {}

    def win_by_fours(self) -> bool:
        """Return whether the attacker, to move, completes a row or wins by fours alone."""
        return self._remembered(self._by_fours, self._has_win_by_fours)

    def win_by_threats(self) -> bool:
        """Return whether the attacker, to move, wins by fours and threes.

        A three is a stone that makes a row of which two stones are missing, and threatens a win
        by fours.
        """
        return self._remembered(self._by_threats, self._has_win_by_threats)

    def _remembered(self, known: dict[Stones, bool], compute: Callable[[], bool]) -> bool:
        stones = frozenset(self._game.owner.items())
        if stones not in known:
            known[stones] = compute()
        return known[stones]

    def _has_win_by_fours(self) -> bool:
        if self._wins_at(self._attacker):
            return True
        return any(
            self._after(cell, self._attacker, self._is_winning_four)
            for cell in self._legal(self._attacker)
        )

    def _is_winning_four(self) -> bool:
        return bool(self._wins_at(self._attacker)) and self._all_replies_lose(self.win_by_fours)

    def _has_win_by_threats(self) -> bool:
        if self.win_by_fours():
            return True
        return any(
            self._after(cell, self._attacker, partial(self._is_winning_threat, cell))
            for cell in self._legal(self._attacker)
        )

    def _is_winning_threat(self, cell: Cell) -> bool:
        threatens = self._wins_at(self._attacker) or (
            self._makes_a_three(cell) and self.win_by_fours()
        )
        return bool(threatens) and self._all_replies_lose(self.win_by_threats)

    def _makes_a_three(self, cell: Cell) -> bool:
        """Return whether another two stones complete a row through a cell."""
        for first in self._empty():
            self._game.owner[first] = self._attacker
            for second in self._empty():
                self._game.owner[second] = self._attacker
                found = self._is_row_through((cell, first, second))
                del self._game.owner[second]
                if found:
                    del self._game.owner[first]
                    return True
            del self._game.owner[first]
        return False

    def _is_row_through(self, cells: tuple[Cell, ...]) -> bool:
        """Return whether one winning row of the attacker contains all these cells."""
        length, exact = self._game.in_a_row, self._game.is_exact(self._attacker)
        for step in STEPS:
            row = {*self._run(cells[0], step), *self._run(cells[0], (-step[0], -step[1]))}
            long_enough = len(row) == length or (len(row) > length and not exact)
            if long_enough and row.issuperset(cells):
                return True
        return False

    def _run(self, cell: Cell, step: Cell) -> list[Cell]:
        """Return the attacker's adjacent stones from a cell on in one direction."""
        row, column = cell
        run = []
        while self._game.owner.get((row, column)) == self._attacker:
            run.append((row, column))
            row, column = row + step[0], column + step[1]
        return run

    def _all_replies_lose(self, wins: Callable[[], bool]) -> bool:
        defender = 1 - self._attacker
        if self._wins_at(defender):
            return False
        return all(self._after(cell, defender, wins) for cell in self._legal(defender))

    def _after(self, cell: Cell, player: int, test: Callable[[], bool]) -> bool:
        self._game.owner[cell] = player
        try:
            return bool(test())
        finally:
            del self._game.owner[cell]

    def _wins_at(self, player: int) -> list[Cell]:
        """Return the cells where a stone of a player wins at once."""
        return [
            cell
            for cell in self._empty()
            if self._after(cell, player, lambda: self._game.winner() == player)
        ]

    def _legal(self, player: int) -> list[Cell]:
        """Return the cells where a player may place a stone."""
        if not self._game.renju or player != BLACK:
            return self._empty()
        board = NaiveRenju(self._game.size, self._game.owner)
        return [cell for cell in self._empty() if not board.forbidden(cell)]

    def _empty(self) -> list[Cell]:
        size = self._game.size
        return [
            (row, column)
            for row in range(size)
            for column in range(size)
            if (row, column) not in self._game.owner
        ]
