"""Cells of a grid: their names, the cell of a name, and rows of equal stones."""

import numpy as np
import numpy.typing as npt

MAX_CELL_NAME_CHARACTERS = 4  # of a cell's name, such as `a1` or `aa26`


def column_name(column: int) -> str:
    """Return the letter of a column: a, b, c, and so on."""
    return chr(ord("a") + column)


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell, column letter and row number; `a1` is at the top left."""
    return f"{column_name(column)}{row + 1}"


def parse_cell(text: str, rows: int, columns: int) -> int | None:
    """Return the cell `row * columns + column` of a name such as `c4`; `None` if there is none."""
    word = text.strip().lower()
    if not 2 <= len(word) <= MAX_CELL_NAME_CHARACTERS or not (
        word.isascii() and word[1:].isdigit()
    ):
        return None
    row, column = int(word[1:]) - 1, ord(word[0]) - ord("a")
    inside = 0 <= row < rows and 0 <= column < columns
    return row * columns + column if inside else None


def rows_through(
    owners: npt.NDArray[np.integer], cell: int, length: int, *, exact: bool = False
) -> tuple[int, ...]:
    """Return the cells of all rows through a cell that its owner holds, in four directions.

    Args:
        owners: [rows, columns] int, the owner of each cell.
        cell: the cell `row * columns + column`.
        length: cells of a row: at least this number, or exactly it if `exact`.
        exact: whether longer rows do not count.
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
