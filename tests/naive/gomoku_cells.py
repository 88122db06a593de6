"""What a stone makes on the lines through a cell of Gomoku, window by window."""

from typing import NamedTuple

from tests.naive.gomoku import STEPS

NEAR, LENGTH = 2, 5

Cell = tuple[int, int]


class Made(NamedTuple):
    """Stones of a player in the open windows through a cell, and inside its open stretches."""

    windows: list[int]
    stretches: list[int]

    @property
    def four(self) -> bool:
        return 3 in self.windows

    @property
    def five(self) -> bool:
        return 4 in self.windows

    @property
    def straight(self) -> bool:
        return 3 in self.stretches


def near_cells(size: int, stones: set[Cell]) -> list[Cell]:
    """Return the empty cells near stones, in order."""
    board = [(row, column) for row in range(size) for column in range(size)]
    return [
        (row, column)
        for row, column in board
        if (row, column) not in stones
        and any(max(abs(row - at[0]), abs(column - at[1])) <= NEAR for at in stones)
    ]


def made_at(
    cell: Cell,
    stones: set[Cell],
    others: set[Cell],
    size: int,
    exact: bool = False,
    reach: int = LENGTH,
) -> list[Made]:
    """Return what a stone of a player makes on all four lines through an empty cell.

    If longer rows do not win, a stone beside a window closes it; one farther than `reach` does not.
    """
    return [_made_on_line(cell, step, stones, others, size, exact * reach) for step in STEPS]


def _made_on_line(
    cell: Cell, step: Cell, stones: set[Cell], others: set[Cell], size: int, reach: int
) -> Made:
    def is_alone(first: int, length: int) -> bool:
        ends = [at for at in (first - 1, first + length) if abs(at) <= reach]
        return not any(stones.intersection(run(at, 1)) for at in ends)

    def run(first: int, length: int) -> list[Cell]:
        return [
            (cell[0] + at * step[0], cell[1] + at * step[1]) for at in range(first, first + length)
        ]

    def is_open(cells: list[Cell]) -> bool:
        on_board = all(0 <= row < size and 0 <= column < size for row, column in cells)
        return on_board and not others.intersection(cells)

    windows = [run(at, LENGTH) for at in range(-4, 1) if is_alone(at, LENGTH)]
    stretches = [run(at, LENGTH + 1) for at in range(-4, 0) if is_alone(at, LENGTH + 1)]
    return Made(
        [len(stones.intersection(cells)) for cells in windows if is_open(cells)],
        [
            len(stones.intersection(cells))
            for cells in stretches
            if is_open(cells) and not stones.intersection((cells[0], cells[-1]))
        ],
    )
