"""Networks in kernels agree with NumPy for every numbering of the seats."""

import numpy as np
import pytest

from meeple.kernels import parts_record
from meeple.kernels.table import caller
from meeple.search.layers import add_products
from meeple.search.values.network import ValueNetwork, Widths, untrained, widened, widths_of

FEATURES = parts_record(seats=4, own=7, sites=3, site=5, table=6)
WIDTHS = Widths(site=6, seat=9, first=8, second=4)
JUDGE = caller("evaluate_features")


def some_features(seed, players=4):
    """Return features like those of a game: many zeros, and fewer sites than the maximum."""
    rng = np.random.default_rng(seed)
    parts = np.zeros(1, dtype=FEATURES)
    parts["players"] = players
    for name in ("own", "sites", "table"):
        shape = parts[name].shape
        parts[name] = rng.normal(size=shape) * (rng.random(shape) < 0.6)
    parts["sites"][0, :, :, 0] = np.abs(parts["sites"][0, :, :, 0]) + 0.1
    for seat in range(4):
        parts["sites"][0, seat, rng.integers(4) :] = 0
    return parts


def some_weights(seed):
    rng = np.random.default_rng(seed)
    weights = untrained(FEATURES, WIDTHS, seed)
    return {name: rng.normal(size=w.shape).astype(np.float32) for name, w in weights.items()}


def evaluated(network, parts):
    shares = np.zeros(int(parts["players"][0]))
    JUDGE(network.kernel, network.address, parts.ctypes.data, shares.ctypes.data)
    return shares


def evaluated_by_numpy(weights, parts):
    """Evaluate by the formulas in the module's docstring."""
    w, players = weights, int(parts["players"][0])
    seats = []
    for seat in range(players):
        there = [site for site in parts["sites"][0, seat] if site[0] != 0]
        each = [np.maximum(0, s @ w["site_weights"] + w["site_bias"]) for s in there]
        encoded = np.stack(each) if each else np.zeros((1, WIDTHS.site))
        pooled = np.concatenate([encoded.sum(0), encoded.max(0)])
        own = parts["own"][0, seat] @ w["own_weights"]
        seats.append(np.maximum(0, own + pooled @ w["pooled_weights"] + w["seat_bias"]))
    logits = []
    for seat in range(players):
        others = np.max([seats[other] for other in range(players) if other != seat], axis=0)
        first = seats[seat] @ w["self_weights"] + np.sum(seats, axis=0) @ w["sum_weights"]
        first += others @ w["most_weights"] + parts["table"][0] @ w["table_weights"]
        first = np.maximum(0, first + w["first_bias"])
        second = np.maximum(0, first @ w["second_weights"] + w["second_bias"])
        logits.append(second @ w["last_weights"])
    odds = np.exp(np.array(logits) - max(logits))
    return odds / odds.sum()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_network_evaluates_by_its_formulas(players):
    weights = some_weights(players)
    network = ValueNetwork(weights, FEATURES, players)
    for seed in range(20):
        parts = some_features(seed, players)
        np.testing.assert_allclose(
            evaluated(network, parts), evaluated_by_numpy(weights, parts), atol=1e-5
        )


def test_shares_are_permuted_as_the_seats_are():
    network = ValueNetwork(some_weights(1), FEATURES, 4)
    rng = np.random.default_rng(1)
    for seed in range(20):
        parts, order = some_features(seed), rng.permutation(4)
        permuted = parts.copy()
        for name in ("own", "sites"):
            permuted[name][0] = parts[name][0][order]
        np.testing.assert_allclose(
            evaluated(network, permuted), evaluated(network, parts)[order], atol=1e-5
        )


def test_new_weights_replace_the_old_ones():
    network, parts = ValueNetwork(some_weights(1), FEATURES, 4), some_features(1)
    before = evaluated(network, parts)
    network.set_weights(some_weights(2))
    other = ValueNetwork(some_weights(2), FEATURES, 4)
    assert evaluated(network, parts).tolist() == evaluated(other, parts).tolist() != before.tolist()


@pytest.mark.slow
def test_earlier_evaluations_change_nothing():
    """Unchanged seats are not encoded again."""
    network = ValueNetwork(some_weights(3), FEATURES, 4)
    rng = np.random.default_rng(1)
    parts = some_features(1)
    for _ in range(50):
        seat, name = rng.integers(4), ("own", "sites", "table")[rng.integers(3)]
        if name == "table":
            parts["table"][0, rng.integers(6)] = rng.normal()
        else:
            parts[name][0, seat] = some_features(int(rng.integers(1000)))[name][0, seat]
        fresh = ValueNetwork(some_weights(3), FEATURES, 4)
        assert evaluated(network, parts).tolist() == evaluated(fresh, parts).tolist()


def test_widths_are_inferred_from_the_weights():
    assert widths_of(some_weights(1)) == WIDTHS


@pytest.mark.parametrize("inputs", range(12))
def test_sums_are_right_for_any_number_of_nonzero_inputs(inputs):
    rng = np.random.default_rng(inputs)
    values = rng.normal(size=12).astype(np.float32)
    values[rng.permutation(12)[: 12 - inputs]] = 0
    weights = rng.normal(size=(12, 5)).astype(np.float32)
    outputs = rng.normal(size=5).astype(np.float32)
    expected = outputs + values @ weights
    add_products(values, weights, outputs, np.zeros(12, np.int64))
    np.testing.assert_allclose(outputs, expected, atol=1e-5)


def test_a_widened_network_evaluates_as_before_and_its_new_units_can_learn():
    weights, wider = some_weights(1), Widths(site=8, seat=16, first=9, second=6)
    found = widened(weights, FEATURES, wider, seed=2)
    assert widths_of(found) == wider
    narrow, wide = (ValueNetwork(one, FEATURES, 4) for one in (weights, found))
    for seed in range(5):
        parts = some_features(seed)
        np.testing.assert_allclose(evaluated(wide, parts), evaluated(narrow, parts), atol=1e-6)
    for name, old in weights.items():
        if old.ndim == 2:  # what new units compute is random
            assert (found[name][:, old.shape[1] :] != 0).all()


def test_a_network_of_equal_widths_is_widened_to_itself_and_a_narrower_one_is_refused():
    weights = some_weights(1)
    for name, values in widened(weights, FEATURES, WIDTHS, seed=2).items():
        np.testing.assert_array_equal(values, weights[name])
    with pytest.raises(ValueError, match="narrower"):
        widened(weights, FEATURES, WIDTHS._replace(first=7), seed=2)
