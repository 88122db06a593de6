"""Python constructs that kernels do not support, each with what to write instead.

`source_check` finds them in the source of kernels, by the tables below `CONSTRUCTS`.
"""

import ast
from collections.abc import Mapping
from typing import NamedTuple


class Construct(NamedTuple):
    """A Python construct that kernels do not support."""

    what: str  # its name, with the article
    such_as: str  # examples, as Markdown
    instead: str  # what to write


_LOOP = "write a `for` loop"

CONSTRUCTS: Mapping[str, Construct] = {
    "list": Construct(
        "a list",
        "`[0] * n`, `list(s.a)`",
        "use an array field of the state, a tuple of fixed length, or a NumPy array of the module "
        "that is only read",
    ),
    "dict": Construct("a dict", "`{1: 2}`, `dict()`", "use an array indexed by the key"),
    "set": Construct(
        "a set",
        "`{1, 2}`, `set()`",
        "compare with a tuple, as in `x in (1, 2)`, or use an array field with a flag for each "
        "number",
    ),
    "comprehension": Construct(
        "a comprehension", "`[f(i) for i in range(n)]`", f"{_LOOP} that fills an array field"
    ),
    "generator": Construct(
        "a generator expression", "`sum(f(i) for i in range(n))`", f"{_LOOP} that adds up or tests"
    ),
    "yield": Construct(
        "yield", "`yield x`", "return one number or a tuple; list actions with `add`"
    ),
    "text": Construct(
        "a text made from values",
        '`f"{x}"`, `str(x)`, `"%d" % x`',
        "compute with numbers; texts belong in `draw`, `view` and `action_name`",
    ),
    "try": Construct(
        "try",
        "`try: ... except IndexError: ...`",
        "test with `if` before: compiled code raises nothing, neither for a wrong index nor for a "
        "division by zero",
    ),
    "raise": Construct(
        "an exception with a computed argument",
        "`raise ValueError(x)`",
        "use a constant text, as in `raise ValueError('no such card')`",
    ),
    "with": Construct("with", "`with open('log'): ...`", "do this in the class, outside kernels"),
    "import": Construct(
        "an import", "`import math` inside a kernel", "import at the top of the file"
    ),
    "class": Construct(
        "a class", "`class Card: ...` inside a kernel", "add fields to the state's record"
    ),
    "global": Construct(
        "global",
        "`global count`",
        "add a field to the state's record: all of a state lies there",
    ),
    "del": Construct("del", "`del x`", "leave it out, or assign a new value"),
    "async": Construct("async or await", "`await x`", "call the kernel directly"),
    "star": Construct("a starred assignment or `**`", "`a, *b = x`, `f(**x)`", "name each value"),
    "match": Construct(
        "a match on a structure",
        "`case (1, x):`, `case int():`",
        "match numbers alone, or write `if` and `elif`",
    ),
    "walrus": Construct(
        "an assignment inside an expression", "`if (x := f(s)) > 2:`", "assign on a line before"
    ),
    "recursion": Construct(
        "recursion",
        "a kernel that calls itself, or a kernel that calls it",
        "write a loop, with an array field as the stack where one is needed",
    ),
    "new array": Construct(
        "a new array",
        "`np.zeros(3)`, `np.array(s.a)`, `a.copy()`, `np.sort(a)`",
        "use an array field of the state and fill it in a `for` loop; `s.a = s.b` copies a whole "
        "field",
    ),
    "whole array": Construct(
        "this function of a whole array",
        "`np.max(a)`, `a.max()`, `np.array_equal(a, b)`, `np.clip(a, 0, 1)`",
        f"{_LOOP}; arrays have `.sum()`, `.any()`, `.all()` and `.argmax()`, `min(a)` and `max(a)` "
        "take an array, and `min(max(x, 0), 1)` limits a number",
    ),
    "arithmetic": Construct(
        "arithmetic on whole arrays",
        "`s.a + s.b`, `s.a == 0`, `s.a[s.a > 0]`",
        f"{_LOOP} over the items",
    ),
    "slice": Construct(
        "an array assigned to a slice or row",
        "`s.a[:] = s.b`, `s.m[0] = s.m[1]`, `s.a[:] += 1`",
        f"{_LOOP} that copies item by item; `s.a = s.b` copies a whole field, and a slice takes "
        "one number, as in `s.a[:] = 0`",
    ),
    "number to array": Construct(
        "a number assigned to an array field", "`s.a = 0`", "write `s.a[:] = 0`"
    ),
    "out": Construct(
        "the array to fill as a whole",
        "`out[:] = 0`, `out[-1]`, `out[0, 1]`, `len(out)`, `out.sum()`",
        "set it item by item, as in `for i in range(n): out[i] = 0`",
    ),
    "random": Construct(
        "random numbers from outside",
        "`np.random.random()`, `random.random()`",
        "draw with `below(rng, 6)` or `uniform(rng)`, so that a seed gives the same game again",
    ),
    "order": Construct(
        "this built-in function",
        "`sorted(s.a)`, `reversed(s.a)`, `any(s.a)`, `all(s.a)`",
        f"{_LOOP}; `range(n - 1, -1, -1)` counts down, arrays have `.any()` and `.all()`",
    ),
    "built-in": Construct(
        "a built-in function of Python objects",
        "`getattr(s, 'a')`, `hash(s.a)`, `open('log')`, `input()`",
        "compute with numbers, arrays and fields alone; do all else in the class",
    ),
    "container": Construct(
        "a list, dict or set of the module",
        "`NEIGHBOURS = [[1, 2], [0, 3]]`, read in a kernel",
        "make it a tuple or a NumPy array",
    ),
}
"""The unsupported constructs, by a key."""

