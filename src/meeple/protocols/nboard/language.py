"""The words of NBoard: games in GGF, moves with what they are worth, and the answers of programs.

NBoard Protocol, version 2 (http://www.orbanova.com/nboard/protocol.htm); games are in GGF, as
`meeple.protocols.records.ggf` reads and writes them. Moves are `D3`, a pass is `PA`; a move may be
followed by an estimate in discs for who moves and by seconds, as `D3/1.50/2.31`; answers have
spaces there, too.
"""

import re

from meeple.errors import MeepleError
from meeple.games.boards.grid import cell_name, parse_cell
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import record_of, replay
from meeple.protocols.records import ggf

GAME, SIZE = "reversi", 8
VERSION = 2
PASS = "PA"
ANSWER = "==="


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


def game_text(position: Position) -> str:
    """A game on one line, as `set game` takes it."""
    return ggf.write(record_of(position, ("Black", "White"))).strip()


def actions_of(text: str) -> tuple[int, ...]:
    """The actions of a game of GGF. Raises MeepleError where it is none, or breaks the rules."""
    position = replay(ggf.find(text, most=1).read(0))
    if not is_game(position.game):
        raise MeepleError("NBoard's protocol is for Reversi 8x8 alone")
    return position.actions


def is_game(game: Game) -> bool:
    """Whether NBoard has words for a game."""
    return game.name == GAME and game.options["size"] == SIZE
