"""Intervals and tests agree with published values and their definitions."""

import math

import pytest

from meeple.arena.figures.statistics import Z, sign_test, wilson_interval

# Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven methods",
# Statistics in Medicine 17 (1998), table I, method 3.
PUBLISHED = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("wins", "games", "low", "high"), PUBLISHED)
def test_wilson_interval_is_the_published_one(wins, games, low, high):
    assert wilson_interval(wins, games) == pytest.approx((low, high), abs=5e-5)
    mirrored = wilson_interval(games - wins, games)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize(("points", "games"), [(3, 10), (7.5, 10), (50, 100), (199, 200)])
def test_interval_ends_are_z_deviations_from_the_result(points, games):
    for p in wilson_interval(points, games):
        assert abs(points - games * p) == pytest.approx(Z * math.sqrt(games * p * (1 - p)))


def test_clean_sweep_reaches_the_end_exactly_and_no_games_give_the_whole_range():
    assert wilson_interval(50, 50)[1] == 1.0
    assert wilson_interval(0, 7)[0] == 0.0
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(5, 0, 2 / 32), (0, 5, 2 / 32), (9, 1, 22 / 1024), (3, 3, 1.0), (0, 0, 1.0), (1, 0, 1.0)],
)
def test_sign_test_is_the_binomial_test(wins, losses, p):
    assert sign_test(wins, losses) == pytest.approx(p)


def test_sign_test_of_a_long_match_agrees_with_the_normal_distribution():
    wins, losses = 5100, 4900
    z = (abs(wins - losses) - 1) / math.sqrt(wins + losses)
    assert sign_test(wins, losses) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-3)
