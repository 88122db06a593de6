"""Links and moves of Hex sites: HexWorld's links, and Little Golem's moves of two letters.

A link of HexWorld (https://hexworld.org/board) ends in `#11c1,a3:sf6,b2`: the size, how the board
is drawn, the moves, and moves that were taken back. `:s` is a swap of pieces, `:p` a pass; `:rb`,
`:rw`, `:fb` and `:fw` end the game.
"""

import re

from meeple.errors import UsageError
from meeple.games.boards.grid import cell_name
from meeple.games.contract.capabilities import Pasted
from meeple.games.contract.game import Game
from meeple.games.contract.pasted import MOVE_NUMBER

_LINK = re.compile(r"\S{0,80}#(\d{1,2})[a-z0-9]{0,20},([a-z0-9:]*)\S*", re.IGNORECASE)
_MOVE = re.compile(r"[a-z]\d{1,2}|:[rf][bw]|:[sp]", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]{2}", re.IGNORECASE)
_WEB = re.compile(r"\s*(https?://|www\.)\S+\s*", re.IGNORECASE)


def pasted(game: Game, text: str) -> Pasted | None:
    """Return what a text means; None if it is neither a link nor moves of two letters.

    Raises:
        UsageError: a link holds no moves, or a move that does not exist here.
    """
    if link := _LINK.fullmatch(text.strip()):
        moves = _MOVE.findall(link[2])
        if "".join(moves) != link[2] or ":p" in map(str.lower, moves) or ":S" in moves:
            raise UsageError(
                "this link has a move that is no cell and no swap of pieces, such as a pass: leave "
                "it out"
            )
        options = {**game.usual().options, "size": int(link[1]), "first": 1}
        options["swap"] = bool(options["swap"]) or ":s" in moves
        words = ["swap" if move == ":s" else move for move in moves if move[1] not in "rRfF"]
        return Pasted(type(game)(**options), " ".join(words))
    if _WEB.fullmatch(text):
        raise UsageError("this link holds no moves: paste the moves, or the game's file (SGF)")
    words = re.findall(r"[a-z0-9-]+", MOVE_NUMBER.sub(" ", text), re.IGNORECASE)
    letters = [word for word in words if _LETTERS.fullmatch(word)]
    others = {word.lower() for word in words} - {word.lower() for word in letters}
    if not letters or others - {"swap", "resign"}:
        return None
    if "swap" in others and not game.options["swap"]:
        game = type(game)(**{**game.options, "swap": True})
    return Pasted(game, " ".join(_cell(word) for word in words))


def _cell(word: str) -> str:
    """Return the name of a cell that is given as letters of its column and row."""
    if not _LETTERS.fullmatch(word):
        return word
    column, row = (ord(letter) - ord("a") for letter in word.lower())
    return cell_name(row, column)
