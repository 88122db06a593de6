"""Damaged files of a run's folder are named; nothing is guessed or restarted."""

import os
import shutil
from unittest import mock

import numpy as np
import pytest

from meeple.errors import RunError
from meeple.learn.loop import train
from meeple.learn.run.folder import RunFolder
from meeple.tensor_file import read_tensors, write_tensors
from tests.learn.damaged import (
    EPISODES,
    STATES,
    broken_off,
    change_states,
    put_folder,
    write_states,
)
from tests.learn.small import Heard

CASES = "Meeple replay cases"  # the kind of file of the replay buffer


@pytest.fixture
def run(tmp_path):
    return broken_off(tmp_path / "run")


def resume(run):
    """Return the state and the messages at the resumption of a run; stop before the next wave."""
    heard = Heard()
    return train(run, heard, lambda: True), heard.messages


def content_of(run):
    return {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b'{"version": 1}', "it lacks 'episodes'"),
        (b"[" * 100_000, "it is no JSON"),
        ({"episodes": 12.5}, "episodes must be"),
        ({"seconds": "12"}, "seconds must be"),
        ({"training": None}, "training must be"),
        # Such a run once counted as finished.
        (
            {"episodes": 10_000_024, "training": "10000024.safetensors"},
            "it counts 10,000,024 episodes of 24",
        ),
    ],
    ids=["fields", "nested", "fraction", "text", "null", "many"],
)
def test_a_run_with_two_damaged_states_does_not_resume_and_is_left_as_it_is(run, content, fault):
    """Such states once raised, restarted with fresh weights, or counted as finished."""
    if isinstance(content, bytes):
        write_states(run, content)
    else:
        change_states(run, **content)
    before = content_of(run)
    with pytest.raises(RunError, match="cannot resume") as error:
        resume(run)
    for name in STATES:
        assert f"{run / name} is corrupt ({fault}" in str(error.value)
    assert content_of(run) == before


def test_a_damaged_or_lost_state_is_reported_and_the_previous_one_is_used(run):
    change_states(run, STATES[:1], seconds="12")
    for fault in ("is corrupt (seconds must be a number from 0", "is missing"):
        state, (message,) = resume(shutil.copytree(run, run.parent / fault[3:7]))
        assert f"state.json {fault}" in message
        assert message.endswith("going on from state.previous.json, at episode 12")
        assert state.episodes == 12
        (run / "state.json").unlink(missing_ok=True)


def test_a_run_that_lost_both_states_does_not_restart(run):
    for name in STATES:
        (run / name).unlink()
    with pytest.raises(RunError, match=r"cannot resume .*state\.json is missing"):
        resume(run)


@pytest.mark.parametrize("name", STATES)
def test_an_empty_folder_instead_of_a_state_loses_only_that_state(run, name):
    put_folder(run / name)
    state, messages = resume(run)
    assert (state.episodes, len(messages)) == ((12, 1) if name == "state.json" else (EPISODES, 0))
    assert train(run).episodes == 24


def test_games_ending_within_a_line_are_cut_at_the_previous_line(run):
    lines = (run / "games.jsonl").read_bytes().splitlines(keepends=True)
    change_states(run, games_bytes=len(lines[0]) + 5)
    state, messages = resume(run)
    assert messages == ["games.jsonl lacks games of the past: going on without them"]
    assert state.games_bytes == len(lines[0])


def test_a_long_file_of_games_is_searched_from_its_end(run):
    with open(run / "games.jsonl", "ab") as file:
        file.write(b"x" * 300_000)
    whole = (run / "games.jsonl").read_bytes().rfind(b"\n") + 1
    folder = RunFolder(run)
    state, _ = folder.newest_state()
    assert state is not None
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
    state, (message,) = resume(run)
    assert message.startswith(str(path))
    assert state.episodes == 12


def test_a_replay_file_without_the_column_of_a_later_target_is_read(run):
    path = run / "replay" / "00000016.safetensors"
    _, tensors = read_tensors(path, CASES)
    assert tensors.pop("owners").size == 0
    write_tensors(path, CASES, tensors, {})
    state, messages = resume(run)
    assert (state.episodes, messages) == (16, [])


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("checkpoints", "cannot write in the folder .*checkpoints: File exists"),
        ("replay", "cannot write in the folder .*replay: File exists"),
        ("training", "cannot write in the folder .*training: File exists"),
        ("games.jsonl", r"cannot read .*games\.jsonl: it is not a file"),
    ],
)
def test_a_file_instead_of_a_folder_and_the_reverse_are_named(run, place, message):
    if place == "games.jsonl":
        put_folder(run / place)
    else:
        shutil.rmtree(run / place)
        (run / place).write_bytes(b"")
    with pytest.raises(RunError, match=message):
        resume(run)


@pytest.mark.parametrize("place", [".left.tmp", "replay/99.safetensors", "training/x.safetensors"])
def test_an_unrelated_folder_has_no_effect(run, place):
    (run / place).mkdir()
    assert train(run).episodes == 24
    assert (run / place).is_dir()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[run]\nseed = " + b"1" * 5000, " is not a TOML file"),
        (b"\xff", ": its text is not UTF-8"),
    ],
    ids=["digits", "bytes"],
)
def test_a_damaged_configuration_is_an_error_of_the_run(run, content, words):
    (run / "config.toml").write_bytes(content)
    with pytest.raises(RunError, match=rf"config\.toml{words}"):
        train(run)
