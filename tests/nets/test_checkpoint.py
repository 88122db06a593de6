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
from meeple.nets.graph import Batch
from meeple.nets.network import ActorNetwork
from meeple.nets.training import OPTIMIZERS, Recipe, train_step
from meeple.nets.training_state import KIND as TRAINING
from meeple.nets.training_state import load_training_state, save_training_state
from tests.learn.damaged import add_array

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


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("checkpoint") / "whole.safetensors"
    save(path, ActorNetwork(FLAT, seed=0).weights, **HEX)
    return path


def same(first, second):
    mine, theirs = first.tensors, second.tensors
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[n], theirs[n]) for n in mine)


def metadata_of(checkpoint):
    return {name: value for name, value in vars(checkpoint).items() if name != "weights"}


@pytest.mark.parametrize("architecture", [FLAT, TOWER])
def test_network_is_loaded_as_saved(tmp_path, architecture):
    network, path = ActorNetwork(architecture, seed=3), tmp_path / "a.safetensors"
    save(path, network.weights, **HEX, extra={"episode": 40, "elo": 1.5})
    loaded = load(path, **HEX)
    assert same(loaded.weights, network.weights)
    assert loaded.architecture == architecture
    assert (loaded.game, loaded.options) == (HEX["game"], HEX["options"])
    assert loaded.extra == {"episode": 40, "elo": 1.5}
    assert vars(read_metadata(path)) == metadata_of(loaded)
    batch = torch.randn(5, *architecture.observation_shape)
    assert torch.equal(ActorNetwork.of(loaded.weights)(batch)[0], network(batch)[0])


def test_missing_files_folders_and_files_of_other_programs_are_named(tmp_path):
    with pytest.raises(CheckpointError, match=r"there is no file .*none\.safetensors"):
        load(tmp_path / "none.safetensors")
    with pytest.raises(CheckpointError, match="is not a file"):
        load(tmp_path)
    foreign = tmp_path / "foreign.safetensors"
    foreign.write_bytes(save_safetensors({"x": np.zeros(3, np.float32)}))
    with pytest.raises(CheckpointError, match="not a Meeple network but a file of another program"):
        load(foreign)
    (tmp_path / "text").write_text("a line that is no checkpoint at all")
    with pytest.raises(CheckpointError, match="truncated or corrupt"):
        load(tmp_path / "text")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_file_truncated_anywhere_is_refused(whole, tmp_path, data):
    content = whole.read_bytes()
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(CheckpointError, match=re.escape(str(cut))):
        load(cut)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_changed_byte_is_refused_unless_it_has_no_effect(whole, tmp_path, data):
    content = bytearray(whole.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[at]))
    changed = tmp_path / "changed.safetensors"
    changed.write_bytes(content)
    try:
        loaded = load(changed)
    except CheckpointError:
        return
    assert same(loaded.weights, load(whole).weights)
    assert metadata_of(loaded) == metadata_of(load(whole))


def test_a_header_that_claims_a_giant_file_is_refused(tmp_path):
    path = tmp_path / "giant.safetensors"
    entry = {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}
    header = json.dumps({"body.policy.weight": entry}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(CheckpointError, match="truncated or corrupt"):
        load(path)


@pytest.mark.parametrize(
    "shape", [[0, 2**62], [2**63, 0], [0] * 100], ids=["product", "length", "dimensions"]
)
def test_impossible_array_shape_is_named(whole, tmp_path, shape):
    """NumPy raised ValueError: even an empty array can have a shape that is too large."""
    path = tmp_path / "odd.safetensors"
    path.write_bytes(whole.read_bytes())
    add_array(path, shape)
    with pytest.raises(
        CheckpointError, match=r"odd\.safetensors is corrupt: 'one\.more' has shape"
    ):
        load(path)


def test_file_larger_than_any_network_is_refused_unread(tmp_path):
    path = tmp_path / "long.safetensors"
    path.touch()
    os.truncate(path, 10**12)  # a sparse file, without disk blocks
    with pytest.raises(CheckpointError, match=r"more than the .* bytes that a Meeple network may"):
        load(path)


def test_impossible_file_name_is_reported_as_missing(tmp_path):
    for name in ("x" * 5000, "a\0b"):
        with pytest.raises(CheckpointError, match="there is no file"):
            load(tmp_path / name)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"self": 1}, "unknown field 'self'"),
        ({"hidden": [65_536] * 60}, "parameters; at most"),
        ({"hidden": [10**12]}, "'hidden.0' is 1000000000000"),
        ({"observation_shape": [10**6, 10**6]}, "parameters; at most"),
        ({"kind": "transformer"}, "'kind' is 'transformer'"),
    ],
)
def test_hostile_architecture_is_refused_before_allocation(tmp_path, fields, sentence):
    path = tmp_path / "hostile.safetensors"
    rewrite(path, architecture={**FLAT.model_dump(mode="json"), **fields})
    with pytest.raises(CheckpointError, match=re.escape(sentence)):
        load(path)


