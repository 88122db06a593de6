"""The training step: learning, heads without a target, and a divergence."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from meeple.errors import UsageError
from meeple.nets.graph import ILLEGAL
from meeple.nets.network import ActorNetwork
from meeple.nets.training import OPTIMIZERS, Recipe, cross_entropy, flushing_subnormals, train_step
from tests.nets.small import ACTIVATIONS, FLAT, TOWER, changed, random_targets
from tests.tiers import few_quick

RATES = {"adagrad": 0.05, "sgd": 0.2, "rmsprop": 0.003, "adam": 0.01}
BATCH = random_targets(FLAT)


def trained(architecture, recipe, batch, steps=1, seed=0):
    """Return the losses of some steps on the same batch, and the resulting weights."""
    network = ActorNetwork(architecture, seed=seed)
    optimizer = recipe.make_optimizer(network.parameters())
    losses = [train_step(network, optimizer, batch, recipe) for _ in range(steps)]
    return losses, torch.cat([p.detach().flatten() for p in network.parameters()])


def untrained(architecture):
    return torch.cat(
        [p.detach().flatten() for p in ActorNetwork(architecture, seed=0).parameters()]
    )


@pytest.mark.parametrize(
    ("architecture", "name", "rate", "steps"),
    [
        *((FLAT, name, RATES[name], 400) for name in OPTIMIZERS),
        *((changed(FLAT, activation=one), "adam", 0.01, 400) for one in ACTIVATIONS[1:]),
        (TOWER, "sgd", 0.05, 150),
        (TOWER, "adam", 0.01, 150),
        (changed(TOWER, channels=64, blocks=6), "adam", 0.001, 30),  # the largest ready tower
    ],
)
@pytest.mark.slow
def test_every_optimizer_overfits_a_few_positions_without_outliers(architecture, name, rate, steps):
    recipe = Recipe(name, rate, max_gradient_norm=5.0)
    losses, _ = trained(architecture, recipe, random_targets(architecture), steps, seed=1)
    assert losses[0]["loss"] > 1.5
    assert losses[-1]["loss"] < 0.3
    assert steps > 30 or max(step["loss"] for step in losses) < 2 * losses[0]["loss"]


@pytest.mark.parametrize("activation", few_quick(["linear", "sigmoid", "tanh"]))
@pytest.mark.parametrize("architecture", [FLAT, TOWER])
def test_gradients_agree_with_finite_differences(architecture, activation):
    """Relu is excluded, because a difference may straddle its kink; pooled maxima are distinct."""
    network = ActorNetwork(changed(architecture, activation=activation), seed=2).double()
    batch = random_targets(architecture, 3)
    observations = torch.from_numpy(batch.observations).double()
    policy, value = (torch.from_numpy(batch.targets[h]).double() for h in ("policy", "value"))

    def loss():
        policy_logits, value_logits = network(observations)
        return cross_entropy(policy_logits, policy) + cross_entropy(value_logits, value)

    def loss_at(parameter, at, number):
        with torch.no_grad():
            parameter[at] = number
            return loss().item()

    rng, step = np.random.default_rng(0), 1e-6
    loss().backward()
    for parameter in network.parameters():
        at = tuple(int(rng.integers(n)) for n in parameter.shape)
        here = parameter[at].item()
        above, below, _ = (loss_at(parameter, at, x) for x in (here + step, here - step, here))
        assert parameter.grad is not None
        assert parameter.grad[at].item() == pytest.approx((above - below) / (2 * step), abs=1e-6)


def test_loss_of_a_uniform_network_is_the_logarithm_of_the_choices():
    network, recipe = ActorNetwork(FLAT, seed=0), Recipe("sgd", 0.1, loss_weights={"value": 0.5})
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
    losses = train_step(network, recipe.make_optimizer(network.parameters()), BATCH, recipe)
    assert losses["policy"] == pytest.approx(np.log(6))
    assert losses["value"] == pytest.approx(np.log(3))
    assert losses["loss"] == pytest.approx(np.log(6) + 0.5 * np.log(3))


def test_rows_without_a_target_have_no_effect():
    empty = {name: np.zeros_like(target) for name, target in BATCH.targets.items()}
    losses, after = trained(FLAT, Recipe("adam", 0.1), BATCH._replace(targets=empty))
    assert losses == [{"policy": 0.0, "value": 0.0, "loss": 0.0, "gradient_norm": 0.0}]
    assert torch.equal(after, untrained(FLAT))


def test_the_logits_of_illegal_actions_are_not_trained():
    logits = torch.tensor([[3.0, 1.0, 1.0]], requires_grad=True)
    loss = cross_entropy(logits, torch.tensor([[ILLEGAL, 0.25, 0.75]]))
    loss.backward()
    assert loss.item() == pytest.approx(np.log(2))
    assert logits.grad is not None
    assert logits.grad[0].tolist() == pytest.approx([0, 0.25, -0.25])


def test_a_head_without_a_target_is_not_trained():
    network, recipe = ActorNetwork(FLAT, seed=0), Recipe("adam", 0.1)
    before = network.weights.tensors["body.value.weight"].copy()
    optimizer = recipe.make_optimizer(network.parameters())
    losses = train_step(network, optimizer, BATCH.for_heads(["policy"]), recipe)
    assert losses.keys() == {"policy", "loss", "gradient_norm"}
    assert np.array_equal(network.weights.tensors["body.value.weight"], before)


def test_a_target_needs_a_network_with_its_head():
    with pytest.raises(UsageError, match=r"target 'value' .* has only policy"):
        trained(changed(FLAT, critic=False), Recipe("adam", 0.1), BATCH)


def test_large_gradients_are_clipped():
    (losses,), after = trained(FLAT, Recipe("sgd", 1.0, max_gradient_norm=0.01), BATCH)
    assert losses["gradient_norm"] > 0.01
    assert (after - untrained(FLAT)).norm().item() == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("name", ["sgd", "rmsprop"])
def test_momentum_and_weight_decay_change_the_path(name):
    plain = Recipe(name, 0.01)
    recipes = (plain, replace(plain, momentum=0.9), replace(plain, weight_decay=0.1))
    end, with_momentum, with_decay = (trained(FLAT, one, BATCH, 3)[1] for one in recipes)
    assert not torch.equal(end, with_momentum)
    assert not torch.equal(end, with_decay)


def test_subnormals_are_zero_only_while_they_are_flushed():
    tiny = torch.full((4,), 1e-39)
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor has no such mode")
    torch.set_flush_denormal(False)
    with flushing_subnormals():
        assert ((0.5 * tiny) == 0).all()
    assert ((0.5 * tiny) != 0).all()
