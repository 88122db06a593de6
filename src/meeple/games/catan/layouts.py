"""Convert the board of a position to a layout for records; check it against the option `board`."""

import json
from typing import Any

from meeple.errors import OptionError
from meeple.games.catan.rules.layout import BEGINNER, NUMBERS, Layout, layout_text, parse_layout
from meeple.games.catan.rules.state import DESERT
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.catan.words.drawing import ports

RED_NUMBERS = (6, 8)  # never on neighbouring tiles of a balanced board


def layout_of(s: Any) -> dict[str, Any]:
    """Return the board of a state as JSON data, in the format of `parse_layout`."""
    at_coast = ports(s)
    layout = Layout(
        tuple(s.tile_resource.tolist()),
        tuple(s.tile_number.tolist()),
        tuple(at_coast),
        tuple(at_coast.values()),
    )
    data: dict[str, Any] = json.loads(layout_text(layout))
    return data


def ensure_allowed(board: str, text: str) -> None:
    """Raise OptionError unless the option `board` may produce the layout in a JSON text."""
    layout = parse_layout(text)
    if board in ("random", "balanced"):
        allowed = set(layout.port_edges) == set(BEGINNER.port_edges) and (
            _in_a_spiral(layout) if board == "random" else not _red_neighbours(layout)
        )
    else:
        fixed = BEGINNER if board == "beginner" else parse_layout(board)
        allowed = _sorted(layout) == _sorted(fixed)
    if not allowed:
        name = f"board={board}" if len(board) < 10 else "its option board"
        raise OptionError(f"the board is not one that {name} lays")


def _in_a_spiral(layout: Layout) -> bool:
    """Return whether the numbers lie along the spiral in the rulebook's order."""
    tokens = iter(NUMBERS.tolist())
    return all(
        layout.numbers[tile] == (0 if layout.tiles[tile] == DESERT else next(tokens))
        for tile in TOPOLOGY.spiral.tolist()
    )


def _red_neighbours(layout: Layout) -> bool:
    """Return whether two tiles with a 6 or an 8 are neighbours."""
    red = {tile for tile, number in enumerate(layout.numbers) if number in RED_NUMBERS}
    return any(
        tile in red and other in red
        for tile, others in enumerate(TOPOLOGY.tile_tiles.tolist())
        for other in others
    )


def _sorted(layout: Layout) -> tuple[Any, ...]:
    """Return a layout in comparable form, with its ports in the order of their edges."""
    at_coast = sorted(zip(layout.port_edges, layout.ports, strict=True))
    return layout.tiles, layout.numbers, at_coast
