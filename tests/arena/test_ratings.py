"""Ratings against closed forms, against simulated truth, and their intervals' coverage."""

import math

import numpy as np
import pytest

from meeple.arena.ratings import ELO, rate
from tests.naive.elo import expected_share


def simulated(elo, games, rng):
    """Points of a round robin between agents of these true ratings, `games` a pair."""
    points = np.zeros((len(elo), len(elo)))
    for a in range(len(elo)):
        for b in range(a + 1, len(elo)):
            wins = rng.binomial(games, expected_share(elo[a] - elo[b]))
            points[a, b], points[b, a] = wins, games - wins
    return points


@pytest.mark.parametrize(("wins", "losses"), [(75, 25), (10, 90), (30.5, 9.5)])
def test_two_agents_differ_by_the_logarithm_of_the_odds(wins, losses):
    points = np.array([[0, wins], [losses, 0]], dtype=float)
    ratings = rate(points, prior_games=1e-9)
    assert ratings.difference(0, 1)[0] == pytest.approx(400 * math.log10(wins / losses), abs=1e-3)
    deviation = ELO * math.sqrt(1 / wins + 1 / losses)
    low, high = ratings.difference(0, 1)[1:]
    assert (high - low) / (2 * 1.96) == pytest.approx(deviation, rel=1e-3)


def test_ten_to_one_is_four_hundred_points():
    ratings = rate(np.array([[0.0, 100.0], [10.0, 0.0]]), prior_games=1e-9)
    assert ratings.difference(0, 1)[0] == pytest.approx(400, abs=1e-3)


def test_the_average_is_zero_and_names_do_not_matter():
    points = simulated([100.0, 0.0, -50.0, 200.0], 40, np.random.default_rng(1))
    order = [2, 0, 3, 1]
    ratings, shuffled = rate(points), rate(points[np.ix_(order, order)])
    assert ratings.elo.mean() == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(shuffled.elo, ratings.elo[order], atol=1e-6)


def test_a_clean_sweep_has_a_finite_rating_that_grows_with_the_games():
    gaps = [
        rate(np.array([[0, n], [0, 0]], dtype=float)).difference(0, 1)[0] for n in (5, 50, 5000)
    ]
    assert 0 < gaps[0] < gaps[1] < gaps[2] < 3000


def test_one_who_never_played_is_average_and_uncertain():
    points = np.zeros((3, 3))
    points[0, 1], points[1, 0] = 60, 40
    ratings = rate(points)
    assert ratings.elo[2] == pytest.approx(0, abs=1e-6)
    _, low, high = ratings.difference(0, 1)
    _, wide_low, wide_high = ratings.difference(0, 2)
    assert wide_high - wide_low > 5 * (high - low)


def test_many_games_recover_the_truth():
    truth = np.array([-300.0, -100.0, 0.0, 150.0, 250.0])
    ratings = rate(simulated(truth, 20_000, np.random.default_rng(2)))
    np.testing.assert_allclose(ratings.elo, truth, atol=10)


def test_the_gradient_vanishes_at_the_ratings():
    """Points scored are the points expected, but for the prior's half a game."""
    points = simulated([0.0, 120.0, -80.0], 30, np.random.default_rng(3))
    ratings = rate(points, prior_games=1e-9)
    games = points + points.T
    for a in range(3):
        expected = sum(
            games[a, b] * expected_share(ratings.elo[a] - ratings.elo[b])
            for b in range(3)
            if b != a
        )
        assert expected == pytest.approx(points[a].sum(), abs=1e-6)


def test_the_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(4)
    truth = np.array([-150.0, -50.0, 0.0, 200.0])
    held = differences = 0
    repeats = 400
    for _ in range(repeats):
        ratings = rate(simulated(truth, 30, rng))
        held += ((ratings.low <= truth) & (truth <= ratings.high)).sum()
        _, low, high = ratings.difference(3, 0)
        differences += low <= truth[3] - truth[0] <= high
    assert 0.93 <= held / (4 * repeats) <= 0.97
    assert 0.92 <= differences / repeats <= 0.98
