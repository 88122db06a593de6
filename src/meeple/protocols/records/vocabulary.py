"""What several formats share: the notes of records, and small steps of reading.

Notes are the data of a record besides its moves. All formats use the same names:

| note | meaning |
|---|---|
| `event`, `round`, `date`, `place`, `name`, `source`, `about` | texts of the file |
| `comments` | texts, by the number of actions before them |
| `marks` | marks on cells, such as `circle:12 cross:3`, by the number of actions before them |
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

from meeple.errors import IllegalAction
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord

MAX_NAME_CHARS = 100  # of a player's name
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")


def seat_name(text: str, otherwise: str) -> str:
    """Return a player's name for a record, or `otherwise` if it is empty."""
    return " ".join(text.split())[:MAX_NAME_CHARS] or otherwise


def try_play(position: Position, action: int | str) -> bool:
    """Play an action, given by number or name, if it is legal; return whether it is."""
    try:
        position.play(position.parse_action(action) if isinstance(action, str) else action)
    except IllegalAction:
        return False
    return True


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
