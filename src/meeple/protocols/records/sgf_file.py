"""Parses the nodes of a game in SGF: game, board, set-up stones, moves and comments.

The moves are replayed in `sgf.py`.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sgfmill import sgf_grammar

from meeple.errors import MeepleError
from meeple.protocols.records.sgf_dialect import DIALECTS, cell_of, is_two_letters

COLOURS = ("B", "W")
MARKS = {"circle": "CR", "square": "SQ", "triangle": "TR", "cross": "MA"}  # properties by shape

_SHOWN = 20  # characters of a wrong value that a message repeats
_WIDEST = 26  # number of columns that letters can name

Node = Mapping[str, list[bytes]]


@dataclass(frozen=True)
class Move:
    """A move in the file."""

    number: int  # from 1; 0: a set-up stone
    colour: str
    value: str

    def wrong(self, why: str) -> MeepleError:
        """Return the error of a move that cannot be played."""
        shown = self.value if len(self.value) <= _SHOWN else self.value[:_SHOWN] + "..."
        where = f"move {self.number}, {self.colour}" if self.number else f"set-up A{self.colour}"
        return MeepleError(f"{where}[{shown}]: {why}")


@dataclass(frozen=True)
class SgfFile:
    """One game of a file."""

    game: str
    size: int
    golem: bool  # a Hex file of Little Golem, in which PB always moves first and RE names players
    first: str  # the colour that moves first
    stones: list[Move]  # set-up stones, in an order in which they can be played
    moves: list[Move]
    comments: dict[int, str]  # by the number of moves before them
    marks: dict[int, list[tuple[str, str]]]  # shapes and values, in the same way
    root: Node

    @classmethod
    def of(cls, nodes: list[Node]) -> "SgfFile":
        """Parse the nodes of the main line. Raises MeepleError."""
        root = nodes[0]
        game = _game_of(root)
        size = _size_of(root, game)
        moves, comments = _moves_of(nodes)
        marks = _marks_of(nodes)
        golem = game == "hex" and (
            "littlegolem" in text_of(root, "SO").lower()
            or any(is_two_letters(move.value) for move in moves)
        )
        first, stones = _set_up(root, game, size, moves[0].colour if moves else "")
        return cls(game, size, golem, first, stones, moves, comments, marks, root)


def text_of(node: Node, key: str) -> str:
    """Return a property as a line of text; empty if missing."""
    values = node.get(key)
    return _line(values[0]) if values else ""


def _game_of(root: Node) -> str:
    said = text_of(root, "GM").lower()
    if said in ("othello", "reversi"):
        raise MeepleError(f"it has GM[{said.capitalize()}]: this is GGF, or should have GM[2]")
    event, source = text_of(root, "EV").lower(), text_of(root, "SO").lower()
    if not said:
        for word, game in (("hex", "hex"), ("gomoku", "gomoku"), ("reversi", "reversi")):
            if event.startswith(word):
                return game
        if "littlegolem" in source and event in ("", "null"):
            return "hex"  # only this site's Hex files do not name the game
    for game, dialect in DIALECTS.items():
        if said == str(dialect.number):
            return game
    known = ", ".join(f"GM[{dialect.number}] for {game}" for game, dialect in DIALECTS.items())
    what = f"it has GM[{said[:_SHOWN]}]" if said else "it does not say which game it is"
    raise MeepleError(f"{what}; there must be {known}")


def _size_of(root: Node, game: str) -> int:
    said = text_of(root, "SZ")
    if not said:
        return DIALECTS[game].size
    found = re.match(r"([0-9]{1,3})(?:\s*:\s*([0-9]{1,3}))?", said)
    if not found or (found[2] and found[2] != found[1]):
        raise MeepleError(f"its board, SZ[{said[:_SHOWN]}], is not a square")
    size = int(found[1])
    if not 2 <= size <= _WIDEST:
        raise MeepleError(f"a board has from 2 to {_WIDEST} rows, not {size}")
    return size


def _moves_of(nodes: list[Node]) -> tuple[list[Move], dict[int, str]]:
    """Return the moves of the main line, and the comments by the number of moves before them."""
    moves: list[Move] = []
    comments: dict[int, str] = {}
    for number, node in enumerate(nodes):
        colours = [colour for colour in COLOURS if colour in node]
        if len(colours) == 2 or any(len(node[colour]) > 1 for colour in colours):
            raise MeepleError(f"the node after move {len(moves)} has several moves")
        if number and any(key in node for key in ("AB", "AW", "AE")):
            raise MeepleError(f"stones are set up after move {len(moves)}, not at the beginning")
        moves.extend(Move(len(moves) + 1, colour, text_of(node, colour)) for colour in colours)
        if "C" in node:
            said = sgf_grammar.text_value(node["C"][0]).decode("utf-8", "replace")
            before = comments.get(len(moves))
            comments[len(moves)] = f"{before}\n{said}" if before else said
    return moves, comments


def _marks_of(nodes: list[Node]) -> dict[int, list[tuple[str, str]]]:
    """Return the shapes and values of marks, by the number of moves before them."""
    found: dict[int, list[tuple[str, str]]] = {}
    moves = 0
    for node in nodes:
        moves += sum(colour in node for colour in COLOURS)
        for shape, key in MARKS.items():
            found.setdefault(moves, []).extend((shape, _line(value)) for value in node.get(key, ()))
    return found


def usual_board(size: int) -> str:
    """Return Othello's first board, a character for each cell: `*` Black, `O` White, `-` empty."""
    middle = size // 2
    cells = ["-"] * (size * size)
    for row, column, disc in ((-1, -1, "O"), (-1, 0, "*"), (0, -1, "*"), (0, 0, "O")):
        cells[(middle + row) * size + middle + column] = disc
    return "".join(cells)


def _set_up(root: Node, game: str, size: int, mover: str) -> tuple[str, list[Move]]:
    """Return the colour that moves first, and the set-up stones in a playable order.

    `mover` is the colour of the first move, or "". Reversi's first four discs are not set up.
    """
    values = {colour: root.get(f"A{colour}", []) for colour in COLOURS}
    stones = {
        colour: [Move(0, colour, _line(value)) for value in values[colour]] for colour in COLOURS
    }
    if "AE" in root:
        raise MeepleError("AE: cells cannot be emptied at the beginning of a game")
    black, white = len(stones["B"]), len(stones["W"])
    if game == "reversi":
        _check_discs(stones, size)
        return "B", []
    if abs(black - white) > 1:
        raise MeepleError(
            f"the set-up of {black} black and {white} white stones cannot come from alternate moves"
        )
    turn = mover or ("W" if text_of(root, "PL").upper().startswith("W") else "B")
    first = turn if black == white else "B" if black > white else "W"
    second = "W" if first == "B" else "B"
    pairs = itertools.zip_longest(stones[first], stones[second])
    return first, [stone for pair in pairs for stone in pair if stone is not None]


def _check_discs(stones: Mapping[str, list[Move]], size: int) -> None:
    usual = usual_board(size)
    for colour, disc in (("B", "*"), ("W", "O")):
        cells = {cell_of("reversi", stone.value, size) for stone in stones[colour]}
        wanted = {divmod(at, size) for at, sign in enumerate(usual) if sign == disc}
        if cells and cells != wanted:
            raise stones[colour][0].wrong("only the usual four discs can be set up")


def _line(value: bytes) -> str:
    line: str = sgf_grammar.simpletext_value(value).decode("utf-8", "replace")
    return line.strip()
