"""Scenes: positions as data for a drawn board, with the clicks that stand for each action.

The browser draws the families of boards below and knows no game. A game with such a board calls
`squares`, `hexagons`, `board` or `rows` once; any other game is shown as text.
"""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.boards.pieces import Piece
from meeple.games.boards.shape import BOARDS, PITS, SQUARES, Point, Shape, diamond, grid

__all__ = [
    "CARDS",
    "FELT",
    "FIELDS",
    "ISLAND",
    "LINES",
    "ROW",
    "STONES",
    "TEXT",
    "Piece",
    "Scene",
    "board",
    "hexagons",
    "rows",
    "squares",
    "text",
]

ROW, ISLAND, TEXT = "row", "island", "text"  # families beside those of `shape`
CARDS = "cards"  # the family of `meeple.games.boards.cards`

MAX_CELLS = 4096  # of a board that is drawn

# Styles of a board of squares: plain fields, stones on the crossings of lines, discs on felt.
FIELDS = "fields"  # a board whose pieces stand on cells
LINES = "lines"  # a board whose pieces stand on crossings of lines
FELT = "felt"  # a board of cells on green felt
STONES = dict.fromkeys((LINES, FELT), ("black", "white"))
"""The colours of the first two players' stones by style; elsewhere they have the players'."""


@dataclass(frozen=True)
class Scene:
    """A position as a board shows it. A spot is a clickable place, named by a unique string.

    `clicks` has, for a legal action, the spots to click in order; the last click plays it. An
    action without clicks is a button. `marks` has all spots that an action touches, if they are
    more than its last click.
    """

    family: str
    facts: Mapping[str, Any]  # JSON data of the family
    clicks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    marks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def has_cells(self) -> bool:
        """Whether the spots are the numbers of cells: `names`, `pieces` and `places` by number."""
        return self.family in BOARDS

    def to_json(self) -> dict[str, Any]:
        """Return the board as JSON data, without the actions."""
        return {"family": self.family, **self.facts}


class Settings(TypedDict, total=False):
    """What a board shows beside its pieces.

    Attributes:
        last: cells of the last move; a number that is no cell, such as a pass, is left out.
        line: cells of a winning row, in order.
        style: of squares: FIELDS, LINES or FELT.
        colours: the colours of the stones by player, "black" or "white"; by default those of the
            style in `STONES`.
        clicks: the cells to click for other actions.
        marks: the cells that an action touches.
        closed: free cells that a rule closes, shown as crosses, with the rule in words.
        edges: the player to whom a side belongs, by "top", "bottom", "left" and "right".
        walls: pairs of neighbours with a wall between them.
        looks: what pieces look like, by their texts.
        note: what all seats know, such as the score.
    """

    last: Collection[int]
    line: Collection[int]
    style: str
    colours: Sequence[str]
    clicks: Mapping[int, Sequence[int]] | None
    marks: Mapping[int, Sequence[int]] | None
    closed: Mapping[int, str] | None
    edges: Mapping[str, int]
    walls: Collection[tuple[int, int]]
    looks: Mapping[str, Piece]
    note: str


def board(
    shape: Shape,
    pieces: npt.ArrayLike,
    legal: Iterable[int] = (),
    **settings: Unpack[Settings],
) -> Scene:
    """Return a board of a shape; the spot of a cell is its number.

    Args:
        shape: of `meeple.games.boards.shape`: `grid`, `diamond`, `hexhex`, `triangle`, `points` or
            `pits`.
        pieces: for each number of the shape a player, -1 if empty, in pits the seeds; or texts: ""
            if empty, "p0", ... for a player's stone, a number of seeds, a text of `looks`, or any
            other short text for a neutral tile. What is not a cell stays empty.
        legal: the legal actions; an action that is a cell's number is a click on the cell, any
            other without `clicks` is a button.
        settings: see `Settings`.

    Raises:
        UsageError: the pieces do not fit the shape, which is too large, or a side or wall is not on
            the board.
    """
    texts = _texts(pieces, shape.family)
    if shape.size > MAX_CELLS:
        raise UsageError(f"a board that is drawn has at most {MAX_CELLS} cells, not {shape.size}")
    if len(texts) != shape.size:
        raise UsageError(f"a board of {shape.size} cells was given {len(texts)} pieces")
    own = {int(action): (int(action),) for action in legal if int(action) in shape.at}
    facts = {
        **shape.facts,
        "pieces": [text if cell in shape.at else "" for cell, text in enumerate(texts)],
        "last": [str(cell) for cell in settings.get("last", ()) if cell in shape.at],
        "line": [str(cell) for cell in settings.get("line", ())],
    }
    style = settings.get("style", FIELDS)
    if shape.family == SQUARES:
        facts["style"] = style
    if colours := settings.get("colours") or STONES.get(style, ()):
        facts["colours"] = list(colours)
    if closed := settings.get("closed"):
        facts["closed"] = {str(cell): rule for cell, rule in closed.items()}
    if note := settings.get("note"):
        facts["note"] = note
    edges = [
        {"side": side, "player": player, "points": _listed(shape.edge(side))}
        for side, player in settings.get("edges", {}).items()
    ]
    edges += [{"points": _listed(shape.wall(*pair))} for pair in settings.get("walls", ())]
    if edges:
        facts["edges"] = edges
    if looks := settings.get("looks"):
        facts["looks"] = {name: piece.facts for name, piece in looks.items()}
    clicks, marks = settings.get("clicks") or {}, settings.get("marks") or {}
    for cell in itertools.chain(*clicks.values(), *marks.values(), settings.get("line", ())):
        if cell not in shape.at:
            raise UsageError(f"no cell of the board has the number {cell}")
    return Scene(shape.family, facts, _spots({**own, **clicks}), _spots(marks))


