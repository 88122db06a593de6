"""Scenes as SVG pictures, for notebooks and files; the browser's boards can be clicked.

Boards are drawn in the colours of the page. A scene of another family is text.
"""

import html
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from meeple.games.boards.scene import FELT, HEXAGONS, ISLAND, LINES, ROW, SQUARES, Scene
from meeple.tables import html_table

UNIT = 36.0  # pixels of a cell
MARGIN = 28.0  # pixels around the cells, for their names
PLAYERS = ("#c2410c", "#0b63b0", "#0f7f65", "#a87a00")
STONES = {"black": "#202226", "white": "#fbfaf6"}
GROUNDS = {FELT: ("#2f7d5b", "#21593f"), LINES: ("#e9d3a6", "#6e5733")}
"""The colours of board and lines by style."""
PLAIN = ("#f4f1ea", "#a9a59b")
COINS = {"stone": "#7c8794", "copper": "#b8693a", "gold": "#e6b422"}
SEA, SHORE, PIER, TOKEN = "#d7e8f1", "#f1e6c6", "#8a7350", "#fdfbf4"
LANDS = {
    "wood": "#6da263",
    "brick": "#d08a63",
    "wool": "#b5d68a",
    "grain": "#efcf67",
    "ore": "#a3adba",
    "desert": "#e6d9b4",
}
"""The colour of each resource of an island."""
SIDE = 44.0  # pixels of a tile of an island

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
    for column, letters in enumerate(_letters(scene)):
        parts.append(_text((middle(column)[0], MARGIN / 2), letters))
    own = tuple(STONES[colour] for colour in scene.facts.get("colours", ()))
    parts += _pieces(scene, middle, UNIT, own + PLAYERS[len(own) :])
    return _picture(wide + 2 * MARGIN, high + 2 * MARGIN, parts)


def _letters(scene: Scene) -> list[str]:
    """Return the name of each column."""
    return [name.rstrip("0123456789") for name in scene.facts["names"][: scene.facts["columns"]]]


def _pieces(scene: Scene, middle: Places, size: float, colours: tuple[str, ...]) -> list[str]:
    """Return the pieces of a board, and the marks on its cells."""
    pieces = enumerate(scene.facts["pieces"])
    parts = [_piece(piece, middle(cell), size, colours) for cell, piece in pieces if piece]
    return [*itertools.chain.from_iterable(parts), *_marks(scene, middle)]


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
    cells = np.arange(rows * columns).reshape(rows, columns)
    sides = (
        ("rows", cells[0], (-150, -90)),
        ("rows", cells[-1], (150, 90)),
        ("columns", cells[:, 0], (-150, 150)),
        ("columns", cells[:, -1], (-30, 30)),
    )
    for name, along, corners in sides:
        points = [corner(cell, degrees) for cell in along.tolist() for degrees in corners]
        parts.append(_path(points, PLAYERS[scene.facts["sides"][name]], 6))
    for row in range(rows):
        x, y = middle(row * columns)
        parts.append(_text((x - UNIT, y), str(row + 1)))
    for column, letters in enumerate(_letters(scene)):
        parts.append(_text((middle(column)[0] - UNIT / 2, top - 1.4 * side), letters))
    parts += _pieces(scene, middle, 0.94 * UNIT, PLAYERS)
    wide, high = middle(rows * columns - 1)
    return _picture(wide + UNIT / 2 + MARGIN, high + side + MARGIN, parts)


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


def _island(scene: Scene) -> str:
    """Return an island: sea, tiles with their numbers, ports, roads, buildings and the robber."""
    facts = scene.facts
    units = (math.sqrt(3) / 2 * SIDE, SIDE / 2)
    reach = max(abs(tile["at"][0]) for tile in facts["tiles"]) * units[0] + 2.2 * SIDE
    height = max(abs(tile["at"][1]) for tile in facts["tiles"]) * units[1] + 2.2 * SIDE

    def at(place: tuple[float, float]) -> Point:
        return reach + place[0] * units[0], height + place[1] * units[1]

    corners = [at(vertex["at"]) for vertex in facts["vertices"]]
    parts = [_box(0, 0, 2 * reach, 2 * height, SEA, "none")]
    parts += [_hexagon(at(tile["at"]), 1.14 * SIDE, SHORE, "none") for tile in facts["tiles"]]
    for port in facts["ports"]:
        parts += _port(port, facts, corners, at)
    for tile in facts["tiles"]:
        parts += _tile(at(tile["at"]), tile)
    for road in facts["roads"]:
        start, end = (corners[vertex] for vertex in facts["edges"][road["edge"]])
        ends = [_between(start, end, 0.16), _between(start, end, 0.84)]
        parts += [_path(ends, "#ffffff", 10), _path(ends, PLAYERS[road["seat"]], 7)]
    for piece in facts["buildings"]:
        parts.append(_building(corners[piece["vertex"]], piece["kind"], PLAYERS[piece["seat"]]))
    if facts["robber"] is not None:
        x, y = at(facts["tiles"][facts["robber"]]["at"])
        parts.append(_circle((x + 0.6 * SIDE, y), 0.18 * SIDE, "#22262b", "#ffffff"))
    return _picture(2 * reach, 2 * height, parts) + _players(facts)


