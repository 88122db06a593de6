"""The counts, plan and errors of `python -m bench.scale`; no speed is tested."""

import json

import pytest

from bench.scale import measure
from bench.scale.__main__ import main
from bench.scale.measure import Point, points
from bench.scale.session import MIN_WAVES, Meter, shares_of
from tests.learn.clusters import made_up

CONFIG = """
[game]
name = "hex"
options = { size = 3 }
[search]
mode = "alphazero"
simulations = 8
[network]
hidden = [16]
[selfplay]
games = 4
[training]
batch_size = 16
batches = 2.0
"""
OBSERVATION_BITS = 16 * 4 * 9  # of a minibatch: 16 positions of four planes


def test_the_plan_doubles_actors_and_varies_lockstep_and_network_one_at_a_time():
    found = list(points(8, 6))
    assert found[:4] == [Point(1, 8), Point(2, 8), Point(4, 8), Point(6, 8)]
    assert found[4:] == [Point(6, 2), Point(6, 32), Point(6, 8, 0.5), Point(6, 8, 2.0)]
    assert len(set(points(1, 1))) == len(list(points(1, 1)))


def test_waves_count_once_every_worker_has_finished_one():
    meter = Meter(0.0, 2, alone=True)
    metrics = {
        "selfplay/plies": 7.0,
        "selfplay/evaluations_per_second": 100.0,
        "selfplay/network_share": 0.5,
        "selfplay/behind": 8.0,
        "time/selfplay_seconds": 2.0,
        "time/learning_seconds": 0.25,
    }
    for wave in range(1, 3 + 2 * MIN_WAVES):
        assert not meter.stop()
        meter.wave(4 * wave, 0.0, metrics)
    found = meter.session
    assert meter.stop()
    assert (found.waves, found.games) == (2 * MIN_WAVES, 8 * MIN_WAVES)
    figures = found.figures()
    assert figures["behind_games"] == 8
    assert figures["network_share"] == 0.5
    assert figures["evaluations_per_game"] == 50
    assert figures["seconds_per_wave"]["learning"] == 0.25
    assert figures["player_seconds_per_game"] == 0.5


def test_games_are_attributed_to_the_nodes_that_played_them():
    shares = shares_of(made_up())  # the last of eight players is on another node
    assert list(shares) == ["worker-1", "worker-2"]
    assert shares["worker-2"] == pytest.approx(600 / sum(664 - 8 * n for n in range(1, 9)))
    assert sum(shares.values()) == pytest.approx(1)
    with pytest.raises(AssertionError, match="not told"):
        shares_of(None)


@pytest.mark.nightly("the figures of a session on a cluster are compared with a local one")
@pytest.mark.usefixtures("cluster")
def test_a_session_on_ray_is_compared_with_a_local_one(monkeypatch, tmp_path, capsys):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG)
    fixed = ("run.episodes=400", *measure.FIXED[1:])  # so that a batch of an actor has one wave
    monkeypatch.setattr(measure, "FIXED", fixed)
    monkeypatch.setattr(measure, "points", lambda games, most: [Point(1, games, 2.0)])
    words = ["--config", str(config), "--seconds", "0.1", "--repeats", "1"]
    assert main([*words, "--workers", "1", "--json"]) == 0
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert "1 actors, 4 games in lockstep, a network 2 times as wide: " in err
    (point,) = figures["points"]
    assert (point["actors"], point["lockstep"], point["network"]) == (1, 4, 2.0)
    assert point["games"] == 4 * point["waves"] >= 4 * MIN_WAVES
    assert point["nodes"] == 1
    assert list(point["games_per_second_by_node"].values()) == [point["games_per_second"]]
    moved = point["bytes_per_game"]
    assert min(moved.values()) > 0
    # 16 positions and two shares of each in bits, and a policy of nine, twice a game; ownership
    # has no cells in this game.
    assert moved["minibatches"] == 2 * ((OBSERVATION_BITS + 16 * 2) / 8 + 16 * 9 * 4)
    waves = point["seconds_per_wave"]
    assert waves["lesson"] >= waves["learning"] > 0
    assert waves["lesson"] >= waves["buffer"] + waves["broadcast"] > 0
    (pair,) = figures["against_local"]
    ours, theirs = pair["local_games_per_second"][0], pair["cluster_games_per_second"][0]
    assert pair["ratio"]["median"] == pytest.approx(theirs / ours, rel=0.01)
    assert pair["processor_ratio"]["median"] > 0


@pytest.mark.usefixtures("cluster")
def test_more_workers_than_processors_are_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["--workers", "1000"])
    assert "but 1000 workers need one each" in capsys.readouterr().err
