"""The review of a game: grades, accuracies, noise, and chances without the search's alternation."""

import math

import pytest

from meeple.server.analysis.review import (
    MoveEvaluation,
    accuracy_of,
    grade_of,
    noise_of,
    review,
    without_parity,
)


def chance(log_odds):
    return 1.0 / (1.0 + math.exp(-log_odds))


def evaluation(ply, value, loss=None, is_best=False, drift=None):
    return MoveEvaluation(ply, ply % 2, (value, 1.0 - value), loss, is_best, drift)


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0.0, "good"),
        (0.049, "good"),
        (0.05, "inaccuracy"),
        (0.099, "inaccuracy"),
        (0.1, "mistake"),
        (0.149, "mistake"),
        (0.15, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_a_move_is_graded_by_what_it_loses(loss, grade):
    assert grade_of(loss, is_best=False) == grade
    assert grade_of(loss, is_best=True) == "best"


@pytest.mark.parametrize(
    ("loss", "accuracy"), [(0.0, 100.0), (0.05, 79.8), (0.1, 63.6), (0.5, 8.5), (1.0, 0.0)]
)
def test_accuracy_follows_the_published_formula(loss, accuracy):
    # https://lichess.org/page/accuracy: 103.1668 exp(-0.04354 x) - 3.1669 for a loss of x percent.
    assert accuracy_of(loss) == pytest.approx(accuracy, abs=0.05)


def test_a_loss_of_points_is_graded_by_the_spread_of_random_games():
    moves = [evaluation(0, 0.4, loss=0.03), evaluation(2, 0.4, loss=0.06)]
    whole, points = (review(moves, 1, spread) for spread in (1.0, 0.4))
    assert [move["grade"] for move in whole["moves"]] == ["good", "inaccuracy"]
    assert [move["grade"] for move in points["moves"]] == ["inaccuracy", "blunder"]
    assert points["accuracy"] == [
        pytest.approx((accuracy_of(0.075) + accuracy_of(0.15)) / 2, abs=0.1)
    ]
    assert points["values"] == [[0, [0.4, 0.6]], [2, [0.4, 0.6]]]  # one player: no alternation


def test_noise_is_the_spread_of_values_that_should_be_equal():
    assert noise_of([0.1, 0.1, 0.1, 0.1, 0.1]) == 0.0  # an alternation, no noise
    assert noise_of([0.10, 0.12, 0.08, 0.13, 0.07]) == pytest.approx(0.02)
    assert noise_of([0.5, -0.5, 0.1, 0.2]) == 0.0  # of too few moves


def test_an_alternation_is_removed_and_a_swing_stays_where_it_is():
    true = [0.2, 0.2, 0.3, 0.2, 0.1, 0.2, 2.0, 2.1, 2.0, 2.1, 2.0, 2.1]
    seen = [chance(log + 0.6 * (-1) ** ply) for ply, log in enumerate(true)]
    found = without_parity(range(len(seen)), seen)
    for one, log in zip(found, true, strict=True):
        assert one == pytest.approx(chance(log), abs=0.03)
    assert max(abs(b - a) for a, b in zip(seen, true, strict=True)) > 0.1


def test_proven_results_are_not_changed_and_gaps_are_not_bridged():
    seen = [0.7, 0.3, 0.7, 0.3, 0.7, 1.0, 1.0]
    found = without_parity(range(7), seen)
    assert found[5:] == [1.0, 1.0]
    assert found[:5] == pytest.approx([0.5] * 5)
    assert without_parity([0, 2, 4, 6], [0.7, 0.3, 0.7, 0.3]) == [0.7, 0.3, 0.7, 0.3]


def test_a_review_takes_the_noise_off_every_loss():
    drifts = [0.10, 0.12, 0.08, 0.13, 0.07]
    found = [evaluation(ply, 0.5, 0.0, True, drift) for ply, drift in enumerate(drifts)]
    found += [evaluation(5, 0.5, 0.11), evaluation(6, 0.4, 0.01), evaluation(7, 1.0)]
    told = review(found, 2)
    assert told["noise"] == 0.02
    assert [(move["loss"], move["grade"]) for move in told["moves"][5:]] == [
        (0.09, "inaccuracy"),
        (0.0, "good"),
    ]
    assert told["accuracy"] == [
        100.0,
        pytest.approx((100.0 + 100.0 + accuracy_of(0.09)) / 3, abs=0.1),
    ]
    assert [ply for ply, _ in told["values"]] == list(range(8))


def test_a_player_without_a_judged_move_has_no_accuracy():
    told = review([MoveEvaluation(0, 2, (0.2, 0.3, 0.5), 0.0, True, None)], 3)
    assert told["accuracy"] == [None, None, 100.0]
    assert told["values"] == [[0, [0.2, 0.3, 0.5]]]
