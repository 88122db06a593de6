"""Boards: the rulebook's fixed board, shuffled boards, and explicit layouts as JSON."""

import json
from typing import Any, NamedTuple

import numpy as np

from meeple.errors import OptionError
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import PORTS, TILES, TOPOLOGY
from meeple.kernels import below, kernel

_SPIRAL = TOPOLOGY.spiral
_TILE_TILES = TOPOLOGY.tile_tiles

NUMBERS = np.array([5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11], dtype=np.int8)
"""The number tokens A to R, in the order in which the rulebook lays them along the spiral."""

TILE_COUNTS = (4, 3, 4, 4, 3, 1)  # tiles per resource; the last is the desert
_NUMBER_COUNTS = np.bincount(NUMBERS, minlength=13).tolist()  # tiles per number
PORT_COUNTS = (0, 4, 1, 1, 1, 1, 1)  # ports per kind, as in `vertex_port`


class Layout(NamedTuple):
    """A board: the tiles with their numbers, and the ports."""

    tiles: tuple[int, ...]  # [19] resource of each tile; DESERT for the desert
    numbers: tuple[int, ...]  # [19] number of each tile; 0 for the desert
    port_edges: tuple[int, ...]  # [9] coast edge of each port
    ports: tuple[int, ...]  # [9] kind of each port, as in `vertex_port`


