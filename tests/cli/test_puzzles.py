"""`meeple puzzles`: from files and a server's library, to a file and to a server."""

import time

import pytest

import meeple
from meeple.games.contract.records import read_records, to_lines
from meeple.server.puzzles.stored import PuzzleStore
from meeple.server.store import OVER, GameStore, Ply, StoredGame
from tests.arena.test_puzzles import random_records


@pytest.fixture
def games(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(to_lines(random_records(meeple.make("hex", size=3), 8)))
    return file


def test_puzzles_go_to_a_file_and_to_a_server(run, tmp_path, games):
    out, folder = tmp_path / "puzzles.jsonl", tmp_path / "served"
    done = run("puzzles", games, "--output", out, "--add-to", folder, "--most", 3)
    assert done.returncode == 0, done.stderr
    assert "3 puzzles from 8 games" in done.stdout
    assert len(read_records(out)) == 3
    store = GameStore(folder)
    assert PuzzleStore(store.engine).games() == {"hex": 3}
    store.close()


def test_the_games_of_a_library_make_puzzles(run, tmp_path):
    folder = tmp_path / "served"
    store = GameStore(folder)
    for number, record in enumerate(random_records(meeple.make("hex", size=3), 8)):
        position = meeple.games.contract.records.replay(record)
        row = StoredGame(
            id=f"game{number}", created=1.0, updated=time.time(), game="hex",
            options=dict(record.options), seed=0, seats=[{"kind": "record", "name": "a"}] * 2,
            people="", status=OVER, origin="uploaded", opening=0, terms={}, notes={},
            result={"payoffs": list(record.payoffs), "how": "rules"},
        )  # fmt: skip
        store.add(row, [Ply(action) for action in position.actions])
    store.close()
    done = run("puzzles", "--library", folder, "--output", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert "from 8 games" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [(["GAMES"], "--output"), (["--output", "x.jsonl"], "--library")],
)
def test_a_command_without_games_or_a_goal_says_what_is_missing(run, games, words, message):
    done = run("puzzles", *(games if word == "GAMES" else word for word in words))
    assert done.returncode == 2
    assert message in done.stderr
