"""The table of the formats of game records: names, file endings, readers and writers.

Commands, the web page and training read records by this module. The content of a file determines
its format; the ending only selects the format to write. Reading is bounded in bytes. A game that
cannot be read becomes an error in its place, which a caller may skip.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from meeple.errors import MeepleError, UsageError, did_you_mean
from meeple.files import BYTE_ORDER_MARK, read_bounded
from meeple.games.contract.game_words import as_word
from meeple.games.contract.records import GameRecord
from meeple.protocols.records import ggf, json_lines, psq, sgf, wthor
from meeple.protocols.records.encodings import Decoded, decoded
from meeple.protocols.records.found import FoundGames
from meeple.protocols.records.vocabulary import NOTHING_GIVEN
from meeple.sentences import say

MAX_BYTES = 1 << 28  # of a file; its games take several times the memory


@dataclass(frozen=True)
class RecordFormat:
    """One format of game records."""

    name: str
    endings: tuple[str, ...]  # file endings, the usual one first
    media_type: str
    about: str  # a short description
    games: tuple[str, ...] = ()  # supported games; empty: all
    is_text: bool = True
    several: bool = True  # whether a file holds more than one game
    write: Callable[[GameRecord], str] | None = None
    """Returns a game as text; None if the format is only read. Raises MeepleError if the format
    cannot hold the game, or the game breaks the rules."""


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
            write=sgf.write,
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
"""The formats by name. JSON lines come first: they keep everything."""

_Find = Callable[[str, int | None, Mapping[str, Any]], FoundGames]

_TEXTS: tuple[tuple[str, Callable[[str], bool], _Find], ...] = (
    ("jsonl", json_lines.has_game, lambda text, most, given: json_lines.find(text, most)),
    ("psq", psq.has_game, psq.find),
    ("ggf", ggf.has_game, ggf.find),
    ("sgf", sgf.has_game, sgf.find),
)
"""The text formats in order of detection: name, test of the content, and reader."""


class Opened(NamedTuple):
    """A file's format and games."""

    format: RecordFormat
    found: FoundGames


def format_named(name: str) -> RecordFormat:
    """Return a format by name. Raises UsageError, which lists the formats."""
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS) or f"there are {', '.join(FORMATS)}"
        raise UsageError(f"there is no format of records '{name}'; {hint}")
    return FORMATS[name]


def format_of(path: str | Path) -> RecordFormat:
    """Return the format of a file's ending. Raises UsageError, which lists the endings."""
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
    given: Mapping[str, Any] = NOTHING_GIVEN,
) -> Opened:
    """Return the games of a file's content; the format is detected from the content.

    Args:
        content: of the file.
        most: the largest number of games; None means no limit.
        format: the name of the format that the content must have; None means any.
        folder: the folder of the file, for files of names beside it.
        given: options of the game that the user gave, for files that state an unknown rule; a game
            of a file that states another one is an error.

    Raises:
        MeepleError: the content cannot be read. An unreadable game is an error in its place.
    """
    wanted = format_named(format).name if format else None
    if isinstance(content, bytes) and (
        wanted == "wthor" or (not wanted and wthor.has_game(content))
    ):
        names = wthor.names_beside(folder) if folder else None
        return Opened(FORMATS["wthor"], wthor.find(content, most, names))
    text, notices = Decoded(content) if isinstance(content, str) else decoded(content)
    text = text.removeprefix(BYTE_ORDER_MARK)
    if not text.strip(f"{BYTE_ORDER_MARK} \t\r\n"):
        raise UsageError(say("record.there_is_no_game"))
    words = {name: as_word(value).lower() for name, value in given.items()}
    for name, has_game, find in _TEXTS:
        if name == wanted or (wanted is None and has_game(text)):
            return Opened(FORMATS[name], find(text, most, words).with_notices(notices))
    if wanted:
        raise UsageError(say("record.cannot_be_text", about=FORMATS[wanted].about))
    raise UsageError(say("record.no_known_format", command=known_formats()))


def known_formats() -> str:
    """Return a text that lists the formats."""
    return "known are " + "; ".join(f"{form.name} ({form.about})" for form in FORMATS.values())


def read_file(
    path: str | Path,
    most: int | None = None,
    *,
    format: str | None = None,
    given: Mapping[str, Any] = NOTHING_GIVEN,
) -> Opened:
    """Return the games of a file; see `read`. Raises MeepleError that names the file."""
    try:
        content = read_bounded(path, MAX_BYTES)
    except FileNotFoundError:
        raise MeepleError(f"there is no file {path}") from None
    except OSError as error:
        raise MeepleError(f"cannot read game records from {path}: {error.strerror}") from None
    try:
        opened = read(content, most, format=format, folder=Path(path).parent, given=given)
    except MeepleError as error:
        raise type(error)(f"{path}: {error}") from None
    return Opened(opened.format, opened.found.in_file(str(path)))


def read_all(path: str | Path) -> list[GameRecord]:
    """Return all games of a file. Raises MeepleError that names the file and the wrong game."""
    return list(read_file(path).found.records())


def write(records: Iterable[GameRecord], format: str) -> str:
    """Return records as the text of a file.

    Raises:
        MeepleError: the format cannot hold a game, holds only one game, or is only read.
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
    """Return the function that writes a game. Raises UsageError if the format is only read."""
    if form.write is None:
        written = ", ".join(name for name, other in FORMATS.items() if other.write)
        raise UsageError(f"{form.name} is only read, not written; written are {written}")
    return form.write
