"""Scenes: positions as data for a drawn board, with the clicks that stand for each action.

The browser draws the families of boards below and knows no game. A game with such a board calls
`squares`, `hexagons` or `rows` once; any other game is shown as text.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.boards.grid import cell_name, column_name

__all__ = [
    "FELT",
    "FIELDS",
    "HEXAGONS",
    "ISLAND",
    "LINES",
    "ROW",
    "SQUARES",
    "STONES",
    "TEXT",
    "Scene",
    "hexagons",
    "rows",
    "squares",
    "text",
    "write",
    "write_line",
]

SQUARES, HEXAGONS, ROW, ISLAND, TEXT = "squares", "hexagons", "row", "island", "text"  # families

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

    def to_json(self) -> dict[str, Any]:
        """Return the board as JSON data, without the actions."""
        return {"family": self.family, **self.facts}


def squares(
    pieces: npt.ArrayLike,
    legal: Iterable[int] = (),
    *,
    last: Collection[int] = (),
    line: Collection[int] = (),
    style: str = FIELDS,
    colours: Sequence[str] = (),
    clicks: Mapping[int, Sequence[int]] | None = None,
    marks: Mapping[int, Sequence[int]] | None = None,
    closed: Mapping[int, str] | None = None,
) -> Scene:
    """Return a board of squares; the spot of cell `row * columns + column` is that number.

    Args:
        pieces: [rows, columns] players, -1 for an empty cell; or texts: "" for an empty cell, "p0",
            ... for a player's stone, any other short text for a neutral tile.
        legal: the legal actions; an action that is a cell's number is a click on the cell.
        last: cells of the last move.
        line: cells of a winning row.
        style: FIELDS, LINES or FELT.
        colours: the colours of the stones by player, "black" or "white"; by default those of the
            style in `STONES`.
        clicks: the cells to click for other actions.
        marks: the cells that an action touches.
        closed: free cells that a rule closes, shown as crosses, with the rule in words.
    """
    board = _texts(pieces)
    cells = range(board.size)
    own = {int(action): (int(action),) for action in legal if action in cells}
    facts = {
        "rows": board.shape[0],
        "columns": board.shape[1],
        "pieces": board.ravel().tolist(),
        "names": [cell_name(*divmod(cell, board.shape[1])) for cell in cells],
        "last": [str(cell) for cell in last],
        "line": [str(cell) for cell in line],
        "style": style,
    }
    if colours := colours or STONES.get(style, ()):
        facts["colours"] = list(colours)
    if closed:
        facts["closed"] = {str(cell): rule for cell, rule in closed.items()}
    return Scene(SQUARES, facts, _spots({**own, **(clicks or {})}), _spots(marks or {}))


def hexagons(
    pieces: npt.ArrayLike,
    legal: Iterable[int] = (),
    *,
    sides: tuple[int, int] = (0, 1),
    last: Collection[int] = (),
    line: Collection[int] = (),
) -> Scene:
    """Return a diamond of hexagons: cell (row, column) touches (0, +-1), (+-1, 0), (-+1, +-1).

    `pieces` is [size, size]; the other arguments are those of `squares`. `sides` has the player of
    the first and last row, and the player of the first and last column.
    """
    scene = squares(pieces, legal, last=last, line=line)
    facts = {name: fact for name, fact in scene.facts.items() if name != "style"}
    facts["sides"] = {"rows": sides[0], "columns": sides[1]}
    return Scene(HEXAGONS, facts, scene.clicks)


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


def text(drawing: str) -> Scene:
    """Return a scene that shows the game's drawing as text."""
    return Scene(TEXT, {"text": drawing})


def write_line(scene: Scene) -> str:
    """Return any board in one line: rows without coordinates, separated by "/"."""
    if scene.family == TEXT:
        return " / ".join(line.strip() for line in scene.facts["text"].splitlines())
    if scene.family == ROW:
        return " / ".join(
            f"{row['label']} {_joined([_sign(cell['piece']) for cell in row['cells']]) or '-'}"
            for row in scene.facts["rows"]
        )
    if scene.family not in (SQUARES, HEXAGONS):
        return ""
    columns, cells = scene.facts["columns"], [_sign(piece) for piece in scene.facts["pieces"]]
    return "/".join(
        _joined(cells[first : first + columns]) for first in range(0, len(cells), columns)
    )


_NAMED = ("stone", "copper", "gold")  # pieces that the page draws
_SIGNS = {
    "": ".",
    **{f"p{player}": sign for player, sign in enumerate("XO*#")},
    **{name: name[0] for name in _NAMED},
}


def write(scene: Scene) -> str:
    """Return a board of squares, hexagons or rows as plain text, for games without a drawing.

    A player's stone is an X, an O and so on, a named piece its first letter, a card or tile its
    text. Each row of hexagons begins half a cell further right.

    Raises:
        NotImplementedError: the board is of another family.
    """
    if scene.family == ROW:
        lines = {
            row["label"]: [cell["piece"] for cell in row["cells"]] for row in scene.facts["rows"]
        }
        margin = max(map(len, lines), default=0)
        return "\n".join(
            f"{label:>{margin}} {' '.join(map(_sign, cells)) or '-'}"
            for label, cells in lines.items()
        )
    if scene.family not in (SQUARES, HEXAGONS):
        raise NotImplementedError(f"a game that shows {scene.family} draws its own text")
    columns, cells = scene.facts["columns"], [_sign(piece) for piece in scene.facts["pieces"]]
    lines_of_cells = [[column_name(column) for column in range(columns)]]
    lines_of_cells += [cells[first : first + columns] for first in range(0, len(cells), columns)]
    margin, lean = len(str(scene.facts["rows"])), " " * (scene.family == HEXAGONS)
    width = max(map(len, cells), default=1)
    return "\n".join(
        f"{lean * (row - 1)}{row or '':>{margin}} {' '.join(cell.rjust(width) for cell in line)}"
        for row, line in enumerate(lines_of_cells)
    )


def _sign(piece: str) -> str:
    return _SIGNS.get(piece, piece)


def _joined(signs: Sequence[str]) -> str:
    """Join signs of one character without spaces, and longer ones with spaces."""
    return (" " if any(len(sign) > 1 for sign in signs) else "").join(signs)


def _texts(pieces: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return the pieces of a board as texts [rows, columns]."""
    board = np.asarray(pieces)
    if board.dtype.kind not in "iu":
        return board.astype(np.str_)
    texts = ["" if owner < 0 else f"p{owner}" for owner in board.ravel().tolist()]
    return np.array(texts).reshape(board.shape)


def _spots(cells: Mapping[int, Sequence[int]]) -> dict[int, tuple[str, ...]]:
    """Return the spots of each action's cells."""
    return {action: tuple(str(cell) for cell in path) for action, path in cells.items()}


def _tuples(spots: Mapping[int, Sequence[str]]) -> dict[int, tuple[str, ...]]:
    return {action: tuple(path) for action, path in spots.items()}
