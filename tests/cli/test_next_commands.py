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

SELFPLAY = [word for change in HEX3 for word in ("--set", change)]
LONGER = "Learn for longer"


def continue_command(out):
    """Return the words of the suggested command to continue a run, or None if missing."""
    lines = [line for line in out.splitlines() if line.startswith(f"{LONGER}: ")]
    return shlex.split(lines[0].partition(": ")[2])[1:] if lines else None


def state_of(folder):
    return json.loads((folder / "state.json").read_text())


def continues(command, out, folder, counted):
    """Return whether a run learns further by the suggested command, and why it ended before."""
    before = state_of(folder)
    code, again, _ = command(*continue_command(out))
    after = state_of(folder)
    assert code == 0
    assert after[counted] > before[counted]
    assert after["seconds"] > before["seconds"]
    return again


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text('[game]\nname = "hex"\n')
    return path


@pytest.mark.slow
def test_the_printed_command_continues_a_run_at_its_time_limit(command, small, tmp_path):
    """Raising `run.episodes` alone had no effect on such a run."""
    limits = ("--set", "run.episodes=100000", "--set", "run.minutes=0.01")
    code, out, _ = command("train", small, *SELFPLAY, *limits)
    assert code == 0
    assert "run.minutes=" in " ".join(continue_command(out))
    assert "run.episodes=" not in " ".join(continue_command(out))
    again = continues(command, out, tmp_path / "runs" / "small", "episodes")
    assert "run.minutes=" in " ".join(continue_command(again))


@pytest.mark.slow
def test_the_printed_command_continues_a_run_at_its_episode_limit(command, small, tmp_path):
    code, out, _ = command("train", small, *SELFPLAY, "--set", "run.minutes=1000")
    assert code == 0
    assert "run.minutes=" not in " ".join(continue_command(out))
    again = continues(command, out, tmp_path / "runs" / "small", "episodes")
    assert "Learned from 48 episodes" in again


@pytest.mark.slow
def test_every_other_printed_command_of_a_run_at_its_time_limit_works(command, small):
    limits = ("--set", "run.episodes=100000", "--set", "run.minutes=0.01")
    _, out, _ = command("train", small, *SELFPLAY, *limits)
    steps = dict(line.split(": ", 1) for line in out.splitlines() if ": meeple " in line)
    assert list(steps) == [
        "Rate its networks",
        "Play the network alone",
        "Play it with search",
        LONGER,
    ]
    code, rated, _ = command(*shlex.split(steps["Rate its networks"])[1:], "--games", 2)
    assert (code, "atings" in rated) == (0, True)
    for name in ("Play the network alone", "Play it with search"):
        words = shlex.split(steps[name].replace(",sims=400", ",sims=8"))[1:]
        against = words[words.index("--against") + 1]
        game = words[1 : words.index("--against")]
        assert command("match", *game, against, "random", "--games", 2)[0] == 0


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


# ---------------------------------------------------------------- values


def values(command, tmp_path, *changes):
    (tmp_path / "small.toml").write_text('[run]\nmode = "values"\n[game]\nname = "catan"\n')
    settings = [word for change in (*VALUES, *changes) for word in ("--set", change)]
    code, out, _ = command("train", "small.toml", *settings)
    assert code == 0
    return out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "raised"),
    [
        (("run.rounds=1",), "run.rounds=2"),
        (("run.rounds=50", "run.minutes=0.001"), "run.minutes="),
    ],
)
def test_the_printed_command_continues_a_run_that_learns_values(command, tmp_path, limits, raised):
    out = values(command, tmp_path, *limits)
    longer = " ".join(continue_command(out))
    assert raised in longer
    assert longer.count("--set") == 1
    continues(command, out, tmp_path / "runs" / "small", "episodes")


# ---------------------------------------------------------------- records


def records(command, tmp_path, *changes):
    settings = [word for change in changes for word in ("--set", change)]
    (tmp_path / "people.toml").write_text(
        "[game]\nname = 'hex'\noptions = { size = 3 }\n[network]\nhidden = [8]\n"
        "[training]\nbatch_size = 64\n[matches]\nminutes = 0\n"
    )
    games = [random_game("hex", seed, size=3) for seed in range(30)]
    (tmp_path / "games.jsonl").write_text(to_lines(games))
    code, out, _ = command("train", "people.toml", *settings, "--from-records", "games.jsonl")
    assert code == 0
    return out


@pytest.mark.slow
def test_the_printed_command_continues_a_run_of_records_at_its_epoch_limit(command, tmp_path):
    out = records(command, tmp_path, "records.epochs=2", "records.patience=0")
    assert "run.episodes=" in " ".join(continue_command(out))
    continues(command, out, tmp_path / "runs" / "people", "episodes")


@pytest.mark.slow
def test_no_command_to_continue_is_printed_if_a_run_of_records_no_longer_improves(
    command, tmp_path
):
    changes = ("records.epochs=500", "records.patience=1", "training.learning_rate=0.1")
    out = records(command, tmp_path, *changes)
    state = RunState.model_validate_json((tmp_path / "runs" / "people" / "state.json").read_bytes())
    assert len(state.held_out) < 500
    assert continue_command(out) is None
