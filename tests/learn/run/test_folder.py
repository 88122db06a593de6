"""Damaged files of a run's folder are named; nothing is guessed or restarted."""

import json
import os
import shutil
from unittest import mock

import numpy as np
import pytest

from meeple.errors import RunError
from meeple.learn.loop import train
from meeple.learn.run.folder import RunFolder
from meeple.tensor_file import read_tensors, write_tensors
from tests.learn.damaged import EPISODES, STATES, broken_off, change_states, write_states
from tests.learn.small import Heard

CASES = "Meeple replay cases"  # the kind of file of the replay buffer


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return broken_off(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def resume_messages(run):
    """Return the messages at the resumption of a run, and stop before the next wave."""
    heard = Heard()
    state = train(run, heard, lambda: True)
    return state, heard.messages


IN_BOTH = [
    pytest.param({"episodes": 12.5}, id="episodes-fraction"),
    pytest.param({"seconds": "12"}, id="seconds-text"),
    pytest.param({"seconds": None}, id="seconds-null"),
    pytest.param({"games_bytes": "12"}, id="games-text"),
    pytest.param({"episodes": 10**30}, id="episodes-huge"),
    pytest.param({"training": None}, id="training-null"),
    pytest.param({"format": "int4"}, id="format"),
]


@pytest.mark.parametrize("fields", IN_BOTH)
def test_a_run_with_damaged_states_does_not_resume(run, fields):
    """Such states once raised, restarted with fresh weights, or counted as finished."""
    change_states(run, **fields)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(RunError, match="cannot resume") as error:
        resume_messages(run)
    for name in STATES:
        assert f"{run / name} is corrupt ({next(iter(fields))} must be" in str(error.value)
    assert before == {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}


@pytest.mark.parametrize("fields", IN_BOTH[:2])
def test_a_damaged_state_is_reported_and_the_previous_one_is_used(run, fields):
    change_states(run, STATES[:1], **fields)
    state, (message,) = resume_messages(run)
    assert message.startswith(f"{run / 'state.json'} is corrupt ({next(iter(fields))} must be")
    assert message.endswith("going on from state.previous.json, at episode 12")
    assert state.episodes == 12


def test_deeply_nested_states_are_named(run):
    write_states(run, b"[" * 100_000)
    with pytest.raises(
        RunError, match=r"state\.json is corrupt .*state\.previous\.json is corrupt"
    ):
        resume_messages(run)


def test_a_state_with_more_episodes_than_the_run_is_damaged(run):
    """Such a run once counted as finished."""
    shutil.copy(
        run / "training" / "00000016.safetensors", run / "training" / "10000024.safetensors"
    )
    for name in STATES:
        state = json.loads((run / name).read_text())
        more = {"episodes": 10_000_024, "training": "10000024.safetensors"}
        (run / name).write_text(json.dumps(state | more))
    with pytest.raises(RunError, match=r"corrupt \(it counts 10,000,024 episodes of 24\)"):
        resume_messages(run)


def test_a_state_without_fields_does_not_restart_the_run(run):
    write_states(run, b'{"version": 1}')
    with pytest.raises(RunError, match="it lacks 'episodes'"):
        resume_messages(run)


def test_a_lost_state_is_reported(run):
    (run / "state.json").unlink()
    state, (message,) = resume_messages(run)
    assert message == (
        f"{run / 'state.json'} is missing: going on from state.previous.json, at episode 12"
    )
    assert state.episodes == 12


def test_a_run_that_lost_both_states_does_not_restart(run):
    for name in STATES:
        (run / name).unlink()
    with pytest.raises(RunError, match=r"cannot resume .*state\.json is missing"):
        resume_messages(run)


@pytest.mark.parametrize("name", STATES)
def test_an_empty_folder_instead_of_a_state_loses_only_that_state(run, name):
    (run / name).unlink()
    (run / name).mkdir()
    state, messages = resume_messages(run)
    assert (state.episodes, len(messages)) == ((12, 1) if name == "state.json" else (EPISODES, 0))
    assert train(run).episodes == 24


def test_a_folder_instead_of_games_is_named(run):
    (run / "games.jsonl").unlink()
    (run / "games.jsonl").mkdir()
    with pytest.raises(RunError, match=r"cannot read .*games\.jsonl: it is not a file"):
        resume_messages(run)


def test_games_ending_within_a_line_are_cut_at_the_previous_line(run):
    lines = (run / "games.jsonl").read_bytes().splitlines(keepends=True)
    change_states(run, games_bytes=len(lines[0]) + 5)
    state, messages = resume_messages(run)
    assert messages == ["games.jsonl lacks games of the past: going on without them"]
    assert state.games_bytes == len(lines[0])


def test_a_long_file_of_games_is_searched_from_its_end(run):
    with open(run / "games.jsonl", "ab") as file:
        file.write(b"x" * 300_000)
    whole = (run / "games.jsonl").read_bytes().rfind(b"\n") + 1
    folder = RunFolder(run)
    for _, state in folder.load_states():
        assert not isinstance(state, str)
        state.games_bytes = os.path.getsize(run / "games.jsonl")
        assert folder.lost_games(state)
        assert state.games_bytes == whole


@pytest.mark.parametrize(
    ("key", "change"),
    [
        pytest.param("values", lambda array: array[:, :1], id="narrow"),
        pytest.param("policies", lambda array: array[:-1], id="short"),
        pytest.param("movers", lambda array: array + 300, id="movers"),
        pytest.param("observations", lambda array: array * np.inf, id="endless"),
    ],
)
def test_steps_that_do_not_fit_the_run_are_named(run, key, change):
    """The first once replaced two columns; the second raised ValueError."""
    path = run / "replay" / "00000016.safetensors"
    _, tensors = read_tensors(path, CASES)
    with np.errstate(invalid="ignore"), mock.patch.object(np, "isfinite", np.ones_like):
        write_tensors(path, CASES, tensors | {key: change(tensors[key])}, {})
    state, (message,) = resume_messages(run)
    assert message.startswith(str(path))
    assert state.episodes == 12


def test_a_replay_file_without_the_column_of_a_later_target_is_read(run):
    path = run / "replay" / "00000016.safetensors"
    _, tensors = read_tensors(path, CASES)
    assert tensors.pop("owners").size == 0
    write_tensors(path, CASES, tensors, {})
    state, messages = resume_messages(run)
    assert (state.episodes, messages) == (16, [])


@pytest.mark.parametrize("place", ["checkpoints", "replay", "training"])
def test_a_file_instead_of_a_folder_is_named(run, place):
    shutil.rmtree(run / place)
    (run / place).write_bytes(b"")
    with pytest.raises(RunError, match=rf"cannot write in the folder .*{place}: File exists"):
        resume_messages(run)


@pytest.mark.parametrize("place", [".left.tmp", "replay/99.safetensors", "training/x.safetensors"])
def test_an_unrelated_folder_has_no_effect(run, place):
    (run / place).mkdir()
    assert train(run).episodes == 24
    assert (run / place).is_dir()


def test_a_damaged_configuration_is_an_error_of_the_run(run):
    for content, words in (
        (b"[deep]\na = " + b"[" * 10_000, " is not a TOML file"),
        (b"[run]\nseed = " + b"1" * 5000, " is not a TOML file"),
        (b"\xff", ": its text is not UTF-8"),
    ):
        (run / "config.toml").write_bytes(content)
        with pytest.raises(RunError, match=rf"config\.toml{words}"):
            train(run)
