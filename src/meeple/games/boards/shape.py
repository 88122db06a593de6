"""Shapes of boards: where the cells are, and all that follows from it.

Drawings on the page, in the terminal and as SVG, names at the edges, neighbours, straight rows,
outlines and symmetries derive from the places of a shape's cells.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.boards.grid import cell_name

SQUARES, HEXAGONS, POINTS, PITS = "squares", "hexagons", "points", "pits"
BOARDS = (SQUARES, HEXAGONS, POINTS, PITS)  # families of boards that have a shape
SIDES = ("left", "bottom", "top", "right")  # in this order a side has names if none is taken
LABEL_REACH = {POINTS: 0.6}  # from a cell at the edge to the name beside it, if it is not 1
_NEAR = 1e-6  # distance of two places that are the same
_HIGH = math.sqrt(3) / 2  # from a row of hexagons to the next

Point = tuple[float, float]


class Label(NamedTuple):
    """A name beside the cells at an edge of the board."""

    text: str
    x: float
    y: float
    side: str  # of SIDES


@dataclass(frozen=True, eq=False)
class Shape:
    """The cells of a board in the plane; hashable by identity, as each function returns one object.

    Attributes:
        family: SQUARES, HEXAGONS, POINTS or PITS.
        places: (x, y) of each cell, to the right and downwards, where cells that touch are 1 apart;
            `None` for a number that is no cell.
        names: the name of each number.
        columns: of the box by which cells are numbered, `row * columns + column`; the number of all
            cells if they are numbered in a line.
        joined: pairs of points with a line between them.
        tall: the pits that are as high as two.
    """

    family: str
    places: tuple[Point | None, ...]
    names: tuple[str, ...]
    columns: int
    joined: tuple[tuple[int, int], ...] = ()
    tall: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        known = set(map(_rounded, self.at.values()))
        if not known:
            raise UsageError("a board has at least one cell")
        if len(known) != len(self.cells) or len(set(self.names)) != len(self.places):
            raise UsageError("two cells of a board have the same place, or the same name")
        ends = {end for line in self.joined for end in line}
        if not ends <= set(self.cells):
            raise UsageError(f"lines of a board join points that it lacks: {sorted(ends)[:5]}")

    @property
    def size(self) -> int:
        """How many numbers there are: of cells, and of holes in the box."""
        return len(self.places)

    @property
    def rows(self) -> int:
        """The rows of the box by which cells are numbered."""
        return self.size // self.columns

    @property
    def has_sides(self) -> bool:
        """Whether cells have sides, so that the board has an outline."""
        return self.family in (SQUARES, HEXAGONS)

    @cached_property
    def at(self) -> Mapping[int, Point]:
        """The place of each cell."""
        return {cell: place for cell, place in enumerate(self.places) if place is not None}

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The numbers that are cells."""
        return tuple(self.at)

    @cached_property
    def neighbours(self) -> npt.NDArray[np.int16]:
        """The cells beside each number, int16 [size, most]; -1 where there are no more.

        Cells that share a side, points that a line joins, pits side by side.
        """
        near: list[list[int]] = [[] for _ in self.places]
        for first, second in self.joined:
            near[first].append(second)
            near[second].append(first)
        if self.family != POINTS:
            for cell in self.cells:
                near[cell] = self._touching(cell, 1.0)
        table = np.full((self.size, max(1, *map(len, near))), -1, np.int16)
        for cell, others in enumerate(near):
            table[cell, : len(others)] = sorted(others)
        return table

    def rows_of(self, length: int) -> npt.NDArray[np.int16]:
        """Return all straight rows of cells that touch, int16 [rows, length].

        Squares touch at corners too; points lie in a row if lines join them.
        """
        found = []
        for cell in self.cells:
            for second in self.around[cell]:
                row = [cell, second]
                while len(row) < length and (after := self._straight(row)) is not None:
                    row.append(after)
                if len(row) == length and row[0] < row[-1]:
                    found.append(row)
        return np.array(found, np.int16).reshape(-1, length)

    def _touching(self, cell: int, distance: float) -> list[int]:
        at = self._centred
        return np.flatnonzero(np.abs(np.abs(at - at[cell]) - distance) < _NEAR).tolist()

    @cached_property
    def around(self) -> Mapping[int, list[int]]:
        """The neighbours of each cell, and of squares those at the corners, sorted."""
        found = {
            cell: [one for one in self.neighbours[cell].tolist() if one >= 0] for cell in self.at
        }
        if self.family == SQUARES:
            for cell, near in found.items():
                near += self._touching(cell, math.sqrt(2))
        return {cell: sorted(near) for cell, near in found.items()}

    def _straight(self, row: Sequence[int]) -> int | None:
        """Return the cell that continues a row, which has two cells or more."""
        at = self._centred
        turns = {
            one: (at[one] - at[row[-1]]) / (at[row[1]] - at[row[0]]) for one in self.around[row[-1]]
        }
        ahead = (one for one, turn in turns.items() if abs(turn.imag) < _NEAR < turn.real)
        return next(ahead, None)

    @cached_property
    def _centred(self) -> npt.NDArray[np.complex128]:
        """The places as complex numbers around the middle; infinite for a hole."""
        at = np.array([complex(*place) if place else math.inf for place in self.places])
        middle: npt.NDArray[np.complex128] = at - at[list(self.cells)].mean()
        return middle

    @cached_property
    def images(self) -> tuple[npt.NDArray[np.intp], ...]:
        """The turned and mirrored boards that look the same, without the board itself.

        Each is an array [size] of the cell that every cell of the image shows; holes stay.
        """
        cells, lines = np.array(self.cells), set(map(frozenset, self.joined))
        at = self._centred[cells]
        far = int(np.argmax(np.abs(at) - 1e-9 * np.arange(len(at))))
        found = []
        for mirrored in (False, True):
            seen = 1j * at.conj() if mirrored else at
            ends = at[np.abs(np.abs(at) - np.abs(at[far])) < _NEAR]
            turns = ends / seen[far] if np.abs(at[far]) > _NEAR else np.ones(1)
            signed = turns.conj() if mirrored else turns
            order = np.argsort(np.round(np.angle(signed * np.exp(1e-9j)) % math.tau, 6))
            for turn in turns[order]:
                apart = np.abs(seen[:, None] * turn - at[None, :])
                image = np.arange(self.size)
                image[cells] = cells[apart.argmin(1)]
                same = {frozenset(image[list(line)].tolist()) for line in lines} == lines
                if (
                    apart.min(1).max() < _NEAR
                    and same
                    and set(image[list(self.tall)]) == {*self.tall}
                ):
                    found.append(image)
        return tuple(found[1:])

    # ------------------------------------------------------------ what drawings need

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The names beside the cells: of rows and columns, or of each point or pit."""
        if self.family == PITS:
            return tuple(
                Label(self.names[cell], x, 2.5 * y - 0.75, "bottom" if y else "top")
                for cell, (x, y) in self.at.items()
                if cell not in self.tall
            )
        if self.family == POINTS and not _whole(self.at.values()):
            at = self.at.items()
            return tuple(Label(self.names[n], x + 0.45, y + 0.45, "right") for n, (x, y) in at)
        found: list[Label] = []
        taken = {_rounded(place) for place in self.at.values()}
        for side in SIDES:
            labels = list(self._names_at(side))
            places = {_rounded((label.x, label.y)) for label in labels}
            if not places & taken:
                taken |= places
                found += labels
        return tuple(found)

    def _names_at(self, side: str) -> Iterable[Label]:
        """Yield the names of the rows or columns at a side; of squares in a line."""
        upright, six = side in ("top", "bottom"), self.family == HEXAGONS
        right, down = _OUTWARDS[six][side]
        ends = {cell: self.at[cell] for cell in self.ends(side)}
        edge = (max if right + down > 0 else min)(place[upright] for place in ends.values())
        for cell, (x, y) in ends.items():
            letters, number = _split(self.names[cell])
            if not six:
                x, y = (x, edge) if upright else (edge, y)
            out = LABEL_REACH.get(self.family, 1.0)
            yield Label(letters if upright else number, x + out * right, y + out * down, side)

    def ends(self, side: str) -> list[int]:
        """Return the cell of each row or column that is nearest to a side, in order."""
        upright, lines = side in ("top", "bottom"), dict[float, int]()
        six = self.family == HEXAGONS
        box: dict[int, tuple[float, float]] = {
            cell: divmod(cell, self.columns) if six else (y, x) for cell, (x, y) in self.at.items()
        }
        nearest_last = sorted(
            self.cells, key=lambda cell: box[cell][1 - upright], reverse=side in ("top", "left")
        )
        for cell in nearest_last:
            lines[box[cell][upright]] = cell
        return [lines[line] for line in sorted(lines)]

    def edge(self, side: str) -> list[Point]:
        """Return the outline of a side from corner to corner; two sides of hexagons share an end.

        Raises:
            UsageError: there is no such side, or the cells have no outline.
        """
        if side not in SIDES or not self.has_sides:
            raise UsageError(
                f"a side is one of {', '.join(SIDES)}, of squares or hexagons: {side!r:.40}"
            )
        six = self.family == HEXAGONS
        points = [
            self.corner(cell, angle) for cell in self.ends(side) for angle in _CORNERS[six][side]
        ]
        if six and side in ("top", "left"):
            points.append(
                self._half(points[-1], self.ends(side)[-1], {"top": -30, "left": 90}[side])
            )
        if six and side in ("bottom", "right"):
            points.insert(
                0, self._half(points[0], self.ends(side)[0], {"bottom": 150, "right": -90}[side])
            )
        return points

    def corner(self, cell: int, angle: float) -> Point:
        """Return the corner of a cell in a direction, in degrees from the right, downwards."""
        reach, turn = (
            (1 / (2 * _HIGH) if self.family == HEXAGONS else math.sqrt(0.5)),
            math.radians(angle),
        )
        x, y = self.at[cell]
        return x + reach * math.cos(turn), y + reach * math.sin(turn)

    def _half(self, end: Point, cell: int, angle: float) -> Point:
        x, y = self.corner(cell, angle)
        return (end[0] + x) / 2, (end[1] + y) / 2

    def wall(self, first: int, second: int) -> list[Point]:
        """Return both ends of the side that two neighbours share.

        Raises:
            UsageError: they share none.
        """
        if (
            not self.has_sides
            or not {first, second} <= set(self.cells)
            or second not in self.neighbours[first]
        ):
            raise UsageError(f"a wall is between neighbours, not {first} and {second}")
        (x, y), (right, bottom) = self.at[first], self.at[second]
        half = 0.5 / (2 * _HIGH) if self.family == HEXAGONS else 0.5
        middle, across = (
            ((x + right) / 2, (y + bottom) / 2),
            ((bottom - y) * half, (x - right) * half),
        )
        return [
            (middle[0] - across[0], middle[1] - across[1]),
            (middle[0] + across[0], middle[1] + across[1]),
        ]

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The shape as JSON data of a scene."""
        places = [place and list(_rounded(place)) for place in self.places]
        labels = [[text, *_rounded((x, y)), side] for text, x, y, side in self.labels]
        found = {"rows": self.rows, "columns": self.columns, "places": places, "labels": labels}
        more = {"joined": [list(line) for line in self.joined], "tall": list(self.tall)}
        return {
            **found,
            "names": list(self.names),
            **{name: fact for name, fact in more.items() if fact},
        }


