"""Game records sent by clients, in any format of `protocols/records/`."""

import base64
import binascii
from collections.abc import Callable, Iterator
from typing import NamedTuple

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord
from meeple.protocols.records import formats
from meeple.server.errors import TooMuch, refusal


class FoundRecords(NamedTuple):
    """The records of a text, read lazily."""

    total: int  # at least 1
    records: Iterator[GameRecord]
    notices: Callable[[], list[str]]  # on how the records read so far were understood


def read_text(
    content: str | bytes, most: int | None = None, first: int | None = None
) -> FoundRecords:
    """Read the records of a file's content.

    Args:
        content: the file.
        most: maximum number of records.
        first: number of the first record to read; None: all must fit in `most`.

    Raises:
        MeepleError: A record is invalid; also raised while iterating.
        TooMuch: There are more than `most` records, and `first` is not given.
    """
    found = formats.read(content).found
    if first is not None:
        found = found.cut(first, most)
    elif most is not None and found.total > most:
        raise refusal(TooMuch, "too_many_games", n=found.total, most=most)
    return FoundRecords(found.total, _with_usage_errors(found.records()), found.notices)


def _with_usage_errors(records: Iterator[GameRecord]) -> Iterator[GameRecord]:
    """Yield the records, with their errors as UsageError."""
    try:
        yield from records
    except MeepleError as error:
        raise UsageError(str(error)) from None


def decoded(data: str) -> bytes:
    """Decode base64; raise UsageError for invalid text."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise UsageError("'data' must be a file's bytes in base64") from None
