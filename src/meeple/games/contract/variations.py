"""A tree of variations of one game, with comments and marks; its lines are game records.

A record keeps the comments and marks of its line in the notes `comments` and `marks`, by the number
of actions before them, so that every format of records can carry a line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, record_of
from meeple.games.contract.records import replay as replayed
from meeple.games.contract.registry import make_from
from meeple.kernels import CHANCE
from meeple.options import OptionValue
from meeple.sentences import say

ROOT = 0  # the id of the opening position
SHAPES = ("circle", "square", "triangle", "cross")
_MARK = re.compile(rf"({'|'.join(SHAPES)}):([A-Za-z0-9_-]{{1,16}})")


class Mark(NamedTuple):
    """A mark on a place of the drawn board; as text `circle:12`."""

    shape: str  # one of SHAPES
    spot: str  # as in the scene


def parse_marks(text: str) -> tuple[Mark, ...]:
    """Return the marks of a text such as `circle:12 cross:40`; the last one of a spot counts.

    Raises:
        UsageError: a word of the text is no mark.
    """
    found: dict[str, Mark] = {}
    for word in text.split():
        parts = _MARK.fullmatch(word)
        if parts is None:
            raise UsageError(say("game.a_mark_is_a", command=", ".join(SHAPES), field=word))
        found[parts[2]] = Mark(parts[1], parts[2])
    return tuple(found.values())


def marks_text(marks: Iterable[Mark]) -> str:
    """Return marks as the text that `parse_marks` reads."""
    return " ".join(f"{mark.shape}:{mark.spot}" for mark in marks)


@dataclass(frozen=True)
class Node:
    """A position of a tree: the action that leads to it, a comment and marks."""

    id: int  # 0 for the opening position
    parent: int  # the id of the position before; -1 for the opening position
    action: str  # a name; empty for the opening position
    comment: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Variations:
    """A tree of variations from one opening position.

    Attributes:
        game: its name.
        options: of the game.
        seed: of the opening position.
        nodes: the opening position first, and every node after its parent. Of the children of a
            node, the first one belongs to the main line.
    """

    game: str
    options: Mapping[str, OptionValue]
    seed: int
    nodes: tuple[Node, ...] = (Node(ROOT, -1, ""),)

    def children(self) -> dict[int, list[Node]]:
        """Return the children of each node by its id."""
        found: dict[int, list[Node]] = {node.id: [] for node in self.nodes}
        for node in self.nodes[1:]:
            found[node.parent].append(node)
        return found

    def lines(self) -> Iterator[list[Node]]:
        """Yield the nodes from the opening position to each leaf, the main line first."""
        children, line = self.children(), list[Node]()
        stack = [(self.nodes[0], 0)]
        while stack:
            node, depth = stack.pop()
            del line[depth:]
            line.append(node)
            stack += [(child, depth + 1) for child in reversed(children[node.id])]
            if not children[node.id]:
                yield list(line)


class Visit(NamedTuple):
    """A node, met on a walk through a tree."""

    node: Node  # with the action's usual name
    action: int  # -1 for the opening position
    mover: int  # the seat that took the action, -1: chance; -2 for the opening position
    text: str  # the game's sentence on the action, or its name
    position: Position  # after the action; updated in place, and not to be changed


def check_shape(nodes: Sequence[Node]) -> None:
    """Raise UsageError unless the nodes form a tree as `Variations.nodes` describes."""
    known: set[int] = set()
    for number, node in enumerate(nodes):
        first = number == 0
        if first and (node.id, node.parent, node.action) != (ROOT, -1, ""):
            raise UsageError("the first node of a tree is its opening position")
        if node.id in known or node.id < 0:
            raise UsageError(f"the id {node.id} is given twice, or negative")
        if not first and node.parent not in known:
            raise UsageError(f"the node {node.id} comes before its parent {node.parent}")
        known.add(node.id)
    if not known:
        raise UsageError("a tree has an opening position")


def walk(tree: Variations) -> Iterator[Visit]:
    """Yield every node with its position, depth first.

    Raises:
        OptionError: the game or its options do not exist.
        IllegalAction: the rules forbid an action.
        UsageError: two children of a node are the same action.
    """
    position = make_from(tree.game, tree.options).start(tree.seed)
    children = tree.children()
    yield Visit(tree.nodes[0], -1, -2, "", position)
    stack = [(node, 0) for node in reversed(children[ROOT])]
    taken: set[tuple[int, int]] = set()
    while stack:
        node, depth = stack.pop()
        while len(position.actions) > depth:
            position.undo()
        visit = _played(position, node)
        if (node.parent, visit.action) in taken:
            raise UsageError(say("game.the_move_stands_twice", field=visit.node.action))
        taken.add((node.parent, visit.action))
        yield visit
        stack += [(child, depth + 1) for child in reversed(children[node.id])]


def _played(position: Position, node: Node) -> Visit:
    number = len(position.actions) + 1
    try:
        action = position.parse_action(node.action)
    except IllegalAction as error:
        raise IllegalAction(say("game.move_of_a_variation", n=number, reason=error)) from None
    name, before = position.action_name(action), position.copy()
    position.play(action)
    mover = max(before.to_move, CHANCE)
    viewer = None if mover < 0 else mover
    text = capabilities.describe_action(before, action, position, viewer)
    return Visit(
        replace(node, action=name), action, mover, name if text is None else text, position
    )


def to_records(tree: Variations, seats: Sequence[str] = ()) -> Iterator[GameRecord]:
    """Yield each line as a record, the main line first; raise MeepleError as `walk` does."""
    game = make_from(tree.game, tree.options)
    for line in tree.lines():
        position = game.start(tree.seed)
        for node in line[1:]:
            position.play(position.parse_action(node.action))
        comments = {str(at): node.comment for at, node in enumerate(line) if node.comment}
        marks = {str(at): marks_text(node.marks) for at, node in enumerate(line) if node.marks}
        notes = {name: told for name, told in (("comments", comments), ("marks", marks)) if told}
        yield record_of(position, seats or game.player_names, notes=notes)


def of_records(records: Iterable[GameRecord], max_nodes: int) -> Variations:
    """Return the tree of the lines of records, which must begin with the same position.

    Raises:
        UsageError: there is no record, they begin with different positions, or the tree has more
            than `max_nodes` nodes.
        MeepleError: a record breaks the rules.
    """
    tree: _Growing | None = None
    for number, (record, position) in enumerate(_replayed_lines(records), start=1):
        if tree is None:
            tree = _Growing(position, max_nodes)
        elif not tree.fits(position):
            raise UsageError(say("game.line_begins_with_another", n=number))
        tree.add(record, position)
    if tree is None:
        raise UsageError(say("game.there_is_no_game"))
    return tree.made()


def _replayed_lines(records: Iterable[GameRecord]) -> Iterator[tuple[GameRecord, Position]]:
    """Yield each record with its last position, which the next one may change.

    The actions that two records in turn share are played once.
    """
    last, position = None, None
    for record in records:
        if last is None or position is None or not _begin_alike(last, record):
            position = replayed(record)
        else:
            shared = common_length(last.actions, record.actions)
            while len(position.actions) > shared:
                position.undo()
            position = replayed(record, position)
        yield record, position
        last = record


def _begin_alike(one: GameRecord, other: GameRecord) -> bool:
    def beginning(record: GameRecord) -> tuple[Any, ...]:
        return record.game, record.options, record.seed, record.board, len(record.seats)

    return beginning(one) == beginning(other)


def common_length(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return the length of the beginning that two sequences share."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


class _Growing:
    """A tree that grows by lines."""

    def __init__(self, position: Position, max_nodes: int) -> None:
        self._first, self._max = position, max_nodes
        self._nodes = [Node(ROOT, -1, "")]
        self._after: dict[tuple[int, int], int] = {}  # the id of a node by its parent and action

    def fits(self, position: Position) -> bool:
        """Whether a game begins with the same position."""
        first = self._first
        same = (first.game.name, dict(first.game.options)) == (
            position.game.name,
            dict(position.game.options),
        )
        return same and _opening_state(first) == _opening_state(position)

    def add(self, record: GameRecord, position: Position) -> None:
        """Add the line of a record, whose last position is given."""
        names = record_of(position, record.seats).actions
        at = ROOT
        self._annotate(at, record, 0)
        for ply, (name, action) in enumerate(zip(names, position.actions, strict=True), start=1):
            key = at, action
            if key not in self._after:
                if len(self._nodes) >= self._max:
                    raise UsageError(f"a study may have at most {self._max:,} positions")
                self._after[key] = len(self._nodes)
                self._nodes.append(Node(len(self._nodes), at, name))
            at = self._after[key]
            self._annotate(at, record, ply)

    def _annotate(self, id: int, record: GameRecord, ply: int) -> None:
        node = self._nodes[id]
        comment, marks = _note(record, "comments", ply), _note(record, "marks", ply)
        if comment and comment not in node.comment:
            node = replace(node, comment=f"{node.comment}\n{comment}".strip("\n"))
        if marks:
            node = replace(node, marks=parse_marks(f"{marks_text(node.marks)} {marks}"))
        self._nodes[id] = node

    def made(self) -> Variations:
        """Return the tree."""
        game = self._first.game
        return Variations(game.name, dict(game.options), self._first.seed, tuple(self._nodes))


def _opening_state(position: Position) -> bytes:
    return position.game.start(position.seed).row.tobytes()


def _note(record: GameRecord, name: str, ply: int) -> str:
    notes: Any = record.notes.get(name)
    found = notes.get(str(ply), "") if isinstance(notes, Mapping) else ""
    return found if isinstance(found, str) else ""
