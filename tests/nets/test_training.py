"""Recipes and the training step: learning, heads without a target, and refused settings."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch

from meeple.errors import MeepleError, UsageError
from meeple.nets.architecture import Architecture
from meeple.nets.graph import Batch
from meeple.nets.network import ActorNetwork
from meeple.nets.training import OPTIMIZERS, Recipe, cross_entropy, flushing_subnormals, train_step
from tests.tiers import few_quick

RATES = {"adagrad": 0.05, "sgd": 0.2, "rmsprop": 0.003, "adam": 0.01}
FLAT = Architecture(hidden=(32,), observation_shape=(12,), num_actions=5, players=3, critic=True)
BOARD = Architecture(
    kind="conv",
    channels=16,
    blocks=2,
    observation_shape=(2, 4, 4),
    num_actions=16,
    players=2,
    critic=True,
)


def random_batch(architecture, count=8, seed=0):
    """Return a batch of random observations, each with one right action and one winner."""
    rng = np.random.default_rng(seed)
    observations = rng.normal(size=(count, *architecture.observation_shape)).astype(np.float32)
    actions = rng.integers(architecture.num_actions, size=count)
    winners = rng.integers(architecture.players, size=count)
    policy = np.eye(architecture.num_actions, dtype=np.float32)[actions]
    value = np.eye(architecture.players, dtype=np.float32)[winners]
    return Batch(observations, {"policy": policy, "value": value})


def policy_layer(network):
    return network.body.policy


def step(network, recipe, batch):
    """Return the losses of the first step on a batch."""
    return train_step(network, recipe.make_optimizer(network.parameters()), batch, recipe)


def trained(architecture, name, steps, rate=None):
    """Return the losses of some steps on the same batch."""
    network = ActorNetwork(architecture, seed=1)
    recipe = Recipe(name, rate or RATES[name], max_gradient_norm=5.0)
    optimizer, batch = recipe.make_optimizer(network.parameters()), random_batch(architecture)
    return [train_step(network, optimizer, batch, recipe) for _ in range(steps)]


@pytest.mark.parametrize("activation", few_quick(["linear", "sigmoid", "tanh", "relu"]))
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.slow
def test_every_optimizer_and_activation_overfits_a_few_positions(name, activation):
    flat = FLAT.model_copy(update={"activation": activation})
    losses = trained(flat, name, 400)
    assert losses[0]["loss"] > 1.5
    assert losses[-1]["loss"] < 0.1


@pytest.mark.parametrize("name", few_quick(OPTIMIZERS))
@pytest.mark.slow
def test_tower_overfits_a_few_positions(name):
    rate = 0.05 if name == "sgd" else None
    losses = trained(BOARD, name, 150, rate)
    assert losses[-1]["loss"] < 0.2


@pytest.mark.slow
def test_the_largest_tower_of_the_ready_configurations_trains_without_outliers():
    tower = BOARD.model_copy(update={"channels": 64, "blocks": 6})
    losses = trained(tower, "adam", 30, 0.001)
    assert max(step["loss"] for step in losses) < 2 * losses[0]["loss"]
    assert losses[-1]["loss"] < 0.3


@pytest.mark.parametrize("activation", ["linear", "sigmoid", "tanh"])
@pytest.mark.parametrize("architecture", [FLAT, BOARD])
def test_gradients_agree_with_finite_differences(architecture, activation):
    """Relu is excluded, because a difference may straddle its kink; pooled maxima are distinct."""
    network = ActorNetwork(architecture.model_copy(update={"activation": activation}), seed=2)
    network = network.double()
    batch = random_batch(architecture, 3)
    observations = torch.from_numpy(batch.observations).double()
    policy, value = (torch.from_numpy(target).double() for target in batch.targets.values())

    def loss():
        policy_logits, value_logits = network(observations)
        return cross_entropy(policy_logits, policy) + cross_entropy(value_logits, value)

    rng = np.random.default_rng(0)
    loss().backward()
    for parameter in network.parameters():
        at = tuple(int(rng.integers(n)) for n in parameter.shape)
        with torch.no_grad():
            step, here = 1e-6, parameter[at].item()
            parameter[at] = here + step
            above = loss().item()
            parameter[at] = here - step
            below = loss().item()
            parameter[at] = here
        assert parameter.grad is not None
        assert parameter.grad[at].item() == pytest.approx((above - below) / (2 * step), abs=1e-6)


def test_loss_of_a_uniform_network_is_the_logarithm_of_the_choices():
    network = ActorNetwork(FLAT, seed=0)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
    losses = step(network, Recipe("sgd", 0.1, loss_weights={"value": 0.5}), random_batch(FLAT))
    assert losses["policy"] == pytest.approx(np.log(5))
    assert losses["value"] == pytest.approx(np.log(3))
    assert losses["loss"] == pytest.approx(np.log(5) + 0.5 * np.log(3))


def test_rows_without_a_target_have_no_effect():
    network = ActorNetwork(FLAT, seed=0)
    before = copy.deepcopy(network.state_dict())
    batch = random_batch(FLAT)
    empty = {name: np.zeros_like(target) for name, target in batch.targets.items()}
    losses = step(network, Recipe("adam", 0.1), batch._replace(targets=empty))
    assert losses == {"policy": 0.0, "value": 0.0, "loss": 0.0, "gradient_norm": 0.0}
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())


def test_a_head_without_a_target_is_not_trained():
    network = ActorNetwork(FLAT, seed=0)
    before = network.weights.tensors["body.value.weight"].copy()
    losses = step(network, Recipe("adam", 0.1), random_batch(FLAT).for_heads(["policy"]))
    assert losses.keys() == {"policy", "loss", "gradient_norm"}
    assert np.array_equal(network.weights.tensors["body.value.weight"], before)


def test_large_gradients_are_clipped():
    network = ActorNetwork(FLAT, seed=0)
    before = torch.cat([p.detach().clone().flatten() for p in network.parameters()])
    losses = step(network, Recipe("sgd", 1.0, max_gradient_norm=0.01), random_batch(FLAT))
    after = torch.cat([p.detach().flatten() for p in network.parameters()])
    assert losses["gradient_norm"] > 0.01
    assert (after - before).norm().item() == pytest.approx(0.01, rel=1e-3)


def test_diverged_step_is_refused_and_leaves_the_weights_unchanged():
    network = ActorNetwork(FLAT, seed=0)
    batch = random_batch(FLAT)
    batch.observations[0, 0] = np.inf
    with pytest.raises(MeepleError, match="training diverged"):
        step(network, Recipe("adam", 0.1), batch)
    fresh = ActorNetwork(FLAT, seed=0).state_dict()
    assert all(torch.equal(v, fresh[name]) for name, v in network.state_dict().items())


def test_a_target_needs_a_network_with_its_head():
    network = ActorNetwork(FLAT.model_copy(update={"critic": False}), seed=0)
    with pytest.raises(UsageError, match=r"target 'value' .* has only policy"):
        step(network, Recipe("adam", 0.1), random_batch(FLAT))


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("adamw", {}, "unknown optimizer 'adamw' .*adagrad, sgd, rmsprop, adam"),
        ("adam", {"learning_rate": 0}, "learning_rate is 0"),
        ("adam", {"learning_rate": float("nan")}, "learning_rate is nan"),
        ("sgd", {"weight_decay": -1}, "weight_decay is -1"),
        ("sgd", {"momentum": 1.0}, "momentum is 1.0"),
        ("adam", {"momentum": 0.9}, "'adam' has no momentum.* sgd or rmsprop"),
        ("adagrad", {"momentum": 0.9}, "'adagrad' has no momentum"),
    ],
)
def test_a_wrong_optimizer_setting_is_refused_by_name(name, options, sentence):
    with pytest.raises(UsageError, match=sentence):
        Recipe(name, **{"learning_rate": 0.1, **options})


@pytest.mark.parametrize("name", ["sgd", "rmsprop"])
def test_momentum_and_weight_decay_change_the_path(name):
    ends = []
    plain = Recipe(name, 0.01)
    for recipe in (plain, replace(plain, momentum=0.9), replace(plain, weight_decay=0.1)):
        network = ActorNetwork(FLAT, seed=0)
        optimizer = recipe.make_optimizer(network.parameters())
        for _ in range(3):
            train_step(network, optimizer, random_batch(FLAT), recipe)
        ends.append(policy_layer(network).weight.detach().clone())
    assert not torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[0], ends[2])


def test_subnormals_are_zero_only_while_they_are_flushed():
    tiny = torch.full((4,), 1e-39)
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor has no such mode")
    torch.set_flush_denormal(False)
    with flushing_subnormals():
        assert ((0.5 * tiny) == 0).all()
    assert ((0.5 * tiny) != 0).all()