def squares(
    pieces: npt.ArrayLike, legal: Iterable[int] = (), **settings: Unpack[Settings]
) -> Scene:
    """Return a board of squares [rows, columns]: see `board`; cell `row * columns + column`."""
    rows, columns = np.shape(pieces)
    return board(grid(rows, columns), pieces, legal, **settings)


def hexagons(
    pieces: npt.ArrayLike, legal: Iterable[int] = (), **settings: Unpack[Settings]
) -> Scene:
    """Return a diamond of hexagons [rows, columns]: see `board` and `diamond`."""
    rows, columns = np.shape(pieces)
    return board(diamond(rows, columns), pieces, legal, **settings)


def rows(
    lines: Mapping[str, Sequence[str]],
    clicks: Mapping[int, Sequence[str]],
    *,
    marks: Mapping[int, Sequence[str]] | None = None,
    last: Collection[str] = (),
    room: Sequence[int] = (),
    how: str = "",
    numbered: bool = False,
    ledge: bool = False,
) -> Scene:
    """Return rows of cells of any lengths; the spot of cell 3 of row "a" is "a3".

    Args:
        lines: the pieces of each row by its label, which does not end in a digit: "" for an empty
            cell, "stone", "copper", "gold", "p0", ..., or a short text.
        clicks: the spots to click for each action.
        marks: the spots that an action touches.
        last: spots of the last move.
        room: the largest length of each row in this game, so that the board keeps its size.
        how: a sentence that says what a click does.
        numbered: whether to show the numbers of the cells.
        ledge: whether to draw an edge before cell 0.
    """
    facts = {
        "rows": [
            {
                "label": label,
                "cells": [{"spot": f"{label}{at}", "piece": one} for at, one in enumerate(pieces)],
                "room": room[row] if room else len(pieces),
                "numbered": numbered,
                "ledge": ledge,
            }
            for row, (label, pieces) in enumerate(lines.items())
        ],
        "last": list(last),
        "line": [],
        "how": how,
    }
    return Scene(ROW, facts, _tuples(clicks), _tuples(marks or {}))


def checked(scene: Any) -> Scene:
    """Return what a game's method `scene` returned. Raises UsageError if it is no scene."""
    if not isinstance(scene, Scene):
        raise UsageError(f"`scene` returns {scene!r:.40}, which is no scene: return `board(...)`")
    return scene


def text(drawing: str) -> Scene:
    """Return a scene that shows the game's drawing as text."""
    return Scene(TEXT, {"text": drawing})


def _listed(points: Iterable[Point]) -> list[list[float]]:
    return [[round(x, 4), round(y, 4)] for x, y in points]


def _texts(pieces: npt.ArrayLike, family: str) -> list[str]:
    """Return the pieces of a board as texts; numbers are players, and in pits seeds."""
    found = np.asarray(pieces).ravel()
    if found.dtype.kind in "iu" and family != PITS:
        return ["" if owner < 0 else f"p{owner}" for owner in found.tolist()]
    return [str(piece) for piece in found.tolist()]


def _spots(cells: Mapping[int, Sequence[int]]) -> dict[int, tuple[str, ...]]:
    """Return the spots of each action's cells."""
    return {action: tuple(str(cell) for cell in path) for action, path in cells.items()}


def _tuples(spots: Mapping[int, Sequence[str]]) -> dict[int, tuple[str, ...]]:
    return {action: tuple(path) for action, path in spots.items()}