def _whole(places: Iterable[Point]) -> bool:
    return all(number == int(number) and number >= 0 for place in places for number in place)


def _rounded(place: Point) -> Point:
    return round(place[0], 4), round(place[1], 4)


def _split(name: str) -> tuple[str, str]:
    """Return the letters and the number of a cell's name."""
    letters = name.rstrip("0123456789")
    return letters, name[len(letters) :]


_OUTWARDS: tuple[Mapping[str, Point], ...] = (
    {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)},
    {"left": (-1, 0), "right": (1, 0), "top": (-0.5, -_HIGH), "bottom": (0.5, _HIGH)},
)
"""From a cell at each side to the name beside it, without and with hexagons."""
_CORNERS: tuple[Mapping[str, Point], ...] = (
    {"left": (-135, 135), "right": (-45, 45), "top": (-135, -45), "bottom": (135, 45)},
    {"left": (210, 150), "right": (-30, 30), "top": (210, 270), "bottom": (90, 30)},
)
"""The corners of a cell along each side, in degrees, without and with hexagons."""


def _boxed(family: str, rows: int, columns: int, has: Callable[[int, int], bool]) -> Shape:
    lean, high = (0.5, _HIGH) if family == HEXAGONS else (0.0, 1.0)
    numbers = [divmod(cell, columns) for cell in range(rows * columns)]
    places = [(c + lean * r, high * r) if has(r, c) else None for r, c in numbers]
    return Shape(family, tuple(places), tuple(cell_name(r, c) for r, c in numbers), columns)


