"""The texts of a game's plies, for a replay."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from meeple.arena.explorer import is_explorable
from meeple.games.contract.game import Position
from meeple.server.analysis.line import Line, valued
from meeple.server.play.table import Table
from meeple.server.play.views import about
from meeple.server.store import seat_words

Json = dict[str, Any]
Values = Sequence[tuple[float, ...] | None]


def replay_of(table: Table, position: Position, values: Values) -> Json:
    """Return a table's game ply by ply, with the moving agents' values.

    Args:
        table: the game.
        position: a copy of its position, which the call takes over.
        values: a copy of the values of its plies, taken at the same moment.
    """
    seats = [seat_words(asdict(seat)) for seat in table.seats]
    line = Line(position, seats, opening=table.agreed.opening)
    return {
        "id": table.id,
        **about(table.game),
        "family": table.game.scene(table.game.start(line.seed), None).family,
        "seats": seats,
        "players": [table.game.player_name(seat) for seat in range(table.game.players)],
        "explorable": is_explorable(table.game),
        "status": table.status,
        "result": table.result_text(),
        "origin": table.agreed.origin,
        "opening": table.agreed.opening,
        "notes": _notes(table.agreed.notes),
        "plies": _plies(line, values),
    }


def _plies(line: Line, values: Values) -> list[Json]:
    told = [{name: ply[name] for name in ("ply", "seat", "text")} for ply in line.told()]
    return valued(told, values)


def _notes(notes: Json) -> Json:
    """Return the notes of a record that are text."""
    said = {name: value for name, value in notes.items() if isinstance(value, str)}
    comments = notes.get("comments")
    if isinstance(comments, dict):
        texts = {place: text for place, text in comments.items() if isinstance(text, str)}
        return {**said, "comments": texts}
    return said
