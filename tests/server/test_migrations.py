"""Databases of older schemas are migrated without a loss, those of newer ones are refused."""

import json
import logging
import sqlite3

import pytest
from sqlalchemy import inspect

from meeple.arena.games.store import FILE as ARENA_FILE
from meeple.arena.games.store import Store
from meeple.errors import MeepleError
from meeple.server.play.stored import table_of, terms_of
from meeple.server.puzzles.stored import PuzzleStore
from meeple.server.store import FILE, STEPS, Filter, GameStore
from meeple.server.study.stored import StudyStore

TERMS = {"help": True, "pace": 0.0, "host": "", "clock": {"kind": "game", "seconds": 60.0,
         "increment": 5.0, "left": [41.5, 60.0]}}  # fmt: skip
SEAT = {"kind": "human", "name": "", "spec": "", "token": "8c34", "invite": "", "gone": False}
NIM = '{"stones": 9, "take": 3, "heaps": "", "misere": false}'
NODES: dict[str, list[int]] = {
    name: [] for name in ("ids", "parents", "actions", "comments", "marks", "movers", "texts")
}

# The tables as each version of the server created them, the oldest first, with a row in each.
SERVER = [
    f"""
CREATE TABLE games (id VARCHAR(16) NOT NULL, created FLOAT NOT NULL, updated FLOAT NOT NULL,
    game VARCHAR(64) NOT NULL, options JSON NOT NULL, seed INTEGER NOT NULL, seats JSON NOT NULL,
    people VARCHAR NOT NULL, status VARCHAR(8) NOT NULL, origin VARCHAR(8) NOT NULL,
    plies INTEGER NOT NULL, opening INTEGER NOT NULL, result JSON, terms JSON NOT NULL,
    notes JSON NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_games_status ON games (status);
CREATE INDEX ix_games_updated ON games (updated);
CREATE INDEX ix_games_game ON games (game);
CREATE TABLE plies (game VARCHAR(16) NOT NULL, ply INTEGER NOT NULL, action INTEGER NOT NULL,
    value VARCHAR, PRIMARY KEY (game, ply),
    FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE);
INSERT INTO games VALUES ('efb_osUyI28v', 1795884080.37, 1795884085.5, 'nim', '{NIM}',
    7092080654665692042, '{json.dumps([SEAT, SEAT])}', 'guest guest', 'playing', 'played', 2, 0,
    'null', '{json.dumps(TERMS)}', '{{}}');
INSERT INTO plies VALUES ('efb_osUyI28v', 0, 1, NULL), ('efb_osUyI28v', 1, 2, '[0.25, 0.75]');
""",
    f"""
CREATE TABLE studies (id VARCHAR(24) NOT NULL, "key" VARCHAR(64) NOT NULL, version INTEGER NOT NULL,
    created FLOAT NOT NULL, updated FLOAT NOT NULL, title VARCHAR NOT NULL,
    game VARCHAR(64) NOT NULL, options JSON NOT NULL, seed INTEGER NOT NULL, seats JSON NOT NULL,
    nodes JSON NOT NULL, PRIMARY KEY (id), UNIQUE ("key"));
INSERT INTO studies VALUES ('study', 'hash', 3, 1.0, 2.0, 'Endings', 'nim', '{NIM}', 1, '[]',
    '{json.dumps(NODES)}');
""",
    f"""
CREATE TABLE puzzles (id VARCHAR(16) NOT NULL, game VARCHAR(64) NOT NULL, options JSON NOT NULL,
    seed INTEGER NOT NULL, moves JSON NOT NULL, solution JSON NOT NULL, proof VARCHAR NOT NULL,
    rating FLOAT NOT NULL, deviation FLOAT NOT NULL, tries INTEGER NOT NULL,
    solved INTEGER NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_puzzles_game ON puzzles (game);
CREATE TABLE solvers (person VARCHAR(64) NOT NULL, rating FLOAT NOT NULL, deviation FLOAT NOT NULL,
    tries INTEGER NOT NULL, solved INTEGER NOT NULL, updated FLOAT NOT NULL, PRIMARY KEY (person));
CREATE INDEX ix_solvers_updated ON solvers (updated);
CREATE TABLE attempts (person VARCHAR(64) NOT NULL, puzzle VARCHAR(16) NOT NULL,
    solved BOOLEAN NOT NULL, time FLOAT NOT NULL, PRIMARY KEY (person, puzzle),
    FOREIGN KEY(person) REFERENCES solvers (person) ON DELETE CASCADE,
    FOREIGN KEY(puzzle) REFERENCES puzzles (id) ON DELETE CASCADE);
INSERT INTO puzzles VALUES ('puzzle', 'nim', '{NIM}', 1, '["take 1"]', '["take 3"]', 'solver',
    1600.0, 90.0, 1, 1);
INSERT INTO solvers VALUES ('person', 1700.0, 80.0, 1, 1, 5.0);
INSERT INTO attempts VALUES ('person', 'puzzle', 1, 5.0);
""",
    """
CREATE TABLE cups (id VARCHAR(16) NOT NULL, updated FLOAT NOT NULL, data VARCHAR NOT NULL,
    PRIMARY KEY (id));
INSERT INTO cups VALUES ('cup', 1.0, '{"id": "cup"}');
""",
    """
CREATE TABLE reviews (game VARCHAR(16) NOT NULL, "key" VARCHAR NOT NULL, messages VARCHAR NOT NULL,
    PRIMARY KEY (game), FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE);
INSERT INTO reviews VALUES ('efb_osUyI28v', 'key', '[]');
""",
]
ARENA = """
CREATE TABLE terms (version INTEGER NOT NULL, terms JSON NOT NULL, PRIMARY KEY (version));
CREATE TABLE outcomes (number INTEGER NOT NULL, lineup JSON NOT NULL, record VARCHAR NOT NULL,
    choices JSON NOT NULL, seconds JSON NOT NULL, simulations JSON NOT NULL, habits JSON NOT NULL,
    fault JSON, warm BOOLEAN NOT NULL, PRIMARY KEY (number));
INSERT INTO terms VALUES (1, '{"seed": 1}');
"""


