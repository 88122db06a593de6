"""Reads single games from a run's file of game records, which may be long, by few short reads."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from meeple.files import open_file, read_end, reported
from meeple.learn.run.schema import NotedGame, read_line

MAX_LINE_BYTES = 500_000  # longer records are skipped
MAX_READ_BYTES = 1_000_000  # of all records that one call returns
BLOCK_BYTES = 65_536  # below this size the search reads line by line instead of halving


def last_games(file: Path, limit: int) -> list[str]:
    """Return the last complete records of the file, oldest first, if any. Raises RunError."""
    return _decoded(line for line in _last_lines(file, MAX_READ_BYTES)[-limit:] if line)


def last_line(file: Path) -> str | None:
    """Return the last complete line of the file; None if it has none. Raises RunError."""
    lines = _last_lines(file, BLOCK_BYTES) or _last_lines(file, MAX_READ_BYTES)
    return lines[-1].decode(errors="replace") if lines else None


def _last_lines(file: Path, max_bytes: int) -> list[bytes]:
    """Return the complete lines among the last bytes of the file; none if there is no file.

    The trainer is still writing the text after the last newline.
    """
    lines, is_whole = [b""], True
    with reported(f"cannot read {file}"), contextlib.suppress(FileNotFoundError):
        content, is_whole = read_end(file, max_bytes)
        lines = content.split(b"\n")
    return lines[0 if is_whole else 1 : -1]


def games_after(file: Path, episode: int, limit: int) -> list[str]:
    """Return the first `limit` records after an episode, by which they lie. Raises RunError."""
    with _opened(file) as source:
        return [] if source is None else _decoded(_lines_after(source, episode, limit))


def check_games(file: Path) -> None:
    """Raise RunError if the file exists and cannot be opened."""
    with _opened(file):
        pass


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[IO[bytes] | None]:
    """Open the file, or yield None if it is missing. Raises RunError if it cannot be read."""
    with reported(f"cannot read {file}"):
        try:
            with open_file(file) as source:
                yield source
        except FileNotFoundError:
            yield None


def _lines_after(source: IO[bytes], episode: int, limit: int) -> Iterator[bytes]:
    low, high = 0, os.fstat(source.fileno()).st_size
    # Invariant: no line that begins before `low` is after the episode; all from `high` on are.
    while high - low > BLOCK_BYTES:
        middle = (low + high) // 2
        source.seek(middle)
        source.readline(MAX_LINE_BYTES)  # the rest of a line
        start = source.tell()
        if start >= high or episode_of(source.readline(MAX_LINE_BYTES)) > episode:
            high = middle + 1
        else:
            low = start
    source.seek(low)
    total = 0
    while limit and total < MAX_READ_BYTES:
        line = source.readline(MAX_LINE_BYTES)
        if not line.endswith(b"\n"):
            return
        if episode_of(line) > episode:
            limit, total = limit - 1, total + len(line)
            yield line.rstrip(b"\n")


def episode_of(line: str | bytes) -> int:
    """Return the episode number of a record, from 1; 0 if the line is not a record."""
    game = read_line(line, NotedGame)
    return game.notes.episode if game else 0


def _decoded(lines: Iterator[bytes]) -> list[str]:
    """Return the lines that are records, as text."""
    return [line.decode(errors="replace") for line in lines if episode_of(line)]
