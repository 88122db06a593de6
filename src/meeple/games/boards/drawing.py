"""Drawings of boards as text, plain ASCII or with ANSI colours."""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.boards.grid import column_name
from meeple.games.boards.scene import FELT, FIELDS, LINES

PLAIN = ("X", "O")  # stones without colours, by player
DISC = "●"  # a stone in colours
EMPTY = "·"  # an empty cell
Labels = tuple[Sequence[str], Sequence[int]]  # of columns and of rows
CROSS = ("+", "×")  # a free cell that a rule closes, without and with colours

# From the 256-colour palette: legible on black and on white, and distinct for colour-blind readers:
# player 1 red, player 2 blue, player 3 orange, player 4 purple.
_SHADES = (196, 33, 172, 97)
_GREY = 245
_STONES = {"black": 16, "white": 231}
_GROUNDS = {LINES: (180, 94, 19), FELT: (29, 22, 226)}
"""By style: the colours of a board, of its empty cells and of the free cells that are marked."""
_WON = 214  # the ground of a winning row of stones
_RESET = "\x1b[0m"


def paint(text: str, player: int) -> str:
    """Return a text in a player's colour."""
    return _ink(text, _SHADES[player])


def stone(colour: str, style: str) -> str:
    """Return a black or white stone on a board of that style."""
    return _on(_GROUNDS[style][0], _ink(DISC, _STONES[colour]))


def _ink(text: str, shade: int) -> str:
    return f"\x1b[1;38;5;{shade}m{text}{_RESET}"


def _on(ground: int, text: str) -> str:
    """Return a text on a ground, which colours within the text keep."""
    begin = f"\x1b[48;5;{ground}m"
    return f"{begin}{text.replace(_RESET, _RESET + begin)}{_RESET}"


def block(text: str, player: int) -> str:
    """Return a text in white on a player's colour."""
    return f"\x1b[1;38;5;231;48;5;{_SHADES[player]}m{text}{_RESET}"


def dim(text: str) -> str:
    """Return a text in grey."""
    return f"\x1b[38;5;{_GREY}m{text}{_RESET}"


def bold(text: str) -> str:
    """Return a text in bold."""
    return f"\x1b[1m{text}{_RESET}"


def free(text: str) -> str:
    """Return a text in green, which marks a free place."""
    return f"\x1b[1;38;5;34m{text}{_RESET}"


def star(colour: bool) -> str:
    """Return the mark of a free cell that a legal action of interest fills."""
    return free("★") if colour else "*"


def draw_grid(
    owner: npt.NDArray[np.int_],
    last: int,
    colour: bool,
    marked: Collection[int] = (),
    line: Collection[int] = (),
    closed: Collection[int] = (),
    labels: Labels | None = None,
    style: str = FIELDS,
    colours: Sequence[str] = (),
) -> str:
    """Return a board of squares as text, with column letters and row numbers on both sides.

    Args:
        owner: [rows, columns] int, the player of each stone; -1 for a free cell.
        last: the cell `row * columns + column` of the last stone, shown in (); -1 for none.
        colour: whether to use ANSI colours.
        marked: free cells to show as stars.
        line: the cells of a winning line, shown in [], or on the winner's colour.
        closed: free cells that a rule closes, shown as crosses.
        labels: of columns and rows; None: letters from a, and numbers from 1 at the top.
        style: of the board, as of `scene.squares`; its ground is below black and white stones.
        colours: of the stones by player, as of `scene.squares`.
    """
    rows, columns = owner.shape
    margin = len(str(rows))
    across, down = labels or (tuple(map(column_name, range(columns))), range(1, rows + 1))
    letters = " " * (margin + 2) + " ".join(across)
    signs = _signs(colour, style, colours)
    lines = [letters]
    for row in range(rows):
        first = row * columns
        text = _gap(owner, None, first, last, line, signs)
        for cell in range(first, first + columns):
            player = int(owner.flat[cell])
            if player >= 0:
                text += (signs.won if cell in line else signs.stones)[player]
            elif cell in closed:
                text += signs.closed
            else:
                text += signs.marked if cell in marked else signs.free
            beside = cell + 1 if cell + 1 < first + columns else None
            text += _gap(owner, cell, beside, last, line, signs)
        lines.append(f"{down[row]:>{margin}} {signs.row(text)} {down[row]}")
    return "\n".join([*lines, letters])


class _Signs(NamedTuple):
    """How a board of squares is written: its cells, one character wide, and what is between."""

    stones: Sequence[str]  # by player
    won: Sequence[str]  # the same in a winning line
    free: str
    marked: str
    closed: str
    last: Callable[[str], str]  # beside the last stone
    between: Callable[[str, int], str] | None  # two stones of a player's winning line
    row: Callable[[str], str] = str  # all of it


def _signs(colour: bool, style: str, colours: Sequence[str]) -> _Signs:
    if not colour:
        return _Signs(PLAIN, PLAIN, ".", star(False), CROSS[0], str, None)
    if style not in _GROUNDS:
        players = range(len(_SHADES))
        stones, won = ([sign(DISC, player) for player in players] for sign in (paint, block))
        return _Signs(stones, won, dim(EMPTY), star(True), dim(CROSS[1]), bold, block)
    ground, dark, bright = _GROUNDS[style]
    stones = [_ink(DISC, _STONES[name]) for name in colours]
    return _Signs(
        stones,
        [_on(_WON, stone) for stone in stones],
        _ink(EMPTY, dark),
        _ink("★", bright),
        _ink(CROSS[1], dark),
        lambda sign: _ink(sign, _STONES["black"]),
        lambda sign, _: _on(_WON, sign),
        lambda text: _on(ground, text),
    )


