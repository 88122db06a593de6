"""A damaged run is shown with its fault and affects no other run on the page."""

import json
import shutil

import pytest

from meeple.server.training.runs import Runs
from tests.learn.damaged import (
    EPISODES,
    STATES,
    broken_off,
    change_states,
    put_folder,
    write_states,
)

DEEP = b"[" * 100_000
REPORT = {
    "policy": "greedy",
    "epsilon": 0.0,
    "games": 4,
    "games_per_pair": 4,
    "distinct_games": 3,
    "networks": [
        {"episode": 0, "rating": -20.04, "interval": [-90.0, 50.0], "share": 0.25},
        {"episode": 12, "rating": 20.04, "interval": [-50.0, 90.0], "share": 0.75},
    ],
    "matrix": [[None, 0.25], [0.75, None]],
    "gain": {"rating": 40.08, "interval": [-60.0, 140.0]},
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return broken_off(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def runs(whole, tmp_path):
    """Two runs; the test damages `bad`."""
    for name in ("bad", "good"):
        shutil.copytree(whole, tmp_path / "runs" / name)
    return Runs(tmp_path / "runs")


@pytest.fixture
def bad(runs):
    return runs.folder / "bad"


@pytest.fixture
def get(runs, client):
    """Return a function that requests data, which must be served or refused with a sentence."""

    def ask(path):
        answer = client.get(f"/api/runs{path}")
        assert answer.status_code == 200 or "\n" not in answer.json()["error"]
        assert str(runs.folder) not in answer.text
        return answer.json()

    return ask


def listed(get):
    """Return the list entry of the damaged run, next to an intact one."""
    by_name = {run["name"]: run for run in get("")["runs"]}
    assert by_name["good"]["problem"] is None
    assert by_name["good"]["episodes"] == EPISODES
    return by_name["bad"]


@pytest.mark.parametrize("fields", [{"episodes": 12.5}, {"seconds": None}], ids=["12.5", "null"])
def test_a_run_with_damaged_states_is_marked_in_the_list_and_on_its_page(get, bad, fields):
    """Some were once shown as finished, because the page had its own rules for reading them."""
    change_states(bad, **fields)
    short, facts = listed(get), get("/bad")
    for found in (short, facts):
        assert found["status"] == "stopped"
        assert found["problem"].startswith(f"bad/state.json is corrupt ({next(iter(fields))} must")
        assert "bad/state.previous.json is corrupt" in found["problem"]
    assert facts["networks"] == [0, 12]
    assert facts["curves"]
    assert len(get("/bad/games")["games"]) == 10


def test_a_run_that_resumes_from_the_previous_state_reports_it(get, bad):
    change_states(bad, STATES[:1], seconds="12")
    for found in (listed(get), get("/bad")):
        assert found["episodes"] == 12
        assert found["problem"].startswith("bad/state.json is corrupt (seconds must be")
        assert found["problem"].endswith("going on from state.previous.json, at episode 12")


CONFIGURATIONS = [
    pytest.param(b"[deep]\na = " + b"[" * 10_000, "is nested too deeply", id="brackets"),
    pytest.param(b"[run]\nseed = " + b"1" * 5000, "has too many digits", id="digits"),
    pytest.param(b"[run]\nseed = 0x" + b"1" * 5000, "run.seed must be", id="hexadecimal"),
    pytest.param(b"#" * 100_000, "has more than 64,000 bytes", id="long"),
    pytest.param(b"\xff", "its text is not UTF-8", id="bytes"),
]


@pytest.mark.parametrize(("content", "said"), CONFIGURATIONS)
def test_a_run_with_a_damaged_configuration_reports_it(get, bad, content, said):
    game = b'[game]\nname = "hex"\n'
    (bad / "config.toml").write_bytes(game + content)
    assert said in listed(get)["problem"]
    for path in ("/bad", "/bad/games"):
        assert said in get(path)["error"]


def test_a_folder_instead_of_a_file_or_nested_states_are_named(get, bad):
    write_states(bad, DEEP)
    for found in (listed(get), get("/bad")):
        assert "bad/state.json is corrupt (it is no JSON" in found["problem"]
    for name in STATES:
        shutil.copy(bad.parent / "good" / name, bad / name)
    put_folder(bad / "games.jsonl")
    assert listed(get)["problem"] == "cannot read bad/games.jsonl: it is not a file"
    assert get("/bad/games")["error"] == "cannot read bad/games.jsonl: it is not a file"
    put_folder(bad / "metrics.jsonl")
    assert get("/bad")["problem"] == (
        "cannot read bad/games.jsonl: it is not a file; "
        "cannot read bad/metrics.jsonl: it is not a file"
    )
    put_folder(bad / "config.toml")
    assert listed(get)["problem"].startswith("cannot read bad/config.toml: it is not a file")


def test_deeply_nested_lines_are_not_games(get, bad):
    with open(bad / "games.jsonl", "ab") as file:
        file.write(DEEP + b'\n{"notes": {"episode": ' + DEEP + b"\n")
    assert get("/bad/games")["games"]
    get("/bad/games?after=3")
    assert listed(get)["problem"] is None


@pytest.mark.parametrize(
    "payoffs",
    [
        pytest.param([], id="none"),
        pytest.param([1, 0, 0], id="three"),
        pytest.param([10**400, 0], id="huge"),
        pytest.param(["1", 0], id="text"),
    ],
)
def test_a_record_with_invalid_payoffs_is_left_out(get, bad, payoffs):
    last = (bad / "games.jsonl").read_text().splitlines()[-1]
    with open(bad / "games.jsonl", "a") as file:
        file.write(json.dumps(json.loads(last) | {"payoffs": payoffs}) + "\n")
    games = get("/bad/games?limit=4")["games"]
    assert [game["episode"] for game in games] == [EPISODES - 2, EPISODES - 1, EPISODES]


# ---------------------------------------------------------------- files written by the server


def rated(run, content):
    (run / "topp").mkdir()
    (run / "topp" / "result.json").write_bytes(content)


def test_a_tournament_is_shown_with_rounded_figures(get, bad):
    rated(bad, json.dumps(REPORT | {"more": 1}).encode())
    topp = get("/bad")["topp"]
    assert topp["networks"][0]["rating"] == -20.0
    assert topp["matrix"] == REPORT["matrix"]
    assert topp["gain"] == {"rating": 40.1, "interval": [-60.0, 140.0]}
    assert listed(get)["gain"] == topp["gain"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(DEEP, "it is no JSON", id="brackets"),
        pytest.param(b"{}", "it lacks 'policy'", id="empty"),
        pytest.param(json.dumps(REPORT | {"games": "4"}).encode(), "games must be", id="text"),
        pytest.param(
            json.dumps(REPORT | {"gain": {"rating": float("inf"), "interval": [0, 1]}}).encode(),
            "gain.rating is inf",
            id="endless",
        ),
        pytest.param(json.dumps(REPORT | {"gain": 3}).encode(), "gain must be a table", id="gain"),
    ],
)
def test_a_damaged_tournament_is_named(get, bad, content, said):
    rated(bad, content)
    facts = get("/bad")
    assert facts["topp"] is None
    assert facts["problem"].startswith("bad/topp/result.json is corrupt (")
    assert said in facts["problem"]
    assert listed(get)["problem"] is None


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(DEEP, id="brackets"),
        pytest.param(b'{"pid": "x", "started": [], "ended": "y", "code": "z"}', id="texts"),
        pytest.param(b'{"pid": -7, "code": 1}', id="negative"),
        pytest.param(b'{"pid": 7, "started": 1e999, "code": 1}', id="endless"),
    ],
)
def test_damaged_data_about_a_child_process_is_dropped(get, bad, content):
    (bad / "train.process").write_bytes(content)
    assert listed(get)["status"] == "stopped"
    assert get("/bad")["problem"] is None