def write(file, *scripts):
    connection = sqlite3.connect(file)
    connection.executescript("".join(scripts))
    connection.close()
    return file


def rows_of(file):
    """Return all rows of a file: table, then column, then value."""
    connection = sqlite3.connect(file)
    connection.row_factory = sqlite3.Row
    names = [
        row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    rows = {
        name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names
    }
    connection.close()
    return rows


def shape_of(engine):
    """Return the columns and indexed columns of each table."""
    found = inspect(engine)
    return {
        table: (
            {column["name"]: column["nullable"] for column in found.get_columns(table)},
            {tuple(index["column_names"]) for index in found.get_indexes(table)},
            found.get_pk_constraint(table)["constrained_columns"],
            sorted(str(key) for key in found.get_foreign_keys(table)),
        )
        for table in found.get_table_names()
    }


@pytest.mark.parametrize("tables", range(1, len(SERVER) + 1))
def test_a_database_of_every_older_server_keeps_all_rows(tmp_path, caplog, tables):
    file = write(tmp_path / FILE, *SERVER[:tables])
    before = rows_of(file)
    with caplog.at_level(logging.WARNING):
        store = GameStore(tmp_path)
    table = table_of(*store.game("efb_osUyI28v"))
    assert (table.ply, table.status, terms_of(table)["clock"]["left"]) == (
        2,
        "playing",
        [41.5, 60.0],
    )
    fresh = GameStore(tmp_path / "new")
    assert shape_of(store.engine) == shape_of(fresh.engine)
    fresh.close()
    store.close()
    for name, rows in before.items():
        kept = rows_of(file)[name]
        assert [new | old for old, new in zip(rows, kept, strict=True)] == kept
    copies = list(tmp_path.glob("games.schema-0*.sqlite"))
    is_current = tables == len(SERVER) and not STEPS
    assert [rows_of(copy) for copy in copies] == [before] * (not is_current)
    assert all(str(copy) in caplog.text for copy in copies)


def test_a_migrated_database_serves_its_studies_puzzles_and_cups(tmp_path):
    write(tmp_path / FILE, *SERVER)
    store = GameStore(tmp_path)
    assert store.cup("cup") == '{"id": "cup"}'
    assert store.review("efb_osUyI28v", "key") == "[]"
    assert StudyStore(store.engine, 10).get("study")[0].title == "Endings"
    assert PuzzleStore(store.engine).get("puzzle").rating == 1600.0
    assert [game.id for game in store.list(Filter())] == ["efb_osUyI28v"]
    store.close()


def test_the_oldest_files_of_the_arena_are_read(tmp_path):
    write(tmp_path / ARENA_FILE, ARENA)
    with Store(tmp_path, {"seed": 1}) as store:
        assert store.outcomes() == {}


@pytest.mark.parametrize(
    ("name", "script", "open_it"),
    [
        (FILE, "".join(SERVER), lambda file: GameStore(file.parent)),
        (ARENA_FILE, ARENA, lambda file: Store(file.parent, {"seed": 1})),
    ],
)
def test_a_file_of_a_newer_version_is_refused_unchanged(tmp_path, name, script, open_it):
    refused_unchanged(write(tmp_path / name, script, "PRAGMA user_version=999;"), open_it)


def refused_unchanged(file, open_it):
    """Check that opening a file of a newer version fails with a sentence and changes nothing."""
    before = rows_of(file)
    with pytest.raises(MeepleError, match=r"newer version of Meeple \(schema 999") as refused:
        open_it(file)
    assert str(file) in str(refused.value)
    assert rows_of(file) == before
    assert not list(file.parent.glob("*schema-*"))
