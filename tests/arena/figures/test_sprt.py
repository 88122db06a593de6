"""The sequential test keeps its error rates and stops as early as expected."""

import math

import numpy as np
import pytest

import meeple
from meeple.arena.figures.sprt import (
    Hypotheses,
    SequentialTest,
    log_ratio,
    parse_hypotheses,
    share_at,
    wald_bounds,
)
from meeple.arena.match import match
from meeple.errors import UsageError
from tests.arena.figures.simulated_matches import (
    MATCHES,
    RESULTS,
    by_the_seat,
    never_drawn,
    often_drawn,
    simulate,
)
from tests.naive.elo import expected_share
from tests.naive.sprt import log_ratio as naive_log_ratio


def at_most(chance):
    """Return the 99.9 % upper bound of a share of MATCHES with this chance."""
    return chance + 3.1 * math.sqrt(chance * (1 - chance) / MATCHES)


@pytest.mark.slow
@pytest.mark.parametrize("games", [often_drawn, by_the_seat])
def test_error_rates_hold_between_equals_and_at_thirty_elo(games):
    tested = Hypotheses(0, 30)
    wrong, _ = simulate(games(expected_share(0)), tested, seed=1)
    right, _ = simulate(games(expected_share(30)), tested, seed=2)
    assert wrong <= at_most(0.05)
    assert 1 - right <= at_most(0.05)
    assert wrong > 0.02  # it plays no more games than its error rate needs
    assert 1 - right > 0.02


@pytest.mark.slow
def test_other_error_rates_hold():
    tested = Hypotheses(-40, 40, alpha=0.2, beta=0.01)
    wrong, _ = simulate(never_drawn(expected_share(-40)), tested, seed=3)
    right, _ = simulate(never_drawn(expected_share(40)), tested, seed=4)
    assert 0.1 < wrong <= at_most(0.2)
    assert 1 - right <= at_most(0.01)


@pytest.mark.slow
def test_number_of_pairs_agrees_with_walds_formula():
    """E n = ((1 - alpha) log(b) + alpha log(a)) / E z, for steps z that are small."""
    tested = Hypotheses(0, 40)
    low, high = tested.bounds
    share = np.mean(tested.shares)
    variance = share * (1 - share) / 2  # variance of the mean of two games without draws
    step = (tested.shares[1] - tested.shares[0]) ** 2 / (2 * variance)
    expected = -(0.95 * low + 0.05 * high) / step
    _, pairs = simulate(never_drawn(tested.shares[0]), tested, seed=5)
    assert pairs == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ([3, 10, 25, 14, 6], 0.5, 0.53),
        ([0.001, 0, 0.001, 0, 12], 0.5, 0.6),
        ([40, 0, 12.001, 0, 1], 0.45, 0.5),
    ],
)
def test_ratio_is_that_of_the_maximum_likelihood_distributions(counts, low, high):
    seen = {value: times for value, times in zip(RESULTS, counts, strict=True) if times}
    found = float(log_ratio(RESULTS, np.array(counts), low, high))
    assert found == pytest.approx(naive_log_ratio(seen, low, high), abs=1e-5)


def test_ratio_is_neutral_without_results():
    test = SequentialTest(Hypotheses(0, 20))
    assert (test.llr, test.accepted, test.rounds) == (0, None, 0)
    assert set(test.counts) == {0, 0.5, 1}
    test.add([1.0, 1.0])
    assert 0 < test.llr < 1
    for shares in ([1.0, 0.5], [0.0, 0.0, 1.0]):
        test.add(shares)  # rounds of any size count by their mean share
    assert test.rounds == 3
    assert (test.counts[0.75], test.counts[round(1 / 3, 9)]) == (1, 1)


def test_ratio_is_that_of_the_normal_distribution_near_even_results():
    """(high - low) (sum - n (low + high) / 2) / variance, for hypotheses that are close."""
    counts = np.array([20.0, 60, 110, 66, 22])
    n, mean = counts.sum(), (counts * RESULTS).sum() / counts.sum()
    variance = (counts * (RESULTS - mean) ** 2).sum() / n
    normal = (0.51 - 0.5) * n * (mean - 0.505) / variance
    assert float(log_ratio(RESULTS, counts, 0.5, 0.51)) == pytest.approx(normal, rel=0.05)


def test_bounds_are_walds_and_shares_those_of_elo():
    assert wald_bounds(0.05, 0.05) == pytest.approx((-math.log(20), math.log(20)))
    assert wald_bounds(0.1, 0.02) == pytest.approx((math.log(0.02), math.log(10)))
    for elo in (-200, 0, 30, 400):
        assert share_at(elo) == pytest.approx(expected_share(elo))


@pytest.mark.parametrize("workers", [1, 3])
def test_match_stops_at_the_decision_for_any_number_of_workers(workers):
    game = meeple.make("hex", size=3)
    agents = ["uct:sims=60", "random"]
    result = match(game, agents, 400, sprt=Hypotheses(0, 60), openings=True, workers=workers)
    assert result.sprt is not None
    assert result.sprt.accepted == "high"
    assert result.games == 2 * result.sprt.rounds < 100
    assert not result.interrupted
    shares = [(r.payoffs or ())[lineup[1]] for r, lineup in zip(result.records, result.lineups)]
    assert len(shares) == result.games
    told = result.to_json()["sprt"]
    assert list(told) == ["llr", "accepted", "low", "high", "alpha", "beta"]
    assert told["llr"] >= math.log(20) > told["llr"] - 1
    alone = match(game, agents, 400, sprt=Hypotheses(0, 60), openings=True, workers=1)
    assert result.records == alone.records


def test_every_round_is_reported_and_an_undecided_match_is_marked():
    told: list[int] = []
    result = match(
        meeple.make("nim", stones=9),
        ["random", "random"],
        games=9,
        sprt=Hypotheses(0, 5),
        on_round=lambda test: told.append(test.rounds),
    )
    assert told == [1, 2, 3, 4]
    assert result.games == 9
    assert result.to_json()["sprt"]["accepted"] is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("20", "LOW,HIGH"), ("20,0", "the lower one first"), ("a,b", "LOW,HIGH"), ("0,nan", "lower")],
)
def test_invalid_test_is_refused_in_a_sentence(text, said):
    with pytest.raises(UsageError, match=said):
        parse_hypotheses(text)
    with pytest.raises(UsageError, match="alpha must be"):
        Hypotheses(0, 20, alpha=0.5)
