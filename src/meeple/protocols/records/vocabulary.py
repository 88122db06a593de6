"""Words that several formats share: what notes of records are called, and how a game ended.

Notes are what a record holds beside its moves. All formats give them the same names:

| note | what it is |
|---|---|
| `event`, `round`, `date`, `place`, `name`, `source`, `about` | texts, as the file has them |
| `comments` | texts, by how many actions came before |
| `times` | seconds that an action took, by its number from 1 |
| `estimates` | what a player thought the result would be, in discs, by the action's number |
| `ratings` | two numbers as text, by seat |
| `time_limit` | a text |
| `resigned`, `time`, `forfeit` | the seat that gave up, had no time left, or whose program failed |
| `result` | what the file says of the result, where it is neither |
| `black_score` | discs that a table of results gives Black |
"""

import re
from collections.abc import Mapping
from typing import Any

from meeple.games.contract.records import GameRecord

LOST_BY = {"resigned": "resigned", "time": "ran out of time", "forfeit": "failed"}
"""Notes that name the seat that lost before the end, each with what is said of it."""

MAX_NAME_CHARS = 100  # characters of a player's name
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")


def seat_name(text: str, otherwise: str) -> str:
    """A player's name as a record keeps it, or another where there is none."""
    return " ".join(text.split())[:MAX_NAME_CHARS] or otherwise


def lost_by(notes: Mapping[str, Any], players: int) -> tuple[str, int] | None:
    """How and by which seat a game was lost before its end, if its notes say so."""
    for how in LOST_BY:
        seat = notes.get(how)
        if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < players:
            return how, seat
    return None


def result_of(record: GameRecord) -> tuple[float, ...] | None:
    """Each seat's share of the win: by the rules, or where one of two gave up or lost on time."""
    if record.payoffs is not None:
        return record.payoffs
    found = lost_by(record.notes, len(record.seats))
    if found is None or len(record.seats) != 2:
        return None
    return (0.0, 1.0) if found[1] == 0 else (1.0, 0.0)


def year_of(record: GameRecord) -> int | None:
    """The year in a record's date, if there is one."""
    return year_in(record.notes.get("date"))


def year_in(date: Any) -> int | None:
    """The year that a note of a date names, if it does."""
    found = _YEAR.search(date) if isinstance(date, str) else None
    return int(found[1]) if found else None


def by_action(notes: Mapping[str, Any], name: str) -> dict[int, Any]:
    """A note that has something for some actions, by the action's number; without what is not."""
    found = notes.get(name)
    if not isinstance(found, Mapping):
        return {}
    return {int(key): value for key, value in found.items() if _is_number(key)}


def _is_number(key: Any) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 10
