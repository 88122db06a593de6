"""SQLite databases: files of other programs and other tables are refused in a sentence."""

import sqlite3

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.database import ForeignDatabase, open_database
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