def rewrite(path, tensors=None, **metadata):
    """Write a file with a valid checksum and content that `save` would not write."""
    fields = {
        "architecture": FLAT.model_dump(mode="json"),
        **HEX,
        "extra": {},
        "meeple_version": "0",
        **metadata,
    }
    own = ActorNetwork(FLAT, seed=0).weights.tensors
    tensor_file.write_tensors(path, KIND, tensors or own, fields)


def test_a_network_that_claims_a_giant_board_of_its_game_is_refused(tmp_path):
    """A tower's weights fit boards of any size; 64 such observations would need a gigabyte."""
    path = tmp_path / "giant.safetensors"
    giant = TOWER.model_copy(update={"observation_shape": (4, 1000, 1000), "num_actions": 10**6})
    save(path, ActorNetwork(giant, seed=0).weights, **HEX)
    board = Board(("size",), (4, 3, 3), 9)
    with pytest.raises(CheckpointError, match=r"1,000,000 actions, but its game has \(4, 3, 3\)"):
        load(path, **HEX, board=board)


def test_other_game_or_size_is_refused_and_both_are_named(whole):
    with pytest.raises(CheckpointError, match=r"trained for hex \(size=3, .*\), not for gomoku"):
        load(whole, game="gomoku", options={})
    with pytest.raises(CheckpointError, match=r"hex \(size=3, swap=False\), not for hex \(size=5"):
        load(whole, game="hex", options={"size": 5, "swap": False})
    assert load(whole, game="hex").options == HEX["options"]


def test_other_format_version_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "future.safetensors"
    monkeypatch.setattr(tensor_file, "FORMAT_VERSION", 2)
    save(path, ActorNetwork(FLAT, seed=0).weights, **HEX)
    monkeypatch.undo()
    for read in (load, read_metadata):
        with pytest.raises(CheckpointError, match="format version 2; this Meeple reads version 1"):
            read(path)


def test_weights_that_do_not_fit_the_architecture_are_named(tmp_path):
    path, good = tmp_path / "misfit.safetensors", dict(ActorNetwork(FLAT, seed=0).weights.tensors)
    rewrite(path, {**good, "body.policy.bias": np.zeros(4, np.float32)})
    with pytest.raises(CheckpointError, match=r"'body.policy.bias' has shape \(4,\), .* \(3,\)"):
        load(path)
    rewrite(path, {**good, "more": np.zeros(4, np.float32)})
    with pytest.raises(CheckpointError, match="weights its architecture lacks: more"):
        load(path)
    del good["body.policy.bias"]
    rewrite(path, good)
    with pytest.raises(CheckpointError, match="lacks weights of its architecture: body"):
        load(path)


def test_numbers_of_another_type_are_refused(tmp_path):
    path, good = tmp_path / "double.safetensors", dict(ActorNetwork(FLAT, seed=0).weights.tensors)
    rewrite(path, {name: value.astype(np.float64) for name, value in good.items()})
    with pytest.raises(CheckpointError, match="numbers of type F64, not F32"):
        load(path)


def test_missing_metadata_are_refused(tmp_path):
    path = tmp_path / "odd.safetensors"
    rewrite(path, game=3)
    with pytest.raises(CheckpointError, match="metadata lacks a field"):
        load(path)


