"""Runs the code blocks of a page in order, as a reader would: Python in one namespace, commands.

A block of Python whose first line is a file's name is saved under it. A block of the language
`output` is what the block before it prints. Commands that wait for others are not run.
"""

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from meeple.cli.main import run
from meeple.games.contract import registry
from tests.documents.markdown import Block, read
from tests.documents.program import ROOT

WAITING = ("serve", "oht host", "oht join")  # commands that run until others come
SMALLER_PYTHON = ((r"minutes=[\d.]+", "minutes=0.01"), (r"run\.episodes=\d+", "run.episodes=8"))
SHORT_PATTERNS = (
    " --set run.rounds=1 --set training.games=100 --set training.probes=0 --set labels.positions=0"
    " --set matches.minutes=0"
)
SMALLER = (
    (r"--games \d+", "--games 2"),
    (r"sims=\d*(\d)00\b", r"sims=1\1"),  # agents of a tournament stay different
    (r"(?<!max_)seconds=[\d.]+", "seconds=0.05"),
    (r"^meeple train (\w+)(?![\w-]|.*--show-config)", r"meeple train \1 --set run.episodes=8"),
    (r"^(meeple train --resume .*run\.episodes)=\d+", r"\1=16"),
    (r"^meeple train \w+-patterns.*", rf"\g<0>{SHORT_PATTERNS}"),
    (r"^meeple train .*run\.teacher=.*", r"\g<0> --set matches.minutes=0"),
    (r"^(meeple check \S+)", r"\1 --seconds 1"),
)
"""What a test replaces in commands, so that they take seconds."""


class PageRun:
    """A folder in which the blocks of a page run."""

    def __init__(self, folder: Path, *, small: bool) -> None:
        self._folder, self._small = folder, small
        self._namespace: dict[str, Any] = {"__name__": "page"}
        self._printed = ""

    def run(self, page: Path) -> None:
        """Run all blocks of a page; an AssertionError names the line of the first that fails."""
        for block in read(page.read_text(encoding="utf-8")).blocks:
            where = f"{page.name}, line {block.line}"
            if block.language == "python":
                self.python(block, where)
            elif block.language == "output":
                expected = "\n".join(block.lines)
                assert _stripped(self._printed) == _stripped(expected), f"{where} is not printed"
            elif not block.language:
                for line in block.lines:
                    self._command(line, where)

    def python(self, block: Block, where: str) -> None:
        """Run a block of Python, or write the file that it is."""
        text = "\n".join(block.lines) + "\n"
        if block.file:
            (self._folder / block.file).write_text(text, encoding="utf-8")
            return
        if self._small:
            text = _smaller(text, SMALLER_PYTHON)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(text, where, "exec"), self._namespace)
        self._printed = printed.getvalue()

    def _command(self, line: str, where: str) -> None:
        words = shlex.split(_smaller(line, SMALLER) if self._small else line, comments=True)
        called = re.sub(r"--load \S+ ", "", " ".join(words[1:]))
        if words[:1] != ["meeple"] or called.startswith(WAITING):
            return
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdin", io.StringIO("quit\n"))
            assert run(words[1:], debug=True) == 0, f"{where}: {line}"


def _smaller(text: str, replacements: tuple[tuple[str, str], ...]) -> str:
    for pattern, replacement in replacements:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text


def _stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def prepare(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a folder the current one, with the checkout's examples, and no game loaded."""
    (folder / "examples").symlink_to(ROOT / "examples")
    patch.chdir(folder)
    patch.syspath_prepend(folder)
    patch.setattr(registry, "_registered", {})
    patch.setattr(registry, "_files", [])
