"""The board of a position as a layout, for records, and whether an option lays such boards."""

import json
from typing import Any

from meeple.errors import OptionError
from meeple.games.catan.rules.layout import BEGINNER, NUMBERS, Layout, layout_text, parse_layout
from meeple.games.catan.rules.state import DESERT
from meeple.games.catan.rules.topology import NONE, TOPOLOGY
from meeple.games.catan.words.drawing import ports

RED = (6, 8)  # the numbers that a balanced board keeps apart


def layout_of(s: Any) -> dict[str, Any]:
    """The board of a state record as `parse_layout` reads it, but as data."""
    at_coast = ports(s)
    layout = Layout(
        tuple(s.tile_resource.tolist()),
        tuple(s.tile_number.tolist()),
        tuple(at_coast),
        tuple(at_coast.values()),
    )
    data: dict[str, Any] = json.loads(layout_text(layout))
    return data


def check_laid(board: str, text: str) -> None:
    """Raise OptionError unless the option `board` may lay the layout that a JSON text says."""
    layout = parse_layout(text)
    if board in ("random", "balanced"):
        laid = set(layout.port_edges) == set(BEGINNER.port_edges) and (
            _in_a_spiral(layout) if board == "random" else not _red_neighbours(layout)
        )
    else:
        laid = _sorted(layout) == _sorted(BEGINNER if board == "beginner" else parse_layout(board))
    if not laid:
        name = f"board={board}" if len(board) < 10 else "its option board"
        raise OptionError(f"the board is not one that {name} lays")


def _in_a_spiral(layout: Layout) -> bool:
    """Whether the numbers lie in the rule book's order."""
    tokens = iter(NUMBERS.tolist())
    return all(
        layout.numbers[tile] == (0 if layout.tiles[tile] == DESERT else next(tokens))
        for tile in TOPOLOGY.spiral.tolist()
    )


def _red_neighbours(layout: Layout) -> bool:
    """Whether two of the numbers 6 and 8 are next to each other."""
    return any(
        layout.numbers[tile] in RED and other != NONE and layout.numbers[other] in RED
        for tile, others in enumerate(TOPOLOGY.tile_tiles.tolist())
        for other in others
    )


def _sorted(layout: Layout) -> tuple[Any, ...]:
    """A layout with its ports in the order of their edges."""
    at_coast = sorted(zip(layout.port_edges, layout.ports, strict=True))
    return layout.tiles, layout.numbers, at_coast
