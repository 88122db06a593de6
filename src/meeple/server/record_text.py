"""Texts of game records, in and out: lines of JSON, one record each, or a collection in SGF."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord, to_lines
from meeple.protocols.records import sgf

BYTE_ORDER_MARK = "\ufeff"  # which some editors write before a text
FORMATS = {"jsonl": "application/x-ndjson", "sgf": "application/x-go-sgf"}


class FoundRecords(NamedTuple):
    """The records of a text, each read when it is asked for."""

    total: int  # at least 1
    records: Iterator[GameRecord]


def read_text(text: str, most: int | None = None) -> FoundRecords:
    """The records of a text, which may begin with a byte order mark; at most `most` of them.

    Raises MeepleError in a sentence, also while records of JSON lines are taken.
    """
    bare = [line.strip(f"{BYTE_ORDER_MARK} \t") for line in text.splitlines()]
    lines = [(number, line) for number, line in enumerate(bare, 1) if line]
    if not lines:
        raise UsageError("there is no game in this text: it takes lines of JSON, or SGF")
    if lines[0][1].startswith("{"):
        if most is not None and len(lines) > most:
            raise UsageError(f"these are {len(lines)} games; at most {most} are read at once")
        return FoundRecords(len(lines), (_read_line(number, line) for number, line in lines))
    if sgf.has_game(text):
        found = sgf.read(text, most)
        return FoundRecords(len(found), iter(found))
    raise UsageError("this is neither lines of JSON nor SGF, which begins with '(;'")


def _read_line(number: int, line: str) -> GameRecord:
    try:
        return GameRecord.from_json(line)
    except MeepleError as error:
        raise UsageError(f"line {number}: {error}") from None


def write_text(records: Iterable[GameRecord], format: str) -> str:
    """Records as the text of a file. Raises MeepleError where a game has no such format."""
    return sgf.write(records) if format == "sgf" else to_lines(records)
