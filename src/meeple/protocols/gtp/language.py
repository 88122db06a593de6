"""The syntax of GTP: commands, answers, colours and each game's names of moves.

Go Text Protocol, version 2, draft 2 (https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2). Each
game is written as its own programs write it:

- Hex as HexGui and the programs of the Computer Olympiad (HTP): `a1` at the top left; Black begins
  and joins top and bottom; `swap-pieces` takes over the first stone.
- Gomoku as in Go, and as GoGui draws it: letters without `i`, rows counted from the bottom.
- Reversi as players write it: `a1` at the top left, and `pass` for a forced pass.
"""

import re
from dataclasses import dataclass

from meeple.errors import UsageError
from meeple.games.boards.grid import cell_name, column_name, parse_cell
from meeple.games.contract.game import Game, Position
from meeple.games.gomoku.game import Gomoku

VERSION = "2"
GAMES = ("hex", "gomoku", "reversi")
COLOURS = ("black", "white")  # by seat
RESIGN, PASS, SWAP = "resign", "pass", "swap-pieces"

_COLOUR_WORDS = {"b": 0, "black": 0, "w": 1, "white": 1, "red": 0, "blue": 1}
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_GO_LETTERS = "abcdefghjklmnopqrstuvwxyz"  # without i
_GO_VERTEX = re.compile(r"([a-hj-z])([0-9]{1,2})")


@dataclass(frozen=True)
class Command:
    """A command line."""

    id: str  # a number that the answer repeats; "" if missing
    name: str
    arguments: tuple[str, ...]


def parse_command(line: str) -> Command | None:
    """Return the command of a line; None for an empty line or a comment."""
    bare = _CONTROLS.sub("", line.replace("\t", " ")).partition("#")[0]
    words = bare.split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    if not words:
        return Command(number, "", ())
    return Command(number, words[0], tuple(words[1:]))


def answer(id: str, text: str, *, failed: bool = False) -> str:
    """Return an answer with its final empty line; empty lines within become a space."""
    lines = [line.rstrip() for line in text.splitlines()]
    body = "\n".join(line or " " for line in lines)
    return f"{'?' if failed else '='}{id} {body}\n\n"


def colour_of(word: str) -> int | None:
    """Return the seat of a colour, or None."""
    return _COLOUR_WORDS.get(word.lower())


def ensure_supported(game: Game) -> None:
    """Raise UsageError for a game that GTP cannot play."""
    if game.name not in GAMES:
        reason = f"GTP is for {', '.join(GAMES)} here, not for {game.name}"
    elif game.options.get("opening", "none") != "none":
        reason = "GTP has no words for the choice of colours: it is for opening=none"
    elif game != game.usual():
        reason = "GTP begins with the usual board: it is for games without the option board"
    else:
        return
    raise UsageError(f"{reason}: take the protocol json, which is for every game")


def vertex(position: Position, action: int) -> str:
    """Return a program's name of an action."""
    game = position.game
    if game.name == "gomoku":
        size = int(game.options["size"])
        row, column = divmod(action, size)
        return f"{_GO_LETTERS[column]}{size - row}"
    name = position.action_name(action)
    return SWAP if name == "swap" else name


def board_text(position: Position) -> str:
    """Return the board as text, with the labels that `vertex` uses."""
    game = position.game
    if not isinstance(game, Gomoku):
        return str(position)
    names = dict(zip(map(column_name, range(game.size)), _GO_LETTERS, strict=False))
    names |= {str(row + 1): str(game.size - row) for row in range(game.size)}
    return game.draw_marked(position, (), names=names)


def action_of(game: Game, word: str) -> int | None:
    """Return the action of a name, legal or not; None if there is no such cell."""
    word = word.lower()
    size = int(game.options["size"])
    if game.name == "gomoku":
        found = _GO_VERTEX.fullmatch(word)
        if found is None:
            return None
        return parse_cell(cell_name(size - int(found[2]), _GO_LETTERS.index(found[1])), size, size)
    if game.name == "hex" and word in (SWAP, "swap"):
        return size * size
    if game.name == "reversi" and word in (PASS, "pa"):
        return size * size
    return parse_cell(word, size, size)
