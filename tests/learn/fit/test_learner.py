"""The learner: metrics of a network on held-out positions, and the number of its threads."""

import numpy as np
import pytest
import torch

from meeple.learn.fit.learner import WAVES_BETWEEN_TRIALS, LearningThreads, evaluate_held_out
from meeple.nets.architecture import Architecture
from meeple.nets.graph import ILLEGAL, Batch
from meeple.nets.network import ActorNetwork
from tests.learn.small import config


def network(bias_policy, bias_value, critic=True):
    """Return a network with the same output for every position."""
    shapes = {"observation_shape": (2,), "num_actions": 2, "players": 2}
    made = ActorNetwork(Architecture(hidden=(4,), critic=critic, **shapes), seed=0)
    tensors = {name: np.zeros_like(value) for name, value in made.weights.tensors.items()}
    for name, value in tensors.items():
        if name.endswith("bias") and len(value) == 2:
            value[:] = np.log(bias_policy if "policy" in name else bias_value)
    made.set_weights(tensors)
    return made


def batch(policies, values):
    return Batch(
        np.ones((len(policies), 2), dtype=np.float32),
        {"policy": np.array(policies, np.float32), "value": np.array(values, np.float32)},
    )


def test_metrics_equal_manually_computed_sums():
    found = evaluate_held_out(
        network((0.75, 0.25), (0.5, 0.5)), batch([(1, 0), (0.5, 0.5), (0, 1)], [(1, 0)] * 3)
    )
    a, b = -np.log(0.75), -np.log(0.25)
    assert found["unseen/policy"] == pytest.approx((a + (a + b) / 2 + b) / 3, rel=1e-5)
    assert found["unseen/policy_entropy"] == pytest.approx(0.75 * a + 0.25 * b, rel=1e-5)
    assert found["unseen/search_entropy"] == pytest.approx(np.log(2) / 3, rel=1e-5)
    assert found["unseen/agreement"] == pytest.approx(2 / 3)
    assert found["unseen/value"] == pytest.approx(np.log(2), rel=1e-5)
    assert "unseen/value_explained" not in found  # all results were equal


def test_illegal_actions_have_no_part_in_the_metrics():
    found = evaluate_held_out(network((0.75, 0.25), (0.5, 0.5)), batch([(ILLEGAL, 1)], [(1, 0)]))
    assert found["unseen/policy"] == found["unseen/policy_entropy"] == pytest.approx(0, abs=1e-6)
    assert found["unseen/agreement"] == 1


def test_explained_variance_is_relative_to_the_mean():
    came = [(1, 0), (0, 1), (1, 0), (0, 1)]
    mean = evaluate_held_out(network((0.5, 0.5), (0.5, 0.5)), batch([(1, 0)] * 4, came))
    wrong = evaluate_held_out(network((0.5, 0.5), (0.9, 0.1)), batch([(1, 0)] * 4, came))
    assert mean["unseen/value_explained"] == pytest.approx(0, abs=1e-6)
    assert wrong["unseen/value_explained"] == pytest.approx(1 - (0.01 + 0.81) / 2 / 0.25, rel=1e-4)


def test_a_network_without_a_critic_has_no_value_metrics():
    found = evaluate_held_out(
        network((0.5, 0.5), (0.5, 0.5), critic=False), batch([(1, 0)], [(1, 0)])
    )
    assert not [name for name in found if "value" in name]


# ---------------------------------------------------------------- threads

TOWER = ("network.kind=conv", "network.channels=4", "network.blocks=1")


@pytest.fixture
def four_threads(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 4)


def chosen(threads, seconds, waves):
    """Return the numbers chosen over some waves, where a minibatch takes `seconds[number]`."""
    found = []
    for _ in range(waves):
        found.append(threads.choose())
        threads.note(found[-1], seconds[found[-1]])
    return found


@pytest.mark.usefixtures("four_threads")
def test_both_numbers_are_measured_and_the_faster_one_is_used():
    assert chosen(LearningThreads(config(*TOWER)), {1: 3.0, 4: 1.0}, 6) == [1, 4, 4, 4, 4, 4]
    assert chosen(LearningThreads(config(*TOWER)), {1: 1.0, 4: 9.0}, 6) == [1, 4, 1, 1, 1, 1]


@pytest.mark.usefixtures("four_threads")
def test_the_slower_number_is_measured_periodically_and_may_win():
    threads, seconds = LearningThreads(config(*TOWER)), {1: 1.0, 4: 9.0}
    before = chosen(threads, seconds, 2 + WAVES_BETWEEN_TRIALS)
    assert before.count(4) == 1
    seconds[4] = 0.5  # the machine is idle again
    assert chosen(threads, seconds, 4) == [4, 4, 4, 4]


@pytest.mark.usefixtures("four_threads")
def test_an_mlp_and_a_fixed_number_are_not_measured():
    assert chosen(LearningThreads(config()), {1: 1.0}, 3) == [1, 1, 1]
    fixed = LearningThreads(config(*TOWER, "training.threads=3"))
    assert chosen(fixed, {3: 1.0}, 3) == [3, 3, 3]
