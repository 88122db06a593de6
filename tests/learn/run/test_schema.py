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
EPISODES = "episodes must be a whole number from 0"
SECONDS = "seconds must be a number from 0"
NAMES = "replay must name files"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.json"


def test_a_state_is_read_back_as_written(path):
    state = RunState(**STATE)
    path.write_text(state.to_json())
    assert read_stored(path, RunState, 10_000) == state
    assert json.loads(path.read_text()) == STATE | {"missing": [], "incumbent": 0, "history": []}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"episodes": 12.5}, EPISODES, id="fraction"),
        pytest.param({"episodes": 10**30}, EPISODES, id="huge"),
        pytest.param({"episodes": -1}, EPISODES, id="negative"),
        pytest.param({"episodes": True}, EPISODES, id="true"),
        pytest.param({"episodes": 12}, "training must be '00000012.safetensors'", id="other"),
        pytest.param({"seconds": "12"}, SECONDS, id="seconds-text"),
        pytest.param({"seconds": None}, SECONDS, id="seconds-null"),
        pytest.param({"seconds": -1.0}, SECONDS, id="seconds-negative"),
        pytest.param({"seconds": float("nan")}, "seconds must be a number", id="seconds-nan"),
        pytest.param({"seconds": 1e300}, SECONDS, id="seconds-huge"),
        pytest.param({"games_bytes": "12"}, "games_bytes must be a whole", id="games-text"),
        pytest.param({"games_bytes": 10**30}, "games_bytes must be a whole", id="games-huge"),
        pytest.param({"format": "int4"}, "format must be float32, bfloat16, float", id="format"),
        pytest.param({"training": None}, "training must be a string", id="training-null"),
        pytest.param({"training": "../24"}, "training must be '00000024", id="elsewhere"),
        pytest.param({"replay": [A]}, "replay and cases must be of one length", id="lengths"),
        pytest.param({"replay": [A, A]}, NAMES, id="twice"),
        pytest.param({"replay": [B, A]}, NAMES, id="order"),
        pytest.param({"replay": [A, "../x"]}, NAMES, id="replay-elsewhere"),
        pytest.param({"replay": [A, file_after(25)]}, NAMES, id="replay-later"),
        pytest.param({"replay": [A, 3]}, "replay.1 is 3", id="replay-number"),
        pytest.param({"cases": [30, 0]}, "cases.1 is 0", id="cases"),
        pytest.param({"cases": "ab"}, "cases must be a list", id="cases-text"),
        pytest.param({"colour": 1}, "unknown field 'colour'", id="unknown"),
        pytest.param({"missing": [1, 0]}, "missing must hold", id="missing-order"),
        pytest.param({"missing": [0, 0]}, "missing must hold", id="missing-twice"),
        pytest.param({"missing": [24]}, "missing must hold", id="missing-next"),
        pytest.param({"missing": [-1]}, "missing.0 is -1", id="missing-negative"),
    ],
)
def test_an_invalid_value_of_a_state_is_named_with_the_allowed_values(path, fields, said):
    path.write_text(json.dumps(STATE | fields))
    with pytest.raises(RunError) as error:
        read_stored(path, RunState, 10_000)
    assert str(error.value).startswith(f"{path} is corrupt (")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("field", [field for field in STATE if field != "held_out"])
def test_a_missing_field_of_a_state_is_named(path, field):
    path.write_text(json.dumps({k: v for k, v in STATE.items() if k != field}))
    with pytest.raises(RunError, match=rf"is corrupt \(it lacks '{field}'\)"):
        read_stored(path, RunState, 10_000)


@pytest.mark.parametrize("version", [2, "1", True, 1.0])
def test_another_version_is_named(path, version):
    path.write_text(json.dumps(STATE | {"version": version, "more": 3}))
    message = rf"is of version '?{version}'?; this Meeple reads version 1"
    with pytest.raises(RunError, match=message):
        read_stored(path, RunState, 10_000)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"[" * 100_000, "recursion limit exceeded", id="brackets"),
        pytest.param(b'{"episodes": ' + b"[" * 100_000, "recursion limit exceeded", id="inside"),
        pytest.param(b'{"episodes": ' + b"1" * 5000 + b"}", "number out of range", id="digits"),
        pytest.param(b"", "EOF while parsing", id="empty"),
        pytest.param(b"\0" * 100, "expected value", id="zeros"),
        pytest.param(b"\xff\xfe", "expected value", id="bytes"),
        pytest.param(b"[1, 2]", "object", id="list"),
        pytest.param(b"null", "object", id="null"),
    ],
)
def test_invalid_json_is_reported(path, content, said):
    path.write_bytes(content)
    with pytest.raises(RunError, match=rf"is corrupt \(.*{said}") as error:
        read_stored(path, RunState, 1_000_000)
    assert len(str(error.value)) < len(str(path)) + 150


def test_a_value_that_is_not_a_file_of_that_length_is_refused(path):
    path.write_text(json.dumps(STATE))
    with pytest.raises(RunError, match=r"cannot read .*state\.json: it has more than 100 bytes"):
        read_stored(path, RunState, 100)
    with pytest.raises(RunError, match=r"cannot read .*: it is not a file"):
        read_stored(path.parent, RunState, 100)
    with pytest.raises(FileNotFoundError):
        read_stored(path.with_name("none"), RunState, 100)


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
