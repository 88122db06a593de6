"""SGF of a whole tree of variations, with comments and marks; single games are in `sgf.py`."""

from collections.abc import Iterator, Sequence
from typing import Any

from sgfmill import sgf_grammar

from meeple.errors import UsageError
from meeple.games.contract.records import GameRecord
from meeple.games.contract.records import replay as replayed
from meeple.games.contract.variations import Variations, marks_text, to_records, walk
from meeple.protocols.records import sgf
from meeple.protocols.records.sgf_file import SgfFile
from meeple.sentences import say

MAX_LINE_NODES = 50_000
"""Of all lines of a tree together, with the further values of properties: each is replayed."""


def write(tree: Variations, seats: Sequence[str] = ()) -> str:
    """Return a tree of variations as a collection of one game.

    Raises:
        MeepleError: there is no SGF for the game or its options, or the tree breaks the rules.
    """
    main = next(to_records(tree, seats))
    root = sgf.root_of(main, replayed(main))
    children = tree.children()
    coarse: dict[int, Any] = {}  # the game tree in which each node stands
    for node, action, mover, _, position in walk(tree):
        properties = sgf.move_of(position.game, node.action, action, mover) if action >= 0 else root
        properties |= sgf.annotations_of(position.game, node.comment, marks_text(node.marks))
        if action >= 0 and len(children[node.parent]) == 1:
            within = coarse[node.parent]
        else:
            within = sgf_grammar.Coarse_game_tree()
            if action >= 0:
                coarse[node.parent].children.append(within)
        within.sequence.append(properties)
        coarse[node.id] = within
    text: bytes = sgf_grammar.serialise_game_tree(coarse[tree.nodes[0].id])
    return text.decode("utf-8")


def read(text: str) -> list[GameRecord]:
    """Return the lines of the first game of a text, the main line first.

    Raises:
        MeepleError: the text is no SGF, or a line is illegal.
    """
    found = sgf.first_tree(text)
    return sgf.records_of([SgfFile.of(line) for line in _lines(found)])


def _lines(tree: Any) -> Iterator[list[Any]]:
    """Yield the nodes from the root to each leaf."""
    line: list[Any] = []
    stack, total = [(tree, 0)], 0
    while stack:
        part, depth = stack.pop()
        del line[depth:]
        line += part.sequence
        stack += [(child, len(line)) for child in reversed(part.children)]
        if not part.children:
            total += sum(map(_cost, line))
            if total > MAX_LINE_NODES:
                raise UsageError(say("record.the_lines_of_this", n=MAX_LINE_NODES))
            yield list(line)


def _cost(node: Any) -> int:
    """Return 1, and 1 for each further value of a property: all are read once for each line."""
    return 1 + sum(len(values) - 1 for values in node.values())
