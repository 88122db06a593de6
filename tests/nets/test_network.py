"""The network's shapes, independence of the batch, symmetry and determinism."""

import numpy as np
import pytest
import torch

from meeple.errors import UsageError
from meeple.nets.graph import block, weight_shapes
from meeple.nets.network import ActorNetwork, TorchLayers
from tests.nets.small import ACTIVATIONS, FLAT, TOWER, changed, nonzero

CONV = changed(TOWER, channels=8, observation_shape=(3, 4, 5), num_actions=20)
OTHER_ACTIONS = changed(CONV, num_actions=6, players=4)


def random_batch(architecture, size=6):
    shape = (size, *architecture.observation_shape)
    return torch.randn(shape, generator=torch.Generator().manual_seed(5))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize(
    "architecture",
    [
        FLAT,
        changed(FLAT, hidden=()),
        changed(FLAT, hidden=(8, 8, 8, 8), observation_shape=(11,)),
        CONV,
        changed(CONV, blocks=0),
        changed(CONV, num_actions=21),
        OTHER_ACTIONS,
        changed(CONV, critic=False),
    ],
)
def test_heads_have_the_configured_shapes(architecture, activation):
    network = nonzero(changed(architecture, activation=activation))
    policy, value = network(random_batch(architecture))
    assert policy.shape == (6, architecture.num_actions)
    assert policy.isfinite().all()
    assert (value is None) == (not architecture.critic)
    assert value is None or value.shape == (6, architecture.players)


@pytest.mark.parametrize("architecture", [FLAT, CONV, OTHER_ACTIONS])
def test_every_weight_has_its_described_shape_and_reaches_an_output(architecture):
    network = nonzero(architecture)
    found = [(name, tuple(value.shape)) for name, value in network.named_parameters()]
    assert found == list(weight_shapes(architecture).items())
    policy, value = network(random_batch(architecture))
    (policy.square().sum() + value.square().sum()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_weights_of_a_network_are_views():
    network = nonzero(CONV)
    weights = network.weights
    with torch.no_grad():
        network.get_parameter("body.entry.weight").add_(1)
    for name, value in network.named_parameters():
        assert np.array_equal(weights.tensors[name], value.detach().numpy()), name


def test_output_does_not_depend_on_the_rest_of_the_batch():
    network, batch = nonzero(CONV), random_batch(CONV)
    parts = torch.cat([network(row[None])[0] for row in batch])
    torch.testing.assert_close(network(batch)[0], parts)


def test_the_board_policy_is_laid_out_row_by_row():
    """Without blocks a cell's logit depends on its neighbours, and on others only by pooling."""
    network = nonzero(changed(CONV, blocks=0, activation="linear"))
    batch = torch.zeros(1, 3, 4, 5, requires_grad=True)
    network(batch)[0][0, 2 * 5 + 3].backward()  # row 2, column 3
    assert batch.grad is not None
    influence = batch.grad[0].abs().sum(0)
    influence = (influence - influence.median()).abs()  # the median: by the mean of the pool
    near = influence[1:4, 2:5]
    assert near.max() == influence.max()
    assert near.min() > 1e-4


def test_tower_with_turned_kernels_evaluates_a_turned_board_alike():
    """A half turn of every kernel and of the board turns the policy and keeps the value."""
    architecture = changed(CONV, num_actions=21)
    network, turned = nonzero(architecture), nonzero(architecture)
    with torch.no_grad():
        for parameter in turned.parameters():
            if parameter.ndim == 4:
                parameter.copy_(parameter.flip(2, 3).clone())
    batch = random_batch(architecture)
    policy, value = network(batch)
    turned_policy, turned_value = turned(batch.flip(2, 3))
    torch.testing.assert_close(turned_policy[:, :20], policy[:, :20].flip(1))
    torch.testing.assert_close(turned_policy[:, 20], policy[:, 20])
    torch.testing.assert_close(turned_value, value)


def test_pooled_block_carries_information_across_the_board():
    """Two 3x3 convolutions reach two cells; only the pooled bias reaches the far corner."""
    wide = changed(CONV, blocks=1, observation_shape=(3, 9, 9), num_actions=81)
    layers = TorchLayers(nonzero(wide))
    x = torch.randn(1, 8, 9, 9, generator=torch.Generator().manual_seed(1))
    corner = torch.zeros_like(x)
    corner[0, :, 0, 0] = 5
    one, other = (block(layers, "body.blocks.0", planes, 8, 2) for planes in (x, x + corner))
    assert not torch.equal(one[0, :, 8, 8], other[0, :, 8, 8])


def test_weights_depend_only_on_the_seed():
    before = torch.random.get_rng_state()
    first, same, other = (ActorNetwork(CONV, seed=s).state_dict() for s in (3, 3, 4))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_activations_of_a_deep_new_network_stay_in_range(activation):
    deep = changed(CONV, channels=64, blocks=12, activation=activation)
    for logits in ActorNetwork(deep, seed=0)(random_batch(deep, 32)):
        assert 1e-3 < logits.std(dim=0).mean().item() < 10


def test_giant_network_is_refused_before_allocation():
    with pytest.raises(UsageError, match=r"27\d,\d{3},\d{3},\d{3} parameters"):
        ActorNetwork(changed(FLAT, hidden=(65_536,) * 64), seed=0)
