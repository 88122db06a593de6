"""Games of self-play picked from a run's file of records, which may be long, by few short reads."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from meeple.errors import RunError
from meeple.files import open_file
from meeple.learn.run.schema import NotedGame, read_line

MOST_LINE = 500_000  # bytes of one record
MOST_BYTES = 1_000_000  # of all records that are given at a time
BLOCK = 65_536  # within which the file is read line by line


def last_games(file: Path, limit: int) -> list[str]:
    """The last whole lines of the file, oldest first; none where it is not there.

    Raises RunError where it cannot be read, as the functions below do.
    """
    with _opened(file) as source:
        if source is None:
            return []
        size = os.fstat(source.fileno()).st_size
        source.seek(max(0, size - MOST_BYTES))
        whole = source.tell() == 0
        lines = source.read(MOST_BYTES).split(b"\n")
    # What follows the last line's end is still being written.
    return _decoded(line for line in lines[0 if whole else 1 : -1][-limit:] if line)


def last_line(file: Path) -> str | None:
    """The last whole line of the file."""
    with _opened(file) as source:
        if source is None:
            return None
        size = os.fstat(source.fileno()).st_size
        source.seek(max(0, size - BLOCK))
        lines = source.read(BLOCK).split(b"\n")[:-1]
    if len(lines) > 1:
        return lines[-1].decode(errors="replace")
    found = last_games(file, 1)
    return found[0] if found else None


def games_after(file: Path, episode: int, limit: int) -> list[str]:
    """The lines of the first games after an episode; a file lists its games by episode."""
    with _opened(file) as source:
        return [] if source is None else _decoded(_lines_after(source, episode, limit))


def check_games(file: Path) -> None:
    """Raise RunError where there is something that cannot be read as a file."""
    with _opened(file):
        pass


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[IO[bytes] | None]:
    """The file, open; None where there is none. Raises RunError where it cannot be read."""
    try:
        with open_file(file) as source:
            yield source
    except FileNotFoundError:
        yield None
    except OSError as error:
        raise RunError(f"cannot read {file}: {error.strerror or error}") from None


def _lines_after(source: IO[bytes], episode: int, limit: int) -> Iterator[bytes]:
    low, high = 0, os.fstat(source.fileno()).st_size
    while high - low > BLOCK:  # lines that begin before `low` are too early, from `high` on not
        middle = (low + high) // 2
        source.seek(middle)
        source.readline(MOST_LINE)  # the rest of a line
        start = source.tell()
        if start >= high or episode_of(source.readline(MOST_LINE)) > episode:
            high = middle + 1
        else:
            low = start
    source.seek(low)
    total = 0
    while limit and total < MOST_BYTES:
        line = source.readline(MOST_LINE)
        if not line.endswith(b"\n"):
            return
        if episode_of(line) > episode:
            limit, total = limit - 1, total + len(line)
            yield line.rstrip(b"\n")


def episode_of(line: str | bytes) -> int:
    """The number of a record's episode, from 1; 0 for a line that is no record."""
    game = read_line(line, NotedGame)
    return game.notes.episode if game else 0


def _decoded(lines: Iterator[bytes]) -> list[str]:
    """Those that are records."""
    return [line.decode(errors="replace") for line in lines if episode_of(line)]
