"""Scenes as SVG pictures, for notebooks and files; the browser's boards can be clicked.

Boards are drawn in the colours of the page. A scene of another family is text.
"""

import html
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from meeple.games.boards.scene import FELT, ISLAND, LINES, ROW, Scene
from meeple.games.boards.shape import BOARDS, HEXAGONS, PITS, POINTS
from meeple.tables import html_table

UNIT = 36.0  # pixels of a cell
MARGIN = 28.0  # pixels around the cells, for their names
PLAYERS = ("#c2410c", "#0b63b0", "#0f7f65", "#a87a00")
STONES = {"black": "#202226", "white": "#fbfaf6"}
GROUNDS = {FELT: ("#2f7d5b", "#21593f"), LINES: ("#e9d3a6", "#6e5733")}
"""The colours of board and lines by style."""
PLAIN = ("#f4f1ea", "#a9a59b")
MARK = "#1b2126"  # of lines and walls
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


def drawing_of(scene: Scene, text: str) -> str:
    """Return a scene as HTML: an SVG picture, or `text` for a family without one."""
    draw = _PICTURES.get(scene.family)
    return f"<pre>{html.escape(text)}</pre>" if draw is None else draw(scene)


def _board(scene: Scene) -> str:
    """Return a board of cells: their outlines, sides, names, pieces and marks."""
    facts = scene.facts
    style, places = facts.get("style", ""), {n: at for n, at in enumerate(facts["places"]) if at}
    labels = [(x, y) for _, x, y, _ in facts["labels"]]
    reach = [(x + dx, y + dy) for x, y in places.values() for dx, dy in ((-0.7, -0.7), (0.7, 0.7))]
    xs, ys = zip(*reach, *((x + d, y + d) for x, y in labels for d in (-0.4, 0.4)), strict=True)
    left, top = min(xs), min(ys)

    def at(place: Sequence[float]) -> Point:
        return (place[0] - left) * UNIT, (place[1] - top) * UNIT

    middles = {cell: at(place) for cell, place in places.items()}
    ground, line = GROUNDS.get(style, PLAIN)
    outline = {HEXAGONS: _hexagon_cell, POINTS: _point, PITS: _pit}.get(scene.family, _square)
    border = ground if style == LINES else line
    tall = facts.get("tall", ())
    parts = [outline(at, ground, border, cell in tall) for cell, at in middles.items()]
    near = facts.get("joined", ()) if style != LINES else _beside(places)
    joined = [
        _line(middles[a], middles[b], line, 2 if scene.family == POINTS else 1) for a, b in near
    ]
    parts = parts + joined if style == LINES else joined + parts
    for edge in facts.get("edges", ()):
        colour, wide = (PLAYERS[edge["player"]], 6) if "player" in edge else (MARK, 4)
        parts.append(_path(map(at, edge["points"]), colour, wide))
    parts += [_text(at((x, y)), text) for text, x, y, _ in facts["labels"]]
    own = tuple(STONES[colour] for colour in facts.get("colours", ()))
    colours = own + PLAYERS[len(own) :]
    looks = facts.get("looks", {})
    for cell, piece in enumerate(facts["pieces"]):
        if piece:
            parts += _piece(
                piece, middles[cell], UNIT, colours, looks.get(piece), scene.family == PITS
            )
    dot, stroke = ("#e2452f",) * 2 if own else ("#ffffff", MARK)
    for spot in map(int, facts["last"]):
        if scene.family == PITS or facts["pieces"][spot] in looks:
            parts.append(_circle(middles[spot], 0.36 * UNIT, "none", MARK))
        else:
            parts.append(_circle(middles[spot], 0.1 * UNIT, dot if facts["pieces"][spot] else MARK))
    if len(facts["line"]) > 1:
        parts.append(_path([middles[int(spot)] for spot in facts["line"]], stroke, 3))
    return _picture((max(xs) - left) * UNIT, (max(ys) - top) * UNIT, parts)


def _beside(places: Mapping[int, Sequence[float]]) -> list[tuple[int, int]]:
    """Return the pairs of squares side by side."""
    numbers = {(x, y): cell for cell, (x, y) in places.items()}
    right = [(cell, numbers.get((x + 1, y))) for cell, (x, y) in places.items()]
    below = [(cell, numbers.get((x, y + 1))) for cell, (x, y) in places.items()]
    return [(cell, other) for cell, other in right + below if other is not None]


def _square(at: Point, fill: str, stroke: str, _tall: bool) -> str:
    return _box(at[0] - UNIT / 2, at[1] - UNIT / 2, UNIT, UNIT, fill, stroke)


def _hexagon_cell(at: Point, fill: str, stroke: str, _tall: bool) -> str:
    return _hexagon(at, UNIT / math.sqrt(3), fill, stroke)


def _point(at: Point, _fill: str, stroke: str, _tall: bool) -> str:
    return _circle(at, 0.12 * UNIT, stroke)


def _pit(at: Point, fill: str, stroke: str, tall: bool) -> str:
    half = (0.9 if tall else 0.42) * UNIT
    corners = f'rx="{0.42 * UNIT:.1f}" fill="{fill}" stroke="{stroke}"'
    place = f'x="{at[0] - 0.42 * UNIT:.1f}" y="{at[1] - half:.1f}" width="{0.84 * UNIT:.1f}"'
    return f'<rect {place} height="{2 * half:.1f}" {corners}/>'


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
        _circle(places[spot], 0.1 * UNIT, MARK) for spot in scene.facts["last"] if spot in places
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


def _piece(
    piece: str,
    at: Point,
    unit: float,
    colours: tuple[str, ...],
    look: Mapping[str, Any] | None = None,
    bare: bool = False,
) -> list[str]:
    """Return a stone, coin or `look` as a disc or picture, any other piece as a tile, or `bare`."""
    if look and "picture" in look:
        side = 0.86 * unit
        place = f'x="{at[0] - side / 2:.1f}" y="{at[1] - side / 2:.1f}" width="{side:.1f}"'
        return [f'<image {place} height="{side:.1f}" href="{html.escape(look["picture"])}"/>']
    player = int(piece[1:]) if piece[:1] == "p" and piece[1:].isdigit() else None
    colour = COINS.get(piece, "")
    if look:
        player, colour = look["player"], look.get("colour", PLAIN[1])
    if player is not None and not (look and "colour" in look):
        colour = colours[player % len(colours)]
    if colour:
        ink = look and look.get("ink", "#ffffff")
        letters = [_text(at, look["letter"], ink)] if look and ink else []
        return [_circle(at, 0.4 * unit, colour, "#00000059"), *letters]
    if bare:
        return [_text(at, piece, MARK)]
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


_PICTURES = {**dict.fromkeys(BOARDS, _board), ROW: _rows, ISLAND: _island}
"""The picture of each family."""
