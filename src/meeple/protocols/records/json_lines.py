"""JSON lines: one line for each game, of every game, without loss."""

from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord
from meeple.protocols.records.found import FoundGames, check_total
from meeple.sentences import say

_AROUND = "\ufeff \t\r\n"  # characters around a line: white space and byte order marks


def has_game(text: str) -> bool:
    """Return whether a text begins like a JSON object."""
    return text.lstrip(_AROUND).startswith("{")


def find(text: str, most: int | None = None) -> FoundGames:
    """Return the records of a text, without replaying them. Raises MeepleError if too many.

    Errors give line numbers, which count empty lines.
    """
    lines = [line.strip(_AROUND) for line in text.split("\n")]
    filled = [number for number, line in enumerate(lines) if line]
    check_total(len(filled), most)
    if filled == list(range(len(filled))):
        return FoundGames(len(filled), lambda number: GameRecord.from_json(lines[number]), "line")
    return FoundGames(len(filled), lambda number: _read(lines, filled[number]))


def _read(lines: list[str], number: int) -> GameRecord:
    try:
        return GameRecord.from_json(lines[number])
    except MeepleError as error:
        raise MeepleError(say("record.line", n=number + 1, reason=error)) from None


def write(record: GameRecord) -> str:
    """Return a record as a line with its newline."""
    return record.to_json() + "\n"
