"""The patterns of cells by which Reversi's positions are evaluated.

The kinds of patterns of Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation
function for Othello", 1997: rows, diagonals of four cells and more, corners, and edges with the
cells diagonally next to the corners.
"""

from meeple.games.contract.patterns import Cells, Patterns

STAGES = 12
STAGES_OF_LARGE_BOARDS = 11  # so that a file of weights for 10x10 stays below 3 MB
MAX_LINE = 8  # cells of a row; longer rows of a 10x10 board are two overlapping patterns


def board_patterns(size: int) -> Patterns:
    """Return the patterns of a board of `size` x `size` cells."""
    corner = _block(size, 3, 3)
    wide_corner = _block(size, 2, 5 if size > 4 else 4)
    edge = (*_row(size, 0)[:MAX_LINE], size + 1, *((2 * size - 2,) if size <= MAX_LINE else ()))
    shapes: list[Cells] = [corner, wide_corner, edge]
    shapes += [_row(size, row)[:MAX_LINE] for row in range(1, size // 2)]
    shapes += [_diagonal(size, length)[:MAX_LINE] for length in range(4, size + 1)]
    stages = STAGES if size <= MAX_LINE else STAGES_OF_LARGE_BOARDS
    return Patterns([[shape] for shape in shapes], stages, seats_alike=True)


def _block(size: int, rows: int, columns: int) -> Cells:
    return tuple(row * size + column for row in range(rows) for column in range(columns))


def _row(size: int, row: int) -> Cells:
    return tuple(range(row * size, row * size + size))


def _diagonal(size: int, length: int) -> Cells:
    """Return the cells of the diagonal of this length that begins in the first row."""
    return tuple(size - length + step * (size + 1) for step in range(length))
