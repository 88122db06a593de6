"""What games on a grid of cells share: the names of cells, and the symmetries of a square."""

import numpy as np

from meeple.games.contract.game import Symmetry

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


def dihedral(planes: int, size: int, extra_actions: int = 0) -> list[Symmetry]:
    """The 7 symmetries of a square board beside the identity: turns and reflections.

    For observations [planes, size, size] and actions that are the cells `row * size + column`,
    followed by `extra_actions` others that mean the same on every board, such as a pass.
    """
    cells = np.arange(size * size).reshape(size, size)
    extras = size * size + np.arange(extra_actions)
    found = []
    for reflected in (False, True):
        for turns in range(4):
            board = np.rot90(cells.T if reflected else cells, turns).ravel()
            if reflected or turns:
                observation = [plane * board.size + board for plane in range(planes)]
                found.append(
                    Symmetry(
                        observation=np.concatenate(observation).astype(np.intp),
                        action=np.concatenate([board, extras]).astype(np.intp),
                        player=np.arange(2, dtype=np.intp),
                    )
                )
    return found
