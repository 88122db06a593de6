"""Find the line of a fault: assignments of a module, and operands of a line."""

import ast
import contextlib
import linecache
import re
import textwrap
from types import FrameType

MAX_SENTENCE_CHARACTERS = 300  # of an error text that a finding cites


def line_that_sets(name: str, file: str) -> int:
    """Return the line of a module that assigns a name; 0 if none does."""
    for number, line in enumerate(linecache.getlines(file), 1):
        if re.match(rf"{name}\b.*=", line):
            return number
    return 0


def is_unsigned(source: str, frame: FrameType) -> bool:
    """Return whether a line computes with unsigned numbers, which may overflow on purpose."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            if any(isinstance(inner, ast.Call) for inner in ast.walk(node)):
                continue
            with contextlib.suppress(Exception):
                value = eval(  # noqa: S307  # the game has run already
                    ast.unparse(node), frame.f_globals, frame.f_locals
                )
                if getattr(getattr(value, "dtype", None), "kind", "") == "u":
                    return True
    return False


def short(what: object) -> str:
    """Return a text as one line, cut to MAX_SENTENCE_CHARACTERS."""
    text = " ".join(str(what).split())
    most = MAX_SENTENCE_CHARACTERS
    return text if len(text) <= most else text[:most] + "..."