def _players(facts: Mapping[str, Any]) -> str:
    """Return what everybody may know of the players as a table, for below the island."""
    heads = ("player", "points", "cards", "development cards", "knights", "longest road")
    rows = [
        (
            player["name"],
            str(player["points"]),
            str(player["hand_size"]),
            str(player["card_count"]),
            f"{player['knights']}{', largest army' * player['largest_army']}",
            f"{player['road']}{', longest' * player['longest_road']}",
        )
        for player in facts["players"]
    ]
    return html_table(heads, rows, facts["words"])


def _tile(at: Point, tile: dict[str, Any]) -> list[str]:
    """Return a tile with its resource and number; 6 and 8 are red, with a dot for each of 36."""
    x, y = at
    number = tile["number"]
    parts = [_hexagon(at, SIDE - 1, LANDS[tile["resource"]], SHORE)]
    parts.append(_text((x, y - 0.52 * SIDE), tile["resource"], "#22301f"))
    if number:
        ways = 6 - abs(7 - number)
        colour = "#b3261e" if number in (6, 8) else "#22301f"
        parts.append(_circle((x, y + 0.08 * SIDE), 0.34 * SIDE, TOKEN, "#00000033"))
        parts.append(_text((x, y + 0.02 * SIDE), str(number), colour))
        parts += [
            _circle((x + 4 * (dot - (ways - 1) / 2), y + 0.27 * SIDE), 1.4, colour)
            for dot in range(ways)
        ]
    return parts


def _port(
    port: dict[str, Any],
    facts: Mapping[str, Any],
    corners: list[Point],
    at: Callable[[tuple[float, float]], Point],
) -> list[str]:
    """Return a port beside its side of the coast, joined to both corners."""
    first, second = facts["edges"][port["edge"]]
    (tile,) = set(facts["vertices"][first]["tiles"]) & set(facts["vertices"][second]["tiles"])
    middle = _between(corners[first], corners[second], 0.5)
    place = _between(at(facts["tiles"][tile]["at"]), middle, 1.8)
    parts = [_path([corners[first], place, corners[second]], PIER, 2)]
    parts.append(_circle(place, 0.42 * SIDE, TOKEN, PIER))
    if port["kind"] == "any":
        return [*parts, _text(place, f"{port['rate']}:1", "#22301f")]
    x, y = place
    return [
        *parts,
        _text((x, y - 6), port["kind"], "#22301f"),
        _text((x, y + 7), f"{port['rate']}:1", "#22301f"),
    ]


_HOUSE = ((-8, 9), (-8, -2), (0, -10), (8, -2), (8, 9))
_CITY = ((-13, 10), (-13, -7), (-7, -14), (0, -7), (0, -2), (13, -2), (13, 10))


def _building(at: Point, kind: str, colour: str) -> str:
    shape = _CITY if kind == "city" else _HOUSE
    return _polygon([(at[0] + x, at[1] + y) for x, y in shape], colour, "#ffffff")


def _marks(scene: Scene, middle: Places) -> list[str]:
    """Return the dots of the last move, and the stroke through the winning line."""
    dot, stroke = ("#e2452f",) * 2 if scene.facts.get("colours") else ("#ffffff", "#1b2126")
    marks = [_circle(middle(int(spot)), 0.12 * UNIT, dot) for spot in scene.facts["last"]]
    points = [middle(int(spot)) for spot in scene.facts["line"]]
    return [*marks, *([_path(points, stroke, 3)] if len(points) > 1 else [])]


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


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


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


def _hexagon(middle: Point, side: float, fill: str, stroke: str) -> str:
    return _polygon([_toward(middle, turn, side) for turn in range(-90, 270, 60)], fill, stroke)


def _line(start: Point, end: Point, colour: str, width: float) -> str:
    return _path([start, end], colour, width)


def _path(points: Iterable[Point], colour: str, width: float) -> str:
    style = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
    return f'<polyline points="{_listed(points)}" {style}/>'


def _text(at: Point, text: str, colour: str = "#5b6670") -> str:
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}"'
    return f'<text {place} fill="{colour}">{html.escape(text)}</text>'


_PICTURES = {SQUARES: _squares, HEXAGONS: _hexagons, ROW: _rows, ISLAND: _island}
"""The picture of each family."""
