"""The notes of records that several formats share, and the result of a game.

Notes are the data of a record besides its moves. All formats use the same names:

| note | meaning |
|---|---|
| `event`, `round`, `date`, `place`, `name`, `source`, `about` | texts of the file |
| `comments` | texts, by the number of actions before them |
| `times` | seconds of an action, by its number from 1 |
| `estimates` | a player's estimate of the result in discs, by the action's number |
| `ratings` | two numbers as text, by seat |
| `time_limit` | a text |
| `resigned`, `time`, `forfeit` | the seat that resigned, ran out of time, or whose program failed |
| `result` | the result in the file, if it is none of these |
| `black_score` | Black's discs in a table of results |
"""

import re
from collections.abc import Mapping
from typing import Any

from meeple.games.contract.records import GameRecord

LOST_BY = {"resigned": "resigned", "time": "ran out of time", "forfeit": "failed"}
"""Notes that name the seat that lost an unfinished game, each with a verb for messages."""

MAX_NAME_CHARS = 100  # of a player's name
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")


def seat_name(text: str, otherwise: str) -> str:
    """Return a player's name for a record, or `otherwise` if it is empty."""
    return " ".join(text.split())[:MAX_NAME_CHARS] or otherwise


def lost_by(notes: Mapping[str, Any], players: int) -> tuple[str, int] | None:
    """Return how and by which seat an unfinished game was lost, if its notes say so."""
    for how in LOST_BY:
        seat = notes.get(how)
        if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < players:
            return how, seat
    return None


def result_of(record: GameRecord) -> tuple[float, ...] | None:
    """Return each seat's share of the win, by the rules or by a resignation or fault of one of
    two players; None if unknown.
    """
    if record.payoffs is not None:
        return record.payoffs
    found = lost_by(record.notes, len(record.seats))
    if found is None or len(record.seats) != 2:
        return None
    return (0.0, 1.0) if found[1] == 0 else (1.0, 0.0)


def year_of(record: GameRecord) -> int | None:
    """Return the year of a record's date, or None."""
    return year_in(record.notes.get("date"))


def year_in(date: Any) -> int | None:
    """Return the year in a date of any form, or None."""
    found = _YEAR.search(date) if isinstance(date, str) else None
    return int(found[1]) if found else None


def by_action(notes: Mapping[str, Any], name: str) -> dict[int, Any]:
    """Return a note's values by action number; keys that are no numbers are ignored."""
    found = notes.get(name)
    if not isinstance(found, Mapping):
        return {}
    return {int(key): value for key, value in found.items() if _is_number(key)}


def _is_number(key: Any) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 10
