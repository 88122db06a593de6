"""Boards of stones that are set up: the text of the option `board`, which a game begins with.

The text has a sign for each cell in reading order, `X` for a stone of player 1, `O` of player 2 and
`-` for an empty cell; then a space and the sign of the player to move. Programs of Othello write
boards in the same way.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from meeple.errors import UsageError
from meeple.games.contract.capabilities import Pasted
from meeple.games.contract.game import Game
from meeple.games.contract.rules import Rules, refuse
from meeple.options import Text

SIGNS = "XO"  # by seat
EMPTY = "-"
MAX_CELLS = 400
_SIGNS = dict.fromkeys("X*B@#", 0) | dict.fromkeys("OW", 1) | dict.fromkeys("-._", -1)
_PASTED = re.compile(r"(?i)[XOBW*@#._-]{9,401}")
_BOARD = re.compile(rf"[XO-]{{9,{MAX_CELLS}}} [XO]")


class Board(NamedTuple):
    """A board and the seat to move."""

    owners: tuple[int, ...]  # the seat of each cell's stone, -1: empty
    to_move: int


def _parse(text: str) -> None:
    if text and not _BOARD.fullmatch(text):
        raise ValueError


def board_option() -> Text:
    """Return the declaration of the option `board`."""
    return Text(
        "",
        "a sign for each cell, row by row: X player 1, O player 2, - empty; then a space and the "
        "sign of the player to move",
        _parse,
        "the stones from which the game begins",
    )


def board_text(owners: Sequence[int], to_move: int) -> str:
    """Return the option's value for a board."""
    return f"{''.join((*SIGNS, EMPTY)[owner] for owner in owners)} {SIGNS[to_move]}"


def board_of(game: Rules, size: int) -> Board | None:
    """Return the board of a game's option; None if it begins as usual.

    Raises:
        OptionError: it has another number of cells than size * size.
    """
    cells, _, mover = str(game.options.get("board", "")).partition(" ")
    if not cells:
        return None
    if len(cells) != size * size:
        raise refuse(game, f"board has {len(cells)} cells, but size={size} has {size * size}")
    return Board(tuple(map(SIGNS.find, cells)), SIGNS.index(mover))


def pasted_board(game: Game, text: str) -> Pasted | None:
    """Return the game that begins with the board of a text; None if it is no board.

    Signs of a cell are X, *, B, @ and # for player 1, O and W for player 2, - . and _ for an empty
    cell. Then may come the sign of the player to move (else the player with fewer stones, or player
    1), and a semicolon, after which the text is ignored, as in files of Othello (OBF).

    Raises:
        UsageError: the board has another number of cells than the game.
    """
    signs = "".join(text.partition(";")[0].split())
    if not _PASTED.fullmatch(signs):
        return None
    seats = [_SIGNS[sign] for sign in signs.upper()]
    size = math.isqrt(len(seats))
    cells, mover = seats[: size * size], seats[size * size :]
    if len(mover) > 1 or mover == [-1] or size != game.options["size"]:
        wanted = int(game.options["size"])
        raise UsageError(
            f"this board has {len(seats):,} signs; {game.name} with size={wanted} has "
            f"{wanted * wanted} cells, and then may come the player to move"
        )
    to_move = mover[0] if mover else int(cells.count(0) > cells.count(1))
    options = {**game.usual().options, "board": board_text(cells, to_move)}
    return Pasted(type(game)(**options))


def four_discs(size: int) -> Board:
    """Return Reversi's first board: two discs of each player, equal ones on a diagonal."""
    owners, middle = [-1] * (size * size), size // 2
    for row in (middle - 1, middle):
        for column in (middle - 1, middle):
            owners[row * size + column] = int(row == column)
    return Board(tuple(owners), 0)


def encode_board(options: Any, board: Board) -> None:
    """Write a board into the fields `to_move` and `board` of a record of options."""
    options.to_move = board.to_move
    options.board[: len(board.owners)] = np.array(board.owners)
