"""The content of a run's files is validated: damage is named, and nothing is guessed."""

import json
from typing import Any

import pytest

from meeple.errors import RunError
from meeple.learn.run.schema import NotedGame, RunState, file_after, read_line, read_stored

A, B = "00000004.safetensors", "00000024.safetensors"
STATE: dict[str, Any] = {
    "version": 1,
    "episodes": 24,
    "seconds": 3.5,
    "games_bytes": 1000,
    "format": "float32",
    "training": B,
    "replay": [A, B],
    "cases": [30, 7],
    "held_out": [1.5, 1.25],
}

WRONG = [
    pytest.param({"episodes": 12.5}, "episodes must be a whole number from 0", id="fraction"),
    pytest.param({"episodes": 10**30}, "episodes must be a whole number from 0", id="huge"),
    pytest.param({"episodes": -1}, "episodes must be a whole number from 0", id="negative"),
    pytest.param({"episodes": True}, "episodes must be a whole number", id="true"),
    pytest.param({"episodes": 12}, "training must be '00000012.safetensors'", id="other"),
    pytest.param({"seconds": "12"}, "seconds must be a number from 0", id="seconds-text"),
    pytest.param({"seconds": None}, "seconds must be a number from 0", id="seconds-null"),
    pytest.param({"seconds": -1.0}, "seconds must be a number from 0", id="seconds-negative"),
    pytest.param({"seconds": float("nan")}, "seconds must be a number", id="seconds-nan"),
    pytest.param({"seconds": 1e300}, "seconds must be a number from 0", id="seconds-huge"),
    pytest.param({"games_bytes": "12"}, "games_bytes must be a whole number", id="games-text"),
    pytest.param({"games_bytes": 10**30}, "games_bytes must be a whole", id="games-huge"),
    pytest.param({"format": "int4"}, "format must be float32, bfloat16, float16 or", id="format"),
    pytest.param({"training": None}, "training must be a string", id="training-null"),
    pytest.param({"training": "../24"}, "training must be '00000024", id="training-elsewhere"),
    pytest.param({"replay": [A]}, "replay and cases must be of one length", id="lengths"),
    pytest.param({"replay": [A, A]}, "replay must name files", id="twice"),
    pytest.param({"replay": [B, A]}, "replay must name files", id="order"),
    pytest.param({"replay": [A, "../x"]}, "replay must name files", id="replay-elsewhere"),
    pytest.param({"replay": [A, file_after(25)]}, "replay must name files", id="replay-later"),
    pytest.param({"replay": [A, 3]}, "replay.1 is 3", id="replay-number"),
    pytest.param({"cases": [30, 0]}, "cases.1 is 0", id="cases"),
    pytest.param({"cases": "ab"}, "cases must be a list", id="cases-text"),
    pytest.param({"colour": 1}, "unknown field 'colour'", id="unknown"),
]


def written(folder, content):
    (folder / "state.json").write_bytes(content)
    return folder / "state.json"


def test_a_state_is_read_back_as_written(tmp_path):
    state = RunState(**STATE)
    path = written(tmp_path, state.to_json().encode())
    assert read_stored(path, RunState, 10_000) == state
    assert json.loads(path.read_text()) == {
        **STATE, "missing": [], "incumbent": 0, "history": []
    }  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), WRONG)
def test_an_invalid_value_of_a_state_is_named_with_the_allowed_values(tmp_path, fields, said):
    path = written(tmp_path, json.dumps(STATE | fields).encode())
    with pytest.raises(RunError) as error:
        read_stored(path, RunState, 10_000)
    assert str(error.value).startswith(f"{path} is corrupt (")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("field", [field for field in STATE if field != "held_out"])
def test_a_missing_field_of_a_state_is_named(tmp_path, field):
    path = written(tmp_path, json.dumps({k: v for k, v in STATE.items() if k != field}).encode())
    with pytest.raises(RunError, match=rf"is corrupt \(it lacks '{field}'\)"):
        read_stored(path, RunState, 10_000)


@pytest.mark.parametrize("version", [2, "1", True, 1.0])
def test_another_version_is_named(tmp_path, version):
    path = written(tmp_path, json.dumps(STATE | {"version": version, "more": 3}).encode())
    with pytest.raises(
        RunError, match=rf"is of version '?{version}'?; this Meeple reads version 1"
    ):
        read_stored(path, RunState, 10_000)


NO_JSON = [
    pytest.param(b"[" * 100_000, "recursion limit exceeded", id="brackets"),
    pytest.param(b'{"episodes": ' + b"[" * 100_000, "recursion limit exceeded", id="inside"),
    pytest.param(b'{"episodes": ' + b"1" * 5000 + b"}", "number out of range", id="digits"),
    pytest.param(b"", "EOF while parsing", id="empty"),
    pytest.param(b"\0" * 100, "expected value", id="zeros"),
    pytest.param(b"\xff\xfe", "expected value", id="bytes"),
    pytest.param(b"[1, 2]", "object", id="list"),
    pytest.param(b"null", "object", id="null"),
]


@pytest.mark.parametrize(("content", "said"), NO_JSON)
def test_invalid_json_is_reported(tmp_path, content, said):
    path = written(tmp_path, content)
    with pytest.raises(RunError, match=rf"is corrupt \(.*{said}") as error:
        read_stored(path, RunState, 1_000_000)
    assert len(str(error.value)) < len(str(path)) + 150


def test_a_value_that_is_not_a_file_of_that_length_is_refused(tmp_path):
    path = written(tmp_path, json.dumps(STATE).encode())
    with pytest.raises(RunError, match=r"cannot read .*state\.json: it has more than 100 bytes"):
        read_stored(path, RunState, 100)
    with pytest.raises(RunError, match=r"cannot read .*: it is not a file"):
        read_stored(tmp_path, RunState, 100)
    with pytest.raises(FileNotFoundError):
        read_stored(tmp_path / "none", RunState, 100)


@pytest.mark.parametrize(
    ("line", "episode"),
    [
        pytest.param(b'{"payoffs": [1, 0], "notes": {"episode": 7, "by": "me"}}', 7, id="game"),
        pytest.param(b'{"payoffs": [NaN, 1e999], "notes": {"episode": 7}}', 7, id="unread"),
        pytest.param(b'{"notes": {"episode": 7.5}}', 0, id="fraction"),
        pytest.param(b'{"notes": {"episode": "7"}}', 0, id="text"),
        pytest.param(b'{"notes": {"episode": 1' + b"0" * 30 + b"}}", 0, id="huge"),
        pytest.param(b'{"notes": {"episode": ' + b"[" * 100_000, 0, id="brackets"),
        pytest.param(b"[" * 100_000, 0, id="all-brackets"),
        pytest.param(b'{"notes": null}', 0, id="null"),
        pytest.param(b"\xff", 0, id="bytes"),
    ],
)
def test_a_record_has_its_episode_or_is_skipped(line, episode):
    game = read_line(line, NotedGame)
    assert (game.notes.episode if game else 0) == episode
