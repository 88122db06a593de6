"""Games are converted by file name endings, all or none; errors name faulty games."""

import io
import json
import sys

import pytest

from meeple.games.contract.records import read_records, to_lines
from meeple.protocols.records import formats
from tests.protocols.records.playing import random_game
from tests.protocols.records.test_wthor import one_game

HEX = [random_game("hex", seed, size=3) for seed in range(3)]


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(to_lines(HEX))
    return path


def test_games_survive_a_conversion_to_another_format_and_back(run, tmp_path, games):
    assert run("convert", games, tmp_path / "a.sgf").returncode == 0
    done = run("convert", tmp_path / "a.sgf", tmp_path / "b.jsonl")
    assert done.returncode == 0
    assert done.stdout == f"Wrote 3 games to {tmp_path / 'b.jsonl'}, from sgf to jsonl.\n"
    assert read_records(tmp_path / "b.jsonl") == HEX


def test_a_guessed_encoding_is_reported_on_stderr_and_in_json(run, tmp_path):
    source = tmp_path / "a.sgf"
    source.write_bytes("(;GM[11]SZ[3]PB[Jürgen];B[a1])".encode("latin-1"))
    done = run("convert", source, tmp_path / "b.sgf", "--json")
    [notice] = json.loads(done.stdout)["notices"]
    assert notice.startswith(f"{source}: its encoding is not declared: read as windows-125")
    assert done.stderr == f"Note: {notice}.\n"
    assert "Jürgen" in (tmp_path / "b.sgf").read_text()


def test_an_unknown_rule_is_given_by_an_option(run, tmp_path):
    source = tmp_path / "a.psq"
    source.write_text("Piskvorky 15x15, 11:11, 0\n8,8,1\na\nb\n-1\n1,Caro_1\n")
    refused = run("convert", source, tmp_path / "a.sgf")
    assert refused.returncode == 1
    assert "convert the file with --option rule=RULE" in refused.stderr
    assert run("convert", source, tmp_path / "a.sgf", "--option", "rule=standard").returncode == 0
    assert "RU[standard]" in (tmp_path / "a.sgf").read_text()
    for option, said in (
        ("rule=renju", "by the rule standard, not renju as you gave"),
        ("size=19", "its size is 15, not 19 as you gave"),
        ("swap=on", "gomoku has no option 'swap'"),
    ):
        other = run("convert", tmp_path / "a.sgf", tmp_path / "b.sgf", "--option", option)
        assert other.returncode == 1
        assert said in other.stderr


@pytest.mark.parametrize(("words", "which"), [(("--game", "2"), [1]), (("--first", "2"), [0, 1])])
def test_selected_games_are_converted(run, tmp_path, games, words, which):
    assert run("convert", games, tmp_path / "a.jsonl", *words).returncode == 0
    assert read_records(tmp_path / "a.jsonl") == [HEX[number] for number in which]


def test_a_faulty_game_stops_the_conversion_or_is_skipped(run, tmp_path, games):
    line = json.loads(HEX[1].to_json())
    line["actions"][1] = line["actions"][0]
    games.write_text(f"{HEX[0].to_json()}\n{json.dumps(line)}\n{{}}\n{HEX[2].to_json()}\n")
    for target in ("a.sgf", "a.jsonl"):
        stopped = run("convert", games, tmp_path / target)
        assert stopped.returncode == 1
        assert stopped.stderr.startswith("game 2, action 2 of the record, player 2 to move")
        assert stopped.stderr.endswith("; --skip leaves such games out\n")
        assert not (tmp_path / target).exists()
    done = run("convert", games, tmp_path / "a.sgf", "--skip", "--json")
    assert done.returncode == 0
    assert done.stderr == "Left out 2 of 4 games, which are faulty.\n"
    summary = {"from": "jsonl", "to": "sgf", "games": 4, "written": 2, "skipped": 2}
    assert json.loads(done.stdout) == summary | {"notices": []}


def test_standard_input_is_read_and_unsuitable_games_are_named(run, games, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(games.read_bytes())))
    (tmp_path / "a.sgf").write_text("other games, which are replaced")
    done = run("convert", "-", tmp_path / "a.sgf", "--from", "jsonl", "--force")
    assert done.returncode == 0
    assert formats.read_all(tmp_path / "a.sgf") == HEX
    refused = run("convert", games, tmp_path / "a.ggf")
    assert refused.returncode == 1
    assert refused.stderr.startswith("game 1, there is no GGF for hex, only for reversi")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a.txt",), "no ending of a format of records; they are .jsonl"),
        (("a.wtb",), "wthor is only read, not written; written are jsonl, sgf, ggf, psq"),
        (("a.psq",), "a file in psq holds one game"),
        (("a.sgf", "--to", "pgn"), "there is no format of records 'pgn'"),
        (("a.sgf", "--game", "9"), "there is no game 9: it has 3 games"),
        (("a.sgf", "--game", "1", "--first", "2"), "give one of them"),
        (("-", "--to", "sgf", "--json"), "both write to standard output"),
        (("-",), "--to sgf"),
        (("games.jsonl",), "exists already: --force replaces it"),
    ],
)
def test_wrong_usage_is_reported(run, tmp_path, games, words, said):
    target = words[0] if words[0] == "-" else tmp_path / words[0]
    refused = run("convert", games, target, *words[1:])
    assert refused.returncode == 2
    assert said in refused.stderr


def test_games_of_wthor_are_watched_and_converted(run, tmp_path):
    path = tmp_path / "x.wtb"
    path.write_bytes(one_game(count=2))
    assert run("convert", path, tmp_path / "x.ggf").returncode == 0
    listed = run("watch", path)
    assert listed.returncode == 0
    assert "player 1 - player 2  0 1 (declared)  (5 plies)" in listed.stdout
    shown = run("watch", path, "--game", "2")
    assert "5. " in shown.stdout
