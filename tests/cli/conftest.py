"""Command lines that are run in this process."""

import pytest

from meeple.cli import main as cli


@pytest.fixture
def meeple(capsys):
    """Run a command line: its exit code, stdout and stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


@pytest.fixture
def command(meeple, monkeypatch, tmp_path):
    """The same in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return meeple