SYNTAX: Mapping[type[ast.AST], str] = {
    ast.AsyncFor: "async",
    ast.AsyncFunctionDef: "async",
    ast.AsyncWith: "async",
    ast.Await: "async",
    ast.ClassDef: "class",
    ast.Delete: "del",
    ast.Dict: "dict",
    ast.DictComp: "comprehension",
    ast.GeneratorExp: "generator",
    ast.Global: "global",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.JoinedStr: "text",
    ast.ListComp: "comprehension",
    ast.MatchClass: "match",
    ast.MatchMapping: "match",
    ast.MatchSequence: "match",
    ast.NamedExpr: "walrus",
    ast.Set: "set",
    ast.SetComp: "comprehension",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
}
"""Syntax that no kernel may contain, by the key of its construct."""

BUILT_INS = {
    "list": "list",
    "dict": "dict",
    **dict.fromkeys(("set", "frozenset"), "set"),
    **dict.fromkeys(("str", "repr", "format", "chr", "bin", "hex", "oct", "ascii"), "text"),
    **dict.fromkeys(("all", "any", "reversed", "sorted"), "order"),
    **dict.fromkeys(
        (
            *("breakpoint", "bytearray", "callable", "compile", "delattr", "dir", "eval", "exec"),
            *("getattr", "globals", "hash", "help", "id", "input", "locals", "memoryview"),
            *("object", "open", "setattr", "super", "vars"),
        ),
        "built-in",
    ),
}
"""Built-in functions of Python, with the key of the construct that a call is."""

_NEW_ARRAY = """
append arange argpartition argsort argwhere array array_split asarray ascontiguousarray atleast_1d
bincount column_stack concatenate convolve copy correlate cumprod cumsum delete diag diff digitize
dstack empty empty_like eye flatnonzero flip fliplr flipud full full_like histogram hstack identity
insert intersect1d isin kron linspace meshgrid nonzero ones ones_like outer partition repeat roll
rot90 setdiff1d sort split stack tile tril triu union1d unique vstack where zeros zeros_like
"""
_WHOLE_ARRAY = """
amax amin array_equal clip count_nonzero fill_diagonal max median min nanmax nanmin percentile ptp
quantile trace
"""
_NEW_ARRAY_METHODS = """
argsort astype copy cumprod cumsum flatten nonzero ravel repeat sort tolist tobytes
"""
_WHOLE_ARRAY_METHODS = "clip max min ptp take trace"
FUNCTIONS = {
    **dict.fromkeys(_NEW_ARRAY.split(), "new array"),
    **dict.fromkeys(_WHOLE_ARRAY.split(), "whole array"),
}
"""Functions of NumPy, with the key of the construct that a call is."""

METHODS = {
    **dict.fromkeys(_NEW_ARRAY_METHODS.split(), "new array"),
    **dict.fromkeys(_WHOLE_ARRAY_METHODS.split(), "whole array"),
}
"""Methods of arrays, with the key of the construct that a call is."""
