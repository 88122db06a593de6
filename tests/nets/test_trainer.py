"""Trainers learn what `train_step` learns: on a copy of the network, in one process or several."""

import numpy as np
import pytest
import torch

from meeple.errors import MeepleError, RunError, UsageError
from meeple.nets import replica, trainer
from meeple.nets.architecture import Architecture
from meeple.nets.devices import accelerators
from meeple.nets.network import ActorNetwork
from meeple.nets.replica import Replica
from meeple.nets.trainer import DeviceTrainer, LocalTrainer, fastest_training, training_format
from meeple.nets.training import OPTIMIZERS, WITH_MOMENTUM, Examples, Recipe, train_step
from meeple.nets.training_state import load_training_state, save_training_state

DEVICES = ("cpu", *(("cuda:0",) if accelerators() else ()))
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
"""It adds the same to all logits: its gradient is rounding alone, which adam takes for more."""
SIZES = (7, 4, 1, 8, 2)  # of minibatches


def recipe(name="adam", **changes):
    momentum = 0.5 if name in WITH_MOMENTUM else 0.0
    settings = {"weight_decay": 0.01, "momentum": momentum, "max_gradient_norm": 0.5}
    settings |= {"value_weight": 0.7, "ownership_weight": 0.3}
    return Recipe(name, RATES[name], **settings | changes)


def examples(architecture, size, seed=0):
    rng = np.random.default_rng(seed)

    def shares(width):
        drawn = rng.random((size, width), dtype=np.float32)
        return drawn / drawn.sum(axis=1, keepdims=True)

    cells = int(np.prod(architecture.observation_shape[1:]))
    return Examples(
        rng.normal(size=(size, *architecture.observation_shape)).astype(np.float32),
        shares(architecture.num_actions),
        shares(architecture.players) if architecture.critic else None,
        rng.integers(0, 2, (size, cells)).astype(np.float32) if architecture.ownership else None,
    )


def fresh(architecture, settings):
    network = ActorNetwork(architecture, seed=1)
    return network, settings.make_optimizer(network.parameters())


def learned(make, architecture, settings, sizes=SIZES):
    """Losses of some steps, and the network after them."""
    network, optimizer = fresh(architecture, settings)
    with_it = make(network, optimizer, settings)
    try:
        losses = []
        for seed, size in enumerate(sizes):
            for group in with_it.optimizer.param_groups:
                group["lr"] = settings.learning_rate / (1 + seed)
            losses.append(with_it.step(examples(architecture, size, seed)))
        with_it.finish()
    finally:
        with_it.close()
    return losses, network, with_it.optimizer


def assert_learned_alike(found, expected, tolerance=2e-4):
    for one, other in zip(found[0], expected[0], strict=True):
        assert one.keys() == other.keys()
        assert one == pytest.approx(other, rel=tolerance, abs=tolerance)
    pairs = zip(found[1].named_parameters(), expected[1].parameters(), strict=True)
    for (name, mine), theirs in pairs:
        if name not in WITHOUT_EFFECT:
            torch.testing.assert_close(mine, theirs, rtol=tolerance, atol=tolerance)


def on_device(device, format="float32"):
    def make(network, optimizer, settings):
        return DeviceTrainer(network, optimizer, settings, device=device, format=format)

    return make


