"""Files of arrays: every kind of weights is refused if one of its numbers is not finite."""

from collections.abc import Mapping
from typing import Any
from unittest import mock

import numpy as np
import pytest

from meeple.agents.networks import shipped_networks
from meeple.errors import CheckpointError
from meeple.games.contract.registry import make
from meeple.nets import checkpoint
from meeple.search.exact import strategy_file
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.patterns import file as patterns_file
from meeple.search.qtable import file as qtable_file
from meeple.search.qtable.table import QTable
from meeple.search.values import file as values_file
from meeple.tensor_file import kind_of, read_metadata, read_tensors, write_tensors

TYPES = frozenset({"F16", "F32", "F64", "I32", "I64", "U64"})
NETWORKS = shipped_networks()


def spoil(path, to, bad):
    """Write a copy of a file whose first array of fractions has one bad number."""
    kind = kind_of(path)
    metadata, tensors = read_metadata(path, kind), read_tensors(path, kind, TYPES)[1]
    name = next(name for name, one in tensors.items() if one.dtype.kind == "f")
    spoilt = tensors[name].copy() if tensors[name].size else np.zeros(1, tensors[name].dtype)
    spoilt.flat[-1] = bad
    with mock.patch.object(np, "isfinite", np.ones_like):
        write_tensors(to, kind, tensors | {name: spoilt}, metadata)


def sampled(path):
    sampling = ExternalSampling(make("nim", stones=4), 1)
    sampling.run(20)
    strategy_file.save(path, sampling)


def learned(path):
    qtable_file.save(path, QTable(make("nim", stones=4)))


KINDS: Mapping[Any, Any] = {
    checkpoint: (NETWORKS["tictactoe"], checkpoint.load),
    values_file: (NETWORKS["catan-reduced"], values_file.load_network),
    patterns_file: (NETWORKS["reversi6-patterns"], patterns_file.read_patterns),
    qtable_file: (learned, qtable_file.load),
    strategy_file: (sampled, lambda path: strategy_file.load(path, make("nim", stones=4))),
}
"""By module: a file of its kind, or a function that writes one; and its reader."""


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("module", KINDS, ids=lambda module: module.__name__.split(".")[-1])
def test_weights_that_are_not_finite_are_refused_when_read(module, bad, tmp_path):
    file, load = KINDS[module]
    if callable(file):
        file(tmp_path / "whole")
        file = tmp_path / "whole"
    load(file)
    spoil(file, tmp_path / "spoilt", bad)
    with pytest.raises(CheckpointError, match=r"spoilt: '.*' holds numbers that are not finite"):
        load(tmp_path / "spoilt")


@pytest.mark.parametrize("number", [np.float16, np.float32, np.float64])
def test_every_type_of_numbers_is_checked(number, tmp_path):
    write_tensors(tmp_path / "whole", "thing", {"a": np.ones((2, 3), number)}, {})
    spoil(tmp_path / "whole", tmp_path / "spoilt", np.nan)
    with pytest.raises(CheckpointError, match="not finite"):
        read_tensors(tmp_path / "spoilt", "thing", TYPES)
