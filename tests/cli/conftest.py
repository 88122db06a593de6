"""Command lines run in this process, and a file for `meeple import`."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest

from meeple.cli import main as cli

LAYERS = [(3, 4, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3), (4, 3, 1, 1), (100, 25), (2, 3, 1, 1)]
LAYERS += [(50, 64), (64, 1)]


@pytest.fixture
def meeple(capsys):
    """Run a command line; return its exit code, stdout and stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


class Ran(NamedTuple):
    """The result of a command line."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(meeple):
    """Run a command line as `meeple` does; return its result by name."""
    return lambda *arguments: Ran(*meeple(*arguments))


@pytest.fixture
def command(meeple, monkeypatch, tmp_path):
    """Run a command line as `meeple` does, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return meeple


@pytest.fixture
def model(tmp_path):
    """A small network in AlphaZero_Gomoku's layout for 5x5."""
    arrays = []
    for shape in LAYERS:
        arrays.append(np.full(shape, 0.1, np.float32))
        arrays.append(np.zeros(shape[0] if len(shape) == 4 else shape[1], np.float32))
    path = tmp_path / "net.model"
    path.write_bytes(pickle.dumps(arrays, 2))
    return path
