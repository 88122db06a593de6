"""Connect Four by brute force: a column is the text of its discs, X or O, from the lowest up."""

Columns = tuple[str, ...]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def legal(columns: Columns, rows: int) -> list[int]:
    """Return the columns with room; none after a win."""
    if winner(columns):
        return []
    return [column for column, discs in enumerate(columns) if len(discs) < rows]


def after(columns: Columns, column: int) -> Columns:
    """Return the columns after one more disc; X begins."""
    disc = "XO"[sum(map(len, columns)) % 2]
    return (*columns[:column], columns[column] + disc, *columns[column + 1 :])


def winner(columns: Columns) -> str | None:
    """Return the player with four discs in a row, in any direction."""
    cells = {(x, y): disc for x, discs in enumerate(columns) for y, disc in enumerate(discs)}
    for (x, y), disc in cells.items():
        for right, up in DIRECTIONS:
            if all(cells.get((x + i * right, y + i * up)) == disc for i in range(4)):
                return disc
    return None


def children(columns: Columns, rows: int) -> list[Columns]:
    return [after(columns, column) for column in legal(columns, rows)]


def drawing(columns: Columns, rows: int) -> str:
    """Return the board as text, in column letters and row numbers, 1 on top; no move is marked."""
    letters = "   " + " ".join(chr(ord("a") + x) for x in range(len(columns)))
    lines = [letters]
    for row in range(rows):
        height = rows - 1 - row
        discs = (column[height] if height < len(column) else "." for column in columns)
        lines.append(f"{row + 1}  {' '.join(discs)}  {row + 1}")
    return "\n".join([*lines, letters])
