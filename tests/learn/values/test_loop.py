"""Rounds of learning values: broken off and killed, they end as if nothing had happened."""

import numpy as np
import pytest

from meeple.errors import ConfigError, RunError
from meeple.learn.ready import find_config, ready_configs
from meeple.learn.sections import parse_sections
from meeple.learn.values.config import ValuesConfig, learns_values, load_values_config
from meeple.learn.values.folder import ValuesFolder
from meeple.learn.values.loop import start_run, train
from meeple.search.values.file import load_network

SMALL = (
    'game.name="catan"', "game.options.players=2", "game.options.victory_points=4",
    "run.rounds=1", "network.site=4", "network.seat=8", "network.first=8", "network.second=4",
    "labels.results=4", "labels.games=4", "labels.shard=2", "labels.share=0.1",
    "labels.horizon=10", "labels.playouts=1", "training.epochs=1", "training.batch=64",
    "gate.games=4",
)  # fmt: skip


def config(*changes):
    return parse_sections(ValuesConfig, "", [*SMALL, *changes], "small")


def weights(run, round_):
    return load_network(ValuesFolder(run).candidate(round_)).weights


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    run = tmp_path_factory.mktemp("values") / "run"
    start_run(config(), run)
    train(run)
    return run


def test_a_run_goes_through_its_rounds(unbroken):
    state = ValuesFolder(unbroken).open()
    assert state.rounds == 2
    assert [entry["round"] for entry in state.history] == [0, 1]
    assert state.history[1]["labels"] > 0
    assert state.history[1]["games"][0]["opponent"] == "quick players"
    assert ValuesFolder(unbroken).checkpoint(0).exists()


def test_a_run_that_was_stopped_after_any_game_ends_alike(unbroken, tmp_path):
    for patience in (3, 6, 9):
        run, left = tmp_path / str(patience), [patience]

        def stop(left=left):
            left[0] -= 1
            return left[0] < 0

        start_run(config(), run)
        train(run, stop=stop)
        assert ValuesFolder(run).open().rounds < 2
        train(run)
        found, expected = weights(run, 1), weights(unbroken, 1)
        for name, value in expected.items():
            np.testing.assert_array_equal(found[name], value)


def test_what_a_killed_writer_left_is_removed(unbroken, tmp_path):
    run = tmp_path / "run"
    start_run(config(), run)
    ValuesFolder(run).open()
    leftover = run / "labels" / ".0000-00000.safetensors.abc.tmp"
    leftover.write_bytes(b"half")
    ValuesFolder(run).open()
    assert not leftover.exists()


def test_a_run_begins_once_and_where_there_is_one(tmp_path):
    start_run(config(), tmp_path / "run")
    with pytest.raises(RunError, match="already holds a run"):
        start_run(config(), tmp_path / "run")
    with pytest.raises(RunError, match="holds no run"):
        train(tmp_path / "nothing")


def test_configurations_say_what_is_wrong():
    with pytest.raises(ConfigError, match=r"unknown field 'labels.gamess'; known here: results"):
        config("labels.gamess=3")
    with pytest.raises(ConfigError, match=r"labels.playouts must be a whole number"):
        config("labels.playouts=0")
    with pytest.raises(ConfigError, match="are more than all"):
        config("labels.network_seats=0.9", "labels.weighted_seats=0.2")


def test_a_file_names_a_game_that_there_is(tmp_path):
    path = tmp_path / "chess.toml"
    path.write_text('[run]\nmode = "values"\n[game]\nname = "chess"\n')
    with pytest.raises(ConfigError, match=r"chess.toml: .*chess"):
        load_values_config(path)


def test_the_ready_configuration_is_of_this_kind_and_not_among_those_of_self_play():
    path = find_config("catan")
    text = path.read_text()
    assert learns_values(text)
    assert load_values_config(path).game.name == "catan"
    assert "catan" not in ready_configs()
    assert not learns_values(find_config("hex5").read_text())
