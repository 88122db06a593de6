"""SQLite databases: older ones are migrated, others are refused in a sentence."""

import contextlib
import logging
import sqlite3
import subprocess
import sys

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.database import ForeignDatabase, add_column, open_database
from meeple.errors import MeepleError


class Tables(DeclarativeBase):
    pass


class Note(Tables):
    __tablename__ = "notes"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


def test_a_database_is_created_and_opened_again(tmp_path):
    file = tmp_path / "notes.sqlite"
    engine = open_database(file, Tables, what="notes")
    with Session(engine) as session, session.begin():
        session.add(Note(text="kept"))
    engine.dispose()
    engine = open_database(file, Tables, what="notes", create=False)
    with engine.connect() as connection:
        settings = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
        assert settings == ["wal", 1, 1]
        assert connection.exec_driver_sql("SELECT text FROM notes").scalar() == "kept"
    engine.dispose()


def test_a_path_may_hold_any_character(tmp_path):
    file = tmp_path / "a?b=c %20 #1.sqlite"
    open_database(file, Tables).dispose()
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_file_that_is_no_database_is_refused(tmp_path):
    file = tmp_path / "notes.sqlite"
    file.write_bytes(b"junk" * 999)
    with pytest.raises(MeepleError, match="cannot be used as the notes: file is not a database"):
        open_database(file, Tables, what="the notes")


@pytest.mark.parametrize("columns", ["(id INTEGER PRIMARY KEY)", None])
def test_a_database_without_these_tables_and_columns_is_foreign(tmp_path, columns):
    file = tmp_path / "notes.sqlite"
    connection = sqlite3.connect(file)
    if columns:
        connection.execute(f"CREATE TABLE notes {columns}")
    connection.close()
    with pytest.raises(ForeignDatabase):
        open_database(file, Tables, what="notes", create=bool(columns))


# ------------------------------------------------------------ migrations


class NewTables(DeclarativeBase):
    """The tables of a later version."""


class NewNote(NewTables):
    __tablename__ = "notes"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]
    color: Mapped[str]
    length: Mapped[int]


def _measure(connection):
    connection.exec_driver_sql("UPDATE notes SET length = length(text)")


STEPS = (
    add_column("notes", "color VARCHAR NOT NULL DEFAULT 'blue'"),
    add_column("notes", "length INTEGER NOT NULL DEFAULT 0"),
    _measure,
)
TEXTS = ["kept", "as well", "x" * 200_000]


@pytest.fixture
def old(tmp_path):
    """A file of the first version."""
    file = tmp_path / "notes.sqlite"
    engine = open_database(file, Tables)
    with Session(engine) as session, session.begin():
        session.add_all(Note(text=text) for text in TEXTS)
    engine.dispose()
    return file


def content(file):
    with contextlib.closing(sqlite3.connect(file)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        return version, connection.execute("SELECT * FROM notes ORDER BY id").fetchall()


FIRST = (0, list(enumerate(TEXTS, start=1)))
NEWEST = (3, [(number, text, "blue", len(text)) for number, text in FIRST[1]])


@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_the_missing_steps_are_applied_after_a_copy_was_saved(old, caplog, done):
    open_database(old, Tables, steps=STEPS[:done]).dispose()  # from schema 0 to one in between
    before, copies = content(old), set(old.parent.glob("*.schema-*"))
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        open_database(old, NewTables, what="notes", steps=STEPS).dispose()
    assert content(old) == NEWEST
    saved = set(old.parent.glob("*.schema-*")) - copies
    assert [content(copy) for copy in saved] == [before] * (done < 3)
    assert all(f"{old} was migrated" in caplog.text and str(copy) in caplog.text for copy in saved)
    open_database(old, NewTables, steps=STEPS).dispose()
    assert set(old.parent.glob("*.schema-*")) == copies | saved  # nothing was left to migrate


def test_the_copy_has_what_is_only_in_the_write_ahead_log(old):
    with contextlib.closing(sqlite3.connect(old)) as another_process:
        another_process.execute("INSERT INTO notes (text) VALUES ('newest')")
        another_process.commit()
        open_database(old, NewTables, steps=STEPS).dispose()
    assert content(old.with_name("notes.schema-0.sqlite"))[1][-1] == (4, "newest")
    assert content(old)[1][-1] == (4, "newest", "blue", 6)


def test_a_new_file_has_the_newest_schema_and_no_copy(tmp_path):
    file = tmp_path / "notes.sqlite"
    open_database(file, NewTables, steps=STEPS).dispose()
    assert content(file) == (3, [])
    assert not list(tmp_path.glob("*schema-*"))


def test_an_earlier_copy_is_not_replaced(old):
    earlier = old.with_name("notes.schema-0.sqlite")
    earlier.write_bytes(b"an earlier copy")
    open_database(old, NewTables, steps=STEPS).dispose()
    assert earlier.read_bytes() == b"an earlier copy"
    assert content(old.with_name("notes.schema-0-2.sqlite")) == FIRST


def _fail(connection):
    connection.exec_driver_sql("SELECT * FROM missing")


def test_a_step_that_fails_leaves_the_old_file(old):
    with pytest.raises(MeepleError, match="cannot be used as the notes: no such table: missing"):
        open_database(old, NewTables, what="the notes", steps=(*STEPS[:2], _fail))
    assert content(old) == FIRST


DYING = """
import os, sys
from pathlib import Path
from meeple import database
from tests.test_database import STEPS, NewTables
steps = STEPS
if sys.argv[2] == "step":
    steps = (*STEPS, lambda connection: os._exit(7))
else:
    os.replace = lambda *_: os._exit(7)
database.open_database(Path(sys.argv[1]), NewTables, steps=steps)
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["step", "copy"])
def test_a_process_killed_during_a_migration_leaves_the_old_file(old, moment):
    words = [sys.executable, "-c", DYING, str(old), moment]
    assert subprocess.run(words, check=False).returncode == 7
    assert content(old) == FIRST
    open_database(old, NewTables, steps=STEPS).dispose()
    assert content(old) == NEWEST
    assert [content(copy) for copy in old.parent.glob("*schema-*")] == [FIRST]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (STEPS[:2], "no copy could be saved as .*: it is unchanged"),
        (STEPS, "cannot be used as the notes: disk I/O error"),  # while rows are rewritten
    ],
)
def test_a_full_disk_leaves_the_old_file(old, steps, words):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))  # bytes of a file
    try:
        with pytest.raises(MeepleError, match=words):
            open_database(old, NewTables, what="the notes", steps=steps)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert content(old) == FIRST
    assert not [file for file in old.parent.iterdir() if "schema" in file.name]
    open_database(old, NewTables, steps=STEPS).dispose()
    assert content(old) == NEWEST


def test_a_database_of_another_program_is_refused_unchanged(tmp_path):
    file = tmp_path / "notes.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(ForeignDatabase):
        open_database(file, Tables)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]


def test_an_older_file_in_use_is_not_migrated(old):
    with pytest.raises(MeepleError, match="another process uses it: restart it"):
        open_database(old, NewTables, steps=STEPS, alone=False)
    assert content(old) == FIRST
