"""Who and which line is to blame: code behind kernels, lines that the compiler names."""

import ast
import contextlib
import linecache
import re
import textwrap
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

LONGEST = 300  # characters of a sentence that comes from elsewhere

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_SLICE = re.compile(r"\[[^\]]*:[^\]]*\]")
_EMPTY_WORDS = ("Failed in", "File", "During", "<source", "- ", "Overload", "There are", ">>>")


def compiler_in_words(text: str, file: str) -> str:
    """What Numba says of a game's code, in a sentence with the line that it means."""
    line = line_of_compiler(text, file)
    source = linecache.getline(file, line).strip() if line else ""
    if _SLICE.search(source):
        return (
            f"`{source}`: the array that a kernel fills has no slices; set it item by item, "
            "as in `for i in range(n): out[i] = 0`"
        )
    lines = [one.strip() for one in _COLOUR.sub("", text).splitlines()]
    telling = [one for one in lines if one and not one.startswith(_EMPTY_WORDS)]
    said = (telling[0] if telling else text).removesuffix(" found for signature:")
    return short(f"`{source}`: {said}" if source else said)


def line_of_compiler(text: str, file: str) -> int:
    """The first line of a file that Numba names; 0 where it names none."""
    for name, line in re.findall(r'File "([^"]+)", line (\d+)', _COLOUR.sub("", text)):
        if Path(name).name == Path(file).name:
            return int(line)
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
