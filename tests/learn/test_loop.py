"""A run learns, saves networks at its marks, and reports its progress."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import torch

import meeple
from meeple.agents.networks import checkpoint_files
from meeple.arena.topp import play_topp
from meeple.errors import CheckpointError, NetworkError, RunError
from meeple.games.contract.records import read_records, replay
from meeple.games.contract.registry import load_game_file
from meeple.games.nim import Nim
from meeple.learn import loop
from meeple.learn.config import find_config, load_config
from meeple.learn.fit.learner import Losses
from meeple.learn.loop import start_run, train
from meeple.learn.methods.selfplay import Repeats, checkpoint_marks, metrics_of
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import NetworkRun, Run, open_run
from meeple.learn.selfplay.episode import Episode, Timing, Wave
from meeple.learn.selfplay.play import play_wave
from meeple.learn.workers.local import LocalWorkers
from meeple.nets.checkpoint import load
from meeple.nets.inference import Predictor
from meeple.nets.training_state import KIND as TRAINING
from meeple.tensor_file import read_tensors
from tests.learn.small import HEX3, NIM, Heard, Remembering, config, config_in, trained

pytestmark = pytest.mark.slow

RACE_FILE = Path(__file__).resolve().parent.parent / "games" / "race.py"


@pytest.mark.parametrize(
    ("base", "changes"),
    [
        (HEX3, ()),
        (HEX3, ("search.mode=alphazero",)),
        (HEX3, ("network.critic=false",)),
        (HEX3, ("selfplay.workers=2",)),
        (HEX3, ("network.kind=conv", "network.channels=4", "network.blocks=1")),
        (HEX3, ("training.optimizer=sgd", "training.momentum=0.9", "training.batches=0.3")),
        (NIM, ()),
        (('game.name="race"', "game.options.goal=6", *HEX3[2:]), ("selfplay.sigma=0.5",)),
    ],
)
def test_a_run_finishes_and_its_games_follow_the_rules(tmp_path, base, changes):
    load_game_file(str(RACE_FILE))
    heard = Heard()
    run = trained(tmp_path / "run", *changes, base=base, reporter=heard)
    assert [episode for episode, _ in checkpoint_files(run)] == [0, 12, 24]
    assert [episodes for episodes, _ in heard.waves] == [4, 8, 12, 16, 20, 24]
    assert heard.messages == []
    records = read_records(run / "games.jsonl")
    assert records == heard.games
    assert [record.notes["episode"] for record in records] == list(range(1, 25))
    assert all(replay(record).is_over for record in records)


def test_networks_are_saved_by_time_too(tmp_path):
    run = trained(tmp_path / "run", "run.network_minutes=0.00001")
    assert [episode for episode, _ in checkpoint_files(run)] == [0, 4, 8, 12, 16, 20, 24]


def test_a_wave_reports_metrics_of_its_games_before_it_learns_from_them(tmp_path):
    heard = Heard()
    trained(tmp_path / "run", reporter=heard)
    for _, metrics in heard.waves:
        assert 0 <= metrics["unseen/agreement"] <= 1
        assert metrics["unseen/policy"] >= metrics["unseen/search_entropy"] - 1e-6
        assert 0 <= metrics["selfplay/repeated"] <= 1
        assert metrics["selfplay/drawn"] == 0  # Hex has no draws
        assert metrics["training/threads"] == 1


def test_games_from_different_initial_states_are_different():
    class Two(Nim):
        """Seeds 0 and 1 start equally; other seeds start differently."""

        def start(self, seed=0):
            return Nim(stones=7 if seed < 2 else 8).start(seed)

    def wave(seed):
        return [Episode(seed, [0, 1, 0])]

    repeats = Repeats(Two())
    assert [repeats.count(wave(seed))["selfplay/repeated"] for seed in (0, 1, 2)] == [0, 1, 0]


@pytest.mark.parametrize("mode", ["on-policy", "alphazero"])
def test_games_decided_by_chance_alone_are_not_learned(tmp_path, mode):
    load_game_file(str(Path(__file__).resolve().parent / "luck.py"))
    heard = Heard()
    base = ('game.name="luck"', *HEX3[2:])
    trained(tmp_path / "run", "selfplay.games=1", f"search.mode={mode}", base=base, reporter=heard)
    decided = [len(record.actions) == 1 for record in heard.games]
    assert any(decided)
    assert heard.waves[-1][1]["replay/cases"] == decided.count(False)


TOWER = ("search.mode=alphazero", "network.kind=conv", "network.channels=4", "network.blocks=1")


@pytest.fixture(scope="module")
def tower(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("tower") / "first", *TOWER)


def test_a_run_may_start_with_the_network_of_a_smaller_board(tmp_path, tower):
    changes = (f"run.start={tower}", "game.options.size=4")
    second = trained(tmp_path / "second", *TOWER, *changes)
    assert weights(second, 0) == weights(tower, 24)
    assert weights(second, 24) != weights(second, 0)


@pytest.mark.parametrize(
    ("start", "changes", "sentence"),
    [
        ("first", ("network.channels=8",), "the architecture needs"),
        ("first", ('game.name="nim"', "game.options={}", "network.kind=mlp"), "trained for hex"),
        ("nowhere", (), "there is no file or run"),
    ],
)
def test_an_unsuitable_start_is_refused(tmp_path, tower, start, changes, sentence):
    with pytest.raises(CheckpointError, match=sentence):
        trained(tmp_path / "second", *TOWER, f"run.start={tower.parent / start}", *changes)


def test_networks_are_saved_evenly_from_before_the_first_episode_to_after_the_last():
    assert checkpoint_marks(config("run.episodes=200", "run.networks=5")) == [0, 50, 100, 150, 200]
    assert checkpoint_marks(config("run.episodes=10", "run.networks=4")) == [0, 3, 7, 10]
    assert checkpoint_marks(config("run.episodes=3", "run.networks=4")) == [0, 1, 2, 3]


def weights(run, episodes):
    network = load(run / "checkpoints" / f"{episodes:08d}.safetensors").weights
    return [value.tobytes() for value in network.tensors.values()]


def test_equal_seeds_learn_equal_networks_and_different_seeds_do_not(tmp_path):
    first, second = trained(tmp_path / "1"), trained(tmp_path / "2")
    other = trained(tmp_path / "3", "run.seed=2")
    assert weights(first, 24) == weights(second, 24)
    assert weights(first, 24) != weights(other, 24)
    assert (first / "games.jsonl").read_bytes() == (second / "games.jsonl").read_bytes()
    assert weights(first, 0) != weights(first, 24)


@pytest.mark.parametrize(
    ("episodes", "seconds", "minutes", "share"),
    [(0, 0, None, 0), (12, 900, None, 0.5), (12, 90, 2, 0.75), (12, 30, 2, 0.5), (0, 999, 2, 1)],
)
def test_a_run_ends_at_its_episode_or_time_limit(tmp_path, episodes, seconds, minutes, share):
    changes = [] if minutes is None else [f"run.minutes={minutes}"]
    start_run(config("run.episodes=24", *changes), tmp_path / "run")
    run = open_run(NetworkRun, config_in(tmp_path / "run"), RunFolder(tmp_path / "run"), print)
    run.state.episodes, run.state.seconds = episodes, seconds
    assert run.progress == pytest.approx(share)


def test_the_learning_rate_is_linear_from_first_to_last(tmp_path):
    run = trained(tmp_path / "run", "training.learning_rate=[0.012, 0.006]", base=NIM)
    rates = {}
    for path in (run / "training").glob("*.safetensors"):
        (group,) = read_tensors(path, TRAINING)[0]["groups"]
        rates[path.stem] = group["lr"]
    # A wave of 4 learns at the rate of its first episode, of 24.
    assert rates == {
        "00000012": pytest.approx(0.012 - 0.006 * 8 / 24),
        "00000024": pytest.approx(0.012 - 0.006 * 20 / 24),
    }


@pytest.mark.parametrize("workers", [1, 2])
def test_a_network_with_non_finite_output_stops_the_run_at_its_saved_state(
    tmp_path, monkeypatch, workers
):
    run = tmp_path / "run"
    start_run(config(f"selfplay.workers={workers}", base=NIM), run)

    class Stop(Heard):
        def wave(self, episodes, seconds, metrics):
            super().wave(episodes, seconds, metrics)
            if episodes == 12:  # a mark, at which the state is saved
                monkeypatch.setattr(
                    "meeple.nets.inference.masked_policy",
                    lambda logits, legal: np.full_like(logits, np.nan),
                )

    with pytest.raises(NetworkError, match=r"diverged by episode 12, and .*run stays as it was"):
        train(run, Stop())
    monkeypatch.undo()
    heard = Heard()
    train(run, heard)
    assert [episodes for episodes, _ in heard.waves] == [16, 20, 24]


def test_a_run_is_not_started_in_the_folder_of_another(tmp_path):
    run = trained(tmp_path / "run", base=NIM)
    with pytest.raises(RunError, match="already holds a run; go on with --resume"):
        start_run(config(base=NIM), run)


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="holds no run"):
        train(tmp_path)


def test_a_run_that_ends_by_time_saves_its_last_network(tmp_path):
    start_run(config("run.minutes=0.00001"), tmp_path / "run")
    state = train(tmp_path / "run")
    assert 0 < state.episodes < 24
    assert [e for e, _ in checkpoint_files(tmp_path / "run")] == [0, state.episodes]


def test_the_configuration_of_a_run_is_stored_with_its_explanations(tmp_path):
    settings = config()
    start_run(settings, tmp_path / "run")
    path = tmp_path / "run" / "config.toml"
    assert load_config(path) == settings
    assert "# Number of games of self-play." in path.read_text()


def test_the_ready_run_on_three_by_three_learns_to_win(tmp_path):
    """The exact solver evaluates the first move; the untrained network is the opponent."""
    start_run(load_config(find_config("hex3")), tmp_path / "run")
    train(tmp_path / "run")
    result = play_topp(tmp_path / "run", games=40)
    assert result.gain[1] > 0  # the interval of the rating gain is above zero
    assert result.standings.matrix[-1, 0] >= 0.8
    game = meeple.make("hex", size=3)
    agent = meeple.agent(f"policy:{tmp_path / 'run'}", game)
    assert agent.choose(game.start()) in meeple.solve(game.start()).winning_actions


def test_the_ready_run_of_nim_learns_the_whole_game(tmp_path):
    """With takes of 1 to 3, leaving a multiple of 4 wins (Bouton, 1901)."""
    settings = load_config(find_config("nim"))
    start_run(settings, tmp_path / "run")
    train(tmp_path / "run")
    game = settings.make_game()
    agent = meeple.agent(f"policy:{tmp_path / 'run'}", game)
    position = game.start()
    for stones in range(15, 0, -1):
        if stones % 4:
            assert agent.choose(position) + 1 == stones % 4
        position.play(0)


# ---------------------------------------------------------------- steps of the loop


@pytest.fixture
def learned(monkeypatch):
    """The batch, the recipe and the options of every training step; nothing is learned."""
    calls = []

    def step(network, optimizer, batch, recipe, **options):
        calls.append((batch, recipe, options))
        return {"policy": float(len(calls)), "total": 1.0}

    monkeypatch.setattr("meeple.nets.trainer.train_step", step)
    return calls


@pytest.mark.parametrize("batches", [0.3, 1.0, 2.5])
def test_the_configured_number_of_minibatches_is_learned_per_game(tmp_path, learned, batches):
    heard = Heard()
    changes = (f"training.batches={batches}", "selfplay.games=5")
    trained(tmp_path / "run", *changes, base=NIM, reporter=heard)
    episodes = [0, 5, 10, 12, 17, 22, 24]  # the middle one is at a mark
    done = [math.floor(batches * count) for count in episodes]
    assert len(learned) == done[-1]
    for (before, after), (_, metrics) in zip(itertools.pairwise(done), heard.waves, strict=True):
        if after == before:
            assert "loss/policy" not in metrics
        else:  # the mean over a wave's batches, which are numbered from 1
            assert metrics["loss/policy"] == pytest.approx((before + 1 + after) / 2)
            assert metrics["loss/total"] == 1
        assert metrics["time/learning_seconds"] >= 0


@pytest.mark.parametrize(
    ("critic", "heads"), [("true", {"policy", "value"}), ("false", {"policy"})]
)
def test_a_minibatch_is_learned_with_the_configured_options(tmp_path, learned, critic, heads):
    changes = (
        "training.value_weight=0.3", "training.max_gradient_norm=2.0", "training.batch_size=8",
        f"network.critic={critic}",
    )  # fmt: skip
    trained(tmp_path / "run", *changes, base=NIM)
    for batch, recipe, options in learned:
        assert batch.targets.keys() == heads
        sizes = {len(array) for array in (batch.observations, *batch.targets.values())}
        assert sizes == {8}
        assert recipe.loss_weights["value"] == 0.3
        assert recipe.max_gradient_norm == 2.0
        assert options == {"bfloat16": False}


@pytest.fixture
def saved(monkeypatch):
    """The numbers of episodes at which the state of a run is saved, if it is no longer by time."""
    found = []
    save = Run.save

    def watched(run):
        found.append(run.state.episodes)
        save(run)

    monkeypatch.setattr(Run, "save", watched)
    monkeypatch.setattr(loop, "SAVE_SECONDS", 1e9)
    return found


def test_the_state_is_saved_at_marks_and_after_a_number_of_seconds(tmp_path, monkeypatch, saved):
    trained(tmp_path / "seldom", base=NIM)
    assert saved == [0, 12, 24]
    saved.clear()
    monkeypatch.setattr(loop, "SAVE_SECONDS", -1.0)
    trained(tmp_path / "often", base=NIM)
    assert saved == [0, 4, 8, 12, 16, 20, 24]


@pytest.mark.parametrize("waves", [0, 2, 3])
def test_a_stopped_run_is_saved_once_and_resumes_with_its_time(tmp_path, saved, waves):
    run, heard = tmp_path / "run", Heard()
    start_run(config(base=NIM), run)
    state = train(run, heard, stop=lambda: len(heard.waves) == waves)
    assert state.episodes == 4 * waves
    assert saved == {0: [0], 2: [0, 8], 3: [0, 12]}[waves]
    assert state.seconds >= 0
    state.seconds = 1000.0
    RunFolder(run).save_state(state)
    saved.clear()
    assert 1000 < train(run).seconds < 2000
    assert saved == ([0] if waves == 0 else []) + [12, 24][waves // 3 :]


@pytest.mark.parametrize(("wave", "expected"), [(0, [0]), (2, [0, 8]), (3, [0, 12])])
def test_ctrl_c_within_a_wave_saves_the_previous_waves_once(
    tmp_path, monkeypatch, saved, wave, expected
):
    waves = iter(range(9))

    def play(*arguments):
        if next(waves) == wave:
            raise KeyboardInterrupt
        return play_wave(*arguments)

    monkeypatch.setattr("meeple.learn.workers.local.play_wave", play)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "run", base=NIM)
    assert saved == expected


@pytest.mark.parametrize(("workers", "network"), [(1, "mlp"), (2, "mlp"), (1, "conv"), (2, "conv")])
def test_small_networks_and_workers_use_one_thread(tmp_path, monkeypatch, workers, network):
    playing, learning = [], []

    def play(*arguments):
        playing.append(torch.get_num_threads())
        return play_wave(*arguments)

    def step(*arguments, **options):
        learning.append(torch.get_num_threads())
        return {}

    monkeypatch.setattr("meeple.learn.workers.local.play_wave", play)
    monkeypatch.setattr("meeple.nets.trainer.train_step", step)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        base = NIM if network == "mlp" else (*HEX3, "network.channels=4", "network.blocks=1")
        few = ("run.episodes=8", "run.networks=2", "search.simulations=2")
        changes = (f"selfplay.workers={workers}", f"network.kind={network}", *few)
        trained(tmp_path / "run", *changes, base=base)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
    assert set(playing) == {3 if (workers, network) == (1, "conv") else 1}
    assert set(learning) == ({1, 3} if network == "conv" else {1})  # both numbers are measured


def test_the_network_plays_with_the_weights_it_has_learned(tmp_path, monkeypatch):
    refreshed = []
    refresh = Predictor.refresh

    def watched(predictor):
        refreshed.append(id(predictor))
        refresh(predictor)

    monkeypatch.setattr(Predictor, "refresh", watched)
    trained(tmp_path / "run", "selfplay.workers=2", base=NIM)
    assert len(refreshed) == 12  # two predictors in six waves
    assert len(set(refreshed)) == 2


class InPairs(LocalWorkers):
    """Workers whose players return two waves at a time."""

    def __init__(self, run, reporter, stop):
        super().__init__(run, reporter, stop)
        self.updates = []
        self.one, self.players = self.players, self
        self.account = self.one.account

    wanted = 2

    def stop(self):
        self.one.stop()

    def submit(self, jobs):
        self.jobs = [*jobs]
        self.wanted = 0

    def gather(self):
        found: list[Wave] = []
        for job in self.jobs:
            self.one.submit([job])
            found += self.one.gather()
        self.wanted = 2
        return found[::-1]

    def learn(self, update, trajectories):
        self.updates.append((update.first, update.last, update.batches, len(trajectories)))
        return super().learn(update, trajectories)


def test_waves_that_arrive_together_are_learned_together(tmp_path):
    run, heard = tmp_path / "run", Heard()
    start_run(config("training.batches=0.75", "search.mode=alphazero"), run)
    backend = Remembering(selfplay=InPairs)
    state = train(run, heard, backend=backend)
    assert (state.episodes, state.missing) == (24, [])
    assert backend.workers.updates == [(0, 8, 6, 8), (8, 16, 6, 8), (16, 24, 6, 8)]
    assert [episodes for episodes, _ in heard.waves] == [8, 16, 24]
    assert [game.notes["episode"] for game in heard.games[:8]] == [5, 6, 7, 8, 1, 2, 3, 4]
    assert [episode for episode, _ in checkpoint_files(run)] == [0, 16, 24]  # after the update
    assert train(run).episodes == 24  # everything can be read back


def wave_by(generation, worker, episodes, seconds):
    wave = tuple(Episode(seed, [1] * seed, payoffs=np.array([1.0, 0.0])) for seed in episodes)
    timing = Timing(seconds, seconds / 2, 100, 10)
    return Wave(episodes, wave, (), timing, generation, worker)


def test_figures_of_waves_that_arrive_together_cover_all_their_episodes():
    waves = [wave_by(0, "a", (2, 4), 1.0), wave_by(16, "b", (6, 8, 10, 12), 3.0)]
    found = metrics_of(waves, Losses({"loss/loss": 0.5}, 2.0, 1), 16, 99)
    assert found["selfplay/behind"] == (16 * 2 + 0 * 4) / 6
    assert (found["selfplay/waves"], found["selfplay/plies"]) == (2, 7)
    assert found["selfplay/simulations_per_second"] == 50
    assert found["selfplay/network_share"] == 0.5
    assert (found["time/selfplay_seconds"], found["time/learning_seconds"]) == (4, 2)
    alone = metrics_of([wave_by(0, "", (2, 4), 1.0)], Losses({}, 0.0, 1), 16, 99)
    assert not {"selfplay/behind", "selfplay/waves"} & alone.keys()
