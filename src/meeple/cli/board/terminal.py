"""The terminal itself: whether it is one, its colour and size, lines that fit it."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TextIO

CLEAR = "\x1b[H\x1b[2J"  # the cursor to the top left, the screen empty


def in_colour(stream: TextIO | None = None) -> bool:
    """Whether to print in colour: to a terminal, unless NO_COLOR is set (https://no-color.org)."""
    to_terminal = (stream or sys.stdout).isatty()
    return to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_interactive() -> bool:
    """Whether a person sits at both ends: stdin and stdout are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def hidden_above() -> str:
    """What hides all that a terminal shows: a cleared screen, or elsewhere empty lines."""
    return "\033[2J\033[3J\033[H" if sys.stdout.isatty() else "\n" * 3


def width() -> int:
    """The columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def height() -> int:
    """The lines of the terminal; 24 where there is none."""
    return shutil.get_terminal_size().lines


def wrapped(line: str) -> str:
    """A line broken at words to the terminal's width; elsewhere as it is."""
    if not is_interactive():
        return line
    return textwrap.fill(line, width(), subsequent_indent="  ", break_long_words=False)


def in_columns(words: Sequence[str]) -> str:
    """Words in columns as wide as the widest, within the terminal's width."""
    column = max((len(word) for word in words), default=0) + 2
    count = max(1, width() // column)
    lines = (words[first : first + count] for first in range(0, len(words), count))
    return "\n".join("".join(word.ljust(column) for word in line).rstrip() for line in lines)