def test_weights_that_are_not_finite_are_not_saved(tmp_path):
    network, path = ActorNetwork(FLAT, seed=0), tmp_path / "nan.safetensors"
    with torch.no_grad():
        network.get_parameter("body.policy.bias")[1] = torch.nan
    with pytest.raises(CheckpointError, match=r"not saving .*'body\.policy\.bias'"):
        save(path, network.weights, **HEX)
    assert not path.exists()


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path):
    path, old = tmp_path / "a.safetensors", ActorNetwork(FLAT, seed=0)
    save(path, old.weights, **HEX)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(CheckpointError, match=r"cannot save .*a\.safetensors: File too large"):
            save(path, ActorNetwork(TOWER, seed=0).weights, **HEX)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert same(load(path).weights, old.weights)
    assert os.listdir(tmp_path) == ["a.safetensors"]


def batch_of(architecture, step):
    rng = np.random.default_rng(step)
    observations = rng.normal(size=(16, *architecture.observation_shape)).astype(np.float32)
    policy = rng.dirichlet(np.ones(architecture.num_actions), size=16).astype(np.float32)
    value = rng.dirichlet(np.ones(architecture.players), size=16).astype(np.float32)
    return Batch(observations, {"policy": policy, "value": value}).for_heads(architecture.heads)


def learner(architecture, name, seed=0):
    network = ActorNetwork(architecture, seed=seed)
    momentum = 0.9 if name in ("sgd", "rmsprop") else 0.0
    recipe = Recipe(name, learning_rate=0.01, weight_decay=1e-4, momentum=momentum)
    return network, recipe.make_optimizer(network.parameters())


def train(network, optimizer, step):
    train_step(network, optimizer, batch_of(network.architecture, step), Recipe("adam", 0.01))


@pytest.mark.parametrize("architecture", [FLAT, TOWER])
@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("break_at", [0, 3])
def test_training_resumes_bit_for_bit_after_an_interruption(tmp_path, architecture, name, break_at):
    path = tmp_path / "state.safetensors"
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
    assert same(resumed.weights, network.weights)


def test_training_state_keeps_the_current_learning_rate(tmp_path):
    path = tmp_path / "state.safetensors"
    network, chosen = learner(FLAT, "adam")
    chosen.param_groups[0]["lr"] = 0.0031
    save_training_state(path, network, chosen)
    network, chosen = learner(FLAT, "adam")
    load_training_state(path, network, chosen)
    assert chosen.param_groups[0]["lr"] == 0.0031
    assert isinstance(chosen.param_groups[0]["betas"], tuple)


@pytest.mark.parametrize(
    "changed",
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
def test_invalid_settings_of_an_optimizer_are_refused(tmp_path, changed):
    path = tmp_path / "state.safetensors"
    save_training_state(path, *learner(FLAT, "adam"))
    fields, tensors = tensor_file.read_tensors(path, TRAINING)
    fields["groups"][0] |= changed
    tensor_file.write_tensors(path, TRAINING, tensors, fields)
    with pytest.raises(CheckpointError, match="for an optimizer with other settings"):
        load_training_state(path, *learner(FLAT, "adam"))


def test_a_training_state_without_the_flag_of_a_later_head_is_loaded(tmp_path):
    path = tmp_path / "state.safetensors"
    save_training_state(path, *learner(FLAT, "adam"))
    fields, tensors = tensor_file.read_tensors(path, TRAINING)
    del fields["architecture"]["ownership"]
    tensor_file.write_tensors(path, TRAINING, tensors, fields)
    network, optimizer = learner(FLAT, "adam", seed=5)
    load_training_state(path, network, optimizer)
    assert same(network.weights, ActorNetwork(FLAT, seed=0).weights)


def test_a_training_state_of_another_optimizer_or_network_is_refused_and_changes_nothing(tmp_path):
    path = tmp_path / "state.safetensors"
    save_training_state(path, *learner(FLAT, "adam"))
    network, chosen = learner(FLAT, "sgd", seed=5)
    with pytest.raises(CheckpointError, match="saved for optimizer Adam, not for SGD"):
        load_training_state(path, network, chosen)
    assert same(network.weights, ActorNetwork(FLAT, seed=5).weights)
    with pytest.raises(CheckpointError, match="another network architecture"):
        load_training_state(path, *learner(TOWER, "adam"))
    with pytest.raises(CheckpointError, match="is not a Meeple network but a Meeple training"):
        load(path)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(CheckpointError, match="truncated or corrupt"):
        load_training_state(path, *learner(FLAT, "adam"))
