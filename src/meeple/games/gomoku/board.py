"""The Gomoku board as text, and as a scene for the browser."""

from collections.abc import Collection, Iterator

import numpy as np
import numpy.typing as npt

from meeple.games.boards.drawing import CROSS, DISC, PLAIN, Labels, draw_grid, paint
from meeple.games.boards.grid import rows_through
from meeple.games.boards.scene import LINES, Scene, squares
from meeple.games.contract.game import Position
from meeple.games.gomoku.opening import FIRST_STONES, MORE_STONES, PLAY
from meeple.games.gomoku.renju import REASONS, list_forbidden

Cells = tuple[int, ...]

_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def owners(position: Position) -> npt.NDArray[np.int_]:
    """Return the seat of the stone on each cell, int [size, size]; -1 for an empty cell."""
    state = position.state
    size = int(state.size)
    rows = np.asarray(state.lines)[:, :size, np.newaxis]
    first, second = (rows >> np.arange(size, dtype=np.uint32)) & 1
    return np.where(first, 0, np.where(second, 1, -1))


def winning_cells(position: Position) -> tuple[int, ...]:
    """Return the cells of the winning rows through the last stone; empty if no player has won."""
    state = position.state
    if state.winner < 0:
        return ()
    return rows_through(
        owners(position),
        int(state.last),
        int(state.in_a_row),
        exact=bool(state.exact or (state.renju and state.winner == state.black)),
    )


def board_lines(size: int) -> Iterator[Cells]:
    """Yield all lines of a board in the four directions, as cells in order."""
    for down, right in _STEPS:
        for row in range(size):
            for column in range(size):
                if 0 <= row - down < size and 0 <= column - right < size:
                    continue  # not the first cell of its line
                cells = []
                r, c = row, column
                while 0 <= r < size and 0 <= c < size:
                    cells.append(r * size + c)
                    r, c = r + down, c + right
                yield tuple(cells)


def closed(position: Position) -> dict[int, str]:
    """Return the cells that Renju forbids to the player to move, each with the rule."""
    state = position.state
    if not state.renju or state.to_move != state.black or state.stage != PLAY:
        return {}
    rules = np.zeros(int(state.size) ** 2, np.int8)
    list_forbidden(state, rules)
    return {int(cell): REASONS[rules[cell]] for cell in np.flatnonzero(rules)}


def draw(
    position: Position, marked: Collection[int], colour: bool, labels: Labels | None = None
) -> str:
    """Return the board and its legend as text, with the cells of the `marked` actions marked."""
    state = position.state
    shut = closed(position)
    board = draw_grid(
        owners(position),
        int(state.last),
        colour,
        marked=marked,
        line=winning_cells(position),
        closed=shut,
        labels=labels,
    )
    signs = (paint(DISC, 0), paint(DISC, 1)) if colour else PLAIN
    lines = [board, _wins(position, signs)]
    if state.opening and not (state.renju and state.stage == PLAY):
        lines.append(_opening(position, signs))
    if shut:
        lines.append(f"{CROSS[colour]}: forbidden to Black")
    return "\n".join(lines)


def _wins(position: Position, signs: tuple[str, str]) -> str:
    """Return which rows win, for the legend."""
    state = position.state
    length = int(state.in_a_row)
    if state.renju:
        black = int(state.black)
        names = [
            f"{position.game.player_name(seat)} ({signs[seat]})" for seat in (black, 1 - black)
        ]
        return f"Black, {names[0]}: exactly 5 in a row win; White, {names[1]}: 5 or more"
    wins = f"exactly {length}" if state.exact else f"{length} or more"
    return f"player 1 ({signs[0]}) and player 2 ({signs[1]}): {wins} in a row win"


def _opening(position: Position, signs: tuple[str, str]) -> str:
    """Return what is to be done in a swap opening, or who has chosen which colour."""
    state, name = position.state, position.game.player_name
    if state.stage == PLAY:
        black = int(state.black)
        return f"Black: {name(black)} ({signs[black]})"
    who = name(int(state.to_move))
    if state.stage in (FIRST_STONES, MORE_STONES):
        return f"{who} places stones of both colours: black ({signs[0]}) and white ({signs[1]})"
    more = ", or more stones" if len(position.legal_actions()) > 2 else ""
    return f"{who} chooses black ({signs[0]}) or white ({signs[1]}){more}"


def scene(position: Position) -> Scene:
    """Return the board with its legal cells, the last stone and the winning rows."""
    last = int(position.state.last)
    return squares(
        owners(position),
        position.legal_actions(),
        last=[last] if last >= 0 else (),
        line=winning_cells(position),
        style=LINES,
        closed=closed(position),
    )
