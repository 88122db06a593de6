"""Sampled strategies in files: sampling continues from them, and damaged files are refused."""

from typing import Any

import numpy as np
import pytest

import meeple
from meeple.errors import CheckpointError
from meeple.games.contract.registry import load_game_file, make
from meeple.search.exact.information_tree import information_tree
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.strategy_file import KIND, load, save
from meeple.tensor_file import write_tensors
from tests.documents.program import ROOT


@pytest.fixture(scope="module")
def leduc():
    return load_game_file(ROOT / "examples" / "leduc.py")()


@pytest.fixture
def sampled(leduc, tmp_path):
    sampling = ExternalSampling(leduc, 3)
    sampling.run(200)
    save(tmp_path / "leduc.strategy", sampling)
    return sampling, tmp_path / "leduc.strategy"


def test_sampling_continues_as_if_it_had_not_been_interrupted(leduc, sampled):
    sampling, path = sampled
    again, tree = load(path, leduc), information_tree(leduc)
    assert again.iterations == 200
    assert (again.strategy(tree) == sampling.strategy(tree)).all()
    for one in (sampling, again):
        one.run(3_000)
    assert (again.strategy(tree) == sampling.strategy(tree)).all()


def test_the_agent_draws_actions_by_the_strategy(leduc, sampled):
    sampling, path = sampled
    position = leduc.start()
    position.play(2)
    position.play(0)
    agent: Any = meeple.agent(f"strategy:{path}", leduc, seed=1)
    chosen = [agent.choose(position) for _ in range(300)]
    expected = sampling.probabilities(position)
    assert agent.analysis.policy == pytest.approx(expected)
    found = [chosen.count(action) / 300 for action in position.legal_actions().tolist()]
    assert found == pytest.approx(expected.tolist(), abs=0.12)


def test_a_strategy_of_another_game_is_refused(sampled):
    with pytest.raises(CheckpointError, match=r"is a strategy of leduc, .*, not of .*nim"):
        load(sampled[1], make("nim"))


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("keys", lambda keys: np.zeros_like(keys), "is stored twice"),
        ("keys", lambda keys: np.full_like(keys, 7), "is stored twice"),
        ("first", lambda first: first + 10**9, "has no slots"),
        ("first", lambda first: first - 10**9, "has no slots"),
        ("first", lambda first: first[:-1], "differ in length"),
        ("total", lambda total: -total - 1, "a sum is negative"),
        ("regret", lambda regret: regret.astype(np.int64), "it holds"),
        ("game", lambda _: 3, "does not say which game"),
        ("iterations", lambda _: -1, "does not say how it was sampled"),
        ("generator", lambda _: 1 << 64, "its generator is"),
    ],
)
def test_a_damaged_file_is_refused(leduc, sampled, tmp_path, name, change, sentence):
    facts = {"game": "leduc", "options": dict(leduc.options), "iterations": 1, "generator": 1}
    sums: dict[str, Any] = sampled[0].sums._asdict()
    part = facts if name in facts else sums
    part[name] = change(part[name])
    write_tensors(tmp_path / "damaged.strategy", KIND, sums, facts)
    with pytest.raises(CheckpointError, match=sentence):
        load(tmp_path / "damaged.strategy", leduc)
