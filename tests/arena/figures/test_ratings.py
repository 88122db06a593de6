"""Ratings agree with closed forms and simulated strengths; intervals have their coverage."""

import math

import numpy as np
import pytest

from meeple.arena.figures.ratings import ELO, rate, rate_tables, signed
from tests.naive.elo import expected_share
from tests.naive.plackett_luce import strengths


def simulated(elo, games, rng):
    """Simulate a round robin between agents of these true ratings, `games` for each pair."""
    points = np.zeros((len(elo), len(elo)))
    for a in range(len(elo)):
        for b in range(a + 1, len(elo)):
            wins = rng.binomial(games, expected_share(elo[a] - elo[b]))
            points[a, b], points[b, a] = wins, games - wins
    return points


@pytest.mark.parametrize(("wins", "losses"), [(75, 25), (10, 90), (30.5, 9.5), (100, 10)])
def test_ratings_of_two_agents_differ_by_the_logarithm_of_the_odds(wins, losses):
    points = np.array([[0, wins], [losses, 0]], dtype=float)
    ratings = rate(points, prior_games=1e-9)
    assert ratings.difference(0, 1)[0] == pytest.approx(400 * math.log10(wins / losses), abs=1e-3)
    deviation = ELO * math.sqrt(1 / wins + 1 / losses)
    low, high = ratings.difference(0, 1)[1:]
    assert (high - low) / (2 * 1.96) == pytest.approx(deviation, rel=1e-3)


def test_mean_rating_is_zero_and_order_does_not_matter():
    points = simulated([100.0, 0.0, -50.0, 200.0], 40, np.random.default_rng(1))
    order = [2, 0, 3, 1]
    ratings, shuffled = rate(points), rate(points[np.ix_(order, order)])
    assert ratings.elo.mean() == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(shuffled.elo, ratings.elo[order], atol=1e-6)


def test_rating_of_a_clean_sweep_is_finite_and_grows_with_the_games():
    gaps = [
        rate(np.array([[0, n], [0, 0]], dtype=float)).difference(0, 1)[0] for n in (5, 50, 5000)
    ]
    assert 0 < gaps[0] < gaps[1] < gaps[2] < 3000


def test_agent_without_games_has_an_average_uncertain_rating():
    points = np.zeros((3, 3))
    points[0, 1], points[1, 0] = 60, 40
    ratings = rate(points)
    assert ratings.elo[2] == pytest.approx(0, abs=1e-6)
    _, low, high = ratings.difference(0, 1)
    _, wide_low, wide_high = ratings.difference(0, 2)
    assert wide_high - wide_low > 5 * (high - low)


def test_maximum_is_found_if_full_newton_steps_diverge():
    """Scored points equal expected points plus a draw against average strength."""
    points = np.zeros((4, 4))
    points[0, 2], points[1, 3], points[2, 3] = 94459, 622, 4216
    points[0, 1], points[1, 0], points[3, 1] = 1, 4, 1
    ratings = rate(points)
    games = points + points.T

    def missing(average):
        """Return each agent's expected minus scored points."""
        expected = [
            sum(games[a, b] * expected_share(ratings.elo[a] - ratings.elo[b]) for b in range(4))
            + expected_share(ratings.elo[a] - average)
            for a in range(4)
        ]
        return np.array(expected) - points.sum(axis=1) - 0.5

    low, high = -4000.0, 4000.0  # of the average's strength, if the mean of all agents is 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if missing(middle).sum() > 0 else (low, middle)
    np.testing.assert_allclose(missing(low), 0, atol=1e-6)


def test_intervals_have_their_nominal_coverage():
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


@pytest.mark.parametrize(("wins", "losses"), [(3.0, 1.0), (4.0, 0.0)])
def test_prior_is_one_draw_against_average_strength(wins, losses):
    """The average of two agents lies halfway between them."""
    gap = rate(np.array([[0, wins], [losses, 0]])).difference(0, 1)[0]
    scored = (wins + losses) * expected_share(gap) + expected_share(gap / 2)
    assert scored == pytest.approx(wins + 0.5, abs=1e-6)


