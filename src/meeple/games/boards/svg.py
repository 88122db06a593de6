"""Scenes as SVG pictures, for notebooks and files; the browser's boards can be clicked.

Boards of squares, hexagons and rows are drawn in the colours of the page. Others are text.
"""

import html
import math
from collections.abc import Callable, Iterable

from meeple.games.boards.scene import FELT, HEXAGONS, LINES, ROW, SQUARES, Scene

UNIT = 36.0  # pixels of a cell
MARGIN = 28.0  # pixels around the cells, for their names
PLAYERS = ("#c2410c", "#0b63b0", "#0f7f65", "#a87a00")
DISCS = ("#202226", "#fbfaf6")  # of the players on felt
GROUNDS = {FELT: ("#2f7d5b", "#21593f"), LINES: ("#e9d3a6", "#6e5733")}
"""The colours of board and lines by style."""
PLAIN = ("#f4f1ea", "#a9a59b")
COINS = {"stone": "#7c8794", "copper": "#b8693a", "gold": "#e6b422"}

Point = tuple[float, float]
Places = Callable[[int], Point]  # the middle of each cell


def drawing_of(scene: Scene, text: str) -> str:
    """Return a scene as HTML: an SVG picture, or `text` for a family without one."""
    draw = _PICTURES.get(scene.family)
    return f"<pre>{html.escape(text)}</pre>" if draw is None else draw(scene)


def _squares(scene: Scene) -> str:
    rows, columns, style = scene.facts["rows"], scene.facts["columns"], scene.facts["style"]
    ground, line = GROUNDS.get(style, PLAIN)
    inset = UNIT / 2 if style == LINES else 0.0
    wide, high = columns * UNIT, rows * UNIT

    def middle(cell: int) -> Point:
        row, column = divmod(cell, columns)
        return MARGIN + (column + 0.5) * UNIT, MARGIN + (row + 0.5) * UNIT

    parts = [_box(MARGIN, MARGIN, wide, high, ground, line)]
    for row in range(rows + (style != LINES)):
        y = MARGIN + inset + row * UNIT
        parts.append(_line((MARGIN + inset, y), (MARGIN + wide - inset, y), line, 1))
    for column in range(columns + (style != LINES)):
        x = MARGIN + inset + column * UNIT
        parts.append(_line((x, MARGIN + inset), (x, MARGIN + high - inset), line, 1))
    parts += [_text((MARGIN / 2, middle(row * columns)[1]), str(row + 1)) for row in range(rows)]
    for column in range(columns):
        letters = scene.facts["names"][column].rstrip("0123456789")
        parts.append(_text((middle(column)[0], MARGIN / 2), letters))
    for cell, piece in enumerate(scene.facts["pieces"]):
        if piece:
            parts += _piece(piece, middle(cell), UNIT, DISCS if style == FELT else PLAYERS)
    parts += _marks(scene, middle)
    return _picture(wide + 2 * MARGIN, high + 2 * MARGIN, parts)


def _hexagons(scene: Scene) -> str:
    rows, columns = scene.facts["rows"], scene.facts["columns"]
    side = UNIT / math.sqrt(3)
    left, top = MARGIN + UNIT / 2, MARGIN + side

    def middle(cell: int) -> Point:
        row, column = divmod(cell, columns)
        return left + (column + row / 2) * UNIT, top + row * 1.5 * side

    def corner(cell: int, degrees: float) -> Point:
        return _toward(middle(cell), degrees, side)

    ground, line = PLAIN
    parts = [
        _polygon([corner(cell, degrees) for degrees in range(-90, 270, 60)], ground, line)
        for cell in range(rows * columns)
    ]
    last = (rows - 1) * columns
    edges = {
        "rows": (
            [corner(column, degrees) for column in range(columns) for degrees in (-150, -90)],
            [corner(last + column, degrees) for column in range(columns) for degrees in (150, 90)],
        ),
        "columns": (
            [corner(row * columns, degrees) for row in range(rows) for degrees in (-150, 150)],
            [
                corner(row * columns + columns - 1, degrees)
                for row in range(rows)
                for degrees in (-30, 30)
            ],
        ),
    }
    for name, both in edges.items():
        colour = PLAYERS[scene.facts["sides"][name]]
        parts += [_path(points, colour, 6) for points in both]
    for row in range(rows):
        x, y = middle(row * columns)
        parts.append(_text((x - UNIT, y), str(row + 1)))
    for column in range(columns):
        letters = scene.facts["names"][column].rstrip("0123456789")
        parts.append(_text((middle(column)[0] - UNIT / 2, top - 1.4 * side), letters))
    for cell, piece in enumerate(scene.facts["pieces"]):
        if piece:
            parts += _piece(piece, middle(cell), 0.94 * UNIT, PLAYERS)
    parts += _marks(scene, middle)
    wide = middle(rows * columns - 1)[0] + UNIT / 2 + MARGIN
    return _picture(wide, middle(last)[1] + side + MARGIN, parts)


