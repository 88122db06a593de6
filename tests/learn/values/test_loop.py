"""Rounds of learning values: interrupted or killed runs end like uninterrupted ones."""

import numpy as np
import pytest

from meeple.agents.allowed import allow
from meeple.agents.networks import find_checkpoint
from meeple.errors import CheckpointError, ConfigError, RunError
from meeple.learn.config import (
    ValuesConfig,
    find_config,
    load,
    method_of,
    parse_sections,
    ready_configs,
)
from meeple.learn.loop import start_run, train
from meeple.learn.run.folder import RunFolder, config_of
from meeple.learn.run.run import open_run
from meeple.learn.run.schema import RunState
from meeple.learn.values.jobs import read_shard
from meeple.learn.values.run import ValuesRun
from meeple.search.values.file import load_network
from tests.learn.small import Heard

pytestmark = pytest.mark.slow

SMALL = (
    'game.name="catan"', "game.options.players=2", "game.options.victory_points=4",
    "run.rounds=1", "labels.results=4", "labels.games=4", "labels.shard=2", "labels.share=0.1",
    "labels.horizon=10", "labels.playouts=1", "training.epochs=1", "training.batch=64",
    "gate.games=4",
)  # fmt: skip
"""A small run, whose network has the units of the ready runs: `meeple warmup` compiles it."""


def config(*changes):
    return parse_sections(ValuesConfig, "", [*SMALL, *changes], "small")


def values_run(run):
    """Return a run of values without its state."""
    saved = config_of(run)
    assert isinstance(saved, ValuesConfig)
    return ValuesRun(saved, RunFolder(run))


def weights(run, round_):
    return load_network(values_run(run).candidate(round_)).weights


def saved_state(run):
    state, damage = RunFolder(run).newest_state()
    assert damage is None
    return state or RunState.before_all("float32")


def opened(run):
    return open_run(ValuesRun, load(run / "config.toml"), RunFolder(run), print)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    run = tmp_path_factory.mktemp("values") / "run"
    start_run(config(), run)
    train(run)
    return run


def test_a_run_completes_its_rounds(unbroken):
    state = saved_state(unbroken)
    assert state.episodes == 2
    assert [entry["round"] for entry in state.history] == [0, 1]
    assert state.history[1]["labels"] > 0
    assert state.history[1]["games"][0]["opponent"] == "quick players"
    assert values_run(unbroken).checkpoint(0).exists()


def test_a_run_stopped_after_any_game_ends_identically(unbroken, tmp_path):
    for patience in (3, 6, 9):
        run, left = tmp_path / str(patience), [patience]

        def stop(left=left):
            left[0] -= 1
            return left[0] < 0

        start_run(config(), run)
        train(run, stop=stop)
        assert saved_state(run).episodes < 2
        train(run)
        found, expected = weights(run, 1), weights(unbroken, 1)
        for name, value in expected.items():
            np.testing.assert_array_equal(found[name], value)


def test_a_run_starts_with_a_suitable_network_of_another(unbroken, tmp_path):
    newest = f'run.start="{unbroken}"'
    allow([str(unbroken), "nowhere"])
    run = tmp_path / "run"
    start_run(config(newest, "run.rounds=1", "labels.games=1"), run)
    train(run)
    found = load_network(values_run(run).checkpoint(0)).weights
    kept = load_network(find_checkpoint(unbroken)).weights
    np.testing.assert_array_equal(found["last_weights"], kept["last_weights"])
    for number, (change, says) in enumerate([
        (newest, "has site = 32, .* the run site = 5"),
        ('run.start="hex7"', "hex7"),
        ('run.start="nowhere"', "there is no file or run nowhere"),
    ]):  # fmt: skip
        start_run(config(change, "network.site=5"), tmp_path / str(number))
        with pytest.raises(CheckpointError, match=says):
            train(tmp_path / str(number))


