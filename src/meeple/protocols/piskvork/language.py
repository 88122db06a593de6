"""The words of the Gomocup's protocol: cells as `x,y`, and what a manager says of a game.

Gomoku AI protocol (https://plastovicka.github.io/protocl2en.htm). A cell is `x,y` from 0, x to the
right and y down.
"""

import re

from meeple.games.contract.game import Game

GAME = "gomoku"
SMALLEST = 5  # cells along a side that the protocol is meant for
FREESTYLE, EXACT = 0, 1  # of INFO rule: 1 says that exactly five win
RULES = {"freestyle": FREESTYLE, "exact": EXACT}
OWN, OPPONENT = 1, 2  # in the lines of BOARD
OTHER_LINES = ("MESSAGE", "DEBUG", "UNKNOWN", "OK", "SUGGEST")  # of a program, beside moves

_CELL = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*")
_FIELD = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9])\s*")


def cell(game: Game, action: int) -> str:
    """An action as `x,y`."""
    row, column = divmod(action, int(game.options["size"]))
    return f"{column},{row}"


def action_of(game: Game, text: str) -> int | None:
    """The action of `x,y`; None where it is no cell of the board."""
    found = _CELL.fullmatch(text)
    return None if found is None else _action(game, found[1], found[2])


def field_of(game: Game, text: str) -> tuple[int, int] | None:
    """The action and the owner of a line of BOARD, `x,y,owner`; None where it is no such line."""
    found = _FIELD.fullmatch(text)
    if found is None:
        return None
    action = _action(game, found[1], found[2])
    return None if action is None else (action, int(found[3]))


def _action(game: Game, x: str, y: str) -> int | None:
    size = int(game.options["size"])
    column, row = int(x), int(y)
    return row * size + column if column < size and row < size else None