def _rows(scene: Scene) -> str:
    lines, parts, places = scene.facts["rows"], list[str](), dict[str, Point]()
    for number, row in enumerate(lines):
        y = 10 + (number + 0.5) * UNIT * 1.25
        parts.append(_text((MARGIN / 2, y), row["label"]))
        for at, cell in enumerate(row["cells"]):
            places[cell["spot"]] = x, _ = MARGIN + (at + 0.5) * UNIT, y
            if row["ledge"] or row["numbered"]:
                parts.append(_box(x - UNIT / 2, y - UNIT / 2, UNIT, UNIT, *PLAIN))
            if cell["piece"]:
                parts += _piece(cell["piece"], (x, y), UNIT, PLAYERS)
    parts += [
        _circle(places[spot], 0.1 * UNIT, "#1b2126")
        for spot in scene.facts["last"]
        if spot in places
    ]
    longest = max((max(row["room"], len(row["cells"])) for row in lines), default=1)
    return _picture(2 * MARGIN + longest * UNIT, 20 + len(lines) * UNIT * 1.25, parts)


def _marks(scene: Scene, middle: Places) -> list[str]:
    """Return the dots of the last move, and the stroke through the winning line."""
    colour = "#e2452f" if scene.facts.get("style") == FELT else "#ffffff"
    marks = [_circle(middle(int(spot)), 0.12 * UNIT, colour) for spot in scene.facts["last"]]
    points = [middle(int(spot)) for spot in scene.facts["line"]]
    return [*marks, *([_path(points, "#1b2126", 3)] if len(points) > 1 else [])]


def _piece(piece: str, at: Point, unit: float, colours: tuple[str, ...]) -> list[str]:
    """Return a stone or coin as a disc, any other piece as a tile with its text."""
    if piece[:1] == "p" and piece[1:].isdigit():
        return [_circle(at, 0.4 * unit, colours[int(piece[1:]) % len(colours)], "#00000059")]
    if piece in COINS:
        return [_circle(at, 0.4 * unit, COINS[piece], "#00000059")]
    side = 0.78 * unit
    tile = _box(at[0] - side / 2, at[1] - side / 2, side, side, "#ffffff", "#7f8990")
    return [tile, _text(at, piece)]


def _picture(wide: float, high: float, parts: Iterable[str]) -> str:
    inner = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="0 0 {wide:.1f} {high:.1f}" font-family="sans-serif" font-size="12" '
        f'text-anchor="middle" dominant-baseline="central">{inner}</svg>'
    )


def _toward(start: Point, degrees: float, length: float) -> Point:
    turn = math.radians(degrees)
    return start[0] + length * math.cos(turn), start[1] + length * math.sin(turn)


def _listed(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _box(x: float, y: float, wide: float, high: float, fill: str, stroke: str) -> str:
    size = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<rect {size} fill="{fill}" stroke="{stroke}"/>'


def _circle(at: Point, radius: float, fill: str, stroke: str = "none") -> str:
    place = f'cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}"'
    return f'<circle {place} fill="{fill}" stroke="{stroke}"/>'


def _polygon(points: Iterable[Point], fill: str, stroke: str) -> str:
    return f'<polygon points="{_listed(points)}" fill="{fill}" stroke="{stroke}"/>'


def _line(start: Point, end: Point, colour: str, width: float) -> str:
    return _path([start, end], colour, width)


def _path(points: Iterable[Point], colour: str, width: float) -> str:
    style = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
    return f'<polyline points="{_listed(points)}" {style}/>'


def _text(at: Point, text: str) -> str:
    return f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="#5b6670">{html.escape(text)}</text>'


_PICTURES = {SQUARES: _squares, HEXAGONS: _hexagons, ROW: _rows}
"""The picture of each family."""
