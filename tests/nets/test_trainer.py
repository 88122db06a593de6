"""The trainer gives the results of `train_step`, on the processor and on an accelerator's copy."""

import numpy as np
import pytest
import torch

from meeple.errors import MeepleError
from meeple.nets import trainer
from meeple.nets.architecture import Architecture
from meeple.nets.devices import accelerators
from meeple.nets.graph import Batch
from meeple.nets.network import ActorNetwork
from meeple.nets.trainer import Trainer, copy_to_device, fastest_training, training_format
from meeple.nets.training import OPTIMIZERS, WITH_MOMENTUM, Recipe, train_step
from meeple.nets.training_state import load_training_state, save_training_state

REAL = ("cuda:0",) if accelerators() else ()
COPY = "cuda:9"  # a stand-in for an accelerator: the copy is on the processor
DEVICES = (COPY, *REAL)
RATES = {"adagrad": 0.05, "sgd": 0.1, "rmsprop": 0.003, "adam": 0.01}
FLAT = Architecture(hidden=(16,), observation_shape=(5,), num_actions=4, players=3, critic=True)
OWNING = Architecture(
    kind="conv",
    channels=8,
    blocks=2,
    observation_shape=(2, 4, 3),
    num_actions=12,
    players=2,
    critic=True,
    ownership=True,
)
ALONE = OWNING.model_copy(update={"critic": False, "ownership": False})
WITHOUT_EFFECT = ("body.policy.cells.bias",)
"""Adds the same number to all logits: its gradient is rounding error, which adam amplifies."""
SIZES = (7, 4, 1, 8, 2)  # sizes of minibatches


def recipe(name="adam"):
    momentum = 0.5 if name in WITH_MOMENTUM else 0.0
    return Recipe(
        name,
        RATES[name],
        weight_decay=0.01,
        momentum=momentum,
        loss_weights={"value": 0.7, "ownership": 0.3},
        max_gradient_norm=0.5,
    )


def random_batch(architecture, size, seed=0):
    rng = np.random.default_rng(seed)

    def shares(width):
        drawn = rng.random((size, width), dtype=np.float32)
        return drawn / drawn.sum(axis=1, keepdims=True)

    cells = int(np.prod(architecture.observation_shape[1:]))
    observations = rng.normal(size=(size, *architecture.observation_shape)).astype(np.float32)
    targets = {
        "policy": shares(architecture.num_actions),
        "value": shares(architecture.players),
        "ownership": rng.integers(0, 2, (size, cells)).astype(np.float32),
    }
    return Batch(observations, targets).for_heads(architecture.heads)


def fresh(architecture, settings):
    network = ActorNetwork(architecture, seed=1)
    return network, settings.make_optimizer(network.parameters())


@pytest.fixture(autouse=True)
def copies(monkeypatch):
    """Let the trainer put copies for `COPY` on the processor; return the used devices."""
    used = []

    def copy(network, optimizer, settings, device):
        used.append(device)
        return copy_to_device(network, optimizer, settings, "cpu" if device == COPY else device)

    monkeypatch.setattr(trainer, "copy_to_device", copy)
    return used


def on_processor(network, optimizer, settings):
    return Trainer(network, optimizer, settings)


def on_device(device, format="float32"):
    def make(network, optimizer, settings):
        return Trainer(network, optimizer, settings, device=device, format=format)

    return make


def learned(make, architecture, settings, sizes=SIZES):
    """Return the losses of some steps, the resulting network, and its optimizer."""
    network, optimizer = fresh(architecture, settings)
    made = make(network, optimizer, settings)
    losses = []
    for seed, size in enumerate(sizes):
        for group in made.optimizer.param_groups:
            group["lr"] = settings.learning_rate / (1 + seed)
        losses.append(made.step(random_batch(architecture, size, seed)))
    made.finish()
    return losses, network, made.optimizer


