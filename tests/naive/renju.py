"""Renju's forbidden moves word for word: rows as sets of cells, and the definitions as recursion.

Rules of the Renju International Federation, sections 3 and 9.
"""

from collections.abc import Iterator, Mapping

Cell = tuple[int, int]
Row = frozenset[Cell]

BLACK, WHITE = 0, 1
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class NaiveRenju:
    """A board of Renju; `owner` maps cells (row, column) to players."""

    def __init__(self, size: int, owner: Mapping[Cell, int]) -> None:
        self.size, self.owner = size, dict(owner)

    def forbidden(self, cell: Cell) -> str:
        """Return the rule that forbids Black's stone on a free cell, or ""."""
        after = self.with_stone(cell)
        if after.makes_five(cell):
            return ""
        if any(len(row) > 5 for row in after.rows(cell)):
            return "overline"
        if len(after.fours(cell)) > 1:
            return "double four"
        return "double three" if len(after.threes(cell)) > 1 else ""

    def with_stone(self, cell: Cell) -> "NaiveRenju":
        return NaiveRenju(self.size, {**self.owner, cell: BLACK})

    def makes_five(self, cell: Cell) -> bool:
        return any(len(row) == 5 for row in self.rows(cell))

    def rows(self, cell: Cell) -> Iterator[Row]:
        """Yield the unbroken rows of black stones through a black stone, one for each line."""
        for down, right in STEPS:
            row = {cell}
            for sign in (1, -1):
                at = (cell[0] + sign * down, cell[1] + sign * right)
                while self.owner.get(at) == BLACK:
                    row.add(at)
                    at = (at[0] + sign * down, at[1] + sign * right)
            yield frozenset(row)

    def fours(self, cell: Cell) -> set[Row]:
        """Return the fours with a stone on a cell: one more stone attains five in a row."""
        return {
            row - {free}
            for free in self.free_cells(cell)
            for row in self.with_stone(free).rows(free)
            if len(row) == 5 and cell in row
        }

    def straight_fours(self, cell: Cell) -> set[Row]:
        """Return the unbroken fours that one more stone makes five in two different ways."""
        ways: dict[Row, int] = {}
        for free in self.free_cells(cell):
            for row in self.with_stone(free).rows(free):
                if len(row) == 5 and cell in row:
                    ways[row - {free}] = ways.get(row - {free}, 0) + 1
        unbroken = set(self.rows(cell))
        return {row for row, count in ways.items() if count == 2 and row in unbroken}

    def threes(self, cell: Cell) -> set[Row]:
        """Return the threes with a stone on a cell.

        One more stone, which makes no five and is not forbidden, attains a straight four.
        """
        found = set()
        for free in self.free_cells(cell):
            after = self.with_stone(free)
            if after.makes_five(free):
                continue
            threes = {row - {free} for row in after.straight_fours(free) if cell in row}
            if threes and not self.forbidden(free):
                found |= threes
        return found

    def free_cells(self, cell: Cell) -> Iterator[Cell]:
        """Yield the free cells that are near enough to a cell to be in one row of five with it."""
        for down, right in STEPS:
            for distance in (-4, -3, -2, -1, 1, 2, 3, 4):
                at = (cell[0] + distance * down, cell[1] + distance * right)
                inside = 0 <= at[0] < self.size and 0 <= at[1] < self.size
                if inside and at not in self.owner:
                    yield at
