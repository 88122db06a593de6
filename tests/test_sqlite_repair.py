"""Damaged pages of a database are found when it is opened, and what can be read is saved."""

import contextlib
import logging
import random
import sqlite3

import pytest
from sqlalchemy import String
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple import sqlite_repair
from meeple.database import open_database
from meeple.errors import MeepleError
from tests.tiers import few_quick

ROWS = 2_000
PAGE = 4096


class Tables(DeclarativeBase):
    pass


class Note(Tables):
    __tablename__ = "notes"

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    text: Mapped[str] = mapped_column(index=True)


class Number(Tables):
    __tablename__ = "numbers"

    id: Mapped[int] = mapped_column(primary_key=True)


@pytest.fixture
def file(tmp_path):
    """A database of about a hundred pages."""
    path = tmp_path / "notes.sqlite"
    engine = open_database(path, Tables)
    with Session(engine) as session, session.begin():
        session.add_all(Note(id=f"n{n}", text=f"{n} " * 20) for n in range(ROWS))
        session.add_all(Number(id=n) for n in range(-5, ROWS))
    engine.dispose()
    return path


def pages_of(file, table):
    """Return the numbers of a table's pages, in the order of the rows."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()[0]
    content = file.read_bytes()
    page = content[(root - 1) * PAGE : root * PAGE]
    assert page[0] == 5, "the table has an interior page"
    cells = int.from_bytes(page[3:5])
    places = [int.from_bytes(page[12 + 2 * i : 14 + 2 * i]) for i in range(cells)]
    leaves = [int.from_bytes(page[place : place + 4]) for place in places]
    return [root, *leaves, int.from_bytes(page[8:12])]


def damage(file, pages, byte=0xAA):
    with open(file, "r+b") as target:
        for page in pages:
            target.seek((page - 1) * PAGE)
            target.write(bytes([byte]) * PAGE)


def content(file, table="notes"):
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.text_factory = bytes
        assert connection.execute("PRAGMA quick_check").fetchone() == (b"ok",)
        return {row[0]: row for row in connection.execute(f"SELECT * FROM {table}")}


@pytest.mark.parametrize("byte", few_quick([0x00, 0xAA, 0xFF]))
@pytest.mark.parametrize("which", [[0], [-1], [10, 11], [3, 8, 13, 18, 23, 28]])
def test_rows_outside_damaged_pages_are_saved_and_the_file_kept(file, caplog, which, byte):
    before, (_, *leaves) = content(file), pages_of(file, "notes")
    damage(file, [leaves[place] for place in which], byte)
    damaged = file.read_bytes()
    with caplog.at_level(logging.WARNING):
        open_database(file, Tables).dispose()
    after = content(file)
    assert after.items() <= before.items()
    assert ROWS - len(after) <= len(which) * PAGE / 60  # bytes of the shortest row
    assert file.with_name("notes.damaged.sqlite").read_bytes()[100:] == damaged[100:]
    assert f"notes {len(after)} of {ROWS}, numbers 2005 of 2005" in caplog.text
    caplog.clear()
    open_database(file, Tables).dispose()
    assert not caplog.text  # the new file is whole


def test_a_table_whose_first_page_is_damaged_loses_no_other_table(file, caplog):
    damage(file, pages_of(file, "notes")[:1])
    open_database(file, Tables).dispose()
    assert content(file) == {}
    assert len(content(file, "numbers")) == ROWS + 5
    assert "notes 0 of" in caplog.text


def test_a_file_whose_first_page_is_damaged_is_refused_unchanged(file):
    damage(file, [1])
    damaged = file.read_bytes()
    with pytest.raises(MeepleError, match="cannot be used: file is not a database"):
        open_database(file, Tables)
    assert file.read_bytes() == damaged


def test_random_damage_never_ends_in_another_error(file):
    content_before, rng = file.read_bytes(), random.Random(3)
    known = content(file)
    for _ in range(40):
        damaged = bytearray(content_before)
        for _ in range(rng.choice([1, 5, 40])):
            damaged[rng.randrange(100, len(damaged))] = rng.randrange(256)
        file.write_bytes(damaged)
        with contextlib.suppress(MeepleError):
            open_database(file, Tables).dispose()
            assert len(content(file).keys() & known.keys()) > ROWS / 2


def test_a_file_in_use_by_another_process_is_only_reported(file, caplog):
    damage(file, pages_of(file, "notes")[3:4])
    damaged = file.read_bytes()
    open_database(file, Tables, alone=False).dispose()
    assert "has damaged pages" in caplog.text
    assert file.read_bytes()[100:] == damaged[100:]


def test_a_full_disk_leaves_the_damaged_file(file):
    resource = pytest.importorskip("resource")
    damage(file, pages_of(file, "notes")[3:4])
    damaged = file.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))  # bytes of a file
    try:
        with pytest.raises(MeepleError, match=r"has damaged pages .* cannot be saved"):
            open_database(file, Tables)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_bytes()[100:] == damaged[100:]


class AtOnce:
    """A timer whose time is up when the next statement begins."""

    def __init__(self, _, interrupt):
        self.connection = interrupt.__self__

    def start(self):
        self.connection.set_progress_handler(lambda: 1, 1)

    def cancel(self):
        self.connection.set_progress_handler(None, 1)

    def join(self):
        pass


def test_the_check_of_a_large_file_ends_after_its_time(file, caplog, monkeypatch):
    damage(file, pages_of(file, "notes")[3:4])
    monkeypatch.setattr("threading.Timer", AtOnce)
    assert sqlite_repair.find_damage(file) == ""
    assert "not all of its pages were checked" in caplog.text
