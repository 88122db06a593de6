"""Command lines run in this process, and a file for `meeple import`."""

import io
import pickle
from typing import NamedTuple

import numpy as np
import pytest

from meeple.cli import main as cli

LAYERS = [(3, 4, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3), (4, 3, 1, 1), (100, 25), (2, 3, 1, 1)]
LAYERS += [(50, 64), (64, 1)]


class Ran(NamedTuple):
    """The result of a command line."""

    returncode: int
    stdout: str
    stderr: str


class CommandLine:
    """Runs command lines in this process."""

    def __init__(self, monkeypatch, capsys):
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments, lines=None):
        """Run one, with these lines typed; return its exit code, stdout and stderr."""
        if lines is not None:
            typed = io.StringIO("".join(f"{line}\n" for line in lines))
            self._monkeypatch.setattr("sys.stdin", typed)
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        return Ran(int(end.value.code or 0), *self._capsys.readouterr())

    def done(self, *arguments, lines=None):
        """Run one whose exit code is 0; return its stdout."""
        code, out, err = self(*arguments, lines=lines)
        assert code == 0, err
        return out

    def refused(self, *arguments, code=2):
        """Run one that ends with a sentence on stderr alone and this exit code; return that."""
        found = self(*arguments)
        assert (found.returncode, found.stdout, found.stderr.count("\n")) == (code, "", 1), found
        return found.stderr


@pytest.fixture
def meeple(monkeypatch, capsys):
    """Run a command line; return its exit code, stdout and stderr."""
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def run(meeple):
    """The same, for results by name."""
    return meeple


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
