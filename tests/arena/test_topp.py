"""Tournaments of progressive policies rank networks of known strength; wrong folders are named."""

import shutil

import numpy as np
import pytest
import torch

import meeple
from meeple.arena.topp import STYLES, play_topp
from meeple.errors import CheckpointError, RunError, UsageError
from meeple.games.contract.records import replay
from meeple.learn.config import ValuesConfig, parse_sections
from meeple.learn.loop import start_run
from meeple.learn.loop import train as train_values
from meeple.nets.architecture import Architecture
from meeple.nets.checkpoint import save
from meeple.nets.network import ActorNetwork
from tests.learn.values.test_loop import SMALL

HEX = meeple.make("hex", size=3)
CENTRE = np.array([0, 1, 1, 1, 3, 1, 1, 1, 0], dtype=np.float32)


def add_network(run, episode, preference, game=HEX):
    """Add a network that ranks the actions by `preference` for any observation."""
    architecture = Architecture(
        hidden=(),
        observation_shape=game.observation_shape,
        num_actions=game.num_actions,
        players=game.players,
    )
    network = ActorNetwork(architecture, seed=0)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.get_parameter("body.policy.bias").copy_(torch.from_numpy(preference))
    (run / "checkpoints").mkdir(parents=True, exist_ok=True)
    path = run / "checkpoints" / f"network-{episode:06d}.safetensors"
    save(path, network.weights, game=game.name, options=dict(game.options))


def files(run):
    return sorted((run / "checkpoints").iterdir())


@pytest.fixture
def run(tmp_path):
    """Write three networks: the first prefers corners, the last strongly the centre."""
    rng = np.random.default_rng(0)
    for episode, weight in ((0, -10.0), (10, 0.0), (20, 10.0)):
        noise = rng.random(9).astype(np.float32) / 10
        add_network(tmp_path, episode, weight * CENTRE + noise)
    return tmp_path


def test_network_that_prefers_the_centre_is_ranked_first(run):
    result = play_topp(run, games=8)
    assert result.episodes == (0, 10, 20)
    assert result.standings.ranking()[0] == 2
    assert result.standings.ranking()[-1] == 0
    assert result.gain[0] > 0
    lineups = [entry.lineup for entry in result.standings.entries]
    assert lineups == [*[(0, 1), (1, 0)] * 4, *[(0, 2), (2, 0)] * 4, *[(1, 2), (2, 1)] * 4]
    for entry in result.standings.entries[:2]:  # from the bare start
        best = {0: ("a1", "c3"), 2: ("b2",)}.get(entry.lineup[0])
        assert best is None or entry.record.actions[0] in best


def test_greedy_games_have_the_same_openings_in_both_orders_of_seats(run):
    entries = play_topp(run, games=8).standings.entries
    for first, second in zip(entries[::2], entries[1::2], strict=True):
        length = first.record.opening
        assert second.record.opening == length
        assert first.record.actions[:length] == second.record.actions[:length]
    assert entries[0].record.opening == 0
    assert entries[2].record.opening == 1


@pytest.mark.parametrize("style", STYLES)
def test_result_depends_only_on_the_arguments(run, style, monkeypatch):
    first, other = (play_topp(run, 4, style, 0.3, seed=seed) for seed in (1, 2))
    monkeypatch.setattr("meeple.arena.topp.MAX_CONCURRENT_GAMES", 3)
    again = play_topp(run, 4, style, 0.3, seed=1)
    assert first.to_json() == again.to_json()
    records = [[e.record for e in one.standings.entries] for one in (first, again, other)]
    assert records[0] == records[1] != records[2]
    assert all(replay(record).is_over for record in records[0])


def test_ctrl_c_keeps_finished_games(run):
    def interrupt(done, total):
        if done == 5:
            raise KeyboardInterrupt

    result = play_topp(run, games=8, progress=interrupt)
    assert result.interrupted
    assert len(result.standings.entries) == 5
    assert "Elo" in result.verdict()


def test_no_rise_is_reported_for_equal_networks(tmp_path):
    for episode in (0, 5):
        add_network(tmp_path, episode, CENTRE)
    result = play_topp(tmp_path, games=10)
    assert result.standings.share(0) == result.standings.share(1) == 0.5
    assert result.verdict().startswith("It is not shown")
    assert result.steps_up == 0


def test_clear_rise_is_reported(run):
    result = play_topp(run, games=50, style="sample")
    assert result.gain[1] > 0
    assert result.verdict().startswith("Ratings rise with training: episode 20")


def cut_off(run):
    path = run / "checkpoints" / "network-000010.safetensors"
    path.write_bytes(path.read_bytes()[:-20])


def larger(run):
    add_network(run, 30, np.zeros(16, dtype=np.float32), meeple.make("hex", size=4))


@pytest.mark.parametrize(
    ("prepare", "arguments", "error", "said"),
    [
        (lambda run: shutil.rmtree(run), {}, RunError, "is no run folder"),
        (lambda run: [file.unlink() for file in files(run)[1:]], {}, RunError, "one network only"),
        (larger, {}, CheckpointError, "network-000030"),
        (cut_off, {}, CheckpointError, "network-000010"),
        (files, {"games": 0}, UsageError, "games"),
        (files, {"style": "brave"}, UsageError, "greedy"),
        (files, {"epsilon": 1.5}, UsageError, "epsilon"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(run, prepare, arguments, error, said):
    prepare(run)
    with pytest.raises(error, match=said):
        play_topp(run, **arguments)


@pytest.fixture(scope="module")
def values(tmp_path_factory):
    """Write a run of values of two rounds with both networks."""
    run = tmp_path_factory.mktemp("values") / "run"
    start_run(parse_sections(ValuesConfig, "", [*SMALL, "gate.games=0"], "small"), run)
    train_values(run)
    return run


@pytest.mark.slow
def test_value_networks_meet_and_are_counted_by_round(values):
    result = play_topp(values, games=6)
    assert (result.unit, result.episodes) == ("round", (0, 1))
    assert "round 1 is rated " in result.verdict()
    assert result.to_json()["unit"] == "round"
    lineups = {entry.lineup for entry in result.standings.entries}
    assert lineups == {(0, 1), (1, 0)}
    with pytest.raises(UsageError, match="no policy to draw from"):
        play_topp(values, style="sample")


def test_evenly_spaced_networks_of_a_long_run_take_part(tmp_path):
    for episode in range(11):
        add_network(tmp_path, episode, CENTRE)
    assert play_topp(tmp_path, 2, networks=5).episodes == (0, 2, 5, 8, 10)
    assert play_topp(tmp_path, 2, networks=11).episodes == tuple(range(11))
    with pytest.raises(UsageError, match="networks must be at least 2"):
        play_topp(tmp_path, networks=1)