def _gap(
    owner: npt.NDArray[np.int_],
    left: int | None,
    right: int | None,
    last: int,
    line: Collection[int],
    signs: _Signs,
) -> str:
    """Return the character between two neighbouring cells, or at an end of a row."""
    sign = " "
    if last >= 0 and last in (left, right):
        sign = "(" if last == right else ")"
    elif signs.between is None and (left in line) != (right in line):
        sign = "[" if right in line else "]"
    if signs.between and left is not None and left in line and right in line:
        return signs.between(sign, int(owner.flat[left]))
    return signs.last(sign) if sign != " " else sign


def draw_diamond(
    owner: npt.NDArray[np.int_],
    last: int,
    colour: bool,
    marked: Collection[int] = (),
    line: Collection[int] = (),
) -> str:
    """Return a hexagonal board as a diamond with cell (0, 0) at the top.

    Columns run down to the left from their letter, rows down to the right from their number. Player
    1's sides, the first and last row, have the letters.

    Args:
        owner: [size, size] int, the player of each stone; -1 for a free cell.
        last: the cell `row * size + column` of the last stone, shown in (); -1 for none.
        colour: whether to use ANSI colours.
        marked: free cells to show as stars.
        line: the cells of a winning chain, marked.
    """
    size = len(owner)
    top = 2 * size + len(str(size)) - 1  # the place of the topmost cell on its line
    lines = []
    for level in range(-1, 2 * size):
        canvas: dict[int, str] = {}
        for row in range(max(0, level - size + 1), min(level, size - 1) + 1):
            column = level - row
            cell = row * size + column
            stone = _stone(int(owner[row, column]), cell == last, cell in line, colour)
            if cell in marked and owner[row, column] < 0:
                stone = (" ", star(colour), " ")
            canvas.update(enumerate(stone, top + 2 * (column - row) - 1))
        _put_sides(canvas, level, size, top, colour)
        lines.append(_compose(canvas))
    first, second = (paint(DISC, 0), paint(DISC, 1)) if colour else PLAIN
    lines.append(
        f"player 1 ({first}) joins the lettered sides, player 2 ({second}) the numbered ones"
    )
    return "\n".join(lines)


def _stone(player: int, is_last: bool, in_chain: bool, colour: bool) -> tuple[str, str, str]:
    """Return a cell, three characters wide: the last stone in (), a winning stone in []."""
    opening, closing = "()" if is_last else "[]" if in_chain and not colour else "  "
    if player < 0:
        return " ", dim(EMPTY) if colour else ".", " "
    if not colour:
        return opening, PLAIN[player], closing
    if in_chain:
        return block(opening, player), block(DISC, player), block(closing, player)
    if is_last:
        return bold(opening), paint(DISC, player), bold(closing)
    return opening, paint(DISC, player), closing


def _put_sides(canvas: dict[int, str], level: int, size: int, top: int, colour: bool) -> None:
    """Put the letters, numbers and edges of the sides on a line of the canvas.

    With colours the edges are ribbons with the letters and numbers; in plain text they are slashes.
    """
    if level == size - 1:  # the corners at the left and the right
        if not colour:
            canvas[top - 2 * size], canvas[top + 2 * size] = "<", ">"
        return
    upper = level < size - 1
    at = level + 1 if upper else level - size  # the column and the row that begin or end here
    reach = 2 * (at + 1) if upper else 2 * (size - at)  # from the middle to their names
    letter, number = column_name(at), str(at + 1)
    left, right = (number, letter) if upper else (letter, number)
    if colour:
        left_player = 1 if upper else 0
        _put(canvas, top - reach, block(f"{left:<2}", left_player), 2)
        _put(canvas, top + reach - 1, block(f"{right:>2}", 1 - left_player), 2)
        return
    _put(canvas, top - reach - len(left) + 1, left, len(left))
    _put(canvas, top + reach, right, len(right))
    if 0 <= level < 2 * size - 1:
        canvas[top - reach + 2], canvas[top + reach - 2] = "/\\" if upper else "\\/"


def _put(canvas: dict[int, str], at: int, text: str, width: int) -> None:
    """Put a text, which may contain colour codes, on `width` places of the canvas."""
    canvas[at] = text
    for place in range(at + 1, at + width):
        canvas[place] = ""


def _compose(canvas: dict[int, str]) -> str:
    return "".join(canvas.get(place, " ") for place in range(max(canvas) + 1)).rstrip()


def winning_chain(owner: npt.NDArray[np.int_], winner: int) -> tuple[int, ...]:
    """Return the cells of a shortest chain of the winner's stones between their two sides.

    Args:
        owner: [size, size] int, the player of each stone; -1 for a free cell.
        winner: the player.

    Raises:
        ValueError: the player has not joined their sides.
    """
    size = len(owner)
    across = 0 if winner == 0 else 1  # which coordinate runs from side to side
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
    start = [cell for cell in np.argwhere(owner == winner).tolist() if cell[across] == 0]
    chains = deque([(row, column)] for row, column in start)
    seen = {chain[0] for chain in chains}
    while chains:
        chain = chains.popleft()
        row, column = chain[-1]
        if chain[-1][across] == size - 1:
            return tuple(row * size + column for row, column in chain)
        for down, right in steps:
            cell = (row + down, column + right)
            inside = 0 <= cell[0] < size and 0 <= cell[1] < size
            if inside and owner[cell] == winner and cell not in seen:
                seen.add(cell)
                chains.append([*chain, cell])
    raise ValueError(f"player {winner + 1} has not joined their sides")
