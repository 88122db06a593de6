"""The trainer gives the results of `train_step`, on the processor and on an accelerator's copy."""

import numpy as np
import pytest
import torch

from meeple.errors import MeepleError
from meeple.nets import trainer
from meeple.nets.devices import CPU, accelerators
from meeple.nets.network import ActorNetwork
from meeple.nets.trainer import Trainer, copy_to_device, fastest_training, training_format
from meeple.nets.training import OPTIMIZERS, WITH_MOMENTUM, Recipe, train_step
from meeple.nets.training_state import load_training_state, save_training_state
from tests.nets.small import FLAT, TOWER, changed, random_targets, same_weights

COPY = "cuda:9"  # a stand-in for an accelerator: the copy is on the processor
DEVICES = (COPY, *(("cuda:0",) if accelerators() else ()))
RATES = {"adagrad": 0.05, "sgd": 0.1, "rmsprop": 0.003, "adam": 0.01}
OWNING = changed(TOWER, channels=8, blocks=2, ownership=True)
SIZES = (7, 4, 1, 8, 2)  # sizes of minibatches


def recipe(name="adam"):
    return Recipe(
        name,
        RATES[name],
        weight_decay=0.01,
        momentum=0.5 if name in WITH_MOMENTUM else 0.0,
        loss_weights={"value": 0.7, "ownership": 0.3},
        max_gradient_norm=0.5,
    )


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


def learned(device, architecture, settings, format="float32", start=fresh, sizes=SIZES):
    """Return the losses of some steps, the resulting network, and its optimizer."""
    network, optimizer = start(architecture, settings)
    made = Trainer(network, optimizer, settings, device=device, format=format)
    losses = []
    for seed, size in enumerate(sizes):
        for group in made.optimizer.param_groups:
            group["lr"] = settings.learning_rate / (1 + seed)
        losses.append(made.step(random_targets(architecture, size, seed)))
    made.finish()
    return losses, network, made.optimizer


def assert_learned_alike(found, expected, tolerance=2e-4):
    for one, other in zip(found[0], expected[0], strict=True):
        assert one == pytest.approx(other, rel=tolerance, abs=tolerance)
    for mine, theirs in zip(found[1].parameters(), expected[1].parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("device", [CPU, COPY])
def test_the_trainer_gives_the_results_of_train_step_bit_for_bit(device):
    settings = recipe()
    losses, network, _ = learned(device, OWNING, settings)
    other, optimizer = fresh(OWNING, settings)
    for seed, size in enumerate(SIZES):
        optimizer.param_groups[0]["lr"] = settings.learning_rate / (1 + seed)
        found = train_step(other, optimizer, random_targets(OWNING, size, seed), settings)
        assert found == losses[seed]
    assert same_weights(network, other)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize(
    "architecture", [FLAT, OWNING, changed(OWNING, critic=False, ownership=False)]
)
def test_copy_on_a_device_learns_like_the_network_itself(architecture, name, device, copies):
    expected = learned(CPU, architecture, recipe(name))
    assert max(loss["gradient_norm"] for loss in expected[0]) > 0.5, "none is shortened"
    assert_learned_alike(learned(device, architecture, recipe(name)), expected)
    assert copies == [device]


@pytest.mark.parametrize("device", [CPU, *DEVICES])
def test_mixed_precision_learns_about_the_same_and_keeps_float32_weights(device):
    expected = learned(CPU, OWNING, recipe("sgd"))
    found = learned(device, OWNING, recipe("sgd"), "bfloat16")
    assert found[0] != expected[0]
    for one, other in zip(found[0], expected[0], strict=True):
        assert one["loss"] == pytest.approx(other["loss"], rel=0.01)
    assert all(parameter.dtype == torch.float32 for parameter in found[1].parameters())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_resumes_from_a_device_on_the_processor_and_back(tmp_path, name, device):
    _, network, optimizer = learned(device, OWNING, recipe(name))
    save_training_state(tmp_path / "state", network, optimizer)

    def saved(architecture, settings):
        network, optimizer = fresh(architecture, settings)
        load_training_state(tmp_path / "state", network, optimizer)
        return network, optimizer

    here, there = (
        learned(place, OWNING, recipe(name), start=saved, sizes=[6]) for place in (CPU, device)
    )
    assert_learned_alike(here, there)
    save_training_state(tmp_path / "again", there[1], there[2])


def test_the_callers_network_gets_the_weights_of_a_copy_only_by_finish():
    network, optimizer = fresh(FLAT, recipe())
    views, name = network.weights.tensors, "body.policy.bias"
    made = Trainer(network, optimizer, recipe(), device=COPY)
    made.step(random_targets(FLAT))
    assert same_weights(network, ActorNetwork(FLAT, seed=1))
    made.finish()
    assert not same_weights(network, ActorNetwork(FLAT, seed=1))
    assert np.shares_memory(views[name], network.weights.tensors[name])


@pytest.mark.parametrize("device", [CPU, *DEVICES])
def test_a_diverged_step_is_refused_and_leaves_the_weights_unchanged(device):
    network, optimizer = fresh(FLAT, recipe())
    made = Trainer(network, optimizer, recipe(), device=device)
    bad = random_targets(FLAT, 3)
    bad.observations[0, 0] = np.inf
    with pytest.raises(MeepleError, match="training diverged"):
        made.step(bad)
    made.finish()
    assert same_weights(network, ActorNetwork(FLAT, seed=1))


@pytest.mark.parametrize(
    ("bfloat16", "wanted", "device", "chosen"),
    [
        (0.5, "auto", "cuda:0", "bfloat16"),
        (0.95, "auto", "cuda:0", "float32"),
        (0.5, "fastest", CPU, "bfloat16"),
        (0.95, "fastest", CPU, "float32"),
        (None, "auto", CPU, "float32"),  # not measured
        (None, "bfloat16", CPU, "bfloat16"),
        (None, "float32", "cuda:0", "float32"),
    ],
)
def test_mixed_precision_is_chosen_if_it_is_clearly_faster(
    monkeypatch, bfloat16, wanted, device, chosen
):
    times = {"float32": 1.0, "bfloat16": bfloat16}
    monkeypatch.setattr(trainer, "seconds_of_step", lambda *of: times[of[-1]])
    fastest_training.cache_clear()
    assert training_format(wanted, FLAT, recipe(), 16, device) == chosen
    fastest_training.cache_clear()


@pytest.mark.parametrize("architecture", [FLAT, OWNING])
def test_measurement_of_formats_runs_without_stand_ins(architecture):
    fastest_training.cache_clear()
    assert fastest_training(architecture, recipe(), 4, CPU) in ("float32", "bfloat16")
