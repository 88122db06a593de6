"""Reads single games from a run's file of game records, which may be long, by few short reads."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from meeple.files import open_file, reported
from meeple.learn.run.schema import NotedGame, read_line

MAX_LINE_BYTES = 500_000  # longer records are skipped
MAX_READ_BYTES = 1_000_000  # of all records that one call returns
BLOCK_BYTES = 65_536  # below this size the search reads line by line instead of halving


def last_games(file: Path, limit: int) -> list[str]:
    """Return the last complete records of the file, oldest first; empty if there is no file.

    Raises:
        RunError: the file cannot be read.
    """
    with _opened(file) as source:
        if source is None:
            return []
        size = os.fstat(source.fileno()).st_size
        source.seek(max(0, size - MAX_READ_BYTES))
        from_start = source.tell() == 0
        lines = source.read(MAX_READ_BYTES).split(b"\n")
    # The trainer is still writing the text after the last newline.
    return _decoded(line for line in lines[0 if from_start else 1 : -1][-limit:] if line)


def last_line(file: Path) -> str | None:
    """Return the last complete line of the file; None if it has none.

    Raises:
        RunError: the file cannot be read.
    """
    with _opened(file) as source:
        if source is None:
            return None
        size = os.fstat(source.fileno()).st_size
        source.seek(max(0, size - BLOCK_BYTES))
        lines = source.read(BLOCK_BYTES).split(b"\n")[:-1]
    if len(lines) > 1:
        return lines[-1].decode(errors="replace")
    found = last_games(file, 1)
    return found[0] if found else None


def games_after(file: Path, episode: int, limit: int) -> list[str]:
    """Return the first `limit` records after an episode; the file is sorted by episode.

    Raises:
        RunError: the file cannot be read.
    """
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
