"""Predictors: engines and formats agree, follow training, and predict only legal actions."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from meeple import extras
from meeple.errors import NetworkError, UsageError
from meeple.nets import inference
from meeple.nets.architecture import Architecture, Weights
from meeple.nets.graph import Batch
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.training import Recipe, train_step
from tests.tiers import few_quick

TOWER = Architecture(
    kind="conv",
    channels=16,
    blocks=3,
    observation_shape=(3, 5, 5),
    num_actions=26,
    players=2,
    critic=True,
)
FLAT = Architecture(
    hidden=(32, 16), observation_shape=(3, 4), num_actions=6, players=3, critic=True
)


def random_batch(architecture, size=32):
    rng = np.random.default_rng(1)
    observations = rng.normal(size=(size, *architecture.observation_shape)).astype(np.float32)
    legal = rng.random((size, architecture.num_actions)) < 0.6
    legal[:, 0] = True
    return observations, legal


def predict(network, name, batch):
    return Predictor(network.weights, name)(*batch)


def train(network, steps=5):
    observations, legal = random_batch(network.architecture)
    policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
    value = np.zeros((len(policy), network.architecture.players), np.float32)
    value[:, 0] = 1
    recipe = Recipe("adam", learning_rate=0.01)
    optimizer = recipe.make_optimizer(network.parameters())
    for _ in range(steps):
        train_step(
            network, optimizer, Batch(observations, {"policy": policy, "value": value}), recipe
        )


def by_definition(network, observations, legal):
    """Compute softmax, mask and renormalisation in double precision with PyTorch."""
    with torch.no_grad():
        policy, value = network(torch.from_numpy(observations))
    policy = torch.softmax(policy.double(), dim=1) * torch.from_numpy(legal)
    return policy / policy.sum(1, keepdim=True), torch.softmax(value.double(), dim=1)


@pytest.mark.parametrize("activation", ["linear", "sigmoid", "tanh", "relu"])
@pytest.mark.parametrize("architecture", [FLAT, TOWER, FLAT.model_copy(update={"hidden": ()})])
def test_float32_predictions_are_the_networks_masked_softmax(architecture, activation):
    network = ActorNetwork(architecture.model_copy(update={"activation": activation}), seed=0)
    train(network)
    batch = random_batch(architecture)
    policy, value = predict(network, "float32", batch)
    expected_policy, expected_value = by_definition(network, *batch)
    np.testing.assert_allclose(policy, expected_policy, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(value, expected_value, rtol=1e-3, atol=1e-6)
    assert policy.dtype == value.dtype == np.float32


def test_bfloat16_agrees_to_its_precision():
    network = ActorNetwork(TOWER, seed=0)
    train(network)
    batch = random_batch(TOWER)
    exact, rounded = (predict(network, name, batch) for name in ("float32", "bfloat16"))
    np.testing.assert_allclose(rounded[0], exact[0], atol=0.03)
    np.testing.assert_allclose(rounded[1], exact[1], atol=0.03)
    np.testing.assert_allclose(rounded[0].sum(axis=1), 1, rtol=1e-5)
    assert rounded[0].dtype == np.float32


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_int8_agrees_to_its_precision(activation):
    tower = TOWER.model_copy(update={"activation": activation})
    network = ActorNetwork(tower, seed=0)
    train(network)
    observations, legal = random_batch(tower)
    batch = (observations > 0.5).astype(np.float32), legal
    exact, rounded = (predict(network, name, batch) for name in ("float32", "int8"))
    np.testing.assert_allclose(rounded[0], exact[0], atol=0.03)
    np.testing.assert_allclose(rounded[1], exact[1], atol=0.03)


def test_int8_computes_an_untrained_network_whose_blocks_end_in_zeros():
    policy, value = predict(ActorNetwork(TOWER, seed=0), "int8", random_batch(TOWER))
    np.testing.assert_allclose(policy.sum(axis=1), 1, rtol=1e-5)
    assert np.isfinite(value).all()


def test_int8_of_a_network_without_convolutions_is_refused():
    with pytest.raises(UsageError, match="needs OpenVINO and a network of convolutions"):
        Predictor(ActorNetwork(FLAT, seed=0).weights, "int8")


@pytest.mark.parametrize(
    ("architecture", "name"),
    [(FLAT, "float32"), (TOWER, "float32"), (TOWER, "bfloat16"), (TOWER, "int8")],
)
def test_a_refreshed_predictor_is_that_of_the_trained_network(architecture, name):
    network = ActorNetwork(architecture, seed=0)
    predictor = Predictor(network.weights, name)
    batch = random_batch(architecture)
    before = predictor(*batch)
    train(network)
    predictor.refresh()
    after, new = predictor(*batch), Predictor(network.weights, name)(*batch)
    assert not np.array_equal(before[0], after[0])
    np.testing.assert_array_equal(after[0], new[0])
    np.testing.assert_array_equal(after[1], new[1])


@pytest.mark.parametrize("architecture", [FLAT, TOWER])
def test_policies_are_zero_for_illegal_actions_and_an_empty_batch_is_accepted(architecture):
    network = ActorNetwork(architecture, seed=0)
    observations, legal = random_batch(architecture)
    policy, value = predict(network, "float32", (observations, legal))
    assert (policy[~legal] == 0).all()
    np.testing.assert_allclose(policy.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(value.sum(axis=1), 1, rtol=1e-5)
    policy, value = predict(network, "float32", (observations[:0], legal[:0]))
    assert policy.shape == (0, architecture.num_actions)
    assert value.shape == (0, architecture.players)


def test_a_network_without_critic_has_no_value():
    actor = TOWER.model_copy(update={"critic": False})
    assert (
        Predictor(ActorNetwork(actor, seed=0).weights, "float32")(*random_batch(actor))[1] is None
    )


@pytest.mark.parametrize(
    ("float32", "bfloat16", "chosen"), [(1.0, 0.5, "bfloat16"), (1.0, 0.95, "float32")]
)
def test_auto_chooses_bfloat16_only_if_it_is_clearly_faster(monkeypatch, float32, bfloat16, chosen):
    times = iter([float32, bfloat16])
    monkeypatch.setattr(inference, "_seconds", lambda forward, observations: next(times))
    inference.fastest_format.cache_clear()
    network = ActorNetwork(TOWER, seed=0)
    assert Predictor(network.weights).format == chosen
    assert Predictor(network.weights).format == chosen, (
        "measured once: a second time would find no times"
    )
    inference.fastest_format.cache_clear()


def test_auto_format_works_with_real_measurements():
    network = ActorNetwork(TOWER, seed=0)
    assert Predictor(network.weights, batch=4).format in ("float32", "bfloat16")
    assert Predictor(ActorNetwork(FLAT, seed=0).weights).format == "float32"


def test_wrong_format_is_refused_by_name():
    with pytest.raises(UsageError, match=r"'float16' .*auto, float32, bfloat16"):
        Predictor(ActorNetwork(TOWER, seed=0).weights, "float16")
    with pytest.raises(UsageError, match="an mlp computes only in float32"):
        Predictor(ActorNetwork(FLAT, seed=0).weights, "bfloat16")


@pytest.mark.parametrize(
    ("architecture", "name"), [(FLAT, "float32"), (TOWER, "float32"), (TOWER, "bfloat16")]
)
@pytest.mark.parametrize("layer", ["body.policy", "body.value"])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 3e38])
def test_output_that_is_not_finite_is_refused(architecture, name, layer, bad):
    network = ActorNetwork(architecture, seed=0)
    with torch.no_grad():
        for weights in network.get_submodule(layer).parameters():
            weights.fill_(bad)
    batch = random_batch(architecture)
    with pytest.raises(NetworkError, match="not finite"):
        Predictor(network.weights, name)(*batch)


# ---------------------------------------------------------------- engines


@pytest.mark.parametrize("engine", ["numpy", "torch"])
def test_engines_compute_subnormal_weights_as_zeros(engine):
    network = ActorNetwork(TOWER, seed=0)
    train(network)
    batch = random_batch(TOWER)
    before = Predictor(network.weights, "float32", engine=engine)(*batch)
    weights = {name: tensor.copy() for name, tensor in network.weights.tensors.items()}
    worn = {name: np.where(tensor == 0, 1e-40, tensor) for name, tensor in weights.items()}
    worn = {name: tensor.astype(np.float32) for name, tensor in worn.items()}
    assert any((worn[name] != weights[name]).any() for name in worn)
    after = Predictor(Weights(TOWER, worn), "float32", engine=engine)(*batch)
    np.testing.assert_array_equal(after[0], before[0])
    flushed = Weights(TOWER, worn).without_subnormals()
    for name, tensor in weights.items():
        np.testing.assert_array_equal(flushed[name], tensor)


def engines():
    return tuple(name for name in ("torch", "numpy", "openvino") if extras.is_installed(name))


HEADS = [
    TOWER,
    TOWER.model_copy(update={"num_actions": 25}),
    TOWER.model_copy(update={"num_actions": 40}),  # more actions than cells
    TOWER.model_copy(update={"critic": False, "blocks": 0}),
    TOWER.model_copy(update={"ownership": True, "blocks": 5}),
    Architecture(
        kind="classic",
        hidden=(8, 12, 16),
        observation_shape=(4, 6, 6),
        num_actions=36,
        players=2,
        critic=True,
    ),
]


@pytest.mark.parametrize("architecture", HEADS)
@pytest.mark.parametrize("activation", few_quick(["relu", "linear", "sigmoid", "tanh"]))
def test_engines_agree_to_float32_precision(architecture, activation):
    network = ActorNetwork(architecture.model_copy(update={"activation": activation}), seed=3)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in network.parameters():  # nonzero, so that each layer has an effect
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.05)
    observations, legal = random_batch(architecture)
    weights = network.weights
    expected = Predictor(weights, "float32", engine="torch")(observations, legal)
    assert (expected[1] is None) == (not architecture.critic)
    for name in engines()[1:]:
        policy, value = Predictor(weights, "float32", engine=name)(observations, legal)
        np.testing.assert_allclose(policy, expected[0], rtol=1e-4, atol=1e-6)
        assert (value is None) == (expected[1] is None)
        if value is not None and expected[1] is not None:
            np.testing.assert_allclose(value, expected[1], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("format", ["float32", "bfloat16"])
@pytest.mark.slow
def test_an_engine_follows_the_network_after_refresh(format):
    for name in engines():
        if (name, format) == ("numpy", "bfloat16"):
            continue
        network = ActorNetwork(TOWER, seed=0)
        predictor = Predictor(network.weights, format, engine=name)
        batch = random_batch(TOWER)
        before = predictor(*batch)[0]
        train(network)
        predictor.refresh()
        after = predictor(*batch)[0]
        np.testing.assert_array_equal(
            after, Predictor(network.weights, format, engine=name)(*batch)[0]
        )
        assert np.abs(after - before).max() > 0.01


def test_batches_of_any_size_give_each_row_its_own_result():
    observations, legal = random_batch(TOWER, size=64)
    for name in engines():
        predictor = Predictor(ActorNetwork(TOWER, seed=0).weights, "float32", engine=name)
        whole = predictor(observations, legal)[0]
        for size in (1, 3, 17):
            part = predictor(observations[:size], legal[:size])[0]
            np.testing.assert_allclose(part, whole[:size], rtol=1e-4, atol=1e-6)
        turned = predictor(observations[::-1], legal[::-1])[0]  # not contiguous
        np.testing.assert_allclose(turned[::-1], whole, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_two_predictors_on_two_threads_give_the_results_of_one():
    batches = [random_batch(TOWER, size=size) for size in (8, 24)]
    for name in engines():
        predictors = [Predictor(ActorNetwork(TOWER, seed=s).weights, engine=name) for s in (0, 1)]
        alone = [p(*b)[0] for p, b in zip(predictors, batches, strict=True)]

        def work(pair):
            predictor, batch = pair
            return [predictor(*batch)[0] for _ in range(20)]

        with ThreadPoolExecutor(2) as pool:
            together = list(pool.map(work, zip(predictors, batches, strict=True)))
        for expected, found in zip(alone, together, strict=True):
            for policy in found:
                np.testing.assert_array_equal(policy, expected)


def test_an_unknown_engine_lists_the_known():
    with pytest.raises(UsageError, match="known: auto, openvino, torch, numpy"):
        Predictor(ActorNetwork(TOWER, seed=0).weights, engine="abacus")


def test_without_openvino_pytorch_computes(monkeypatch):
    without(monkeypatch, "openvino")
    weights = ActorNetwork(TOWER, seed=0).weights
    assert Predictor(weights, "float32").engine == "torch"
    with pytest.raises(
        UsageError, match=r"'openvino' needs OpenVINO: pip install 'meeple\[openvino\]'"
    ):
        Predictor(weights, engine="openvino")


def test_without_openvino_and_pytorch_numpy_computes(monkeypatch):
    without(monkeypatch, "openvino", "torch")
    weights = ActorNetwork(TOWER, seed=0).weights
    assert Predictor(weights).engine == "numpy"
    assert Predictor(weights).format == "float32"
    with pytest.raises(UsageError, match="NumPy computes only in float32"):
        Predictor(weights, "bfloat16")
    with pytest.raises(UsageError, match=r"'torch' needs PyTorch: .*meeple\[learn\]"):
        Predictor(weights, engine="torch")


def without(monkeypatch, *libraries):
    """Let these libraries appear not to be installed."""
    for module in (inference, extras):
        monkeypatch.setattr(module, "is_installed", lambda name: name not in libraries)
