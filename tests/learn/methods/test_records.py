"""A run learns from records: it predicts held-out games, saves the best network, and resumes."""

import numpy as np
import pytest

import meeple
from meeple.agents.networks import checkpoint_files
from meeple.errors import ConfigError
from meeple.games.contract.records import record_of, to_lines
from meeple.learn.config import parse_config
from meeple.learn.evaluation.diagnosis import summary
from meeple.learn.evaluation.findings import findings
from meeple.learn.loop import train
from meeple.learn.methods.records import RecordsMethod, start_records_run
from meeple.learn.records.positions import RecordBatches, positions_of
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.metrics import MetricsLog, all_waves
from meeple.learn.run.run import NetworkRun, open_run
from meeple.learn.workers.local import LocalBackend
from meeple.nets.checkpoint import load
from meeple.nets.training_state import KIND as TRAINING
from meeple.tensor_file import read_tensors
from tests.learn.small import NIM, Heard, config_in
from tests.learn.small import trained as selfplay
from tests.protocols.records.playing import random_game

pytestmark = pytest.mark.slow

BASE = (
    'game.name="nim"',
    "game.options.stones=20",
    "network.hidden=[32]",
    "training.batch_size=32",
    "training.learning_rate=0.01",
    "records.epochs=4",
    "records.held_out=0.2",
    "records.reports=3",
)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of games of Nim between a mostly optimal player and a random one."""
    game, records = meeple.make("nim", stones=20), []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        position = game.start()
        while not position.is_over:
            best = (20 - sum(action + 1 for action in position.actions)) % 4
            legal = position.legal_actions()
            knows = position.to_move == seed % 2 and best and rng.random() < 0.9
            position.play(int(best - 1 if knows else rng.choice(legal)))
        records.append(record_of(position, ["a", "b"]))
    path = tmp_path_factory.mktemp("games") / "nim.jsonl"
    path.write_text(to_lines(records))
    return path


def start(folder, games, *changes):
    start_records_run(parse_config("", [*BASE, *changes]), folder, [games])
    return folder


def trained(folder, games, *changes, reporter=None):
    train(start(folder, games, *changes), reporter)
    return folder


def test_a_network_learns_the_recorded_moves_and_winners(tmp_path, games):
    heard = Heard()
    run = trained(tmp_path / "run", games, "training.symmetries=false", reporter=heard)
    episodes = config_in(run).run.episodes
    assert [count for count, _ in heard.waves][-1] == episodes
    assert len(heard.waves) == 4 * 3
    judged = [metrics for _, metrics in heard.waves if "records/accuracy" in metrics]
    assert len(judged) == 4
    assert judged[-1]["records/policy"] < judged[0]["records/policy"]
    assert judged[-1]["records/accuracy"] > 0.5
    assert judged[-1]["records/value_error"] < 0.25
    assert heard.waves[-1][1]["unseen/agreement"] > 0.4


def test_the_network_of_a_run_plays_and_starts_other_runs(tmp_path, games):
    run = trained(tmp_path / "run", games)
    game = meeple.make("nim", stones=20)
    assert meeple.agent(f"policy:{run}", game).choose(game.start()) in range(3)
    assert meeple.agent(f"puct:{run},sims=10", game).choose(game.start()) in range(3)
    selfplay(
        tmp_path / "on", "game.options.stones=20", "network.hidden=[32]", f'run.start="{run}"',
        "run.episodes=4", "run.networks=2", base=NIM,
    )  # fmt: skip
    began = load(checkpoint_files(tmp_path / "on")[0][1]).weights.tensors
    best = load(checkpoint_files(run)[-1][1]).weights.tensors
    assert all(np.array_equal(began[name], value) for name, value in best.items())


def test_only_an_improved_network_is_saved_and_the_run_stops_by_itself(tmp_path, games):
    heard = Heard()
    run = trained(
        tmp_path / "run", games, "records.epochs=40", "records.patience=2",
        "training.learning_rate=0.2", reporter=heard,
    )  # fmt: skip
    losses = state_of(run).held_out
    assert len(losses) < 40
    assert min(losses) < min(losses[-2:]) + 1e-3
    assert "foreseen no better for 2 epochs" in heard.messages[-1]
    per_epoch = config_in(run).run.episodes // 40
    best = losses.index(min(losses)) + 1
    assert checkpoint_files(run)[-1][0] <= best * per_epoch
    again = train(run)
    assert again.episodes == state_of(run).episodes  # the run has finished


def test_whole_games_are_held_out_from_training(tmp_path, games):
    run = start(tmp_path / "run", games)
    opened = open_run(NetworkRun, config_in(run), RunFolder(run), print)
    method = RecordsMethod(opened, Heard(), lambda: False, LocalBackend())
    method.open()
    found = method._batches.positions
    judged, learned = set(found.games[method._held_out]), set(found.games[method._learned])
    assert not judged & learned
    assert len(judged) == pytest.approx(0.2 * len(found.values), abs=1)


def train_two_waves(run):
    heard = Heard()
    train(run, heard, lambda: len(heard.waves) >= 2)
    assert len(heard.waves) == 2


@pytest.mark.parametrize("stops", [1, 5])
def test_a_stopped_run_resumes_bit_for_bit(tmp_path, games, stops, monkeypatch):
    monkeypatch.setattr("meeple.learn.loop.SAVE_SECONDS", 0.0)
    whole = trained(tmp_path / "whole", games)
    run = start(tmp_path / "run", games)
    for _ in range(stops):
        train_two_waves(run)
    train(run)
    assert weights_of(run) == weights_of(whole)
    assert state_of(run).held_out == state_of(whole).held_out


def state_of(run):
    state, _ = RunFolder(run).newest_state()
    assert state is not None
    return state


def weights_of(run):
    """Return the weights of each saved network, by number, and of the network in training."""
    kept = {number: load(path).weights.tensors for number, path in checkpoint_files(run)}
    _, training = read_tensors(run / "training" / state_of(run).training, TRAINING)
    return {
        number: {name: value.tobytes() for name, value in tensors.items()}
        for number, tensors in (*kept.items(), ("training", training))
    }


def test_figures_are_written_in_the_format_of_any_run(tmp_path, games):
    run = start(tmp_path / "run", games)
    log = MetricsLog(run)
    train(run, log)
    log.close()
    waves = all_waves(run)
    assert len(waves) == 12
    assert waves[-1].metrics["records/epoch"] == 4
    findings(waves, config_in(run))
    assert summary(run, config_in(run)) == []


def test_a_run_resumes_with_more_epochs(tmp_path, games):
    run = trained(tmp_path / "run", games, "records.epochs=1")
    config = config_in(run)
    longer = config.model_copy(
        update={"run": config.run.model_copy(update={"episodes": 2 * config.run.episodes})}
    )
    RunFolder(run).prolong(longer)
    assert len(train(run).held_out) == 2


def test_too_few_games_are_refused(tmp_path, games):
    one = tmp_path / "one.jsonl"
    one.write_text(games.read_text().splitlines()[0])
    with pytest.raises(ConfigError, match="there is only 1 game"):
        start(tmp_path / "run", one)


def test_a_network_of_a_game_with_hidden_information_learns_from_the_movers_view():
    game = meeple.make("catan", players=3)
    found = positions_of(game, [random_game("catan", 2, 150, players=3)])
    batches = RecordBatches(game, found, smoothing=0.0, symmetries=False)
    shown = batches.held_out(np.arange(found.size))
    for row in range(0, found.size, 10):
        position = game.start()
        position.row[:] = found.states[row]
        observed = position.observation(int(found.movers[row]))
        assert np.array_equal(shown.batch.observations[row], observed)
