"""The terminal: whether it is interactive, its colour and size, and lines that fit it."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

DRAWN = "●·×★"  # characters of boards in colour
CLEAR = "\x1b[H\x1b[2J"  # the cursor to the top left, the screen empty


def in_colour() -> bool:
    """Return whether to print in colour: on a terminal that has all characters of boards.

    NO_COLOR forbids it: https://no-color.org
    """
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain and _has(DRAWN)


def _has(characters: str) -> bool:
    """Return whether stdout has these characters."""
    try:
        characters.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def console(width: int | None = None) -> Any:
    """Return a console of rich for stdout; `width` in columns, by default the terminal's."""
    from rich.console import Console

    return Console(highlight=False, color_system="auto" if in_colour() else None, width=width)


def is_interactive() -> bool:
    """Return whether stdin and stdout are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def hidden_above() -> str:
    """Return the text that hides a terminal's content: a clear code, or else empty lines."""
    return "\033[2J\033[3J\033[H" if sys.stdout.isatty() else "\n" * 3


def width() -> int:
    """Return the columns of the terminal; 80 without a terminal."""
    return shutil.get_terminal_size().columns


def height() -> int:
    """Return the lines of the terminal; 24 without a terminal."""
    return shutil.get_terminal_size().lines


def wrapped(line: str) -> str:
    """Wrap a line at the terminal's width; without a terminal, return it unchanged."""
    if not is_interactive():
        return line
    return textwrap.fill(line, width(), subsequent_indent="  ", break_long_words=False)


def in_columns(texts: Sequence[str]) -> str:
    """Return short texts in equal columns within the terminal's width."""
    column = max((len(text) for text in texts), default=0) + 2
    count = max(1, width() // column)
    lines = (texts[first : first + count] for first in range(0, len(texts), count))
    return "\n".join("".join(text.ljust(column) for text in line).rstrip() for line in lines)
