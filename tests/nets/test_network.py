"""The network's shapes, independence of the batch, symmetry and determinism."""

import numpy as np
import pytest
import torch

from meeple.errors import UsageError
from meeple.nets.architecture import Architecture
from meeple.nets.graph import block, weight_shapes
from meeple.nets.network import ActorNetwork, TorchLayers

ACTIVATIONS = ("linear", "sigmoid", "tanh", "relu")


def conv(**fields):
    defaults = {"observation_shape": (3, 4, 5), "num_actions": 20, "players": 2}
    return Architecture(
        **{"kind": "conv", "channels": 8, "blocks": 3, "critic": True, **defaults, **fields}
    )


def mlp(**fields):
    defaults = {"observation_shape": (3, 4, 5), "num_actions": 7, "players": 3}
    return Architecture(**{"kind": "mlp", "hidden": (16, 8), "critic": True, **defaults, **fields})


def network_with_nonzero_weights(architecture, seed=0):
    """Return a network without initial zeros in blocks and biases; every weight matters."""
    network = ActorNetwork(architecture, seed=seed)
    generator = torch.Generator().manual_seed(seed + 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return network


def random_batch(architecture, size=6):
    shape = (size, *architecture.observation_shape)
    return torch.randn(shape, generator=torch.Generator().manual_seed(5))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize(
    "architecture",
    [
        mlp(),
        mlp(hidden=()),
        mlp(hidden=(8, 8, 8, 8), observation_shape=(11,)),
        conv(),
        conv(blocks=0),
        conv(num_actions=21),
        conv(num_actions=6, players=4),
        conv(critic=False),
    ],
)
def test_heads_have_the_configured_shapes(architecture, activation):
    architecture = architecture.model_copy(update={"activation": activation})
    policy, value = network_with_nonzero_weights(architecture)(random_batch(architecture))
    assert policy.shape == (6, architecture.num_actions)
    assert policy.isfinite().all()
    if architecture.critic:
        assert value is not None
        assert value.shape == (6, architecture.players)
    else:
        assert value is None


@pytest.mark.parametrize("architecture", [mlp(), conv(), conv(num_actions=6)])
def test_the_shapes_of_all_weights_are_known_without_pytorch(architecture):
    network = ActorNetwork(architecture, seed=0)
    found = {name: tuple(value.shape) for name, value in network.named_parameters()}
    assert list(found.items()) == list(weight_shapes(architecture).items())


def test_weights_of_a_network_are_views():
    network = network_with_nonzero_weights(conv())
    weights = network.weights
    with torch.no_grad():
        network.get_parameter("body.entry.weight").add_(1)
    for name, value in network.named_parameters():
        assert np.array_equal(weights.tensors[name], value.detach().numpy()), name


@pytest.mark.parametrize("architecture", [mlp(), conv(), conv(num_actions=6)])
def test_every_weight_reaches_an_output(architecture):
    network = network_with_nonzero_weights(architecture)
    policy, value = network(random_batch(architecture))
    (policy.square().sum() + value.square().sum()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_output_does_not_depend_on_the_rest_of_the_batch():
    network = network_with_nonzero_weights(conv())
    batch = random_batch(network.architecture)
    whole, parts = network(batch)[0], torch.cat([network(row[None])[0] for row in batch])
    torch.testing.assert_close(whole, parts)


def test_the_board_policy_is_laid_out_row_by_row():
    """Without blocks a cell's logit depends on its neighbours, and on others only by pooling."""
    network = network_with_nonzero_weights(conv(blocks=0, activation="linear"))
    batch = torch.zeros(1, 3, 4, 5, requires_grad=True)
    logits, _ = network(batch)
    row, column = 2, 3
    logits[0, row * 5 + column].backward()
    assert batch.grad is not None
    influence = batch.grad[0].abs().sum(0)
    influence = (
        influence - influence.median()
    )  # the influence of every cell by the mean of the pool
    assert influence.abs().argmax().item() in {
        r * 5 + c for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1)
    }
    assert influence[row - 1 : row + 2, column - 1 : column + 2].abs().min() > 1e-4


def test_tower_with_turned_kernels_evaluates_a_turned_board_alike():
    """A half turn of every kernel and of the board turns the policy and keeps the value."""
    network, turned = (
        network_with_nonzero_weights(conv(num_actions=21)),
        network_with_nonzero_weights(conv(num_actions=21)),
    )
    with torch.no_grad():
        for parameter in turned.parameters():
            if parameter.ndim == 4:
                parameter.copy_(parameter.flip(2, 3).clone())
    batch = random_batch(network.architecture)
    policy, value = network(batch)
    turned_policy, turned_value = turned(batch.flip(2, 3))
    torch.testing.assert_close(turned_policy[:, :20], policy[:, :20].flip(1))
    torch.testing.assert_close(turned_policy[:, 20], policy[:, 20])
    torch.testing.assert_close(turned_value, value)


def test_pooled_block_carries_information_across_the_board():
    """Two 3x3 convolutions reach two cells; only the pooled bias reaches the far corner."""
    wide = conv(blocks=1, observation_shape=(3, 9, 9), num_actions=81)
    layers = TorchLayers(network_with_nonzero_weights(wide))

    def answer(x):
        return block(layers, "body.blocks.0", x, channels=8, pooled_channels=2)

    x = torch.randn(1, 8, 9, 9, generator=torch.Generator().manual_seed(1))
    changed = x.clone()
    changed[0, :, 0, 0] += 5
    assert not torch.equal(answer(x)[0, :, 8, 8], answer(changed)[0, :, 8, 8])


def test_weights_depend_only_on_the_seed():
    before = torch.random.get_rng_state()
    first, same, other = (ActorNetwork(conv(), seed=s).state_dict() for s in (3, 3, 4))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_activations_of_a_deep_new_network_stay_in_range(activation):
    deep = conv(channels=64, blocks=12, activation=activation)
    policy, value = ActorNetwork(deep, seed=0)(random_batch(deep, 32))
    for logits in (policy, value):
        assert 1e-3 < logits.std(dim=0).mean().item() < 10


def test_giant_network_is_refused_before_allocation():
    giant = mlp(hidden=(65_536,) * 64)
    with pytest.raises(UsageError, match=r"27\d,\d{3},\d{3},\d{3} parameters"):
        ActorNetwork(giant, seed=0)
