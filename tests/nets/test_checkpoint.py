"""Saved networks and training states load unchanged, or are refused in a sentence."""

import json
import os
import re
import resource
import struct
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save as save_safetensors

from meeple import tensor_file
from meeple.errors import CheckpointError
from meeple.nets.architecture import Architecture
from meeple.nets.checkpoint import KIND, Board, load, read_metadata, save
from meeple.nets.network import ActorNetwork
from meeple.nets.training import OPTIMIZERS, Recipe, train_step
from meeple.nets.training_state import KIND as TRAINING
from meeple.nets.training_state import load_training_state, save_training_state
from tests.learn.damaged import add_array
from tests.nets.small import changed, random_targets, same_weights

TOWER = Architecture(
    kind="conv",
    channels=8,
    blocks=1,
    observation_shape=(2, 3, 3),
    num_actions=9,
    players=2,
    critic=True,
)
FLAT = Architecture(hidden=(6,), observation_shape=(4,), num_actions=3, players=2)
HEX: dict[str, Any] = {"game": "hex", "options": {"size": 3, "swap": False}}


def of(architecture, seed=0):
    return ActorNetwork(architecture, seed=seed)


@pytest.fixture
def path(tmp_path):
    """Where a test writes its file."""
    return tmp_path / "a.safetensors"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("checkpoint") / "whole.safetensors"
    save(path, of(FLAT).weights, **HEX)
    return path


def metadata_of(checkpoint):
    return {name: value for name, value in vars(checkpoint).items() if name != "weights"}


@pytest.mark.parametrize("architecture", [FLAT, TOWER])
def test_network_is_loaded_as_saved(path, architecture):
    network = of(architecture, 3)
    save(path, network.weights, **HEX, extra={"episode": 40, "elo": 1.5})
    loaded = load(path, **HEX)
    assert same_weights(loaded, network)
    assert loaded.architecture == architecture
    assert (loaded.game, loaded.options) == (HEX["game"], HEX["options"])
    assert loaded.extra == {"episode": 40, "elo": 1.5}
    assert vars(read_metadata(path)) == metadata_of(loaded)
    batch = torch.randn(5, *architecture.observation_shape)
    assert torch.equal(ActorNetwork.of(loaded.weights)(batch)[0], network(batch)[0])


