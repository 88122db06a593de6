"""A table's game as JSON, for the page that replays it."""

from collections.abc import Sequence
from typing import Any

from meeple.arena.explorer import is_explorable
from meeple.games.contract.game import Position
from meeple.games.contract.replay import Replay
from meeple.games.contract.shown import scene_of
from meeple.server.play.history import Value
from meeple.server.play.stored import table_replay
from meeple.server.play.table import Table
from meeple.server.play.views import about, plies_view

Json = dict[str, Any]


def replay_of(table: Table, position: Position, values: Sequence[Value]) -> Json:
    """Return a table's game ply by ply, with the moving agents' values.

    Args:
        table: the game.
        position: a copy of its position, which the call takes over.
        values: a copy of the values of its plies, taken at the same moment.
    """
    replay = table_replay(table, position)
    return {
        "id": table.id,
        **about(table.game),
        "family": scene_of(table.game.start(replay.seed)).family,
        "seats": list(replay.seats),
        "players": table.game.seat_names,
        "explorable": is_explorable(table.game),
        "status": table.status,
        "result": table.result_text(),
        "origin": table.agreed.origin,
        "opening": table.agreed.opening,
        "notes": _notes(table.agreed.notes),
        "plies": _plies(replay, values),
    }


def _plies(replay: Replay, values: Sequence[Value]) -> list[Json]:
    rows = plies_view(replay.texts(), values)
    return [{name: told for name, told in row.items() if name != "name"} for row in rows]


def _notes(notes: Json) -> Json:
    written = {name: value for name, value in notes.items() if isinstance(value, str)}
    comments = notes.get("comments")
    if isinstance(comments, dict):
        texts = {place: text for place, text in comments.items() if isinstance(text, str)}
        return {**written, "comments": texts}
    return written