@cache
def grid(rows: int, columns: int, holes: Collection[int] = ()) -> Shape:
    """Return squares: cell `row * columns + column`, without `holes`, a tuple or frozenset."""
    return _boxed(SQUARES, rows, columns, lambda r, c: r * columns + c not in holes)


@cache
def diamond(rows: int, columns: int, holes: Collection[int] = ()) -> Shape:
    """Return hexagons in a diamond: cell (row, column) touches (0, +-1), (+-1, 0), (-+1, +-1).

    With `holes`, a tuple or frozenset, this is any set of hexagons.
    """
    return _boxed(HEXAGONS, rows, columns, lambda r, c: r * columns + c not in holes)


@cache
def hexhex(side: int) -> Shape:
    """Return hexagons in a hexagon, the middle of a `diamond` of `2 * side - 1` rows."""
    around = 2 * side - 1
    return _boxed(HEXAGONS, around, around, lambda r, c: side - 1 <= r + c <= 3 * (side - 1))


@cache
def triangle(side: int) -> Shape:
    """Return hexagons in a triangle on its base, half of a `diamond` of `side` rows."""
    return _boxed(HEXAGONS, side, side, lambda r, c: r + c >= side - 1)


def points(
    places: Sequence[Point], lines: Iterable[Sequence[int]], names: Sequence[str] = ()
) -> Shape:
    """Return points with lines between them.

    Args:
        places: (x, y) of each point, to the right and downwards.
        lines: points that a line joins one after the other.
        names: of the points; by default letter and number at whole places, else their numbers.
    """
    joined = {(min(pair), max(pair)) for line in lines for pair in itertools.pairwise(line)}
    whole, numbered = _whole(places), enumerate(places, 1)
    usual = [cell_name(int(y), int(x)) if whole else str(n) for n, (x, y) in numbered]
    at = tuple((float(x), float(y)) for x, y in places)
    return Shape(POINTS, at, tuple(names or usual), len(at), tuple(sorted(joined)))


@cache
def pits(columns: int, *, stores: bool = True) -> Shape:
    """Return two rows of pits, numbered in the order of sowing, counterclockwise.

    Pits 0 to `columns - 1`, a to f, are below, from left to right; then follow the store at the
    right, the pits above from right to left, A to F, and the store at the left, if there are any.
    """
    below = [(float(n), 1.0) for n in range(columns)]
    above = [(x, 0.0) for x, _ in reversed(below)]
    letters = [cell_name(0, n)[:-1] for n in range(columns)]
    names = [*letters, *(["store"] * stores), *map(str.upper, letters), *(["STORE"] * stores)]
    ends = ([(float(columns), 0.5)], [(-1.0, 0.5)]) if stores else ([], [])
    tall = (columns, 2 * columns + 1) if stores else ()
    places = (*below, *ends[0], *above, *ends[1])
    return Shape(PITS, places, tuple(names), len(places), tall=tall)
