"""The names of cells on a grid, and the cell of a name."""

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
