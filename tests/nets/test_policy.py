"""Masked policies agree with the definition in double precision."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from meeple.nets.inference import masked_policy, softmax

SHAPES = st.tuples(st.integers(0, 4), st.integers(1, 9))
FINITE = st.floats(-20, 20, width=32)


@given(st.data(), SHAPES)
def test_the_policy_is_the_softmax_over_all_actions_masked_and_renormalised(data, shape):
    logits = data.draw(arrays.arrays(np.float32, shape, elements=FINITE))
    legal = data.draw(arrays.arrays(np.bool_, shape))
    weights = np.exp(logits.astype(np.float64))
    weights /= weights.sum(axis=1, keepdims=True)
    weights *= legal
    totals = weights.sum(axis=1, keepdims=True)
    expected = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
    policy = masked_policy(logits, legal)
    assert policy.dtype == np.float32
    np.testing.assert_allclose(policy, expected, rtol=1e-5, atol=1e-7)


def test_a_row_without_legal_actions_is_all_zeros():
    policy = masked_policy(np.ones((2, 3), np.float32), np.array([[0, 0, 0], [0, 1, 0]], bool))
    np.testing.assert_array_equal(policy, [[0, 0, 0], [0, 1, 0]])


def test_legal_actions_keep_their_odds_at_any_probability():
    logits = np.array([[3e38, -1000.0, -1000.0]], np.float32)
    policy = masked_policy(logits, np.array([[False, True, True]]))
    np.testing.assert_array_equal(policy, [[0, 0.5, 0.5]])


def test_softmax_of_large_logits_does_not_overflow():
    np.testing.assert_array_equal(softmax(np.array([[1e30, 0]], np.float32)), [[1, 0]])
