"""The patterns of cells by which Gomoku's positions are evaluated: windows of lines."""

from meeple.games.contract.patterns import Cells, Patterns


def line_patterns(size: int, in_a_row: int) -> Patterns:
    """Return the windows as long as a winning row, and one longer, in all directions.

    The symmetries of the board place the rows as columns, and one diagonal as the other.
    """
    lengths = [length for length in (in_a_row, in_a_row + 1) if length <= size]
    windows = [_rows(size, length) + _diagonals(size, length) for length in lengths]
    return Patterns(windows, anywhere=True, seats_alike=True)


def _rows(size: int, length: int) -> list[Cells]:
    starts = [row * size + column for row in range(size) for column in range(size - length + 1)]
    return [tuple(range(start, start + length)) for start in starts]


def _diagonals(size: int, length: int) -> list[Cells]:
    inside = range(size - length + 1)
    starts = [row * size + column for row in inside for column in inside]
    return [tuple(start + step * (size + 1) for step in range(length)) for start in starts]
