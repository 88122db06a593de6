"""Translate the error of a kernel that does not compile to a sentence with the author's line.

`translated_errors` first looks for unsupported constructs in the source (`source_check`), and
translates the compiler's message only if there are none.
"""

import ast
import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from meeple.errors import KernelError, MeepleError
from meeple.kernels.kernel_source import author_frames, kernels_from, quoted_line
from meeple.kernels.source_check import mistakes_of
from meeple.kernels.unsupported import CONSTRUCTS

MAX_SENTENCE_CHARACTERS = 300  # of the compiler's message in the translation
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PLACES = re.compile(r'File "([^"]+)", line (\d+)|(\S+\.py) \((\d+)\)')
_INTERNAL = ("Failed in", "File", "During", "<source", "- ", "Overload", "There are", ">>>")
_KINDS = (
    (r"nestedarray\(\w+, \([\d, ]*\)\)|array\([^()]*\)", "an array"),
    (r"UniTuple\([^()]*\)|Tuple\([^()]*(?:\([^()]*\)[^()]*)*\)", "a tuple"),
    (r"(?:reflected )?list\([^()]*\)(?:<iv=[^>]*>)?", "a list"),
    (r"Record\(.*\)", "a record"),
    (r"Literal\[int\]\([^()]*\)|u?int\d+", "a whole number"),
    (r"float\d+", "a number with a fraction"),
    (r"Literal\[str\]\([^()]*\)|unicode_type", "a text"),
    (r"bool(?:ean)?\b", "true or false"),
    (r"none|NoneType", "None"),
    (r"type\(CPUDispatcher\(<function (\w+) at \w+>\)\)", r"the kernel \1"),
    (r"Module\(<module '(\w+)'[^>]*>\)", r"the module \1"),
)


@contextlib.contextmanager
def translated_errors(function: Callable[..., Any], arrays: Mapping[str, str]) -> Iterator[None]:
    """Turn an exception of the compiler in the block into a KernelError.

    Args:
        function: the Python function of the kernel that is compiled.
        arrays: as in `source_check.mistakes_of`.
    """
    try:
        yield
    except (MeepleError, OSError, MemoryError):
        raise
    except Exception as error:
        mistakes = mistakes_of([function], arrays)
        if mistakes:
            first = mistakes[0]
            raise KernelError(first.sentence, first.file, first.line) from error
        raise _translated(error, function) from error


def _translated(error: Exception, function: Callable[..., Any]) -> KernelError:
    """Return the compiler's message as an error at the line that it names."""
    text = _COLOUR.sub("", str(error))
    named = _NAMES.search(text)
    name = str(error.args[0]) if isinstance(error, KeyError) and error.args else ""
    place = _place_of_name(named[1] if named else name, function) or _place(text)
    file, line = place or (function.__code__.co_filename, function.__code__.co_firstlineno)
    source = quoted_line(file, line) if place else ""
    reason = f"there is no field `{name}`" if name else _reason(text, source)
    start = f"`{function.__name__}` does not compile: "
    return KernelError(start + (f"`{source}`: {reason}" if source else reason), file, line)


def _place(text: str) -> tuple[str, int] | None:
    """Return the first place in the author's files that a message names: the innermost one."""
    found = [(one or other, int(line or at)) for one, line, other, at in _PLACES.findall(text)]
    return next(author_frames(found), None)


def _place_of_name(name: str, function: Callable[..., Any]) -> tuple[str, int] | None:
    """Return the place where a kernel first uses a name or a field."""
    for file, node in kernels_from([function]) if name else ():
        for part in ast.walk(node):
            if getattr(part, "id", getattr(part, "attr", None)) == name:
                return file, getattr(part, "lineno", node.lineno)
    return None


_NAMES = re.compile(r"NameError: (?:global )?name '(\w+)' is not defined")
_MESSAGES: tuple[tuple[str, str], ...] = (
    (r"NameError: (?:global )?name '(\w+)' is not defined", r"the name `\1` is not defined"),
    (
        r"Untyped global name '(\w+)':.*<class 'function'>",
        r"`\1` is called by a kernel: it needs @kernel too",
    ),
    (
        r"Untyped global name '(\w+)'",
        r"kernels cannot use `\1`: of a module they read numbers, tuples and NumPy arrays",
    ),
    (r"Unknown attribute '(\w+)' of type (.+)", r"there is no `\1` of \2 in kernels"),
    (
        r"Cannot unify (.+) and (.+) for '\$",
        r"it is \1 in one case and \2 in another: a value keeps its kind",
    ),
    (
        r"Cannot unify (.+) and (.+) for '(\w+?)(?:\.\d+)?'",
        r"`\3` is \1 in one place and \2 in another: a variable keeps its kind",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        r"it returns values of different kinds: \1",
    ),
    (
        r"Cannot cast .+ to nestedarray",
        CONSTRUCTS["number to array"].what + ": " + CONSTRUCTS["number to array"].instead,
    ),
    (
        r"Cannot bind '.*\"TypeError: (.+)\"",
        r"a kernel is called with the wrong arguments: \1",
    ),
    (r"Int value is too large", "a whole number has more than 64 bits"),
    (r"No type info available for (.+) as a callable", r"\1 cannot be called"),
    (r"Invalid use of getiter with parameters \((.+)\)", r"a loop cannot run over \1"),
    (r"Unsupported array index type (\S+)", r"an index cannot be \1"),
    (r">>> \w+\((.*)\)", r"kernels cannot do this with \1"),
    (r"unsupported opcode", "this is no part of the language of kernels"),
)


def _reason(text: str, source: str) -> str:
    """Return what a message of the compiler means for the author."""
    if re.search(r">>> bool\((?:nested)?array", text):
        return "an array is neither true nor false: compare its items"
    if "NRT required" in text or "returning of array passed" in text:
        sliced = re.match(r"[^=]*\[[^\]]*:[^\]]*\]\s*[-+*/&|^]?=[^=]", source)
        advice = CONSTRUCTS["slice" if sliced else "new array"].instead
        return f"this makes a new array, and kernels allocate no memory: {advice}"
    for pattern, sentence in _MESSAGES:
        found = re.search(pattern, text)
        if found:
            return _short(_in_plain_types(found.expand(sentence)))
    lines = [one.strip() for one in text.splitlines()]
    informative = [one for one in lines if one and not one.startswith(_INTERNAL)]
    return _short(_in_plain_types(informative[0] if informative else type(text).__name__))


def _in_plain_types(text: str) -> str:
    """Return a message with plain names for the compiler's types."""
    for pattern, kind in _KINDS:
        text = re.sub(pattern, kind, text)
    return text


def _short(text: str) -> str:
    text = " ".join(text.split())
    short = len(text) <= MAX_SENTENCE_CHARACTERS
    return text if short else text[:MAX_SENTENCE_CHARACTERS] + "..."
