"""The output, files and errors of `meeple topp`."""

import json
import re

import pytest

from meeple.games.contract.records import read_records, replay
from tests.agents.test_policy import network_file


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "runs" / "hex3"
    folder.mkdir(parents=True)
    for episode in (0, 40, 80):
        network_file(folder / "checkpoints" / f"network-{episode:06d}.safetensors", episode)
    return folder


@pytest.mark.slow
def test_topp_prints_ratings_by_episode_and_writes_report_picture_and_games(meeple, run):
    out = meeple.done("topp", run, "--games", 4)
    episodes = [line.split()[0] for line in out.splitlines() if re.match(r" *(0|40|80) ", line)]
    assert episodes[:3] == ["0", "40", "80"]
    assert "ratings rise" in out.lower()
    assert "games are different" in out
    folder = run / "topp"
    assert str(folder / "report.html") in out
    records = read_records(folder / "games.jsonl")
    assert len(records) == 3 * 4
    assert all(replay(record).is_over for record in records)
    assert records[0].seats == ("network-000000", "network-000040")
    page = (folder / "report.html").read_text()
    assert "data:image/png;base64," in page
    assert (folder / "ratings.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_json_is_the_saved_result_and_reproducible(meeple, run, tmp_path):
    arguments = (run, "--games", 3, "--policy", "sample", "--seed", 5, "--json")
    _, first, _ = meeple("topp", *arguments, "--output", tmp_path / "out")
    _, second, _ = meeple("topp", *arguments, "--output", tmp_path / "out")
    assert first == second
    result = json.loads(first)
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == result
    assert result["policy"] == "sample"
    assert [network["episode"] for network in result["networks"]] == [0, 40, 80]
    assert not (run / "topp").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--policy", "brave"), "greedy"),
        (("--epsilon", "2"), "epsilon"),
        (("--games", "0"), "games"),
    ],
)
def test_an_invalid_option_is_refused(meeple, run, arguments, said):
    assert said in meeple.refused("topp", run, *arguments)


def test_a_folder_without_networks_is_refused_with_a_message(meeple, tmp_path):
    code, _, err = meeple("topp", tmp_path)
    assert code == 1
    assert "is no run folder" in err
    assert err.count("\n") == 1
