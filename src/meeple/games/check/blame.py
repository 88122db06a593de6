"""Which line is to blame: code behind kernels, and what a line computes with."""

import ast
import contextlib
import linecache
import re
import textwrap
from types import CodeType, FrameType
from typing import Any

LONGEST = 300  # characters of a sentence that comes from elsewhere


def line_that_sets(name: str, file: str) -> int:
    """The line of a module that assigns a name; 0 where none does."""
    for number, line in enumerate(linecache.getlines(file), 1):
        if re.match(rf"{name}\b.*=", line):
            return number
    return 0


def line_of_definition(code: CodeType) -> int:
    """The line of a function's `def`, below what decorates it."""
    line = code.co_firstlineno
    while linecache.getline(code.co_filename, line).lstrip().startswith("@"):
        line += 1
    return line


def code_of(function: Any) -> CodeType | None:
    """The code of a function, or of what a kernel was made of."""
    function = getattr(function, "py_func", None) or getattr(function, "__wrapped__", function)
    return getattr(function, "__code__", None)


def is_unsigned(source: str, frame: FrameType) -> bool:
    """Whether a line computes with unsigned numbers, which may well wrap around."""
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
    """A text of one line, cut where it is too long for a sentence."""
    text = " ".join(str(what).split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."
