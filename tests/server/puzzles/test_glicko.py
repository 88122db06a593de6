"""Glicko ratings against the worked example of their author."""

import pytest

from meeple.server.puzzles.glicko import MIN_DEVIATION, Rating, updated


def test_the_worked_example_of_the_source():
    """http://www.glicko.net/glicko/glicko.pdf, section "Example calculation"."""
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    rating, deviation = updated(Rating(1500, 200), opponents)
    assert rating == pytest.approx(1464, abs=0.5)
    assert deviation == pytest.approx(151.4, abs=0.1)


def test_a_success_raises_and_a_failure_lowers_by_the_same_among_equals():
    won, lost = (updated(Rating(), [(Rating(), score)]) for score in (1.0, 0.0))
    assert won.value - 1500 == pytest.approx(1500 - lost.value)
    assert won.value > 1600
    assert won.deviation == lost.deviation < 350


def test_many_results_leave_a_deviation_that_lets_ratings_move():
    rating = Rating()
    for number in range(500):
        rating = updated(rating, [(Rating(1500, 50), number % 2)])
    assert rating.deviation == MIN_DEVIATION
