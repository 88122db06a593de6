"""Shells complete subcommands, options of each, and print the script to install."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

ASK = {
    "bash": lambda line: {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)},
    "zsh": lambda line: {"_TYPER_COMPLETE_ARGS": line},
    "fish": lambda line: {
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    },
}


def meeple(environment, *words):
    return subprocess.run(
        [sys.executable, "-m", "meeple", *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def completions(shell, line):
    """Return what a shell would offer after a line."""
    done = meeple({"_MEEPLE_COMPLETE": f"complete_{shell}", **ASK[shell](line)})
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("shell", ASK)
def test_a_shell_completes_subcommands_and_their_options(shell):
    offered = completions(shell, "meeple ma")
    assert "match" in offered
    assert "tournament" not in offered
    assert "--games" in completions(shell, "meeple match hex --ga")
