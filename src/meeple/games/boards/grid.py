"""Cells on a grid: their names, the cell of a name, and those that stand in a row."""

import numpy as np
import numpy.typing as npt

LONGEST = 4  # characters of a cell's name


def column_name(column: int) -> str:
    """The letter of a column: a, b, c..."""
    return chr(ord("a") + column)


def cell_name(row: int, column: int) -> str:
    """What people call a cell: its column's letter and its row's number, `a1` at the top left."""
    return f"{column_name(column)}{row + 1}"


def parse_cell(text: str, rows: int, columns: int) -> int | None:
    """The cell `row * columns + column` of a name such as `c4`, or None where there is none."""
    word = text.strip().lower()
    if not 2 <= len(word) <= LONGEST or not (word.isascii() and word[1:].isdigit()):
        return None
    row, column = int(word[1:]) - 1, ord(word[0]) - ord("a")
    inside = 0 <= row < rows and 0 <= column < columns
    return row * columns + column if inside else None


def rows_through(
    owners: npt.NDArray[np.integer], cell: int, length: int, *, exact: bool = False
) -> tuple[int, ...]:
    """The cells of all rows through a cell, in any of four directions, that its owner holds.

    Rows are of at least so many cells, or, where `exact`, of so many; `owners` is [rows, columns].
    """
    place = divmod(cell, owners.shape[1])
    found = set()
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        held = {cell}
        for sign in (1, -1):
            row, column = place[0] + sign * down, place[1] + sign * right
            while (
                0 <= row < owners.shape[0]
                and 0 <= column < owners.shape[1]
                and owners[row, column] == owners[place]
            ):
                held.add(row * owners.shape[1] + column)
                row, column = row + sign * down, column + sign * right
        if len(held) == length or (len(held) > length and not exact):
            found |= held
    return tuple(sorted(found))
