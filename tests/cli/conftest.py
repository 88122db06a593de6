"""Command lines run in this process."""

from typing import NamedTuple

import pytest

from meeple.cli import main as cli


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