def test_the_local_trainer_is_train_step_to_the_last_bit():
    settings = recipe()
    losses, network, _ = learned(LocalTrainer, OWNING, settings)
    other, optimizer = fresh(OWNING, settings)
    for seed, size in enumerate(SIZES):
        optimizer.param_groups[0]["lr"] = settings.learning_rate / (1 + seed)
        found = train_step(
            other, optimizer, *examples(OWNING, size, seed),
            value_weight=0.7, ownership_weight=0.3, max_gradient_norm=0.5,
        )  # fmt: skip
        assert found == losses[seed]
    for mine, theirs in zip(network.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("architecture", [FLAT, OWNING, ALONE])
def test_a_copy_on_a_device_learns_what_the_network_itself_does(architecture, name, device):
    settings = recipe(name)
    expected = learned(LocalTrainer, architecture, settings)
    assert max(loss["gradient_norm"] for loss in expected[0]) > 0.5, "none is shortened"
    assert_learned_alike(learned(on_device(device), architecture, settings), expected)


@pytest.mark.parametrize("device", DEVICES)
def test_mixed_precision_learns_about_the_same_and_keeps_float32_weights(device):
    settings = recipe("sgd")
    expected = learned(LocalTrainer, OWNING, settings)
    found = learned(on_device(device, "bfloat16"), OWNING, settings)
    assert found[0] != expected[0]
    for one, other in zip(found[0], expected[0], strict=True):
        assert one["loss"] == pytest.approx(other["loss"], abs=0.05)
    assert all(parameter.dtype == torch.float32 for parameter in found[1].parameters())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_run_goes_on_from_a_device_to_the_processor_and_back(tmp_path, name, device):
    settings = recipe(name)
    _, network, optimizer = learned(on_device(device), OWNING, settings)
    save_training_state(tmp_path / "state", network, optimizer)
    further = examples(OWNING, 6, 99)
    ends = []
    for make in (LocalTrainer, on_device(device)):
        again, state = fresh(OWNING, settings)
        load_training_state(tmp_path / "state", again, state)
        with_it = make(again, state, settings)
        losses = with_it.step(further)
        with_it.finish()
        save_training_state(tmp_path / "again", again, with_it.optimizer)
        ends.append(([losses], again))
    assert_learned_alike(*ends)


def test_the_callers_network_follows_when_the_steps_are_finished_and_not_before():
    settings = recipe()
    network, optimizer = fresh(FLAT, settings)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    views = network.weights
    with_it = DeviceTrainer(network, optimizer, settings, device="cpu")
    with_it.step(examples(FLAT, 8))
    for one, other in zip(network.parameters(), before, strict=True):
        assert torch.equal(one, other)
    with_it.finish()
    assert not torch.equal(network.body.policy.bias, before[3])
    assert np.shares_memory(
        views.tensors["body.policy.bias"], network.weights.tensors["body.policy.bias"]
    )


def test_examples_without_what_a_head_learns_are_refused():
    settings = recipe()
    network, optimizer = fresh(OWNING, settings)
    with_it = DeviceTrainer(network, optimizer, settings, device="cpu")
    whole = examples(OWNING, 3)
    for name in ("values", "ownership"):
        with pytest.raises(UsageError, match=f"a head for {name}"):
            with_it.step(whole._replace(**{name: None}))


def test_a_diverged_step_is_refused_and_leaves_the_copy_alone():
    settings = recipe()
    network, optimizer = fresh(FLAT, settings)
    before = [parameter.detach().clone() for parameter in network.parameters()]
    with_it = DeviceTrainer(network, optimizer, settings, device="cpu")
    bad = examples(FLAT, 3)
    bad.observations[0, 0] = np.inf
    with pytest.raises(MeepleError, match="training diverged"):
        with_it.step(bad)
    with_it.finish()
    for one, other in zip(network.parameters(), before, strict=True):
        assert torch.equal(one, other)


def test_while_an_accelerator_computes_the_other_processes_are_looked_after(monkeypatch):
    """As far as that can be tried without one: the waiting, and what ends it."""
    settings, looks = recipe(), []

    class Event:
        def record(self):
            self.asked = 0

        def query(self):
            self.asked += 1
            return self.asked > 3

    def watch():
        looks.append(1)
        if len(looks) > 5:
            raise RunError("one has ended")

    network, optimizer = fresh(FLAT, settings)
    copy = Replica(network, optimizer, settings, device="cpu", watch=watch)
    copy._processes = 2
    empty = torch.empty
    monkeypatch.setattr(replica, "CPU", "another device")
    monkeypatch.setattr(torch, "empty", lambda shape, pin_memory: empty(shape))
    monkeypatch.setattr(torch.cuda, "Event", Event)
    assert copy._told(torch.tensor([1.0, 2.0])) == [1.0, 2.0]
    assert len(looks) == 3
    with pytest.raises(RunError, match="one has ended"):
        copy._told(torch.tensor([1.0, 2.0]))


@pytest.mark.parametrize(
    ("float32", "bfloat16", "chosen"), [(1.0, 0.5, "bfloat16"), (1.0, 0.95, "float32")]
)
def test_mixed_precision_is_chosen_where_it_is_clearly_faster(
    monkeypatch, float32, bfloat16, chosen
):
    times = {"float32": float32, "bfloat16": bfloat16}
    monkeypatch.setattr(trainer, "seconds_of_step", lambda *of: times[of[-1]])
    fastest_training.cache_clear()
    assert training_format("auto", FLAT, recipe(), 16, "cuda:0") == chosen
    fastest_training.cache_clear()


def test_on_the_processor_nothing_is_measured_and_what_is_asked_for_is_taken():
    assert training_format("auto", FLAT, recipe(), 16, "cpu") == "float32"
    assert training_format("bfloat16", FLAT, recipe(), 16, "cpu") == "bfloat16"
    assert training_format("float32", FLAT, recipe(), 16, "cuda:0") == "float32"


@pytest.mark.parametrize("architecture", [FLAT, OWNING])
def test_the_measurement_works_unaided(architecture):
    fastest_training.cache_clear()
    assert fastest_training(architecture, recipe(), 4, "cpu") in ("float32", "bfloat16")