def test_past_networks_play_and_are_opponents_of_a_new_one(tmp_path):
    run = tmp_path / "run"
    begun = ("run.rounds=2", "gate.games=0", "labels.past_seats=0.5")
    start_run(config(*begun), run)
    train(run)
    assert opened(run).past == [0, 1]
    RunFolder(run).prolong(config("run.rounds=3", "gate.games=4", "gate.past=2", *begun[2:]))
    train(run)
    met = [verdict["opponent"] for verdict in saved_state(run).history[3]["games"]]
    assert met == ["quick players", "the incumbent", "past network 1", "past network 2"]


def test_seats_of_past_networks_change_the_labels(tmp_path):
    found = []
    for seats in (0.0, 0.5):
        run = tmp_path / str(seats)
        start_run(config("run.rounds=2", "gate.games=0", f"labels.past_seats={seats}"), run)
        train(run)
        found.append(weights(run, 2)["last_weights"].tolist())
    assert found[0] != found[1]


def test_matches_measure_the_strength_of_the_network(tmp_path, monkeypatch):
    monkeypatch.setattr("meeple.learn.evaluation.matches.MIN_FINAL_ROUND_SECONDS", 0.0)
    run, heard = tmp_path / "run", Heard()
    few = ("matches.games=4", 'matches.opponents=["random"]', "gate.games=0")
    start_run(config(*few), run)
    train(run, heard)
    figures = heard.waves[-1][1]
    assert figures["match/alone/random"] == pytest.approx(
        (figures["seat/1"] + figures["seat/2"]) / 2
    )
    for name in ("offers", "longest road", "cards discarded"):
        assert figures[f"habit/{name}"] >= 0


def test_variants_are_labelled_and_played_in_turn(tmp_path):
    run = tmp_path / "run"
    start_run(config("game.variants=[{players=3}]", "gate.games=6"), run)
    state = train(run)
    shards = [read_shard(path) for path in values_run(run).shards(1)]
    assert [set(shard.players.tolist()) for shard in shards] == [{2}, {3}]
    assert state.history[1]["games"][1]["share"] in [round(n / 6, 4) for n in range(7)]


def test_a_variant_with_features_of_other_shapes_is_refused(tmp_path):
    path = tmp_path / "hex.toml"
    path.write_text(
        '[run]\nmode = "values"\n[game]\nname = "hex"\noptions = {size = 5}\n'
        "variants = [{size = 5}, {size = 4}]\n"
    )
    with pytest.raises(ConfigError, match=r"game.variants has {'size': 4}, whose features"):
        load(path)
    path.write_text(path.read_text().replace("size = 4", "size = 99"))
    with pytest.raises(ConfigError, match=r"hex.toml: .*size"):
        load(path)


def test_files_left_by_a_killed_writer_are_removed(unbroken, tmp_path):
    run = tmp_path / "run"
    start_run(config(), run)
    opened(run)
    leftover = run / "labels" / ".0000-00000.safetensors.abc.tmp"
    leftover.write_bytes(b"half")
    opened(run)
    assert not leftover.exists()


def test_a_run_starts_once_and_only_in_an_unused_folder(tmp_path):
    start_run(config(), tmp_path / "run")
    with pytest.raises(RunError, match="already holds a run"):
        start_run(config(), tmp_path / "run")
    with pytest.raises(RunError, match="holds no run"):
        train(tmp_path / "nothing")


def test_an_invalid_field_is_named():
    with pytest.raises(ConfigError, match=r"unknown field 'labels.gamess'; known fields: results"):
        config("labels.gamess=3")
    with pytest.raises(ConfigError, match=r"labels.playouts must be a whole number"):
        config("labels.playouts=0")
    with pytest.raises(ConfigError, match="must be at most 1"):
        config("labels.network_seats=0.9", "labels.weighted_seats=0.2")


def test_an_unknown_game_is_refused(tmp_path):
    path = tmp_path / "chess.toml"
    path.write_text('[run]\nmode = "values"\n[game]\nname = "chess"\n')
    with pytest.raises(ConfigError, match=r"chess.toml: .*chess"):
        load(path)


def test_the_ready_configuration_has_this_training_method_and_is_not_one_of_self_play():
    path = find_config("catan")
    assert method_of(path.read_text()) == "values"
    assert load(path).game.name == "catan"
    assert "catan" not in ready_configs("self-play", "records")
    assert method_of(find_config("hex5").read_text()) == "self-play"
