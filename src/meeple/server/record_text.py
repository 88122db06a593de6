"""Game records that clients send and take: any format of the table in `protocols/records/`."""

import base64
import binascii
from collections.abc import Iterator
from typing import NamedTuple

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord
from meeple.protocols.records import formats
from meeple.server.errors import TooMuch


class FoundRecords(NamedTuple):
    """The records of a text, each read when it is asked for."""

    total: int  # at least 1
    records: Iterator[GameRecord]


def read_text(
    content: str | bytes, most: int | None = None, first: int | None = None
) -> FoundRecords:
    """The records of a file's content; with `first`, at most `most` from that number on.

    Raises MeepleError in a sentence, also while records are taken; TooMuch where there are more
    than `most` and nobody said which.
    """
    found = formats.read(content).found
    if first is not None:
        found = found.cut(first, most)
    elif most is not None and found.total > most:
        raise TooMuch(f"these are {found.total:,} games; at most {most:,} are read at once")
    return FoundRecords(found.total, _usage(found.records()))


def _usage(records: Iterator[GameRecord]) -> Iterator[GameRecord]:
    """The records, whose errors are of whoever sent them."""
    try:
        yield from records
    except MeepleError as error:
        raise UsageError(str(error)) from None


def decoded(data: str) -> bytes:
    """Bytes that were sent as base64. Raises UsageError."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise UsageError("'data' must be a file's bytes in base64") from None
