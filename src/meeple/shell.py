"""Command lines that are printed, as a user pastes them into a shell."""

import shlex
import shutil
import sys
from pathlib import Path

Word = str | Path


def command_line(*words: Word) -> str:
    """Return the command line that calls this program with the words."""
    return shell_line(program(), *words)


def shell_line(*words: Word) -> str:
    """Return words as a line of a shell; a path that looks like an option begins with `./`."""
    return shlex.join(
        f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)
        for word in words
    )


def program() -> str:
    """Return how the shell calls this program: `meeple`, or its path if it is not on PATH."""
    called = Path(sys.argv[0])
    if called.name != "meeple" or not called.is_file() or shutil.which("meeple"):
        return "meeple"
    return str(called)
