"""Parses the nodes of a game in SGF: game, board, set-up stones, moves and comments.

The moves are replayed in `sgf.py`.
"""

import re
from dataclasses import dataclass

from sgfmill import sgf_grammar

from meeple.errors import MeepleError
from meeple.protocols.records.sgf_dialect import DIALECTS, cells_of, is_two_letters
from meeple.protocols.records.sgf_set_up import COLOURS, Node, SetUp, bits, has_stones, set_up
from meeple.sentences import say

MARKS = {"circle": "CR", "square": "SQ", "triangle": "TR", "cross": "MA"}  # properties by shape

_SHOWN = 20  # characters of a wrong value that a message repeats
_WIDEST = 26  # number of columns that letters can name


@dataclass(frozen=True)
class Move:
    """A move in the file."""

    number: int  # from 1
    colour: str
    value: str

    def wrong(self, why: str) -> MeepleError:
        """Return the error of a move that cannot be played."""
        shown = self.value if len(self.value) <= _SHOWN else self.value[:_SHOWN] + "..."
        return MeepleError(
            say("record.move", n=self.number, field=f"{self.colour}[{shown}]", reason=why)
        )


@dataclass(frozen=True)
class SgfFile:
    """One game of a file."""

    game: str
    size: int
    golem: bool  # a Hex file of Little Golem, in which PB always moves first and RE names players
    set_up: SetUp
    moves: list[Move]
    comments: dict[int, str]  # by the number of moves before them
    marks: dict[int, list[tuple[str, int]]]  # shapes and cells, in the same way
    root: Node

    @classmethod
    def of(cls, nodes: list[Node]) -> "SgfFile":
        """Parse the nodes of the main line. Raises MeepleError."""
        root = nodes[0]
        game = _game_of(root)
        size = _size_of(root, game)
        moves, comments = _moves_of(nodes)
        marks = _marks_of(nodes, game, size)
        golem = game == "hex" and (
            "littlegolem" in text_of(root, "SO").lower()
            or any(is_two_letters(move.value) for move in moves)
        )
        before = next((at for at, node in enumerate(nodes) if _colours(node)), len(nodes))
        begun = set_up(nodes[: before + 1], game, size, moves[0].colour if moves else "")
        return cls(game, size, golem, begun, moves, comments, marks, root)


def text_of(node: Node, key: str) -> str:
    """Return a property as a line of text; empty if missing."""
    values = node.get(key)
    return _line(values[0]) if values else ""


def _game_of(root: Node) -> str:
    said = text_of(root, "GM").lower()
    if said in ("othello", "reversi"):
        raise MeepleError(say("record.it_has_gm_this", field=said.capitalize()))
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
    if said:
        raise MeepleError(say("record.wrong_game", field=f"GM[{said[:_SHOWN]}]", command=known))
    raise MeepleError(say("record.game_unsaid", command=known))


def _size_of(root: Node, game: str) -> int:
    said = text_of(root, "SZ")
    if not said:
        return DIALECTS[game].size
    found = re.match(r"([0-9]{1,3})(?:\s*:\s*([0-9]{1,3}))?", said)
    if not found or (found[2] and found[2] != found[1]):
        raise MeepleError(say("record.board_no_square", field=f"SZ[{said[:_SHOWN]}]"))
    size = int(found[1])
    if not 2 <= size <= _WIDEST:
        raise MeepleError(say("record.a_board_has_from", n=_WIDEST, n2=size))
    return size


def _moves_of(nodes: list[Node]) -> tuple[list[Move], dict[int, str]]:
    """Return the moves of the main line, and the comments by the number of moves before them."""
    moves: list[Move] = []
    comments: dict[int, str] = {}
    for node in nodes:
        colours = _colours(node)
        if len(colours) == 2 or any(len(node[colour]) > 1 for colour in colours):
            raise MeepleError(say("record.the_node_after_move", n=len(moves)))
        if moves and has_stones(node):
            raise MeepleError(say("record.stones_are_set_up", n=len(moves)))
        moves.extend(Move(len(moves) + 1, colour, text_of(node, colour)) for colour in colours)
        if "C" in node:
            said = sgf_grammar.text_value(node["C"][0]).decode("utf-8", "replace")
            before = comments.get(len(moves))
            comments[len(moves)] = f"{before}\n{said}" if before else said
    return moves, comments


def _colours(node: Node) -> list[str]:
    """Return the colours that move in a node."""
    return [colour for colour in COLOURS if colour in node]


def _marks_of(nodes: list[Node], game: str, size: int) -> dict[int, list[tuple[str, int]]]:
    """Return the shapes and cells of marks, by the number of moves before them."""
    found: dict[int, dict[str, int]] = {}
    moves = 0
    for node in nodes:
        moves += len(_colours(node))
        for shape, key in MARKS.items():
            for value in node.get(key, ()):
                marked = found.setdefault(moves, {})
                cells = cells_of(game, value.decode("utf-8", "replace"), size)
                marked[shape] = marked.get(shape, 0) | cells
    return {
        at: [(shape, cell) for shape, cells in marked.items() for cell in bits(cells)]
        for at, marked in found.items()
    }


def _line(value: bytes) -> str:
    line: str = sgf_grammar.simpletext_value(value).decode("utf-8", "replace")
    return line.strip()
