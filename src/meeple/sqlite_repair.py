"""Damaged pages of SQLite files: found within a time limit, and the readable rows saved."""

import contextlib
import logging
import os
import shutil
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from meeple.errors import MeepleError
from meeple.files import TEMPORARY_SUFFIX

LOG = logging.getLogger(__name__)
CHECK_SECONDS = 3.0  # for about 1 GB; what a larger file has beyond that is not checked
LENIENT_TEXT = partial(str, encoding="utf-8", errors="replace")  # reads damaged text, too
MAX_SEEKS = 20_000  # reads of a table that fail, after which the rest counts as lost


def find_damage(file: Path, seconds: float = CHECK_SECONDS) -> str:
    """Return the first damage of a database's pages in SQLite's words; "" if none was found.

    Raises:
        sqlite3.Error: The file is no database, or cannot be read.
    """
    with contextlib.closing(sqlite3.connect(file, check_same_thread=False)) as connection:
        connection.execute("PRAGMA schema_version")  # raises if it is no database
        alarm = threading.Timer(seconds, connection.interrupt)
        alarm.start()
        try:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.OperationalError as error:
            if str(error) != "interrupted":
                raise
            LOG.warning("%s is large: not all of its pages were checked for damage", file)
            return ""
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # of a damaged name
            return str(error)
        finally:
            alarm.cancel()
            alarm.join()
    return "" if found == "ok" else " ".join(found.split())


def save_readable_rows(file: Path, damage: str) -> None:
    """Replace a damaged database by its readable rows, and log what was read.

    A copy of the damaged file is saved. No other process may use it.

    Raises:
        MeepleError: The rows cannot be saved; the damaged file is unchanged.
    """
    damaged = free_name(file, "damaged")
    new = file.with_name(f".{file.name}{TEMPORARY_SUFFIX}")
    try:
        new.unlink(missing_ok=True)
        with (
            contextlib.closing(sqlite3.connect(file)) as source,
            contextlib.closing(sqlite3.connect(new)) as target,
        ):
            source.text_factory = LENIENT_TEXT
            counts = _copy_all(source, target)
            target.commit()
            source.execute("PRAGMA journal_mode=DELETE")  # a log of the old file fits no new one
        shutil.copymode(file, new)
        shutil.copyfile(file, damaged)
        os.replace(new, file)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        new.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or error
        raise MeepleError(
            f"{file} has damaged pages ({damage}), and its readable rows cannot be saved "
            f"({reason}): restore a copy of it, or move it away to begin anew"
        ) from None
    LOG.warning(
        "%s had damaged pages (%s). Read and saved: %s. A copy of the damaged file is %s",
        *(file, damage, ", ".join(f"{name} {count}" for name, count in counts.items()), damaged),
    )


def free_name(file: Path, word: str) -> Path:
    """Return the path of a new file beside another one, such as "games.damaged.sqlite"."""
    numbered = ("", *(f"-{number}" for number in range(2, 1000)))
    names = (file.with_name(f"{file.stem}.{word}{number}{file.suffix}") for number in numbered)
    return next(name for name in names if not name.exists())


def _copy_all(source: sqlite3.Connection, target: sqlite3.Connection) -> dict[str, str]:
    """Copy the tables with their readable rows; return "read of all" for each table."""
    parts = source.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL"
    ).fetchall()
    version = source.execute("PRAGMA user_version").fetchone()[0]
    target.execute(f"PRAGMA user_version={version}")
    tables = [name for kind, name, _ in parts if kind == "table"]
    for _, _, sql in parts:
        target.execute(sql)
    counts = {}
    for name in tables:
        columns = len(source.execute(f'PRAGMA table_info("{name}")').fetchall())
        places = ", ".join("?" * columns)
        target.executemany(
            f'INSERT OR IGNORE INTO "{name}" VALUES ({places})', _readable_rows(source, name)
        )
        read = target.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
        try:
            total = source.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
        except sqlite3.DatabaseError:
            total = "an unknown number"
        counts[name] = f"{read} of {total}"
    return counts


def _readable_rows(source: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows that can be read, in ranges of row numbers.

    A range is read from both ends up to a damaged page, and its rest is halved, the widest first.
    """
    ranges, failed = deque([_row_numbers(source, table)]), 0
    while ranges and failed < MAX_SEEKS:
        (low, high), before = ranges.popleft(), failed
        for direction in ("ASC", "DESC"):
            query = (
                f'SELECT rowid, * FROM "{table}" NOT INDEXED WHERE rowid BETWEEN ? AND ? '
                f"ORDER BY rowid {direction}"
            )
            try:
                for number, *row in source.execute(query, (low, high)):
                    yield tuple(row)
                    low, high = (number + 1, high) if direction == "ASC" else (low, number - 1)
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                failed += 1
            if low > high:
                break
        if failed > before and low < high:
            middle = (low + high) // 2
            ranges.extend([(low, middle), (middle + 1, high)])


def _row_numbers(source: sqlite3.Connection, table: str) -> tuple[int, int]:
    """Return the first and the last row number of a table, or bounds if they cannot be read."""
    bounds = []
    for order, usual in (("ASC", -1), ("DESC", 2**40)):
        query = f'SELECT rowid FROM "{table}" NOT INDEXED ORDER BY rowid {order} LIMIT 1'
        try:
            bounds.append(next((row[0] for row in source.execute(query)), usual))
        except sqlite3.DatabaseError:
            bounds.append(usual)
    return bounds[0], bounds[1]
