"""Predictors: engines and formats agree, follow training, and predict only legal actions."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from meeple import extras
from meeple.errors import NetworkError, UsageError
from meeple.nets import inference
from meeple.nets.architecture import Architecture, Weights
from meeple.nets.inference import Predictor, masked_policy, softmax
from meeple.nets.network import ActorNetwork
from tests.nets.small import (
    ACTIVATIONS,
    FLAT,
    TOWER,
    assert_near,
    changed,
    learned,
    nonzero,
    random_batch,
    train,
)
from tests.tiers import few_quick

ENGINES = tuple(name for name in ("torch", "numpy", "openvino") if extras.is_installed(name))
HEADS = [
    TOWER,
    changed(TOWER, num_actions=25),
    changed(TOWER, num_actions=40),  # more actions than cells
    changed(TOWER, critic=False, blocks=0),
    changed(TOWER, ownership=True, blocks=5),
    Architecture(
        kind="classic",
        hidden=(8, 12, 16),
        observation_shape=(4, 6, 6),
        num_actions=36,
        players=2,
        critic=True,
    ),
]


def predict(network, format, batch):
    return Predictor(network.weights, format)(*batch)


def by_definition(network, observations, legal):
    """Compute softmax, mask and renormalisation in double precision with PyTorch."""
    with torch.no_grad():
        policy, value = network(torch.from_numpy(observations))
    policy = torch.softmax(policy.double(), dim=1) * torch.from_numpy(legal)
    return policy / policy.sum(1, keepdim=True), torch.softmax(value.double(), dim=1)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("architecture", [FLAT, TOWER, changed(FLAT, hidden=())])
def test_float32_predictions_are_the_networks_masked_softmax(architecture, activation):
    network, batch = (
        learned(changed(architecture, activation=activation)),
        random_batch(architecture),
    )
    found, expected = predict(network, "float32", batch), by_definition(network, *batch)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-6)
    assert (found[0][~batch[1]] == 0).all()
    observations, legal = batch
    policy, value = predict(network, "float32", (observations[:0], legal[:0]))
    assert (policy.shape, value.shape) == ((0, len(legal[0])), (0, architecture.players))


@pytest.mark.parametrize(
    ("format", "activation"), [("bfloat16", "relu"), ("int8", "relu"), ("int8", "tanh")]
)
def test_shorter_formats_agree_to_their_precision(format, activation):
    network = learned(changed(TOWER, activation=activation))
    observations, legal = random_batch(TOWER)
    batch = (observations > 0.5).astype(np.float32), legal  # int8 takes numbers from 0 to 1
    exact, rounded = (predict(network, name, batch) for name in ("float32", format))
    for one, other in zip(rounded, exact, strict=True):
        np.testing.assert_allclose(one, other, atol=0.03)
        np.testing.assert_allclose(one.sum(axis=1), 1, rtol=1e-5)


def test_int8_computes_an_untrained_network_whose_blocks_end_in_zeros():
    policy, value = predict(ActorNetwork(TOWER, seed=0), "int8", random_batch(TOWER))
    np.testing.assert_allclose(policy.sum(axis=1), 1, rtol=1e-5)
    assert np.isfinite(value).all()


@pytest.mark.parametrize(
    ("architecture", "engine", "format"),
    [(FLAT, "auto", "float32"), (TOWER, "auto", "int8")]
    + [(TOWER, name, "float32") for name in ENGINES]
    + [(TOWER, name, "bfloat16") for name in ENGINES if name != "numpy"],
)
def test_a_refreshed_predictor_is_that_of_the_trained_network(architecture, engine, format):
    network, batch = ActorNetwork(architecture, seed=0), random_batch(architecture)
    predictor = Predictor(network.weights, format, engine=engine)
    before = predictor(*batch)
    train(network)
    predictor.refresh()
    after, new = predictor(*batch), Predictor(network.weights, format, engine=engine)(*batch)
    assert np.abs(before[0] - after[0]).max() > 0.01
    assert_near(after, new, 0)


@pytest.mark.parametrize(
    ("float32", "bfloat16", "chosen"), [(1.0, 0.5, "bfloat16"), (1.0, 0.95, "float32")]
)
def test_auto_chooses_bfloat16_only_if_it_is_clearly_faster(monkeypatch, float32, bfloat16, chosen):
    times = iter([float32, bfloat16])
    monkeypatch.setattr(inference, "_seconds", lambda forward, observations: next(times))
    inference.fastest_format.cache_clear()
    network = ActorNetwork(TOWER, seed=0)
    assert Predictor(network.weights).format == chosen
    assert Predictor(network.weights).format == chosen, "measured once: no times are left"
    inference.fastest_format.cache_clear()


def test_auto_format_works_with_real_measurements():
    network = ActorNetwork(TOWER, seed=0)
    assert Predictor(network.weights, batch=4).format in ("float32", "bfloat16")
    assert Predictor(ActorNetwork(FLAT, seed=0).weights).format == "float32"


@pytest.mark.parametrize(
    ("architecture", "format"), [(FLAT, "float32"), (TOWER, "float32"), (TOWER, "bfloat16")]
)
@pytest.mark.parametrize("layer", ["body.policy", "body.value"])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 3e38])
def test_output_that_is_not_finite_is_refused(architecture, format, layer, bad):
    network = ActorNetwork(architecture, seed=0)
    with torch.no_grad():
        for weights in network.get_submodule(layer).parameters():
            weights.fill_(bad)
    with pytest.raises(NetworkError, match="not finite"):
        predict(network, format, random_batch(architecture))


# ---------------------------------------------------------------- masked policies


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


# ---------------------------------------------------------------- engines


@pytest.mark.parametrize("engine", ["numpy", "torch"])
def test_engines_compute_subnormal_weights_as_zeros(engine):
    network, batch = learned(TOWER), random_batch(TOWER)
    before = Predictor(network.weights, "float32", engine=engine)(*batch)
    weights = {name: tensor.copy() for name, tensor in network.weights.tensors.items()}
    worn = {
        name: np.where(tensor == 0, np.float32(1e-40), tensor) for name, tensor in weights.items()
    }
    assert any((worn[name] != weights[name]).any() for name in worn)
    assert_near(Predictor(Weights(TOWER, worn), "float32", engine=engine)(*batch), before, 0)
    for name, tensor in Weights(TOWER, worn).without_subnormals().items():
        np.testing.assert_array_equal(tensor, weights[name])


@pytest.mark.parametrize("architecture", HEADS)
@pytest.mark.parametrize("activation", few_quick(ACTIVATIONS))
def test_engines_agree_to_float32_precision(architecture, activation):
    weights = nonzero(changed(architecture, activation=activation), seed=3).weights
    batch = random_batch(architecture)
    expected = Predictor(weights, "float32", engine="torch")(*batch)
    assert (expected[1] is None) == (not architecture.critic)
    for name in ENGINES[1:]:
        assert_near(Predictor(weights, "float32", engine=name)(*batch), expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_batches_of_any_size_give_each_row_its_own_result(engine):
    observations, legal = random_batch(TOWER, size=64)
    # batch=3: OpenVINO has a second graph for three
    predictor = Predictor(ActorNetwork(TOWER, seed=0).weights, "float32", engine=engine, batch=3)
    policy, value = predictor(observations, legal)
    assert value is not None
    for rows in (slice(1), slice(3), slice(17), slice(None, None, -1)):  # the last not contiguous
        assert_near(predictor(observations[rows], legal[rows]), (policy[rows], value[rows]))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_two_predictors_on_two_threads_give_the_results_of_one(engine):
    batches = [random_batch(TOWER, size=size) for size in (8, 24)]
    predictors = [Predictor(ActorNetwork(TOWER, seed=s).weights, engine=engine) for s in (0, 1)]
    pairs = list(zip(predictors, batches, strict=True))
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda one: [one[0](*one[1]) for _ in range(20)], pairs))
    for (predictor, batch), results in zip(pairs, together, strict=True):
        alone = predictor(*batch)
        for found in results:
            assert_near(found, alone, 0)


@pytest.mark.parametrize(
    ("missing", "architecture", "options", "message"),
    [
        ([], TOWER, {"engine": "abacus"}, "known: auto, openvino, torch, numpy"),
        ([], TOWER, {"format": "float16"}, "'float16' .*auto, float32, bfloat16, int8"),
        ([], FLAT, {"format": "bfloat16"}, "an mlp computes only in float32"),
        ([], FLAT, {"format": "int8"}, "needs OpenVINO and a network of convolutions"),
        (["openvino"], TOWER, {"engine": "openvino"}, r"needs OpenVINO: .*'meeple\[openvino\]'"),
        (["openvino", "torch"], TOWER, {"format": "bfloat16"}, "NumPy computes only in float32"),
        (["openvino", "torch"], TOWER, {"engine": "torch"}, r"'torch' needs PyTorch: .*\[learn\]"),
    ],
)
def test_an_engine_or_format_that_cannot_be_used_is_refused(
    monkeypatch, missing, architecture, options, message
):
    without(monkeypatch, *missing)
    with pytest.raises(UsageError, match=message):
        Predictor(ActorNetwork(architecture, seed=0).weights, **options)


@pytest.mark.parametrize(
    ("missing", "engine"), [(["openvino"], "torch"), (["openvino", "torch"], "numpy")]
)
def test_the_fastest_installed_engine_computes(monkeypatch, missing, engine):
    without(monkeypatch, *missing)
    predictor = Predictor(ActorNetwork(TOWER, seed=0).weights, batch=4)
    assert predictor.engine == engine
    assert predictor.format == "float32" or engine == "torch"


def without(monkeypatch, *libraries):
    """Let these libraries appear not to be installed."""
    installed = extras.is_installed
    for module in (inference, extras):
        monkeypatch.setattr(
            module, "is_installed", lambda name: name not in libraries and installed(name)
        )