def _parse_rows(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    letters = {"W": c.WOOD, "B": c.BRICK, "S": c.WOOL, "G": c.GRAIN, "O": c.ORE, "D": c.DESERT}
    words = text.split()
    return tuple(letters[w[0]] for w in words), tuple(int(w[1:] or 0) for w in words)


_BEGINNER = """
        O10 S2 W9
      G12 B6 S4 B10
     G9 W11 D W3 O8
      W8 O3 G4 S5
        B5 G6 S11
"""  # wood, brick, sheep's wool, grain, ore, desert

BEGINNER = Layout(
    *_parse_rows(_BEGINNER),
    tuple(TOPOLOGY.port_edges.tolist()),
    (
        c.ANY_PORT,
        2 + c.GRAIN,
        2 + c.ORE,
        c.ANY_PORT,
        2 + c.WOOL,
        c.ANY_PORT,
        c.ANY_PORT,
        2 + c.BRICK,
        2 + c.WOOD,
    ),
)
"""The rulebook's island for beginners; its ports are listed clockwise from the top left one."""


@kernel
def shuffle(values: Any, rng: Any) -> None:
    """Shuffle an array of N items in place; advances `rng` by N - 1 steps."""
    for index in range(len(values) - 1):
        other = index + below(rng, len(values) - index)
        value = values[index]
        values[index] = values[other]
        values[other] = value


@kernel
def lay_out(options: Any, rng: Any) -> None:
    """Shuffle the board in `options` in place if `options.board` says so; advances `rng`."""
    if options.board == c.SHUFFLED or options.board == c.BALANCED:
        shuffle(options.tile_resource, rng)
        shuffle(options.port, rng)
        lay_numbers(options)
    if options.board == c.BALANCED:
        while _has_red_neighbours(options):
            _shuffle_numbers(options, rng)


@kernel
def lay_numbers(options: Any) -> None:
    """Lay the number tokens along the spiral, skipping the desert."""
    token = 0
    for place in range(TILES):
        tile = _SPIRAL[place]
        if options.tile_resource[tile] == c.DESERT:
            options.tile_number[tile] = 0
        else:
            options.tile_number[tile] = NUMBERS[token]
            token += 1


@kernel
def _shuffle_numbers(options: Any, rng: Any) -> None:
    """Exchange number tokens at random; the desert keeps none."""
    for tile in range(TILES - 1):
        other = tile + below(rng, TILES - tile)
        if options.tile_number[tile] > 0 and options.tile_number[other] > 0:
            number = options.tile_number[tile]
            options.tile_number[tile] = options.tile_number[other]
            options.tile_number[other] = number


@kernel
def _has_red_neighbours(options: Any) -> bool:
    """Return whether two tiles with a 6 or an 8 are neighbours."""
    for tile in range(TILES):
        if options.tile_number[tile] == 6 or options.tile_number[tile] == 8:
            for side in range(6):
                other = _TILE_TILES[tile, side]
                if other > tile and (
                    options.tile_number[other] == 6 or options.tile_number[other] == 8
                ):
                    return True
    return False


# ---------------------------------------------------------------- explicit layouts


def parse_layout(text: str) -> Layout:
    """Read a layout from JSON: {"tiles": ["ore 10", ..., "desert"], "ports": {"0": "any", ...}}.

    The tiles are in reading order. A port is listed by its coast edge and trades a resource or
    "any".

    Raises:
        ValueError: the text does not begin a JSON object.
        OptionError: the text is malformed, or not a board of the game.
    """
    if not text.lstrip().startswith("{"):
        raise ValueError
    try:
        data = json.loads(text, object_pairs_hook=_refuse_duplicates)
    except json.JSONDecodeError as error:
        raise OptionError(f"this is no JSON, from character {error.pos + 1} on") from None
    except RecursionError:
        raise OptionError('a layout has "tiles" and "ports", and no lists in lists') from None
    if data.keys() != {"tiles", "ports"}:
        raise OptionError('a layout has "tiles" and "ports", and nothing else')
    tiles, numbers = _parse_tiles(data["tiles"])
    edges, ports = _parse_ports(data["ports"])
    return Layout(tiles, numbers, edges, ports)


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; raise OptionError if a name occurs twice."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f'"{name}" is there {names.count(name)} times')
    return dict(pairs)


def layout_text(layout: Layout) -> str:
    """Return a layout as JSON, in the format that `parse_layout` reads."""
    tiles = [
        "desert" if tile == c.DESERT else f"{c.RESOURCES[tile]} {number}"
        for tile, number in zip(layout.tiles, layout.numbers, strict=True)
    ]
    ports = {
        str(edge): "any" if port == c.ANY_PORT else c.RESOURCES[port - 2]
        for edge, port in zip(layout.port_edges, layout.ports, strict=True)
    }
    return json.dumps({"tiles": tiles, "ports": ports})


def _parse_tiles(words: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not isinstance(words, list) or len(words) != TILES:
        found = f", not {len(words)}" if isinstance(words, list) else ""
        raise OptionError(f"a layout lists {TILES} tiles in reading order{found}")
    tiles, numbers = zip(*map(_parse_tile, words), strict=True)
    for resource, count in enumerate(TILE_COUNTS):
        name = (*c.RESOURCES, "desert")[resource]
        _check_count(f"tiles of {name}", tiles.count(resource), count)
    for number in range(2, 13):
        count = _NUMBER_COUNTS[number]
        _check_count(f"tiles with the number {number}", numbers.count(number), count)
    return tiles, numbers


def _parse_tile(word: Any) -> tuple[int, int]:
    """Return the resource and the number of a tile such as "ore 10" or "desert"."""
    if word == "desert":
        return c.DESERT, 0
    name, _, number = str(word).partition(" ")
    if name not in c.RESOURCES or number not in map(str, range(2, 13)):
        raise OptionError(f"a tile is 'desert', or such as 'ore 10', not {word!r:.40}")
    return c.RESOURCES.index(name), int(number)


def _check_count(things: str, found: int, right: int) -> None:
    if found != right:
        raise OptionError(f"{things} must be {right}, not {found}")


def _parse_ports(entries: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not isinstance(entries, dict) or len(entries) != PORTS:
        found = f", not {len(entries)}" if isinstance(entries, dict) else ""
        raise OptionError(f"a layout has {PORTS} ports, each by its edge{found}")
    coast = {str(edge): edge for edge in sorted(TOPOLOGY.coast.tolist())}
    edges, ports = [], []
    taken: set[int] = set()
    for word, what in entries.items():
        if word not in coast:
            raise OptionError(f"edge {word!r:.40} is not on the coast: {', '.join(coast)}")
        ends = set(TOPOLOGY.edge_vertices[coast[word]].tolist())
        if ends & taken:
            raise OptionError(f"the port at edge {word} touches another port")
        taken |= ends
        if what not in ("any", *c.RESOURCES):
            names = ", ".join(c.RESOURCES)
            raise OptionError(f"a port trades any, {names}, not {what!r:.40}")
        edges.append(coast[word])
        ports.append(c.ANY_PORT if what == "any" else 2 + c.RESOURCES.index(what))
    for port, count in enumerate(PORT_COUNTS):
        if port:
            name = "any resource" if port == c.ANY_PORT else c.RESOURCES[port - 2]
            _check_count(f"ports of {name}", ports.count(port), count)
    return tuple(edges), tuple(ports)
