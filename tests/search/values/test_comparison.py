"""The comparison of plans finds the best, spends rounds where it is close, and keeps to priors."""

import numpy as np
import pytest

from meeple.search.values.comparison import MAX_EXPECTED_LOSS, Comparison, expected_loss

EVEN = np.full((4, 2), 0.5)


def rounds_of(rng, means, noise, count=8, luck=0.3):
    """Return rounds [count, K, 2] of results: luck common to all plans, and noise of each."""
    own = means + luck * rng.normal(size=(count, 1)) + noise * rng.normal(size=(count, len(means)))
    return np.stack([own, 1 - own], axis=2)


def compared(means, noise, values=EVEN, deviation=np.inf, seed=0, most=4000):
    """Return a comparison of plans of known means, decided or of about `most` rounds."""
    rng, means = np.random.default_rng(seed), np.asarray(means)
    found = Comparison(0, values[: len(means)], deviation)
    while not found.decided and found.rounds.max() < most:
        found.add(rounds_of(rng, means[found.left], noise))
    return found


def test_loss_by_the_choice_of_this_policy_is_small():
    means, lost = np.array([0.50, 0.49, 0.47, 0.30]), []
    for seed in range(200):
        best = int(np.argmax(compared(means, 0.05, seed=seed).shares()[:, 0]))
        lost.append(means.max() - means[best])
    assert np.mean(lost) < 4 * MAX_EXPECTED_LOSS


def test_rounds_are_spent_on_close_plans_only():
    found = compared([0.50, 0.495, 0.42, 0.30], 0.05)
    assert found.rounds[2] < 64
    assert found.rounds[3] == 8
    assert found.rounds[:2].min() >= 4 * found.rounds[2]
    worth = found.shares()[:, 0]
    assert worth.argmax() == 0
    assert worth[0] - worth[3] == pytest.approx(0.2, abs=0.08)  # its luck is that of the others


def test_equal_plans_end_a_comparison():
    found = compared([0.5, 0.5, 0.5], 0.0)
    assert found.decided
    assert found.rounds.max() < 256  # 0.3 of luck may hide a difference for so long


def test_rounds_weigh_against_prior_values_by_their_noise():
    values = np.array([[0.5, 0.5], [0.49, 0.51]])
    found = Comparison(0, values, 0.02)
    assert not found.decided
    found.add(rounds_of(np.random.default_rng(1), np.array([0.4, 0.43]), 0.01, 6))
    few = np.subtract(*found.shares()[:, 0])
    assert 0.01 > few > -0.03
    found = compared([0.4, 0.43], 0.1, values, 0.02)
    assert np.subtract(*found.shares()[:, 0]) == pytest.approx(-0.03, abs=0.02)
    assert found.shares()[:, 0].max() < 0.53  # the level is that of the prior values


def test_what_prior_values_decide_takes_no_round():
    values = np.array([[0.5, 0.5], [0.3, 0.7]])
    found = Comparison(0, values, 0.02)
    assert found.decided
    np.testing.assert_allclose(found.shares(), values)


def test_rounds_that_do_not_allow_a_plan_are_ignored():
    found = Comparison(0, EVEN[:2])
    rounds = rounds_of(np.random.default_rng(0), np.array([0.5, 0.5]), 0.1)
    rounds[:3, 1] = np.nan
    found.add(rounds)
    assert found.rounds.tolist() == [5, 5]


def test_expected_loss_is_the_mean_of_what_a_normal_difference_lacks():
    drawn = np.random.default_rng(0).normal(0.02, 0.03, 400_000)
    assert expected_loss(0.02, 0.03) == pytest.approx(np.maximum(0, -drawn).mean(), rel=0.02)
    assert expected_loss(0.02, 0.0) == 0.0
