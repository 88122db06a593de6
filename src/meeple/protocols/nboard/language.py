"""The syntax of NBoard: games in GGF, moves with estimates, and the answers of programs.

NBoard Protocol, version 2 (http://www.orbanova.com/nboard/protocol.htm); games are in GGF, as
`meeple.protocols.records.ggf` reads and writes them. Moves are `D3`, a pass is `PA`; a move may be
followed by an estimate in discs for the player to move and by seconds, as `D3/1.50/2.31`; answers
may have spaces instead of slashes.
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
    """Return an action in NBoard's notation."""
    row, column = divmod(action, SIZE)
    return PASS if row == SIZE else cell_name(row, column).upper()


def action_of(word: str) -> int | None:
    """Return the action of a move without its estimates, or None."""
    name = re.split(r"[/\s]", word.strip(), maxsplit=1)[0].lower()
    if name in ("pa", "pass", "ps", "--"):
        return SIZE * SIZE
    return parse_cell(name, SIZE, SIZE)


def estimate_of(text: str) -> float | None:
    """Return the estimate after a move, in discs for the player to move; None if missing."""
    parts = re.split(r"[/\s]+", text.strip())
    try:
        return float(parts[1])
    except (IndexError, ValueError):
        return None


def game_text(position: Position) -> str:
    """Return a game as one line, the argument of `set game`."""
    return ggf.write(record_of(position, ("Black", "White"))).strip()


def position_of(text: str) -> Position:
    """Return the last position of a game in GGF. Raises MeepleError for one that is illegal."""
    position = replay(ggf.find(text, most=1).read(0))
    if not is_game(position.game):
        raise MeepleError("NBoard's protocol is only for Reversi 8x8")
    return position


def is_game(game: Game) -> bool:
    """Return whether NBoard supports a game."""
    return game.name == GAME and game.options["size"] == SIZE
