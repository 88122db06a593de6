"""SQLite databases, by SQLAlchemy: opened, migrated from older schemas, never from newer ones.

The number of a file's schema is its `PRAGMA user_version`: how many steps were applied to it. Files
from before the steps have 0.
"""

import contextlib
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase

from meeple.errors import MeepleError
from meeple.files import TEMPORARY_SUFFIX
from meeple.sqlite_repair import LENIENT_TEXT, find_damage, free_name, save_readable_rows

LOG = logging.getLogger(__name__)
MigrationStep = Callable[[Connection], None]
"""Changes the tables of the previous schema, or their rows, inside a transaction.

New tables need no step: they are created before the steps. A step that was released never changes.
"""


def open_database(
    file: Path,
    tables: type[DeclarativeBase],
    *,
    what: str = "",
    create: bool = True,
    steps: Sequence[MigrationStep] = (),
    alone: bool = True,
) -> Engine:
    """Open a database in a file, which threads of this process may share.

    A file of an older schema is migrated in one transaction, after a copy of it was saved in the
    same folder. A file with damaged pages is replaced by its readable rows. Both are logged with
    the path of the old file. A killed process loses no commit; a power failure may lose the last.

    Args:
        file: the file.
        tables: the base class of the tables.
        what: what the file is, for the error, such as "the database of games".
        create: whether to create a missing file, and the tables of an empty one.
        steps: the migrations from each schema to the next.
        alone: whether no other process uses the file; otherwise it is not migrated or repaired.

    Raises:
        MeepleError: The file cannot be used or migrated, or is of a newer version.
        ForeignDatabase: It has other tables or columns.
    """
    if not create and not file.is_file():
        raise MeepleError(f"there is no file {file}")
    engine = create_engine(
        URL.create("sqlite", database=str(file)),  # the path may hold any character
        connect_args={"check_same_thread": False},
        hide_parameters=True,  # an error's message may reach a log or a page
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        connection.text_factory = LENIENT_TEXT
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    try:
        _repair(file, alone=alone)
        _bring_up_to_date(engine, file, tables.metadata, steps, create=create, alone=alone)
    except (SQLAlchemyError, sqlite3.Error, UnicodeDecodeError) as error:
        words = f"{file} cannot be used as {what}" if what else f"{file} cannot be used"
        raise MeepleError(f"{words}: {reason_of(error)}") from None
    finally:
        engine.dispose()  # the next connection enforces foreign keys
    return engine


class ForeignDatabase(MeepleError):
    """A file has other tables or columns than any version of Meeple gave it."""


def add_column(table: str, declaration: str) -> MigrationStep:
    """Return the step that adds a column, such as "moved FLOAT NOT NULL DEFAULT 0", if missing."""

    def step(connection: Connection) -> None:
        found = {column["name"] for column in inspect(connection).get_columns(table)}
        if declaration.split()[0] not in found:
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {declaration}")

    return step


def _repair(file: Path, *, alone: bool) -> None:
    """Replace a file with damaged pages by its readable rows, or log the damage if it is in use."""
    damage = find_damage(file) if file.is_file() else ""
    if damage and alone:
        save_readable_rows(file, damage)
    elif damage:
        LOG.warning("%s has damaged pages (%s): what they held cannot be read", file, damage)


def _bring_up_to_date(
    engine: Engine,
    file: Path,
    wanted: MetaData,
    steps: Sequence[MigrationStep],
    *,
    create: bool,
    alone: bool,
) -> None:
    """Create the tables of an empty file, or migrate those of an older one, or change nothing."""
    with engine.connect() as connection:
        found = set(inspect(connection).get_table_names())
        if not found & set(wanted.tables) and (found or not create):
            raise ForeignDatabase(str(file))
        if not _is_older(connection, file, wanted, len(steps)):
            _check_columns(connection, file, wanted)
            return
        if found and not alone:
            raise MeepleError(
                f"{file} is of an older version of Meeple, and another process uses it: restart it"
            )
        connection.rollback()
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")  # steps may replace tables
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        if not _is_older(connection, file, wanted, len(steps)):  # another process was faster
            return
        version = _version(connection)
        wanted.create_all(connection)
        for step in steps[version:] if found else ():
            step(connection)
        connection.exec_driver_sql(f"PRAGMA user_version={len(steps)}")
        _check_columns(connection, file, wanted)
        copy = _save_copy(file, version) if found else None
        connection.commit()
    if copy is not None:
        LOG.warning(
            "%s was migrated from an older version of Meeple; the old file is %s", file, copy
        )


def _version(connection: Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def _is_older(connection: Connection, file: Path, wanted: MetaData, newest: int) -> bool:
    """Return whether a file lacks steps or tables; raise MeepleError if it is newer."""
    version = _version(connection)
    if version > newest:
        raise MeepleError(
            f"{file} was written by a newer version of Meeple (schema {version}; this version "
            f"reads up to {newest}): install that version, or choose another folder"
        )
    return version < newest or not set(wanted.tables) <= set(inspect(connection).get_table_names())


def _check_columns(connection: Connection, file: Path, wanted: MetaData) -> None:
    """Raise ForeignDatabase if a table lacks a column."""
    found = inspect(connection)
    for name, table in wanted.tables.items():
        columns = {column["name"] for column in found.get_columns(name)}
        if not {column.name for column in table.columns} <= columns:
            raise ForeignDatabase(str(file))


def _save_copy(file: Path, version: int) -> Path:
    """Save the committed content of a database beside it; return the copy's path.

    Raises:
        MeepleError: The copy cannot be saved, for instance because the disk is full.
    """
    copy = free_name(file, f"schema-{version}")
    temporary = copy.with_name(f".{copy.name}{TEMPORARY_SUFFIX}")
    try:
        temporary.unlink(missing_ok=True)
        with (
            contextlib.closing(sqlite3.connect(file)) as source,
            contextlib.closing(sqlite3.connect(temporary)) as target,
        ):
            source.backup(target)  # and waits for the disk
        shutil.copymode(file, temporary)
        os.replace(temporary, copy)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or error
        raise MeepleError(
            f"{file} is of an older version of Meeple, and no copy could be saved as {copy} before "
            f"its migration ({reason}): it is unchanged; make room, or move it to another disk"
        ) from None
    return copy


def reason_of(error: Exception) -> str:
    """Return SQLite's reason of an error, without the statement."""
    return str(getattr(error, "orig", None) or error)
