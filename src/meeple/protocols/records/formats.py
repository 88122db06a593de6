"""The formats of game records, in one table: their names, endings, and who reads and writes them.

Everything that takes records asks here: a command, the page, training. A file's format is seen from
its content; its ending only says how to write one. All reading is bounded in bytes, and a game that
cannot be read is an error in its place, so that a caller may leave it out.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from meeple.errors import MeepleError, UsageError, did_you_mean
from meeple.files import read_bounded
from meeple.games.contract.records import GameRecord
from meeple.protocols.records import ggf, json_lines, psq, sgf, wthor
from meeple.protocols.records.found import FoundGames

MAX_BYTES = 1 << 28  # of a file; its games take some times as much in memory
BYTE_ORDER_MARK = "\ufeff"  # which some editors write before a text


@dataclass(frozen=True)
class RecordFormat:
    """One format of game records."""

    name: str
    endings: tuple[str, ...]  # of files, the usual one first
    media_type: str
    about: str  # a few words
    games: tuple[str, ...] = ()  # that it can say; none: all
    is_text: bool = True
    several: bool = True  # whether a file holds more than one game
    write: Callable[[GameRecord], str] | None = None
    """A game as text. Raises MeepleError: what the format cannot say, or it breaks the rules."""


FORMATS: dict[str, RecordFormat] = {
    form.name: form
    for form in (
        RecordFormat(
            "jsonl",
            (".jsonl", ".json"),
            "application/x-ndjson",
            "lines of JSON, of every game",
            write=json_lines.write,
        ),
        RecordFormat(
            "sgf",
            (".sgf", ".hsgf"),
            "application/x-go-sgf",
            "Smart Game Format: Hex, Gomoku, Reversi",
            sgf.GAMES,
            write=sgf.write_game,
        ),
        RecordFormat(
            "ggf",
            (".ggf",),
            "application/x-ggf",
            "the server GGS: Reversi",
            (ggf.GAME,),
            write=ggf.write,
        ),
        RecordFormat(
            "psq",
            (".psq",),
            "application/x-piskvork",
            "Piskvork and Gomocup: Gomoku",
            (psq.GAME,),
            several=False,
            write=psq.write,
        ),
        RecordFormat(
            "wthor",
            (".wtb",),
            "application/x-wthor",
            "tournament games of Othello: Reversi, only read",
            ("reversi",),
            is_text=False,
        ),
    )
}
"""By name. JSON lines come first: they keep everything."""

_TEXTS: tuple[tuple[str, Callable[[str], bool], Callable[[str, int | None], FoundGames]], ...] = (
    ("jsonl", json_lines.has_game, json_lines.find),
    ("psq", psq.has_game, psq.find),
    ("ggf", ggf.has_game, ggf.find),
    ("sgf", sgf.has_game, sgf.find),
)
"""By content: whether a text is of a format, and who reads it; the first that fits."""


class Opened(NamedTuple):
    """A file's games, and what it is written in."""

    format: RecordFormat
    found: FoundGames


def format_named(name: str) -> RecordFormat:
    """The format of a name. Raises UsageError with those there are."""
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS) or f"there are {', '.join(FORMATS)}"
        raise UsageError(f"there is no format of records '{name}'; {hint}")
    return FORMATS[name]


def format_of(path: str | Path) -> RecordFormat:
    """The format that a file's ending names. Raises UsageError with those there are."""
    ending = Path(path).suffix.lower()
    for form in FORMATS.values():
        if ending in form.endings:
            return form
    known = ", ".join(ending for form in FORMATS.values() for ending in form.endings)
    raise UsageError(f"'{path}' has no ending of a format of records; they are {known}")


def read(
    content: bytes | str,
    most: int | None = None,
    *,
    format: str | None = None,
    folder: Path | None = None,
) -> Opened:
    """The games of a file's content, of at most so many, in the format that it is seen to have.

    `format`: the name of one that it must be in. `folder`: where files of names lie beside it.
    Raises MeepleError in a sentence; what is wrong with a single game comes in its place.
    """
    wanted = format_named(format).name if format else None
    if isinstance(content, bytes) and (
        wanted == "wthor" or (not wanted and wthor.has_game(content))
    ):
        names = wthor.names_beside(folder) if folder else None
        return Opened(FORMATS["wthor"], wthor.find(content, most, names))
    text = content if isinstance(content, str) else _decoded(content)
    text = text.removeprefix(BYTE_ORDER_MARK)
    if not text.strip(f"{BYTE_ORDER_MARK} \t\r\n"):
        raise UsageError("there is no game in this text: it is empty")
    for name, has_game, find in _TEXTS:
        if name == wanted or (wanted is None and has_game(text)):
            return Opened(FORMATS[name], find(text, most))
    if wanted:
        raise UsageError(f"{FORMATS[wanted].about} cannot be text")
    raise UsageError(f"this is in no format of game records: {known_formats()}")


def known_formats() -> str:
    """The formats that are read, in words."""
    return "known are " + "; ".join(f"{form.name} ({form.about})" for form in FORMATS.values())


def read_file(path: str | Path, most: int | None = None, *, format: str | None = None) -> Opened:
    """The games of a file; as `read`. Raises MeepleError that names the file."""
    try:
        content = read_bounded(path, MAX_BYTES)
    except FileNotFoundError:
        raise MeepleError(f"there is no file {path}") from None
    except OSError as error:
        raise MeepleError(f"cannot read game records from {path}: {error.strerror}") from None
    try:
        opened = read(content, most, format=format, folder=Path(path).parent)
    except MeepleError as error:
        raise type(error)(f"{path}: {error}") from None
    return Opened(opened.format, opened.found.in_file(str(path)))


def read_all(path: str | Path) -> list[GameRecord]:
    """All games of a file. Raises MeepleError that names the file, and the game that is wrong."""
    return list(read_file(path).found.records())


def write(records: Iterable[GameRecord], format: str) -> str:
    """Records as the text of a file.

    Raises MeepleError where the format cannot say a game, holds but one, or is only read.
    """
    form = format_named(format)
    one = writer_of(form)
    texts: list[str] = []
    for record in records:
        if texts and not form.several:
            raise MeepleError(f"a file in {form.name} holds one game: write one at a time")
        texts.append(one(record))
    return "".join(texts)


def writer_of(form: RecordFormat) -> Callable[[GameRecord], str]:
    """What writes a game in a format. Raises UsageError where it is only read."""
    if form.write is None:
        written = ", ".join(name for name, other in FORMATS.items() if other.write)
        raise UsageError(f"{form.name} is only read, not written; written are {written}")
    return form.write


def _decoded(content: bytes) -> str:
    """Bytes as text: UTF-8, or as programs of the last century wrote it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if re.match(rb"\s*\{", content):  # JSON, which is UTF-8
            raise UsageError("it is not text in UTF-8, as lines of JSON are") from None
        return content.decode("latin-1")
