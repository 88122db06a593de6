"""`meeple explore` counts the moves in files of games, as a table and as JSON."""

import json

import pytest

from meeple.games.contract.records import to_lines
from meeple.protocols.records import formats
from tests.protocols.records.playing import random_game
from tests.protocols.records.test_wthor import one_game


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.wtb").write_bytes(one_game(count=3))
    other = [random_game("hex", 1, size=3), random_game("nim", 3)]
    (tmp_path / "b.jsonl").write_text(to_lines(other))
    return tmp_path / "a.wtb", tmp_path / "b.jsonl"


def test_the_commonest_game_is_printed_with_its_moves(run, files):
    done = run("explore", *files, "--moves", "f5 d6")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("reversi size=8 payoff=win: ")
    [row] = [line for line in done.stdout.splitlines() if line.startswith("c3 ")]
    assert row.split()[1:3] == ["3", "0.0"]  # White's 62 discs are declared, and Black moves
    assert row.endswith("1999")
    assert f"meeple watch {files[0]} --game 1" in done.stdout
    assert "Left out 2 games that are not of reversi" in done.stderr


def test_json_has_the_same_counts_to_the_requested_depth(run, files):
    done = run("explore", *files, "--json", "--depth", "3", "--least", "3")
    told = json.loads(done.stdout)
    assert (told["game"], told["moves"], told["reached"]) == ("reversi", [], 3)
    other = json.loads(run("explore", *files, "--game", "hex", "-o", "size=3", "--json").stdout)
    assert (other["game"], other["options"]["size"]) == ("hex", 3)
    [first] = told["next"]
    assert (first["move"], first["games"]) == ("f5", 3)
    assert [one["move"] for one in first["next"]] == ["d6"]
    assert first["next"][0]["next"][0]["games"] >= 3


DECLARED = """(;FF[4]GM[11]SZ[11]RE[B+];B[a1];W[b2];B[c3])
(;FF[4]GM[11]SZ[11]RE[W+];B[a1];W[b2];B[c4])
(;FF[4]GM[11]SZ[11]RE[B+R];B[a1];W[b2];B[c3])
(;FF[4]GM[11]SZ[11];B[a1];W[b2];B[c3])
"""


def test_declared_results_count_and_are_named(run, tmp_path):
    path = tmp_path / "declared.sgf"
    path.write_text(DECLARED)
    [move] = json.loads(run("explore", path, "--json").stdout)["next"]
    assert (move["move"], move["games"], move["decided"], move["declared"]) == ("a1", 4, 3, 2)
    assert move["share"] == pytest.approx(2 / 3)
    done = run("explore", path)
    assert "The result of 2 games is only declared by the file." in done.stdout


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("--game", "hex", "-o", "size=11"), "there is no game of hex size=11", 1),
        (("--game", "gomoku"), "there is no game of gomoku in these files", 1),
        (("--moves", "a1"), "'a1' is not legal", 1),
        (("--symmetries", "x"), "--symmetries must be on or off", 2),
        (("-o", "size=3"), "--option goes with --game", 2),
        (("--game", "catan"), "catan cannot be explored", 1),
    ],
)
def test_unusable_files_and_arguments_are_refused(run, files, words, said, code):
    refused = run("explore", *files, *words)
    assert said in refused.stderr
    assert refused.returncode == code


def test_faulty_games_are_skipped_and_counted(run, tmp_path):
    text = formats.write([random_game("hex", 1, size=3)], "sgf")
    (tmp_path / "a.sgf").write_text(text + "(;GM[11]SZ[3];B[z9])")
    done = run("explore", tmp_path / "a.sgf")
    assert done.returncode == 0
    assert "Left out 1 faulty game: " in done.stderr
    assert "game 2: move 1, B[z9]" in done.stderr
