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
| `declared` | each seat's share of the win, which the file declares of an unfinished game |
| `result` | the result in the words of the file, if it is more than these |
| `notice` | a sentence on how the file was understood |
| `black_score` | Black's discs in a table of results |
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from meeple.errors import IllegalAction, MeepleError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord
from meeple.games.contract.result import DECLARED, result_text, winners
from meeple.protocols.records.found import NOTICE
from meeple.sentences import say

MAX_NAME_CHARS = 100  # of a player's name
MAX_RULE_CHARS = 40  # of an unknown rule in a message
NOTHING_GIVEN: Mapping[str, Any] = MappingProxyType({})
"""No options of a user."""
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # characters that a terminal may obey
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")


def seat_name(text: str, otherwise: str) -> str:
    """Return a player's name for a record, or `otherwise` if it is empty."""
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_NAME_CHARS] or otherwise


def try_play(position: Position, action: int | str) -> bool:
    """Play an action, given by number or name, if it is legal; return whether it is."""
    try:
        position.play(position.parse_action(action) if isinstance(action, str) else action)
    except IllegalAction:
        return False
    return True


def stated_rule(
    said: str, rule: str | None, known: Iterable[str], given: Mapping[str, Any], name: str = "rule"
) -> str:
    """Return the rule that a file states, which must be the one that the user gave, if any.

    Args:
        said: the rule in the words of the file.
        rule: its value as the option `name`; None if it is unknown, and the user's applies.
        known: the rules that there are.
        given: options that the user gave.
        name: of the option.

    Raises:
        MeepleError: the rule is unknown and not given, or another than the given one.
    """
    wanted = given.get(name)
    if rule is None and wanted is None:
        raise MeepleError(
            say(
                "record.unknown_rule",
                field=said[:MAX_RULE_CHARS],
                list=", ".join(known),
                command=f"--option {name}=RULE",
            )
        )
    if rule is not None and wanted not in (None, rule):
        raise MeepleError(say("record.it_was_played_by", field=rule, command=wanted))
    return rule or str(wanted)


def outcome(
    position: Position, said: str, winner: int | None, how: str = "", margin: float | None = None
) -> dict[str, Any]:
    """Return the notes of a result that a file declares for a game of two players.

    Args:
        position: the last one. If the game is over, the rules decide: another result is a notice.
        said: the result in the words of the file.
        winner: the seat; None for a draw.
        how: the other seat lost early: a key of `LOST_BY`.
        margin: cells by which the winner leads, for a game whose payoffs are shares of cells.
    """
    won = [0.5, 0.5] if winner is None else [float(seat == winner) for seat in (0, 1)]
    if position.is_over:
        payoffs = position.payoffs.tolist()
        if winners(payoffs) == winners(won):
            return {}
        right = result_text(payoffs, position.game.player_names, tally=position.tally)
        return {NOTICE: say("record.it_declares_but_by", field=said, result=right)}
    if how and winner is not None:
        return {how: 1 - winner}
    if position.game.options.get("payoff") == "discs":
        if margin is None:
            return {}
        lead = margin / int(position.game.options["size"]) ** 2
        won = [0.5 + lead * (share - 0.5) for share in won]
    return {DECLARED: won}


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
