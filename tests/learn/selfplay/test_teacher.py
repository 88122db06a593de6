"""A teacher plays the first episodes of a run, and its moves and values are learned."""

from dataclasses import replace

import numpy as np
import pytest

from meeple.agents.allowed import allow
from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import agent
from meeple.errors import CheckpointError, ConfigError, Stopped
from meeple.games.contract.records import read_records
from meeple.learn.config import parse_config
from meeple.learn.loop import start_run, train
from meeple.learn.run.folder import RunFolder
from meeple.learn.selfplay.teacher import Teacher
from meeple.learn.workers.local import TEACHER
from meeple.nets.checkpoint import load
from meeple.search.patterns.file import load_patterns
from tests.learn.small import Heard

WEIGHTS = "reversi6-patterns"
REVERSI = (
    'game.name="reversi"',
    "game.options.size=6",
    "run.episodes=12",
    "run.networks=2",
    f"run.teacher={WEIGHTS}",
    "network.hidden=[8]",
    "search.mode=alphazero",
    "search.simulations=2",
    "selfplay.games=4",
    "training.batch_size=16",
    "teaching.episodes=6",
    "teaching.depth=2",
    "matches.minutes=0",
)


def config(*changes):
    return parse_config("", [*REVERSI, *changes])


def teacher(*changes):
    settings = config(*changes)
    return Teacher(settings.make_game(), settings, find_checkpoint(WEIGHTS))


def test_a_teacher_plays_and_teaches_the_moves_of_its_search():
    settings = config("teaching.exploration=0", "teaching.softness=0.4")
    game = settings.make_game()
    weights = load_patterns(find_checkpoint(WEIGHTS), game)
    wave = Teacher(game, settings, find_checkpoint(WEIGHTS)).play_wave(range(2))
    searching = agent(f"minimax:eval={WEIGHTS},depth=2", game)
    for episode, trajectory in zip(wave.episodes, wave.trajectories, strict=True):
        position = game.start(episode.seed)
        searching.begin(episode.seed)
        for row, action in enumerate(episode.actions):
            policy, legal = trajectory.policies[row], position.legal_mask()
            assert action == searching.choose(position) == policy.argmax()
            assert policy[legal].sum() == pytest.approx(1)
            expected = 0.4 * shallow_policy(position, weights)
            expected[action] += 0.6
            np.testing.assert_allclose(policy, expected, atol=1e-6)
            analysis = searching.analysis
            assert analysis is not None
            assert analysis.value is not None
            np.testing.assert_allclose(trajectory.values[row], analysis.value, rtol=1e-6)
            seen = position.observation(position.to_move).ravel()
            assert (trajectory.observations[row] == seen).all()
            position.play(action)
        assert (position.is_over, trajectory.size) == (True, len(episode.actions))
        assert (episode.payoffs == position.payoffs).all()


def shallow_policy(position, weights):
    """Return a softmax over the mover's share after each action, by the weights."""
    shares = np.full(position.game.num_actions, -np.inf)
    for action in position.legal_actions():
        after = position.copy()
        after.play(int(action))
        after_shares = after.payoffs if after.is_over else weights.shares(after)
        shares[action] = after_shares[position.to_move]
    policy = np.exp((shares - shares.max()) / 0.05)
    return policy / policy.sum()


def test_an_episode_of_a_teacher_depends_on_its_number_and_the_seed_alone():
    one, other = teacher(), teacher("run.seed=2")
    together = [replace(e, moves=[]) for e in one.play_wave(range(5)).episodes]
    (alone,) = one.play_wave([3]).episodes
    assert alone.actions == together[3].actions
    assert len({tuple(e.actions) for e in together}) == 5
    assert [e.actions for e in other.play_wave([3]).episodes] != [alone.actions]
    with pytest.raises(Stopped):
        one.play_wave(range(2), lambda: True)


@pytest.mark.slow
def test_a_taught_run_goes_on_by_itself_and_resumes_as_if_uninterrupted(tmp_path):
    heard = Heard()
    start_run(config(), tmp_path / "whole")
    train(tmp_path / "whole", heard)
    assert [episodes for episodes, _ in heard.waves] == [4, 6, 10, 12]
    names = [record.seats[0] for record in read_records(tmp_path / "whole" / "games.jsonl")]
    assert names == ["teacher"] * 6 + ["self-play"] * 6
    start_run(config(), tmp_path / "parts")
    for _ in range(4):
        state = train(tmp_path / "parts", stop=stop_after_a_wave(tmp_path / "parts"))
    assert state.episodes == 12
    whole, parts = (
        load(tmp_path / name / "checkpoints" / "00000012.safetensors").weights.tensors
        for name in ("whole", "parts")
    )
    assert all((whole[name] == parts[name]).all() for name in whole)


def stop_after_a_wave(folder):
    state, _ = RunFolder(folder).newest_state()
    before = state.episodes if state else 0
    return lambda: (folder / "games.jsonl").exists() and count_games(folder) > before


def count_games(folder):
    return (folder / "games.jsonl").read_bytes().count(b"\n")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (("game.options.size=8",), "was learned for reversi, size=6, not for"),
        (('game.name="nim"', "game.options={}"), "was learned for reversi, not for"),
        (("run.teacher=reversi6",), "is a network, not a pattern evaluation"),
        (("run.teacher=nothing",), "there is no file or run nothing"),
    ],
)
def test_a_teacher_of_another_game_size_or_kind_is_refused(changes, says, tmp_path):
    allow(["nothing"])
    start_run(config(*changes), tmp_path)
    with pytest.raises(CheckpointError, match=says):
        train(tmp_path)
    assert not (tmp_path / TEACHER).exists()


def test_a_teacher_does_not_teach_with_records():
    with pytest.raises(ConfigError, match=r"run\.teacher is for self-play"):
        config("records.epochs=1")
    with pytest.raises(ConfigError, match=r"run\.teacher is for self-play"):
        config().with_records()
