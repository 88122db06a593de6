"""Architectures: valid descriptions, and error messages for others."""

import json
import subprocess
import sys

import pytest

from meeple.errors import UsageError
from meeple.nets.architecture import Architecture

SHAPES = {"observation_shape": (4, 5, 5), "num_actions": 25, "players": 2}


def test_an_architecture_survives_json():
    architecture = Architecture(kind="conv", channels=16, blocks=2, critic=True, **SHAPES)
    again = Architecture(**json.loads(architecture.model_dump_json()))
    assert again == architecture
    assert hash(again) == hash(architecture)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"kind": "rnn"}, "'kind' is 'rnn'"),
        ({"hidden": [0]}, "'hidden.0' is 0"),
        ({"channels": 10**6}, "'channels' is 1000000"),
        ({"blocks": -1}, "'blocks' is -1"),
        ({"activation": "gelu"}, "'linear', 'sigmoid', 'tanh' or 'relu'"),
        ({"players": 0}, "'players' is 0"),
        ({"observation_shape": ()}, "'observation_shape'"),
        ({"depth": 3}, "unknown field 'depth' (known: kind, hidden"),
        ({"kind": "conv", "observation_shape": (9,)}, "(planes, rows, columns)"),
    ],
)
def test_a_wrong_field_is_refused_by_name_in_one_line(fields, named):
    with pytest.raises(UsageError) as caught:
        Architecture(**{**SHAPES, **fields})
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="'num_actions' is missing"):
        Architecture(observation_shape=(9,), players=2)


@pytest.mark.parametrize(
    ("actions", "extra"), [(25, 0), (26, 1), (33, 8), (34, None), (24, None), (7, None)]
)
def test_policy_follows_the_board_if_actions_are_cells_and_a_few_more(actions, extra):
    shapes = {**SHAPES, "num_actions": actions}
    assert Architecture(kind="conv", **shapes).extra_actions == extra
    assert Architecture(kind="mlp", **shapes).extra_actions is None


@pytest.mark.slow
def test_descriptions_and_metadata_are_read_without_pytorch():
    program = (
        "import sys, meeple.nets.architecture, meeple.nets.inference, meeple.nets.checkpoint;"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
