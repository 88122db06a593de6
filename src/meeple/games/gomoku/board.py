"""What the Gomoku board shows: winning rows, closed cells, a legend; and its lines."""

from collections.abc import Iterator

import numpy as np

from meeple.games.boards.drawing import CROSS, PLAIN, stone
from meeple.games.boards.grid import rows_through
from meeple.games.contract.board_game import BoardGame, owners
from meeple.games.contract.game import Position
from meeple.games.gomoku.opening import FIRST_STONES, MORE_STONES, PLAY
from meeple.games.gomoku.renju import REASONS, list_forbidden

Cells = tuple[int, ...]

_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


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


def legend(position: Position, colour: bool) -> list[str]:
    """Return the lines below the board: which rows win, the opening, the closed cells."""
    state = position.state
    game = position.game
    assert isinstance(game, BoardGame)
    own = [stone(name, game.style) for name in game.colours(position)]
    signs = (own[0], own[1]) if colour else PLAIN[:2]
    lines = [_wins(position, signs)]
    if state.opening and not (state.renju and state.stage == PLAY):
        lines.append(_opening(position, signs))
    if closed(position):
        lines.append(f"{CROSS[colour]}: forbidden to Black")
    return lines


def _wins(position: Position, signs: tuple[str, str]) -> str:
    """Return which rows win, for the legend."""
    state = position.state
    length = int(state.in_a_row)
    names = [
        f"{name} ({sign})" for name, sign in zip(position.game.player_names, signs, strict=True)
    ]
    if state.renju:
        black, white = names[:: -1 if state.black else 1]
        if state.opening:
            black, white = f"Black, {black}", f"White, {white}"
        return f"{black}: exactly 5 in a row win; {white}: 5 or more"
    wins = f"exactly {length}" if state.exact else f"{length} or more"
    return f"{names[0]} and {names[1]}: {wins} in a row win"


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
