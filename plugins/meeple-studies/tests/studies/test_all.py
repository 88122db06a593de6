"""Every experiment of every study runs, as in `meeple reproduce all --quick --games 1`."""

import json

import pytest

import meeple
from meeple.cli.main import run
from meeple_studies.catan_agents import PICTURE
from meeple_studies.command import STUDIES_BY_NAME, study_of

pytestmark = pytest.mark.slow


def test_every_experiment_of_every_study_runs_and_writes_its_files(tmp_path, capsys):
    command = ["reproduce", "all", "--quick", "--games", "1", "--workers", "1"]
    assert run([*command, "--json", "--run", str(tmp_path)], debug=False) == 0
    studies = json.loads(capsys.readouterr().out)["studies"]
    assert [study["study"] for study in studies] == list(STUDIES_BY_NAME)
    for study in studies:
        meant = [experiment.name for experiment in study_of(study["study"]).experiments]
        assert [found["name"] for found in study["experiments"]] == meant
        assert len(set(meant)) == len(meant)
        for found in study["experiments"]:
            assert found["count"] <= 1, found["name"]
            if found["count"] == 0:  # an agent without a seat in one game
                assert (found["share"], found["interval"]) == (None, None), found["name"]
                continue
            low, high = found["interval"]
            assert 0 <= low <= found["share"] <= high <= 1, found["name"]
    folder = tmp_path / "catan-agents-quick"
    assert (folder / PICTURE).read_bytes().startswith(b"\x89PNG")
    assert {path.stem for path in folder.glob("*.safetensors")} == {"network-pruned", "network"}
    statistics = studies[STUDIES_BY_NAME.index("catan-agents")]["statistics"]
    assert len(statistics) == 5
    assert sum(values["games won"] for values in statistics.values()) <= 1
    spec = f"study:{folder / 'network.safetensors'},sims=2"
    game = meeple.make("catan-reduced")
    assert meeple.match(game, [spec, "random", "random", "random"], games=1).games == 1
