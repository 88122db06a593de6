"""External sampling finds known equilibria; equal seeds give equal results."""

import numpy as np
import pytest

from meeple.errors import TooLarge
from meeple.games.contract.registry import load_game_file
from meeple.search.exact.cfr import expected_payoffs, exploitability
from meeple.search.exact.information_tree import information_tree
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.recall import key_of
from tests.documents.program import ROOT
from tests.naive.external_sampling import Naive
from tests.search.kuhn import BET, PASS, Kuhn
from tests.search.toys import Paper


@pytest.fixture(scope="module")
def kuhn():
    return information_tree(Kuhn())


@pytest.fixture(scope="module")
def leduc():
    return information_tree(load_game_file(ROOT / "examples" / "leduc.py")())


def exploited(tree, iterations, seed=1):
    sampling = ExternalSampling(tree.game, seed)
    sampling.run(iterations)
    return exploitability(tree, sampling.strategy(tree))


def test_value_of_kuhn_poker_is_the_known_one(kuhn):
    sampling = ExternalSampling(kuhn.game, 1)
    sampling.run(100_000)
    strategy = sampling.strategy(kuhn)
    value = 4 * (expected_payoffs(kuhn, strategy)[0] - 0.5)  # in chips
    assert value == pytest.approx(-1 / 18, abs=5e-3)
    assert 4 * exploitability(kuhn, strategy) < 0.01
    assert sampling.information_sets == kuhn.sets.number


@pytest.mark.slow
def test_exploitability_of_leduc_poker_falls(leduc):
    curve = [exploited(leduc, iterations) for iterations in (100, 1_000, 10_000, 50_000)]
    assert curve == sorted(curve, reverse=True)
    assert curve[-1] < 0.1 * curve[0]


def test_strategies_of_three_players_are_found_without_a_guarantee():
    game = Paper()
    sampling = ExternalSampling(game, 1)
    sampling.run(1_000)
    tree = information_tree(game)
    assert exploitability(tree, sampling.strategy(tree)) >= -1e-9


def test_equal_seeds_give_equal_results_in_any_slices(leduc):
    one, other, third = (ExternalSampling(leduc.game, seed) for seed in (4, 4, 5))
    one.run(3_000)
    for _ in range(3):
        other.run(1_000)
    third.run(3_000)
    assert (one.strategy(leduc) == other.strategy(leduc)).all()
    assert (one.strategy(leduc) != third.strategy(leduc)).any()


def test_a_table_that_grows_loses_nothing(leduc, monkeypatch):
    monkeypatch.setattr("meeple.search.exact.mccfr._FIRST_SETS", 8)
    sampling = ExternalSampling(leduc.game, 1)
    sampling.run(20_000)
    assert sampling.information_sets == leduc.sets.number
    assert exploitability(leduc, sampling.strategy(leduc)) < 0.02


def test_the_kernels_do_what_plain_python_does(kuhn):
    """Regrets and averages are those of a naive recursion with the same random numbers."""
    sampling, naive = ExternalSampling(kuhn.game, 7), Naive(kuhn.game, 7)
    sampling.run(50)
    naive.run(50)
    assert naive.averages
    for actions, average in naive.averages.items():
        position = kuhn.game.start()
        for action in actions:
            position.play(action)
        assert sampling.probabilities(position) == pytest.approx(average)


def test_positions_of_one_information_set_have_one_key(kuhn):
    keys = []
    for cards in ((0, 1), (0, 2), (1, 2)):
        position = kuhn.game.start()
        for action in (*cards, PASS, BET):
            position.play(action)
        keys.append(key_of(position))
    assert keys[0] == keys[1] != keys[2]


def test_a_start_that_the_seed_draws_is_drawn_for_every_walk():
    """Of four coins in a row, in any order, the best first coin is mostly the greater."""
    game = load_game_file(ROOT / "examples" / "coins.py")(coins=4)
    sampling = ExternalSampling(game, 1)
    sampling.run(20_000)
    greater = [
        sampling.probabilities(position)[int(worth[0] < worth[3])]
        for position in (game.start(seed) for seed in range(20))
        for worth in [position.state.worth.tolist()]
    ]
    assert np.mean(greater) > 0.8


def test_the_number_of_information_sets_is_limited(leduc, monkeypatch):
    monkeypatch.setattr("meeple.search.exact.mccfr._FIRST_SETS", 8)
    with pytest.raises(TooLarge, match="more than 100 information sets"):
        ExternalSampling(leduc.game, 1, max_information_sets=100).run(10_000)


def test_sampling_can_be_stopped(leduc):
    sampling = ExternalSampling(leduc.game, 1)
    sampling.run(10_000_000, stop=lambda: sampling.iterations > 0)
    assert 0 < sampling.iterations < 10_000_000
    assert np.isfinite(sampling.strategy(leduc)).all()
