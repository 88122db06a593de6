"""Our own format, a line of JSON for each game: it keeps all that a record holds, of every game."""

from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord
from meeple.protocols.records.found import FoundGames, check_total

_AROUND = "\ufeff \t\r\n"  # what editors put around a line, byte order marks included


def has_game(text: str) -> bool:
    """Whether a text begins as a line of JSON does that is an object."""
    return text.lstrip(_AROUND).startswith("{")


def find(text: str, most: int | None = None) -> FoundGames:
    """The records of a text, which no rule has checked yet. Raises MeepleError: too many.

    Errors count lines, the empty ones included.
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
        raise MeepleError(f"line {number + 1}: {error}") from None


def write(record: GameRecord) -> str:
    """A record as a line with its end."""
    return record.to_json() + "\n"
