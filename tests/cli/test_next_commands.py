"""The commands suggested at the end of training work in the state of that moment."""

import json
import shlex

import pytest

from meeple.cli.train.resumed import twice_as_long
from meeple.games.contract.records import to_lines
from meeple.learn.run.schema import RunState
from tests.learn.small import HEX3
from tests.learn.values.test_loop import SMALL as VALUES
from tests.protocols.records.playing import random_game


def continue_command(out):
    """Return the words of the suggested command to continue a run, or None if missing."""
    lines = [line for line in out.splitlines() if line.startswith("Learn for longer: ")]
    return shlex.split(lines[0].partition(": ")[2])[1:] if lines else None


@pytest.mark.parametrize(
    ("done", "minutes", "seconds", "changes"),
    [
        (1000, None, 50, "--set run.episodes=2000"),
        (1000, 10, 120, "--set run.episodes=2000"),
        (1000, 10, 500, "--set run.episodes=2000 --set run.minutes=20"),
        (300, 10, 600, "--set run.minutes=20"),
        (300, 10, 900, "--set run.minutes=30"),
        (700, 10, 600, "--set run.episodes=2000 --set run.minutes=20"),
        (300, 0.05, 3.2, "--set run.minutes=0.2"),
    ],
)
def test_every_limit_that_would_end_a_run_is_raised(done, minutes, seconds, changes):
    assert " ".join(twice_as_long(("episodes", 1000, done), minutes, seconds)) == changes


CONFIGS = {
    "selfplay": ('[game]\nname = "hex"\n', HEX3),
    "values": ('[run]\nmode = "values"\n[game]\nname = "catan"\n', VALUES),
    "records": (
        "[game]\nname = 'hex'\noptions = { size = 3 }\n[network]\nhidden = [8]\n"
        "[training]\nbatch_size = 64\n[matches]\nminutes = 0\n",
        (),
    ),
}


@pytest.fixture
def learn(command, tmp_path):
    """Train a small run of a way of learning; return what it prints."""

    def train(way, *changes):
        text, usual = CONFIGS[way]
        (tmp_path / "small.toml").write_text(text)
        words = [word for change in (*usual, *changes) for word in ("--set", change)]
        if way == "records":
            games = to_lines(random_game("hex", seed, size=3) for seed in range(30))
            (tmp_path / "games.jsonl").write_text(games)
            words += ["--from-records", "games.jsonl"]
        return command.done("train", "small.toml", *words)

    return train


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "limits", "raised"),
    [
        ("selfplay", ("run.episodes=100000", "run.minutes=0.01"), "minutes"),  # once of no effect
        ("selfplay", ("run.minutes=1000",), "episodes"),
        ("values", ("run.rounds=1",), "rounds"),
        ("values", ("run.rounds=50", "run.minutes=0.001"), "minutes"),
        ("records", ("records.epochs=2", "records.patience=0"), "episodes"),
    ],
)
def test_the_printed_command_continues_a_run_beyond_the_limit_that_ended_it(
    learn, command, tmp_path, way, limits, raised
):
    longer = continue_command(learn(way, *limits))
    changed = [word.partition("=")[0] for word in longer if "=" in word]
    assert changed == [f"run.{raised}"]
    state = tmp_path / "runs" / "small" / "state.json"
    before = json.loads(state.read_text())
    assert command(*longer)[0] == 0
    after = json.loads(state.read_text())
    assert after["episodes"] > before["episodes"]
    assert after["seconds"] > before["seconds"]


@pytest.mark.slow
def test_no_command_to_continue_is_printed_if_a_run_of_records_no_longer_improves(learn, tmp_path):
    limits = ("records.epochs=500", "records.patience=1", "training.learning_rate=0.1")
    out = learn("records", *limits)
    state = RunState.model_validate_json((tmp_path / "runs" / "small" / "state.json").read_bytes())
    assert len(state.held_out) < 500
    assert continue_command(out) is None