GIANT = {"body.policy.weight": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}
HEADER = json.dumps(GIANT).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (save_safetensors({"x": np.zeros(3, np.float32)}), "but a file of another program"),
        (b"a line that is no checkpoint at all", "truncated or corrupt"),
        (struct.pack("<Q", len(HEADER)) + HEADER, "truncated or corrupt"),
    ],
    ids=["another program", "text", "giant header"],
)
def test_a_file_that_is_no_network_is_named(path, content, message):
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=message):
        load(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.safetensors", r"there is no file .*none\.safetensors"),
        ("x" * 5000, "there is no file"),
        ("a\0b", "there is no file"),
        ("", "is not a file"),
    ],
    ids=["missing", "long", "zero", "folder"],
)
def test_a_name_without_a_file_is_reported(tmp_path, name, message):
    with pytest.raises(CheckpointError, match=message):
        load(tmp_path / name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_file_truncated_anywhere_is_refused(whole, path, data):
    content = whole.read_bytes()
    path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(CheckpointError, match=re.escape(str(path))):
        load(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_changed_byte_is_refused_unless_it_has_no_effect(whole, path, data):
    content = bytearray(whole.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[at]))
    path.write_bytes(content)
    try:
        loaded = load(path)
    except CheckpointError:
        return
    assert same_weights(loaded, load(whole))
    assert metadata_of(loaded) == metadata_of(load(whole))


@pytest.mark.parametrize(
    "shape", [[0, 2**62], [2**63, 0], [0] * 100], ids=["product", "length", "dimensions"]
)
def test_impossible_array_shape_is_named(whole, path, shape):
    """NumPy raised ValueError: even an empty array can have a shape that is too large."""
    path.write_bytes(whole.read_bytes())
    add_array(path, shape)
    with pytest.raises(CheckpointError, match=r"a\.safetensors is corrupt: 'one\.more' has shape"):
        load(path)


def test_file_larger_than_any_network_is_refused_unread(path):
    path.touch()
    os.truncate(path, 10**12)  # a sparse file, without disk blocks
    with pytest.raises(CheckpointError, match=r"more than the .* bytes that a Meeple network may"):
        load(path)


OWN = dict(of(FLAT).weights.tensors)
DOUBLE = {name: value.astype(np.float64) for name, value in OWN.items()}
ARCHITECTURE = FLAT.model_dump(mode="json")


@pytest.mark.parametrize(
    ("tensors", "fields", "message"),
    [
        (OWN, {"architecture": {**ARCHITECTURE, "self": 1}}, "unknown field 'self'"),
        (OWN, {"architecture": {**ARCHITECTURE, "hidden": [65_536] * 60}}, "parameters; at most"),
        (OWN, {"architecture": {**ARCHITECTURE, "hidden": [10**12]}}, "'hidden.0' is 10000000"),
        (
            OWN,
            {"architecture": {**ARCHITECTURE, "observation_shape": [10**6, 10**6]}},
            "parameters; at most",
        ),
        (OWN, {"architecture": {**ARCHITECTURE, "kind": "rnn"}}, "'kind' is 'rnn'"),
        (OWN, {"game": 3}, "metadata lacks a field"),
        (
            OWN | {"body.policy.bias": np.zeros(4, np.float32)},
            {},
            r"'body.policy.bias' has shape \(4,\), .* \(3,\)",
        ),
        (OWN | {"more": np.zeros(4, np.float32)}, {}, "weights its architecture lacks: more"),
        ({n: OWN[n] for n in OWN if "bias" not in n}, {}, "lacks weights of its architecture: bo"),
        (DOUBLE, {}, "numbers of type F64, not F32"),
    ],
)
def test_content_that_save_would_not_write_is_refused(path, tensors, fields, message):
    """The checksum is valid, so that only the content shows it."""
    usual = {"architecture": ARCHITECTURE, **HEX, "extra": {}, "meeple_version": "0"}
    tensor_file.write_tensors(path, KIND, tensors, usual | fields)
    with pytest.raises(CheckpointError, match=message):
        load(path)


def test_a_network_that_claims_a_giant_board_of_its_game_is_refused(path):
    """A tower's weights fit boards of any size; 64 such observations would need a gigabyte."""
    giant = changed(TOWER, observation_shape=(4, 1000, 1000), num_actions=10**6)
    save(path, of(giant).weights, **HEX)
    with pytest.raises(CheckpointError, match=r"1,000,000 actions, but its game has \(4, 3, 3\)"):
        load(path, **HEX, board=Board(("size",), (4, 3, 3), 9))


def test_other_game_or_size_is_refused_and_both_are_named(whole):
    with pytest.raises(CheckpointError, match=r"trained for hex \(size=3, .*\), not for gomoku"):
        load(whole, game="gomoku", options={})
    with pytest.raises(CheckpointError, match=r"hex \(size=3, swap=False\), not for hex \(size=5"):
        load(whole, game="hex", options={"size": 5, "swap": False})
    assert load(whole, game="hex").options == HEX["options"]


def test_other_format_version_is_refused(path, monkeypatch):
    monkeypatch.setattr(tensor_file, "FORMAT_VERSION", 2)
    save(path, of(FLAT).weights, **HEX)
    monkeypatch.undo()
    for read in (load, read_metadata):
        with pytest.raises(CheckpointError, match="format version 2; this Meeple reads version 1"):
            read(path)


def test_weights_that_are_not_finite_are_not_saved(path):
    network = of(FLAT)
    with torch.no_grad():
        network.get_parameter("body.policy.bias")[1] = torch.nan
    with pytest.raises(CheckpointError, match=r"not saving .*'body\.policy\.bias'"):
        save(path, network.weights, **HEX)
    assert not path.exists()


def test_a_full_disk_leaves_the_old_checkpoint(path):
    save(path, of(FLAT).weights, **HEX)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(CheckpointError, match=r"cannot save .*a\.safetensors: File too large"):
            save(path, of(TOWER).weights, **HEX)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert same_weights(load(path), of(FLAT))
    assert os.listdir(path.parent) == ["a.safetensors"]


# ---------------------------------------------------------------- training states


def learner(architecture, name, seed=0):
    network = of(architecture, seed)
    momentum = 0.9 if name in ("sgd", "rmsprop") else 0.0
    recipe = Recipe(name, learning_rate=0.01, weight_decay=1e-4, momentum=momentum)
    return network, recipe.make_optimizer(network.parameters())


def train(network, optimizer, step):
    batch = random_targets(network.architecture, 16, step)
    train_step(network, optimizer, batch, Recipe("adam", 0.01))


@pytest.mark.parametrize("architecture", [FLAT, TOWER])
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("break_at", [0, 3])
def test_training_resumes_bit_for_bit_after_an_interruption(path, architecture, name, break_at):
    network, chosen = learner(architecture, name)
    for step in range(6):
        if step == break_at:
            save_training_state(path, network, chosen)
        train(network, chosen, step)
    resumed, chosen = learner(architecture, name, seed=99)
    train(resumed, chosen, 77)  # overwritten by the loaded state
    load_training_state(path, resumed, chosen)
    for step in range(break_at, 6):
        train(resumed, chosen, step)
    assert same_weights(resumed, network)


def test_training_state_keeps_the_current_learning_rate(path):
    network, chosen = learner(FLAT, "adam")
    chosen.param_groups[0]["lr"] = 0.0031
    save_training_state(path, network, chosen)
    network, chosen = learner(FLAT, "adam")
    load_training_state(path, network, chosen)
    assert chosen.param_groups[0]["lr"] == 0.0031
    assert isinstance(chosen.param_groups[0]["betas"], tuple)


@pytest.fixture
def rewritten(path):
    """Write a training state, whose metadata are changed first."""

    def rewrite(change):
        save_training_state(path, *learner(FLAT, "adam"))
        fields, tensors = tensor_file.read_tensors(path, TRAINING)
        change(fields)
        tensor_file.write_tensors(path, TRAINING, tensors, fields)
        return path

    return rewrite


@pytest.mark.parametrize(
    "settings",
    [
        {"lr": "fast"},
        {"lr": float("inf")},
        {"lr": 10**400},
        {"betas": [0.9]},
        {"betas": None},
        {"amsgrad": 1},
        {"foreach": []},
    ],
    ids=["text", "endless", "huge", "short", "none", "number", "list"],
)
def test_invalid_settings_of_an_optimizer_are_refused(rewritten, settings):
    file = rewritten(lambda fields: fields["groups"][0].update(settings))
    with pytest.raises(CheckpointError, match="for an optimizer with other settings"):
        load_training_state(file, *learner(FLAT, "adam"))


def test_a_training_state_without_the_flag_of_a_later_head_is_loaded(rewritten):
    file = rewritten(lambda fields: fields["architecture"].pop("ownership"))
    network, optimizer = learner(FLAT, "adam", seed=5)
    load_training_state(file, network, optimizer)
    assert same_weights(network, of(FLAT))


def test_a_training_state_of_another_optimizer_or_network_is_refused_and_changes_nothing(path):
    save_training_state(path, *learner(FLAT, "adam"))
    network, chosen = learner(FLAT, "sgd", seed=5)
    with pytest.raises(CheckpointError, match="saved for optimizer Adam, not for SGD"):
        load_training_state(path, network, chosen)
    assert same_weights(network, of(FLAT, 5))
    with pytest.raises(CheckpointError, match="another network architecture"):
        load_training_state(path, *learner(TOWER, "adam"))
    with pytest.raises(CheckpointError, match="is not a Meeple network but a Meeple training"):
        load(path)