def assert_learned_alike(found, expected, tolerance=2e-4):
    for one, other in zip(found[0], expected[0], strict=True):
        assert one.keys() == other.keys()
        assert one == pytest.approx(other, rel=tolerance, abs=tolerance)
    pairs = zip(found[1].named_parameters(), expected[1].parameters(), strict=True)
    for (name, mine), theirs in pairs:
        if name not in WITHOUT_EFFECT:
            torch.testing.assert_close(mine, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("make", [on_processor, on_device(COPY)])
def test_the_trainer_gives_the_results_of_train_step_bit_for_bit(make):
    settings = recipe()
    losses, network, _ = learned(make, OWNING, settings)
    other, optimizer = fresh(OWNING, settings)
    for seed, size in enumerate(SIZES):
        optimizer.param_groups[0]["lr"] = settings.learning_rate / (1 + seed)
        found = train_step(other, optimizer, random_batch(OWNING, size, seed), settings)
        assert found == losses[seed]
    for mine, theirs in zip(network.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("architecture", [FLAT, OWNING, ALONE])
def test_copy_on_a_device_learns_like_the_network_itself(architecture, name, device, copies):
    settings = recipe(name)
    expected = learned(on_processor, architecture, settings)
    assert max(loss["gradient_norm"] for loss in expected[0]) > 0.5, "none is shortened"
    assert_learned_alike(learned(on_device(device), architecture, settings), expected)
    assert copies == [device]


@pytest.mark.parametrize("device", ["cpu", *DEVICES])
def test_mixed_precision_learns_about_the_same_and_keeps_float32_weights(device):
    settings = recipe("sgd")
    expected = learned(on_processor, OWNING, settings)
    found = learned(on_device(device, "bfloat16"), OWNING, settings)
    assert found[0] != expected[0]
    for one, other in zip(found[0], expected[0], strict=True):
        assert one["loss"] == pytest.approx(other["loss"], abs=0.05)
    assert all(parameter.dtype == torch.float32 for parameter in found[1].parameters())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_resumes_from_a_device_on_the_processor_and_back(tmp_path, name, device):
    settings = recipe(name)
    _, network, optimizer = learned(on_device(device), OWNING, settings)
    save_training_state(tmp_path / "state", network, optimizer)
    further = random_batch(OWNING, 6, 99)
    ends = []
    for make in (on_processor, on_device(device)):
        again, state = fresh(OWNING, settings)
        load_training_state(tmp_path / "state", again, state)
        made = make(again, state, settings)
        losses = made.step(further)
        made.finish()
        save_training_state(tmp_path / "again", again, made.optimizer)
        ends.append(([losses], again))
    assert_learned_alike(*ends)


def test_the_callers_network_gets_the_weights_of_a_copy_only_by_finish():
    settings = recipe()
    network, optimizer = fresh(FLAT, settings)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    views = network.weights
    made = Trainer(network, optimizer, settings, device=COPY)
    made.step(random_batch(FLAT, 8))
    for one, other in zip(network.parameters(), before, strict=True):
        assert torch.equal(one, other)
    made.finish()
    assert not torch.equal(network.body.policy.bias, before[3])
    assert np.shares_memory(
        views.tensors["body.policy.bias"], network.weights.tensors["body.policy.bias"]
    )


@pytest.mark.parametrize("device", ["cpu", *DEVICES])
def test_a_diverged_step_is_refused_and_leaves_the_weights_unchanged(device):
    settings = recipe()
    network, optimizer = fresh(FLAT, settings)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    made = Trainer(network, optimizer, settings, device=device)
    bad = random_batch(FLAT, 3)
    bad.observations[0, 0] = np.inf
    with pytest.raises(MeepleError, match="training diverged"):
        made.step(bad)
    made.finish()
    for one, other in zip(network.parameters(), before, strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(
    ("float32", "bfloat16", "chosen"), [(1.0, 0.5, "bfloat16"), (1.0, 0.95, "float32")]
)
def test_mixed_precision_is_chosen_if_it_is_clearly_faster(monkeypatch, float32, bfloat16, chosen):
    times = {"float32": float32, "bfloat16": bfloat16}
    monkeypatch.setattr(trainer, "seconds_of_step", lambda *of: times[of[-1]])
    fastest_training.cache_clear()
    assert training_format("auto", FLAT, recipe(), 16, "cuda:0") == chosen
    assert training_format("fastest", FLAT, recipe(), 16, "cpu") == chosen
    fastest_training.cache_clear()


def test_formats_are_not_measured_for_auto_on_the_processor_or_a_given_format():
    assert training_format("auto", FLAT, recipe(), 16, "cpu") == "float32"
    assert training_format("bfloat16", FLAT, recipe(), 16, "cpu") == "bfloat16"
    assert training_format("float32", FLAT, recipe(), 16, "cuda:0") == "float32"


@pytest.mark.parametrize("architecture", [FLAT, OWNING])
def test_measurement_of_formats_runs_without_stand_ins(architecture):
    fastest_training.cache_clear()
    assert fastest_training(architecture, recipe(), 4, "cpu") in ("float32", "bfloat16")
