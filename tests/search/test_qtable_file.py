"""Q-table files: tables are read as written, and damaged files are refused."""

import numpy as np
import pytest

from meeple.errors import CheckpointError
from meeple.games.contract.registry import make
from meeple.search.qtable import file as qtable_file
from meeple.search.qtable.csv_file import export_csv
from meeple.search.qtable.file import game_of, load, save
from meeple.search.qtable.table import QTable
from meeple.tensor_file import write_tensors
from tests.search.growing import equal_tables, learned

REVERSI, LARGER = make("reversi", size=4), make("reversi", size=6)


@pytest.fixture(scope="module")
def table():
    return learned(REVERSI, solve=False)[0]


def test_file_stores_the_whole_table(table, tmp_path):
    path = tmp_path / "learned.qtable"
    save(path, table)
    for found in (load(path), load(path, REVERSI)):
        assert equal_tables(found, table)
        assert (found.game, found.games, found.capacity) == (REVERSI, 3, 10_000)
    assert game_of(path) == REVERSI
    save(path, QTable(REVERSI))
    assert len(load(path)) == 0


# ---------------------------------------------------------------- refused files


def test_a_table_of_other_options_and_a_network_are_refused(table, tmp_path):
    save(tmp_path / "q", table)
    with pytest.raises(CheckpointError, match=r"is a Q-table of .*size=4.*, not of .*size=6"):
        load(tmp_path / "q", LARGER)
    write_tensors(tmp_path / "net", "Meeple network", {"a": np.zeros(3, np.float32)}, {})
    with pytest.raises(CheckpointError, match="is not a Meeple Q-table"):
        load(tmp_path / "net")


def test_truncated_and_corrupted_files_are_refused(table, tmp_path):
    path = tmp_path / "q"
    save(path, table)
    content = path.read_bytes()
    for size in (0, 7, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(CheckpointError):
            load(path)
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    with pytest.raises(CheckpointError, match="checksum"):
        load(path)


def write(path, table, metadata=(), **arrays):
    """Write a file like `save`, with changes and a valid checksum."""
    facts = {
        "game": "reversi",
        "options": dict(REVERSI.options),
        "start": qtable_file.opening_of(REVERSI),
        "games": 1,
        "capacity": 10_000,
    }
    write_tensors(
        path, qtable_file.KIND, {**table.edges._asdict(), **arrays}, {**facts, **dict(metadata)}
    )


def test_hostile_arrays_are_refused(table, tmp_path):
    path, edges = tmp_path / "q", table.edges
    write(path, table)
    assert equal_tables(load(path), table)
    zeros = np.zeros(len(edges.action))
    for arrays, said in (
        ({"visits": zeros.astype(np.int64)}, "visits are a number from 1"),
        ({"action": edges.action - 100}, "an action is a number from 0"),
        ({"action": zeros.astype(np.int32)}, "not in order"),
        ({"position": edges.position[::-1].copy()}, "not in order"),
        ({"value": edges.value + 1}, "shares from 0 to 1"),
        ({"value": edges.value[:, :1].copy()}, "differ in length"),
        ({"visits": edges.visits[1:]}, "differ in length"),
        ({"visits": zeros.astype(np.float32)}, "is corrupt"),
        ({"more": edges.visits}, "is corrupt"),
    ):
        write(path, table, **arrays)
        with pytest.raises(CheckpointError, match=said):
            load(path)


def test_hostile_metadata_are_refused(table, tmp_path):
    for metadata, said in (
        ({"game": "chess"}, "is of a game that is not known here"),
        ({"game": 3}, "does not say which game"),
        ({"options": {"size": 5}}, "is of a game that is not known here"),
        ({"options": []}, "does not say which game"),
        ({"start": "0"}, "another version of reversi"),
        ({"games": -1}, "learned from"),
        ({"games": "1"}, "learned from"),
        ({"capacity": 10}, "more than its capacity"),
        ({"capacity": 10**12}, "more than its capacity"),
    ):
        write(tmp_path / "q", table, metadata)
        with pytest.raises(CheckpointError, match=said):
            load(tmp_path / "q")


def test_a_path_that_cannot_be_written_is_reported(table, tmp_path):
    for write_it in (save, export_csv):
        with pytest.raises(CheckpointError, match="cannot save"):
            write_it(tmp_path / "none" / "q", table)
