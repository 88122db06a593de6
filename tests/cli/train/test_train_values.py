"""`meeple train` with a configuration of a value network."""

import re

import pytest

from meeple.learn.config import documented, load
from tests.learn.values.test_loop import SMALL, config

CHANGES = [word for change in SMALL for word in ("--set", change)]


@pytest.fixture(autouse=True)
def small(tmp_path):
    """A configuration in the current folder."""
    (tmp_path / "small.toml").write_text('[run]\nmode = "values"\n[game]\nname = "catan"\n')


@pytest.mark.slow
def test_a_run_finishes_and_prints_how_to_play_against_it(command, tmp_path):
    code, out, err = command("train", "small.toml", *CHANGES)
    assert code == 0
    assert load(tmp_path / "runs" / "small" / "config.toml") == config()
    assert "round 1: 4 of 4 games labelled, " in err
    assert "round 1: against quick players " in err
    assert "Learned in 2 rounds and " in out
    assert "--option victory_points=4 --against states:runs/small" in out
    code, again, _ = command("train", "--resume", "--run", "runs/small")
    assert (code, again) == (0, out)
    assert "Rate its networks: meeple topp runs/small\n" in out
    _, out, _ = command("train", "small.toml", "--show-config", *CHANGES)
    assert out == documented(config())


@pytest.mark.slow
def test_a_run_cannot_be_changed_but_extended(command):
    command("train", "small.toml", *CHANGES, "--set", "run.rounds=1")
    resumed = ("train", "--resume", "--run", "runs/small", "--set")
    code, _, err = command(*resumed, "labels.games=5")
    assert code == 2
    assert "runs/small was started with labels.games = 4, not 5" in err
    out = command.done(*resumed, "run.rounds=2")
    assert "Learned in 3 rounds and " in out
    code, _, err = command("train", "small.toml", *CHANGES)
    assert code == 1
    assert "already holds a run" in err
    code, _, err = command("train", "small.toml", *CHANGES, "--show")
    assert (code, "for runs of self-play" in err) == (2, True)


@pytest.mark.slow
def test_a_diagnosis_learns_briefly_and_suggests_changes(command, tmp_path, monkeypatch):
    monkeypatch.setattr("meeple.learn.evaluation.matches.MIN_FINAL_ROUND_SECONDS", 0.0)
    matches = ("matches.games=2", "matches.opponents=['random']")
    learns = ("labels.results=200", "training.epochs=6")  # to win nearly every game
    changes = [word for change in (*matches, *learns) for word in ("--set", change)]
    out = command.done("train", "small.toml", *CHANGES, *changes, "--diagnose")
    assert re.search(r"2 rounds in \d+ s: \d+% of it labelling, .*; all 2 would take \d+ s", out)
    assert "share gained by choosing among siblings" in out
    assert "against random" in out
    assert "Too little was seen to say what to change: 2 of 8 rounds." in out
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_local_workers_are_threads(command):
    code, _, err = command("train", "small.toml", *CHANGES, "--workers", "2")
    assert code == 0
    assert re.search(r"round 1: 4 of 4 games labelled, .* a second by 2 workers", err)
    code, _, err = command("train", "small.toml", *CHANGES, "--workers", "65", "--run", "other")
    assert (code, err) == (2, "workers must be from 1 to 64, not 65\n")
    code, _, err = command("train", "small.toml", *CHANGES, "--workers", "2", "--diagnose")
    assert (code, err) == (2, "--diagnose learns in one thread: leave out --workers\n")


@pytest.mark.slow
def test_an_unreachable_cluster_leaves_the_folder_unchanged(command, tmp_path, plug_in_package):
    text = """
from meeple.errors import RunError
from meeple.executors.backend import Backend

FAR = Backend("", "toys:training")


def training(place, workers):
    raise RunError(f"there is no cluster at {place.name}")
"""
    plug_in_package("meeple-toys", {"backends": {"far": "toys:FAR"}}, toys=text)
    on = ("--on", "far://10.0.0.1:80")
    refusal = "there is no cluster at far://10.0.0.1:80\n"
    assert command("train", "small.toml", *CHANGES, *on) == (1, "", refusal)
    assert not (tmp_path / "runs").exists()
    command("train", "small.toml", *CHANGES, "--set", "run.rounds=1")
    run = tmp_path / "runs" / "small"
    before = {file: file.stat().st_mtime_ns for file in run.rglob("*") if file.suffix}
    code, _, err = command("train", "--resume", "--run", "runs/small", *on)
    assert (code, err) == (1, refusal)
    code, _, err = command("train", "small.toml", *CHANGES, *on)
    assert "already holds a run" in err
    after = {file: file.stat().st_mtime_ns for file in run.rglob("*") if file.suffix}
    del before[run / "run.lock"], after[run / "run.lock"]
    assert after == before


@pytest.mark.slow
def test_networks_of_a_run_are_rated(command):
    command.done("train", "small.toml", *CHANGES, "--set", "gate.games=0")
    out = command.done("topp", "runs/small", "--games", "2")
    assert "2 networks of runs/small" in out
    assert "--against states:runs/small/checkpoints/0000000" in out
    assert "no policy to draw from" in command.refused("topp", "runs/small", "--policy", "sample")
