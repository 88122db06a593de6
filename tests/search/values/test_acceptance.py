"""The acceptance model of trades: the formula and its features."""

import numpy as np
import pytest

from meeple.search.values.acceptance import Acceptance, Terms, features


def terms(partner, proposer, able=1.0):
    return Terms((1,), (1,), able, np.array([proposer, partner]))


def test_acceptance_probability_is_logistic_in_both_gains_in_points():
    model = Acceptance(-1.0, 0.5, -0.25)
    assert model.chance(terms(0.03, 0.02), 0) == pytest.approx(1 / (1 + np.exp(1 - 1.5 + 0.5)))
    assert model.chance(terms(0.03, 0.02, able=0.4), 0) == pytest.approx(0.2)
    assert Acceptance(0.0, 0.0, 0.0).chance(terms(0.5, 0.5), 0) == 0.5


def test_all_partners_of_a_deal_must_agree():
    model = Acceptance(-1.0, 0.5, -0.25)
    both = Terms((1,), (1, 2), 0.5, np.array([0.01, 0.02, -0.03]))
    alone = [Terms((1,), (who,), 1.0, both.gains) for who in (1, 2)]
    assert model.chance(both, 0) == pytest.approx(
        0.5 * np.prod([model.chance(one, 0) for one in alone])
    )


def test_gains_beyond_ten_points_count_as_ten():
    np.testing.assert_allclose(features(0.3, -0.7), [1, 10, -10])
    np.testing.assert_allclose(features(0.013, -0.007), [1, 1.3, -0.7])
