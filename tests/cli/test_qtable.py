"""`meeple qtable`: learning, resuming, printing, CSV round trips, and errors."""

import contextlib
import json

import pytest

from meeple.search.qtable.file import load

SMALL = ["reversi", "-o", "size=6"]


@pytest.fixture
def qtable(run):
    return lambda *words: run("qtable", *words)


@pytest.fixture
def learned(tmp_path, qtable):
    path = tmp_path / "small.qtable"
    assert qtable("learn", *SMALL, path, "--games", 3, "--sims", 60).returncode == 0
    return path


@pytest.mark.slow
def test_learning_resumes_and_prints_the_command_to_play(tmp_path, qtable):
    path = tmp_path / "small.qtable"
    printed = qtable("learn", *SMALL, path, "--games", 2, "--sims", 60).stdout
    assert "Learned from 2 games" in printed
    assert f"meeple play reversi --option size=6 --against uct:sims=1000,qtable={path}" in printed
    assert qtable("learn", *SMALL, path, "--games", 1, "--seconds", 0.01).returncode == 0
    against = ("learn", *SMALL, path, "--games", 1, "--sims", 60, "--against")
    assert qtable(*against, "minimax:depth=1").returncode == 0
    assert load(path).games == 4
    assert "there is no agent 'xyz'" in qtable(*against, "xyz").stderr


def test_ctrl_c_keeps_the_finished_games(tmp_path, monkeypatch, qtable):
    stopped = contextlib.nullcontext(lambda: True)
    monkeypatch.setattr("meeple.cli.qtable.stopping", lambda: stopped)
    path = tmp_path / "small.qtable"
    done = qtable("learn", *SMALL, path, "--games", 5, "--sims", 60)
    assert done.returncode == 130
    assert "run the same command again to resume" in done.stderr
    assert load(path).games == 1


def test_info_names_the_actions_of_the_initial_state(learned, qtable):
    assert "learned from 3 games" in qtable("info", learned).stdout
    facts = json.loads(qtable("info", learned, "--json").stdout)
    assert (facts["game"], facts["games"]) == ("reversi", 3)
    assert len(facts["start"]) == 4
    assert facts["start"][0]["visits"] >= 1


def test_a_table_survives_a_round_trip_through_csv(learned, tmp_path, qtable):
    csv, again = tmp_path / "small.csv", tmp_path / "again.qtable"
    assert qtable("export", learned, csv).returncode == 0
    assert qtable("import", *SMALL, csv, again).returncode == 0
    assert load(again).edges.visits.tolist() == load(learned).edges.visits.tolist()
    assert qtable("export", learned, csv).returncode == 1
    assert qtable("export", learned, csv, "--force").returncode == 0
    assert qtable("import", *SMALL, csv, again).returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["learn", "reversi", "FILE"], "is a Q-table of"),
        (["learn", *SMALL, "FILE", "--capacity", 5], "which cannot change"),
        (["learn", *SMALL, "none/FILE"], "cannot save"),
        (["learn", *SMALL, "other", "--seconds", "nan"], "seconds must be"),
        (["info", "missing"], "there is no file missing"),
        (["import", *SMALL, "missing", "other"], "there is no file missing"),
        (["forget"], "No such command"),
    ],
)
def test_impossible_requests_are_refused_with_a_sentence(words, said, learned, monkeypatch, qtable):
    monkeypatch.chdir(learned.parent)
    refused = qtable(*(str(word).replace("FILE", learned.name) for word in words))
    assert refused.returncode in (1, 2)
    assert said in refused.stderr
