"""Boards as text: shared by the games, plain or with ANSI colours."""

import numpy as np
import numpy.typing as npt

PLAIN = ("X", "O")
DISC = "●"
EMPTY = "·"
_COLOURS = ("\x1b[1;31m", "\x1b[1;34m")  # player 1 red, player 2 blue
_DIM = "\x1b[2m"
_RESET = "\x1b[0m"


def paint(text: str, player: int) -> str:
    """A text in a player's colour."""
    return f"{_COLOURS[player]}{text}{_RESET}"


def dim(text: str) -> str:
    """A text in grey."""
    return f"{_DIM}{text}{_RESET}"


def column_name(column: int) -> str:
    """The letter of a column: a, b, c..."""
    return chr(ord("a") + column)


def draw_diamond(owner: npt.NDArray[np.int_], last: int, colour: bool) -> str:
    """A hexagonal board as a diamond with cell (0, 0) at the top.

    `owner` [size, size] holds -1 for a free cell or the player; `last` is the cell of the last
    stone, or -1. Columns run down to the right, rows down to the left; cells side by side on a
    line are neighbours too. Player 1 owns the upper right and lower left sides.
    """
    size = len(owner)
    middle = 2 * size + 2  # the text column of the top cell
    lines = []
    for level in range(-1, 2 * size):
        canvas: dict[int, str] = {}
        for row in range(max(0, level - size + 1), min(level, size - 1) + 1):
            column = level - row
            at = middle + 2 * (column - row)
            canvas[at] = _cell(int(owner[row, column]), colour)
            if last == row * size + column:
                canvas[at - 1], canvas[at + 1] = "(", ")"
        _label(canvas, level, size, middle, colour)
        lines.append(_compose(canvas))
    return "\n".join(lines).rstrip("\n")


def _cell(player: int, colour: bool) -> str:
    if player < 0:
        return dim(EMPTY) if colour else "."
    return paint(DISC, player) if colour else PLAIN[player]


def _label(canvas: dict[int, str], level: int, size: int, middle: int, colour: bool) -> None:
    """Letters above the upper right side, numbers above the upper left, a legend at the ends."""
    at = level + 1
    if 0 <= at < size:
        column, row = column_name(at), str(at + 1)
        canvas[middle + 2 * at + 2] = paint(column, 0) if colour else column
        left = middle - 2 * at - 1 - len(row)
        for offset, digit in enumerate(row):
            canvas[left + offset] = paint(digit, 1) if colour else digit
    if level == 2 * size - 2:
        return
    if size <= level < 2 * size - 1:  # the lower sides: who owns them
        edge = 2 * (2 * size - 1 - level)
        for place, player in ((middle - edge, 0), (middle + edge, 1)):
            mark = "\\" if player == 0 else "/"
            canvas[place] = paint(mark, player) if colour else mark


def _compose(canvas: dict[int, str]) -> str:
    if not canvas:
        return ""
    return "".join(canvas.get(place, " ") for place in range(max(canvas) + 1)).rstrip()
