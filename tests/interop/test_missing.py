"""Environments without their libraries: the message says what to install."""

import importlib
import sys

import pytest

from meeple.errors import UsageError

MODULES = ("gymnasium", "pettingzoo", "spaces")


@pytest.mark.parametrize(
    ("module", "library", "name"),
    [
        ("gymnasium", "gymnasium", "Gymnasium"),
        ("pettingzoo", "gymnasium", "Gymnasium"),
        ("pettingzoo", "pettingzoo", "PettingZoo"),
    ],
)
def test_an_environment_without_its_library_names_the_extra(module, library, name, monkeypatch):
    pytest.importorskip("gymnasium")
    for one in MODULES:
        monkeypatch.delitem(sys.modules, f"meeple.interop.{one}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=rf"needs {name}: pip install 'meeple\[gym\]'"):
        importlib.import_module(f"meeple.interop.{module}")


def test_games_side_by_side_need_no_library(monkeypatch):
    for library in ("gymnasium", "pettingzoo"):
        monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "meeple.interop.vector", raising=False)
    assert importlib.import_module("meeple.interop.vector").VectorEnv
