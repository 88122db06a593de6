"""The words of NBoard: games in GGF, moves with what they are worth, and the answers of programs.

NBoard Protocol, version 2 (http://www.orbanova.com/nboard/protocol.htm), and GGF, the Generic Game
Format of the server GGS. Moves are `D3`, a pass is `PA`; a move may be followed by an estimate in
discs for who moves and by seconds, as `D3/1.50/2.31`; answers have spaces there, too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from meeple.games.boards.grid import cell_name, parse_cell
from meeple.games.contract.game import Game, Position

GAME, SIZE = "reversi", 8
VERSION = 2
PASS = "PA"
ANSWER = "==="

_TAG = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
_BOARD = re.compile(r"8 ([-*O ]{64,80})([*O])")
_START = "---------------------------O*------*O---------------------------"
_LONGEST_GAME = 20_000  # characters


@dataclass(frozen=True)
class GameText:
    """A game of GGF as far as the protocol needs it."""

    moves: tuple[str, ...]
    standard: bool
    """Whether it begins as all games do, Black first."""


def move_word(action: int) -> str:
    """An action as NBoard writes it."""
    row, column = divmod(action, SIZE)
    return PASS if row == SIZE else cell_name(row, column).upper()


def action_of(word: str) -> int | None:
    """The action of a move, estimates left out; None where it is none."""
    name = re.split(r"[/\s]", word.strip(), maxsplit=1)[0].lower()
    if name in ("pa", "pass", "ps", "--"):
        return SIZE * SIZE
    return parse_cell(name, SIZE, SIZE)


def estimate_of(text: str) -> float | None:
    """The estimate that follows a move, in discs for who moves; None where there is none."""
    parts = re.split(r"[/\s]+", text.strip())
    try:
        return float(parts[1])
    except (IndexError, ValueError):
        return None


def game_text(position: Position, names: Iterable[str] = ("Black", "White")) -> str:
    """A game on one line, as `set game` takes it."""
    black, white = (re.sub(r"[\[\];()\s]+", " ", name) for name in names)
    moves = "".join(f"{'BW'[seat]}[{move_word(action)}]" for seat, action in _with_seats(position))
    head = f"GM[Othello]PC[Meeple]PB[{black}]PW[{white}]RE[?]TI[0]TY[8]"
    return f"(;{head}BO[8 {_START} *]{moves};)"


def parse_game(text: str) -> GameText | None:
    """The game of a line; None where it is no GGF."""
    text = text.strip()
    if len(text) > _LONGEST_GAME or not text.startswith("(;") or not text.endswith(";)"):
        return None
    tags = _TAG.findall(text)
    kind = [value for tag, value in tags if tag == "GM"]
    if not kind or not kind[0].lower().startswith("othello"):
        return None
    boards = [value for tag, value in tags if tag == "BO"]
    standard = True
    if boards:
        found = _BOARD.fullmatch(boards[0].strip())
        standard = found is not None and found[1].replace(" ", "") == _START and found[2] == "*"
    return GameText(tuple(value for tag, value in tags if tag in ("B", "W")), standard)


def is_game(game: Game) -> bool:
    """Whether NBoard has words for a game."""
    return game.name == GAME and game.options["size"] == SIZE


def _with_seats(position: Position) -> Iterable[tuple[int, int]]:
    """Every action with who made it: in Reversi players alternate, as passes are actions."""
    return ((ply % 2, action) for ply, action in enumerate(position.actions))
