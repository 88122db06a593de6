"""Predictors: all ways of computing agree, follow training, and keep to the legal actions."""

import numpy as np
import pytest
import torch

from meeple.errors import NetworkError, UsageError
from meeple.nets import inference
from meeple.nets.architecture import Architecture
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.training import optimizer, train_step

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
    return Predictor(network, name)(*batch)


def train(network, steps=5):
    observations, legal = random_batch(network.architecture)
    policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
    value = np.zeros((len(policy), network.architecture.players), np.float32)
    value[:, 0] = 1
    chosen = optimizer("adam", network.parameters(), learning_rate=0.01)
    for _ in range(steps):
        train_step(network, chosen, observations, policy, value)


def by_definition(network, observations, legal):
    """Softmax over all, mask, renormalise: in double precision, by PyTorch alone."""
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


@pytest.mark.parametrize(
    ("architecture", "name"), [(FLAT, "float32"), (TOWER, "float32"), (TOWER, "bfloat16")]
)
def test_a_refreshed_predictor_is_that_of_the_trained_network(architecture, name):
    network = ActorNetwork(architecture, seed=0)
    predictor = Predictor(network, name)
    batch = random_batch(architecture)
    before = predictor(*batch)
    train(network)
    predictor.refresh()
    after, new = predictor(*batch), Predictor(network, name)(*batch)
    assert not np.array_equal(before[0], after[0])
    np.testing.assert_array_equal(after[0], new[0])
    np.testing.assert_array_equal(after[1], new[1])


@pytest.mark.parametrize("architecture", [FLAT, TOWER])
def test_policies_keep_to_the_legal_actions_and_an_empty_batch_is_welcome(architecture):
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
    assert Predictor(ActorNetwork(actor, seed=0), "float32")(*random_batch(actor))[1] is None


@pytest.mark.parametrize(
    ("float32", "bfloat16", "chosen"), [(1.0, 0.5, "bfloat16"), (1.0, 0.95, "float32")]
)
def test_auto_takes_bfloat16_only_when_it_is_clearly_faster(monkeypatch, float32, bfloat16, chosen):
    times = iter([float32, bfloat16])
    monkeypatch.setattr(inference, "_seconds", lambda forward, observations: next(times))
    inference.fastest_format.cache_clear()
    network = ActorNetwork(TOWER, seed=0)
    assert Predictor(network).format == chosen
    assert Predictor(network).format == chosen, "measured once: a second time would find no times"
    inference.fastest_format.cache_clear()


def test_auto_works_unaided():
    network = ActorNetwork(TOWER, seed=0)
    assert Predictor(network, batch=4).format in ("float32", "bfloat16")
    assert Predictor(ActorNetwork(FLAT, seed=0)).format == "float32"


def test_a_wrong_format_is_refused_by_name():
    with pytest.raises(UsageError, match=r"'float16' .*auto, float32, bfloat16"):
        Predictor(ActorNetwork(TOWER, seed=0), "float16")
    with pytest.raises(UsageError, match="an mlp computes in float32"):
        Predictor(ActorNetwork(FLAT, seed=0), "bfloat16")


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
        Predictor(network, name)(*batch)
