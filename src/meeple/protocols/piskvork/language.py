"""The syntax of the Gomocup's protocol: cells as `x,y`, and the settings of a game.

Gomoku AI protocol (https://plastovicka.github.io/protocl2en.htm). A cell is `x,y` from 0, x to the
right and y down.
"""

import re

from meeple.errors import UsageError
from meeple.games.contract.game import Game

GAME = "gomoku"
SMALLEST = 5  # smallest board side of the protocol, in cells
FREESTYLE, STANDARD, RENJU = 0, 1, 4  # values of INFO rule; with 1 exactly five stones win
RULES = {"freestyle": FREESTYLE, "standard": STANDARD, "renju": RENJU}
OWN, OPPONENT = 1, 2  # owners in the lines of BOARD
SWAP2BOARD, SWAP = "SWAP2BOARD", "SWAP"
"""The request for a part of the opening swap2, with 0, 3 or 5 stones
(https://gomocup.org/news/experimental-tournament-update-2021/), and the answer that takes Black.
The other answers are the first three stones; White's stone, which takes White; two stones more."""
OTHER_LINES = ("MESSAGE", "DEBUG", "UNKNOWN", "OK", "SUGGEST")  # a program's lines without a move

_CELL = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*")
_FIELD = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9])\s*")


def ensure_opening(game: Game, *known: str) -> None:
    """Raise UsageError for a game with another opening than these, or another first board."""
    if game.options["opening"] not in known:
        raise UsageError(
            "Piskvork's protocol has no words for this choice of colours: it is for "
            f"opening={' and opening='.join(known)}"
        )
    if game != game.usual():
        raise UsageError("Piskvork's protocol begins with an empty board: leave out board")


def cells_of(game: Game, line: str) -> list[int] | None:
    """Return the actions of cells `x,y x,y`; None if a word is no cell of the board."""
    found = [action_of(game, word) for word in line.split()]
    cells = [cell for cell in found if cell is not None]
    return cells if len(cells) == len(found) else None


def cell(game: Game, action: int) -> str:
    """Return an action as `x,y`."""
    row, column = divmod(action, int(game.options["size"]))
    return f"{column},{row}"


def action_of(game: Game, text: str) -> int | None:
    """Return the action of `x,y`; None if it is no cell of the board."""
    found = _CELL.fullmatch(text)
    return None if found is None else _action(game, found[1], found[2])


def field_of(game: Game, text: str) -> tuple[int, int] | None:
    """Return action and owner of a line of BOARD, `x,y,owner`; None for any other line."""
    found = _FIELD.fullmatch(text)
    if found is None:
        return None
    action = _action(game, found[1], found[2])
    return None if action is None else (action, int(found[3]))


def _action(game: Game, x: str, y: str) -> int | None:
    size = int(game.options["size"])
    column, row = int(x), int(y)
    return row * size + column if column < size and row < size else None
