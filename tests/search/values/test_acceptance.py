"""The acceptance model of trades: the formula and its features."""

import numpy as np
import pytest

from meeple.games.contract.capabilities import Answer
from meeple.search.values.acceptance import Acceptance, Terms, features, shifts


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


def test_earlier_answers_shift_consent_by_the_rate_and_by_refusals_of_the_same_goods():
    gains = np.array([[1, 0, -1], [2, 0, -1], [0, 1, -2], [-1, 1, 0]])
    assert shifts([], gains).tolist() == [0, 0, 0, 0]
    refused = [Answer(1, (1, 0, -1), False, False, now) for now in (False, True)]
    agreed = [Answer(1, (-1, 2, 0), True, False, False)]
    rate = 0.65 * np.log(2 / 1.36)  # one of three, where 0.12 is the mean
    expected = [-np.inf, rate - 0.2, rate - 0.2, rate]  # the first gives no more than refused terms
    np.testing.assert_allclose(shifts(agreed + refused, gains), expected)
    assert (shifts(refused[:1] * 50, gains)[:3] == shifts(refused[:1] * 50, gains)[0]).all()
    one = terms(0.03, 0.02)
    model = Acceptance(-1.0, 0.5, -0.25)
    assert model.chance(one._replace(shifts=(-np.inf,)), 0) == 0
    assert model.chance(one._replace(shifts=(1.0,)), 0) == pytest.approx(0.5 + 0.5 * np.tanh(0.5))
