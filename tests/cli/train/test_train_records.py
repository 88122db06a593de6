"""`meeple train --from-records` learns from files of games, and reports skipped games."""

import pytest

from meeple.games.contract.records import to_lines
from meeple.protocols.records import formats
from tests.protocols.records.playing import random_game

SMALL = (
    "[game]\nname = 'reversi'\noptions = { size = 4 }\n[network]\nhidden = [8]\n"
    "[training]\nbatch_size = 64\n[matches]\nminutes = 0\n"
)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    games = [random_game("reversi", seed, size=4) for seed in range(30)]
    (tmp_path / "a.jsonl").write_text(to_lines([*games[:20], random_game("hex", 1, size=3)]))
    (tmp_path / "b.ggf").write_text(formats.write(games[20:], "ggf"))
    return tmp_path


@pytest.mark.slow
def test_a_run_learns_from_several_files_and_resumes(run, files):
    words = ("--run", files / "run", "--set", "records.epochs=2")
    done = run(
        "train", files / "small.toml", *words, "--from-records", files / "a.jsonl", files / "b.ggf"
    )
    assert done.returncode == 0, done.stderr
    assert "Left out 1 game that is not of this one: 1 of hex" in done.stderr
    assert "games held out" in done.stderr
    assert "the best of 2 epochs is epoch" in done.stdout
    assert f"puct:{files / 'run'},sims=400" in done.stdout
    again = run("train", "--resume", "--run", files / "run")
    assert again.returncode == 0, again.stderr
    assert "the best of 2 epochs" in again.stdout
    later = run("train", "--resume", "--run", files / "run", "--from-records", files / "a.jsonl")
    assert later.returncode == 2
    assert "a run resumes with the games that it has" in later.stderr


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("x.jsonl",), "come after --from-records", 2),
        (("--from-records", "none.sgf"), "there is no file", 1),
        (("--from-records", "hex.jsonl"), "there is no game of reversi (size=4, payoff=win)", 2),
        (("--show", "--from-records", "a.jsonl"), "cannot be had with records", 2),
        (("--set", "records.epochs=1"), "name files after --from-records", 2),
        (("--set", "records.held_out=1", "--from-records", "a.jsonl"), "records.held_out must", 2),
    ],
)
def test_wrong_usage_is_reported_and_no_run_is_created(run, files, words, said, code, monkeypatch):
    monkeypatch.chdir(files)
    (files / "hex.jsonl").write_text(to_lines([random_game("hex", 1, size=3)]))
    refused = run("train", "small.toml", *words)
    assert said in refused.stderr
    assert refused.returncode == code
    assert not (files / "runs" / "small" / "config.toml").exists()


def test_the_ready_configuration_requires_records(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = run("train", "reversi8-people")
    assert refused.returncode == 2
    assert "reversi8-people learns from records" in refused.stderr
