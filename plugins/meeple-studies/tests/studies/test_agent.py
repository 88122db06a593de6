"""The agents of the study of Catan, by their specs."""

import numpy as np
import pytest

import meeple
from meeple.errors import CheckpointError, SpecError
from meeple.tensor_file import SavedWeights, write_tensors
from meeple_studies.agent import StudyAgent
from meeple_studies.biased import BiasedUct
from meeple_studies.perceptron import new_perceptron
from meeple_studies.perceptron_file import KIND, load_perceptron, perceptron_for, save_perceptron
from tests.test_tensor_file import spoil

GAME = meeple.make("catan-reduced")


def network():
    return new_perceptron(np.full(160, 0.01, dtype=np.float32), (6, 5), 4, 3, "tanh")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.safetensors"
    save_perceptron(path, network(), SavedWeights({}, GAME.name, {}, {"games": 3}))
    return path


def test_saved_network_is_read_unchanged(file):
    found, saved = load_perceptron(file)
    assert (saved.game, saved.options, saved.extra) == (GAME.name, {}, {"games": 3})
    for mine, its in zip(network(), found, strict=True):
        assert np.array_equal(np.asarray(mine), np.asarray(its))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_refused_when_read(bad, file, tmp_path):
    spoil(file, tmp_path / "spoilt", bad)
    with pytest.raises(CheckpointError, match=r"spoilt: '.*' holds numbers that are not finite"):
        load_perceptron(tmp_path / "spoilt")


def settings_of(spec):
    agent = meeple.agent(spec, GAME)
    assert isinstance(agent, StudyAgent)
    assert isinstance(agent.search.rule, BiasedUct)
    return agent.search.rule.settings


def test_keys_of_a_spec_reach_the_search(file):
    settings = settings_of(f"study:{file},sims=9,c=2,d=1,prune=off")
    assert (settings.c, settings.leaf, settings.keep) == (1, 0.5, 0)
    assert np.array_equal(settings.network.weights, network().weights)
    settings = settings_of("study:sims=9,heuristic=bias")
    assert (settings.c, settings.bias, settings.leaf) == (1, 3, 0)
    assert settings.keep == 0.1
    assert len(settings.network.widths) == 0


@pytest.mark.parametrize("path", ["", "PATH,"])
def test_study_agent_plays_and_reports_its_analysis(file, path):
    agent = meeple.agent(f"study:{path.replace('PATH', str(file))}sims=40", GAME, seed=1)
    position = GAME.start(2)
    for _ in range(12):
        while position.to_move < 0:
            position.play_chance()
        action = agent.choose(position)
        assert action in position.legal_actions()
        if len(position.legal_actions()) > 1:
            assert agent.analysis is not None
            assert agent.analysis.visits.sum() == 40
            assert agent.analysis.value is not None
            assert agent.analysis.value.shape == (4,)
        else:
            assert agent.analysis is None
        position.play(action)


def test_invalid_specs_are_refused(file, tmp_path):
    with pytest.raises(SpecError, match="study needs a limit: write study:sims=400"):
        meeple.agent("study", GAME)
    with pytest.raises(SpecError, match="nim has no weights of actions"):
        meeple.agent("study:sims=5", meeple.make("nim"))
    with pytest.raises(SpecError, match="information sets"):
        meeple.agent("study:sims=5", meeple.make("catan"))
    with pytest.raises(CheckpointError, match="trained for catan-reduced, not for reversi"):
        meeple.agent(f"study:{file},sims=5", meeple.make("reversi"))
    with pytest.raises(CheckpointError, match="not a Meeple perceptron but a Meeple value network"):
        meeple.agent("study:catan-reduced,sims=5", GAME)
    spoilt = tmp_path / "spoilt.safetensors"
    for about, sentence in (
        ({"game": "x"}, "lacks a field"),
        (
            {"game": "x", "options": {}, "widths": [2, 3], "activation": "relu", "extra": {}},
            r"not of the widths \[2, 3\]",
        ),
    ):
        write_tensors(spoilt, KIND, {"weights": np.zeros(8, np.float32)}, about)
        with pytest.raises(CheckpointError, match=sentence):
            perceptron_for(spoilt, GAME)
