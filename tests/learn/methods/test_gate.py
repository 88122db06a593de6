"""The acceptance test of networks decides correctly, and as early as possible."""

import numpy as np
import pytest

from meeple.learn.methods.gate import DifferenceTest, Verdict, passes


def decision(mean, seed, gain=0.05, error=0.05, spread=0.5):
    rng = np.random.default_rng(seed)
    test = DifferenceTest(gain, error)
    for _ in range(20_000):
        verdict = test.add(float(rng.normal(mean, spread)))
        if verdict is not None:
            return verdict, test.count
    raise AssertionError("the test never ends")


@pytest.mark.parametrize(("mean", "right"), [(0.05, True), (-0.025, False), (0.1, True)])
def test_the_gate_errs_at_most_at_its_error_rate(mean, right):
    wrong = sum(decision(mean, seed)[0] != right for seed in range(200))
    assert wrong <= 20  # 5 % of 200 are 10, with a standard deviation of 3


def test_a_clear_difference_is_decided_early():
    assert decision(0.5, 1)[1] < decision(0.03, 1)[1]


def test_equal_pairs_decide_nothing():
    test = DifferenceTest(0.05, 0.05)
    assert [test.add(0.0) for _ in range(500)] == [None] * 500


def verdict(accepted, difference=0.0):
    return Verdict("quick players", 100, 0.5, difference, accepted)


@pytest.mark.parametrize(
    ("found", "right"),
    [([True, None], True), ([None, None], False), ([True, False], False), ([True, True], True)],
)
def test_a_network_passes_that_is_better_once_and_never_worse(found, right):
    assert passes([verdict(accepted) for accepted in found]) is right


@pytest.mark.parametrize(("differences", "right"), [((0.03, -0.01), True), ((0.01, -0.03), False)])
def test_the_mean_decides_if_there_are_too_few_games(differences, right):
    assert passes([verdict(None, difference) for difference in differences]) is right