def test_intervals_of_equal_agents_follow_from_the_fisher_information():
    """For n agents and m games a pair: 1 / variance = n m / 4 + 1 / 4, less the average's."""
    agents, games = 3, 8
    points = np.full((agents, agents), games / 2)
    np.fill_diagonal(points, 0)
    ratings = rate(points)
    variance = ELO**2 * (1 - 1 / agents) / (agents * games / 4 + 1 / 4)
    margin = 1.96 * math.sqrt(variance)
    np.testing.assert_allclose(ratings.elo, 0, atol=1e-6)
    np.testing.assert_allclose(ratings.high, margin, rtol=1e-3)
    np.testing.assert_allclose(ratings.low, -margin, rtol=1e-3)


def test_interval_of_a_billion_games_is_almost_zero():
    points = np.array([[0, 6e8], [4e8, 0]])
    ratings = rate(points)
    gap, low, high = ratings.difference(0, 1)
    deviation = ELO * math.sqrt(1 / 6e8 + 1 / 4e8)
    assert (high - gap) / 1.96 == pytest.approx(deviation, rel=1e-3)
    assert (gap - low) / 1.96 == pytest.approx(deviation, rel=1e-3)
    assert (ratings.high - ratings.low)[0] / (2 * 1.96) == pytest.approx(deviation / 2, rel=1e-3)


def test_games_against_oneself_are_ignored():
    points = np.array([[0.0, 30.0, 10.0], [10.0, 0.0, 20.0], [15.0, 5.0, 0.0]])
    ratings = rate(points)
    with_own = rate(points + np.diag([50.0, 7.0, 0.0]))
    np.testing.assert_allclose(with_own.elo, ratings.elo, atol=1e-6)
    np.testing.assert_allclose(with_own.covariance, ratings.covariance, atol=1e-6)


@pytest.mark.parametrize(("elo", "text"), [(119.6, "+120"), (-5.4, "-5"), (0.0, "+0")])
def test_rating_is_formatted_with_its_sign(elo, text):
    assert signed(elo) == text


def tables_of(games):
    """Group games (holders, shares) into the input of `rate_tables`."""
    found: dict[tuple[int, ...], np.ndarray] = {}
    for holders, shares in games:
        order = np.argsort(holders, kind="stable")
        key = tuple(int(holders[seat]) for seat in order)
        found.setdefault(key, np.zeros(len(key)))
        found[key] += np.array(shares)[order]
    return found


MIXED = [
    ((0, 1, 2), (1.0, 0.0, 0.0)),
    ((2, 0, 3), (0.5, 0.5, 0.0)),
    ((3, 1, 0), (0.0, 1.0, 0.0)),
    ((1, 2, 3, 0), (0.25, 0.25, 0.25, 0.25)),
    ((0, 0, 1, 1), (0.0, 1.0, 0.0, 0.0)),
    ((3, 2, 2, 2), (1.0, 0.0, 0.0, 0.0)),
    ((1, 3, 2), (0.0, 0.0, 1.0)),
]


@pytest.mark.parametrize("prior_games", [1.0, 0.25])
def test_ratings_of_tables_of_three_and_four_agree_with_a_plain_iteration(prior_games):
    ratings = rate_tables(4, tables_of(MIXED), prior_games)
    np.testing.assert_allclose(ratings.elo, strengths(4, MIXED, prior_games), atol=1e-3)


def test_ratings_of_tables_of_two_agree_with_those_of_pairs():
    points = simulated([0.0, 120.0, -80.0], 30, np.random.default_rng(3))
    tables: dict[tuple[int, ...], np.ndarray] = {
        (a, b): np.array([points[a, b], points[b, a]]) for a, b in [(0, 1), (0, 2), (1, 2)]
    }
    pairs, same = rate(points), rate_tables(3, tables)
    np.testing.assert_allclose(same.elo, pairs.elo, atol=1e-6)
    np.testing.assert_allclose(same.covariance, pairs.covariance, rtol=1e-6)


def test_equals_at_a_table_of_four_win_a_quarter_with_the_right_interval():
    """The information of a game is p (1 - p) for each of its seats, and the prior's 1 / 4."""
    games = 40
    ratings = rate_tables(4, {(0, 1, 2, 3): np.full(4, games / 4)})
    np.testing.assert_allclose(ratings.elo, 0, atol=1e-9)
    variance = ELO**2 * (1 - 1 / 4) / (games / 4 + 1 / 4)  # less the average's
    np.testing.assert_allclose(ratings.high, 1.96 * math.sqrt(variance), rtol=1e-3)
