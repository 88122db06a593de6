"""Small networks and batches, for tests of networks."""

import numpy as np
import torch

from meeple.nets.architecture import Architecture
from meeple.nets.graph import Batch, head_widths
from meeple.nets.network import ActorNetwork
from meeple.nets.training import Recipe, train_step

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
ACTIVATIONS = ("relu", "linear", "sigmoid", "tanh")


def changed(architecture, **fields):
    return Architecture(**{**architecture.model_dump(), **fields})


def random_batch(architecture, size=32):
    """Return random observations and legal actions."""
    rng = np.random.default_rng(1)
    observations = rng.normal(size=(size, *architecture.observation_shape)).astype(np.float32)
    legal = rng.random((size, architecture.num_actions)) < 0.6
    legal[:, 0] = True
    return observations, legal


def random_targets(architecture, size=8, seed=0):
    """Return random observations, each with one right output of every head."""
    rng = np.random.default_rng(seed)
    observations = rng.normal(size=(size, *architecture.observation_shape)).astype(np.float32)
    return Batch(
        observations,
        {
            name: np.eye(width, dtype=np.float32)[rng.integers(width, size=size)]
            for name, width in head_widths(architecture).items()
        },
    )


def train(network, steps=5):
    recipe = Recipe("adam", learning_rate=0.01)
    optimizer = recipe.make_optimizer(network.parameters())
    for _ in range(steps):
        train_step(network, optimizer, random_targets(network.architecture, 32), recipe)


def learned(architecture, seed=0):
    network = ActorNetwork(architecture, seed=seed)
    train(network)
    return network


def nonzero(architecture, seed=0):
    """Return a network without initial zeros in blocks and biases: every weight matters."""
    network = ActorNetwork(architecture, seed=seed)
    generator = torch.Generator().manual_seed(seed + 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return network


def assert_near(found, expected, tolerance=1e-4):
    """Check that policies (or logits) agree, and values, which may both be missing."""
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            assert one.dtype == np.float32
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def same_weights(one, other):
    mine, theirs = one.weights.tensors, other.weights.tensors
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[n], theirs[n]) for n in mine)
