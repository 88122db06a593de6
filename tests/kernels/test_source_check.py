"""An unsupported construct in a kernel yields a sentence with its line and an alternative."""

import importlib
import importlib.util
import itertools
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from meeple import kernels
from meeple.errors import KernelError
from meeple.games.contract.registry import load_file
from meeple.kernels import kernel_source
from meeple.kernels.kernel_source import python_function
from meeple.kernels.source_check import mistakes_of
from meeple.kernels.unsupported import CONSTRUCTS
from tests.tiers import few_quick

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "meeple"
compiled_only = pytest.mark.skipif(
    not kernels.COMPILED, reason="kernels run as plain Python, and nothing is compiled"
)
INTERNALS = re.compile(
    r"NRT|nopython|lowering|re-entrant|opcode|numba|nestedarray|Literal|Dispatch"
)

BEFORE = """
import math
import random
from random import randint

import numpy as np
from numpy import zeros

from meeple.kernels import below, inlined, kernel, record

State = record(
    to_move=np.int8, a=(np.int8, 4), b=(np.int8, 4), m=(np.int8, (2, 2)), f=(np.float64, 3)
)
LISTED, TUPLE, ARRAY = [1, 2], (1, 2), np.arange(4)
SEEN = {1: 2}


class Settings:
    SIZE = 3


def undecorated(x):
    return x


@kernel
def helper(x, more=0):
    return x + more


@kernel
def same(x):
    return x


@kernel
def first(s, n):
    return second(s, n)


@kernel
def second(s, n):
    return test(s, n - 1) if n > 0 else 0


@inlined
def steps(s, n):
    x = [n]
    return x[0]


"""

# For each construct, bodies of a kernel `test(s, n)` that contain it; `return n` is added.
UNSUPPORTED = {
    "list": [
        "x = [1, 2]",
        "x = []",
        "x = [0] * n",
        "x = list(s.a)",
        "n = max([1, n])",
        "s.a[:] = [1, 2, 3, 4]",
        "for x in enumerate([n, 2]):\n    n += 1",
    ],
    "dict": ["x = {1: 2}", "x = dict()"],
    "set": ["x = {1, 2}", "x = set()", "x = n in {1, 2}", "x = frozenset((1, 2))"],
    "comprehension": [
        "x = [i for i in range(3)]",
        "x = {i for i in range(3)}",
        "x = {i: i for i in range(3)}",
        "x = [[0] * 3 for i in range(3)]",
    ],
    "generator": ["n = sum(i for i in range(3))", "n = max(i for i in s.a)"],
    "yield": ["yield n", "yield from s.a"],
    "text": [
        'x = f"{n}"',
        "x = str(n)",
        'x = "%d" % n',
        'x = "{}".format(n)',
        "x = repr(n)",
        "x = bin(n)",
        'print(f"{n}")',
        'assert n < 9, f"{n} is large"',
    ],
    "try": [
        "try:\n    n = s.a[n]\nexcept IndexError:\n    n = 0",
        "try:\n    n = 1\nfinally:\n    n = 0",
    ],
    "raise": ["raise ValueError(n)"],
    "with": ["with np.errstate(over='ignore'):\n    n += 1", "with open('x') as x:\n    n += 1"],
    "import": ["import math", "from math import sqrt"],
    "class": ["class Card:\n    pass"],
    "global": ["global SEEN\nSEEN = n"],
    "del": ["del n"],
    "star": ["x, *y = (1, 2, 3)", "n = helper(**SEEN)"],
    "match": [
        "match (n, 1):\n    case (1, x):\n        n = x",
        "match n:\n    case int():\n        n = 0",
    ],
    "walrus": ["if (x := n + 1) > 2:\n    n = x"],
    "recursion": [
        "n = test(s, n - 1) if n > 0 else 0",
        "n = first(s, n)",
        "def inner(x):\n    return inner(x - 1) if x > 0 else 0\nn = inner(n)",
    ],
    "new array": [
        "x = np.zeros(3)",
        "x = zeros(3)",
        "x = np.array((1, 2))",
        "x = np.arange(n)",
        "x = s.a.copy()",
        "x = np.copy(s.a)",
        "x = np.sort(s.a)",
        "s.a.sort()",
        "x = np.where(s.a > 0)",
        "x = np.concatenate((s.a, s.b))",
        "x = s.a.astype(np.int32)",
        "x = s.m.flatten()",
        "x = s.a.tolist()",
        "x = np.flatnonzero(s.a)",
    ],
    "whole array": [
        "n = s.a.max()",
        "n = np.max(s.a)",
        "x = np.array_equal(s.a, s.b)",
        "n = np.count_nonzero(s.a)",
        "n = np.clip(n, 0, 1)",
    ],
    "arithmetic": [
        "x = s.a + s.b",
        "x = s.a + 1",
        "x = -s.a",
        "x = (s.a == 0).any()",
        "x = s.a == s.b",
        "x = s.m[0] + 1",
        "x = s.a\ny = x[1:] + 1",
        "s.a[s.a > 0] = 0",
        "x = ARRAY + 1",
    ],
    "slice": [
        "s.a[:] = s.b",
        "s.a[1:3] = s.b[0:2]",
        "s.m[0] = s.m[1]",
        "s.m[0], s.m[1] = s.m[1], s.m[0]",
        "s.a[:] += 1",
        "x = s.a\nx[:] = s.b",
    ],
    "number to array": ["s.a = 0", "s.a = -1"],
    "random": [
        "n = np.random.randint(3)",
        "n = random.randrange(3)",
        "n = randint(1, 3)",
    ],
    "order": [
        "x = sorted(s.a)",
        "for x in reversed(s.a):\n    n += x",
        "x = any(s.a)",
        "x = all(s.a)",
    ],
    "built-in": ["x = getattr(s, 'a')", "x = hash(n)", "x = open('x')", "n = eval('1')"],
    "container": ["n = LISTED[0]", "n = SEEN[1]", "x = n in LISTED"],
}
COMPILE = {
    "yield",
    "try",
    "random",
    "recursion",
}  # constructs that the compiler accepts in some uses

SUPPORTED = [
    "x = (1, 2)\nn = x[1]",
    "for x in (1, 2, 3):\n    n += x",
    "for x in [1, n]:\n    n += x",
    "x = n in (1, 2) or n in [3, 4] or n not in TUPLE",
    "n = TUPLE[0] + ARRAY[n] + len(s.a) + s.a.size + s.m.shape[0]",
    "n = s.a.sum() + s.a.argmax() + min(s.a) + max(s.b) + sum(s.a)",
    "x = s.a.any() or s.b.all()",
    "s.a[:] = 0\ns.a[1:3] = n\ns.m[0] = 1\ns.m[:, 1] = 2\ns.a[::2] = 3",
    "s.a = s.b",
    "x = s.a\nx += 1",
    "s.a += 1",
    "x = s.m[0]\nn = x[1] + s.a[1:3][0] + s.a[-1]",
    "s.a[0], s.a[1] = s.a[1], s.a[0]",
    "for i, x in enumerate(s.a):\n    n += i * x",
    "for x, y in zip(s.a, s.b):\n    n += x * y",
    "for i in range(3, -1, -1):\n    n += i",
    "n = helper(n, more=2) + helper(*(n,))",
    "x = lambda y: y + n\nn = x(2)",
    "def inner(x):\n    return x + n\nn = inner(2)",
    "match n:\n    case 1 | 2:\n        n = 3\n    case _:\n        n = 4",
    "if n > 99:\n    raise ValueError('too many')",
    "assert n < 99, 'too many'",
    "n = abs(n) + int(2.5) + round(2.5) + pow(n, 2) + divmod(n, 2)[0]",
    "x = math.sqrt(n) + np.exp(1.0) + np.minimum(n, 2) + np.float32(n) + math.inf",
    "x: int = 3\nn = 1 if x else 2",
    "for x in np.ndindex(2, 2):\n    n += x[0]",
    "while n > 0:\n    n -= 1\nelse:\n    n = 5",
    "x = not s.a[0] and 0 < n < 3 and s.a[0] == s.b[0]",
]

# Mistakes that only the compiler finds: a body, and words of the message on its last line.
TRANSLATED = {
    "x = same(s.m[0])\ny = x + 1": "this makes a new array, and kernels allocate no memory: use an",
    "x = same(s.b)\ns.a[:] = x": "kernels allocate no memory: write a `for` loop that copies item",
    "if s.a:\n    n = 1": "an array is neither true nor false: compare its items",
    "n = n.bit_count()": "there is no `bit_count` of a whole number in kernels",
    "n = math.comb(n, 1)": "there is no `comb` of the module math in kernels",
    "n = nowhere": "the name `nowhere` is not defined",
    "n = s.missing": "there is no field `missing`",
    "s.missing = 1": "there is no field `missing`",
    "s.a = n": "a number assigned to an array field: write `s.a[:] = 0`",
    "n = undecorated(n)": "`undecorated` is called by a kernel: it needs @kernel too",
    "n = Settings.SIZE": "kernels cannot use `Settings`: of a module they read numbers, tuples and",
    "n = helper(n, 1, 2)": "a kernel is called with the wrong arguments: too many positional",
    "n = s.a[1.5]": "an index cannot be a number with a fraction",
    "n = n(3)": "a whole number cannot be called",
    "for x in n:\n    pass": "a loop cannot run over a whole number",
    "n = 2**64": "a whole number has more than 64 bits",
    "if n:\n    return (1, 2)": "it returns values of different kinds",
    "x = tuple(s.a)": "kernels cannot do this with an array",
    "n = min((1, 2), key=helper)": "kernels cannot do this with a tuple, key=the kernel helper",
}

_numbers = itertools.count()


def written(folder, body):
    """Write a module with a kernel of this body; return the module and its path."""
    lines = "".join(f"    {line}\n" for line in [*body.splitlines(), "return n"])
    file = folder / f"rules{next(_numbers)}.py"
    file.write_text(f"{BEFORE}@kernel\ndef test(s, n):\n{lines}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module, file


def line_of(file, line):
    return file.read_text().splitlines()[line - 1].strip()


CASES = [(key, body) for key, bodies in UNSUPPORTED.items() for body in bodies]
COMPILED_CASES = [
    case for key in UNSUPPORTED for case in few_quick(case for case in CASES if case[0] == key)
]


@pytest.mark.parametrize(("key", "body"), CASES, ids=[body for _, body in CASES])
def test_an_unsupported_construct_is_found_with_its_line_and_an_alternative(key, body, tmp_path):
    module, file = written(tmp_path, body)
    found = [one for one in mistakes_of([module.test], {}) if one.key == key]
    assert found, mistakes_of([module.test], {})
    assert CONSTRUCTS[key].instead in found[0].sentence
    assert f"` uses {CONSTRUCTS[key].what} (`" in found[0].sentence
    assert found[0].file == str(file)
    body_lines = [line.strip() for line in body.splitlines()]
    assert line_of(file, found[0].line) in [*body_lines, "return second(s, n)"]


@compiled_only
@pytest.mark.parametrize("case", COMPILED_CASES, ids=[body for _, body in CASES])
def test_compiler_error_becomes_the_sentence_of_the_source_check(case, tmp_path):
    key, body = case
    module, file = written(tmp_path, body)
    first = mistakes_of([module.test], {})[0]
    error = error_of(module)
    if error is None:
        assert key in COMPILE
    else:
        assert (error.sentence, error.file) == (first.sentence, str(file))
        assert str(error) == f"{file}:{error.line}: {first.sentence}"
        assert not INTERNALS.search(error.sentence)


def error_of(module):
    """Return the error of compiling the kernel `test` of a module; None if it compiles."""
    try:
        module.test(np.zeros(1, module.State)[0], 1)
    except KernelError as error:
        return error
    return None


def test_every_construct_is_tested():
    assert {*UNSUPPORTED, "out", "async"} == set(CONSTRUCTS)


@pytest.mark.parametrize("body", few_quick(SUPPORTED, 8))
def test_a_supported_construct_is_no_mistake(body, tmp_path):
    module, _ = written(tmp_path, body)
    assert mistakes_of([module.test], {}) == []
    module.test(np.zeros(1, module.State)[0], 1)


USES = ["out[:] = 0", "out[-1] = 0", "out[0, 1] = 0", "s = len(out)", "out.fill(0)", "s = sum(out)"]


@pytest.mark.parametrize("use", USES)
def test_an_array_of_unknown_length_must_be_set_item_by_item(use, tmp_path):
    module, file = written(tmp_path, f"out = s.f\nout[0] = n\n{use}")
    (found,) = mistakes_of([module.test], {"test": "out"})
    assert found.key == "out"
    assert line_of(file, found.line) == use


def test_called_kernels_are_checked_too(tmp_path):
    for name in ("first", "steps"):  # `steps` is @inlined
        module, _ = written(tmp_path, f"n = {name}(s, n)")
        keys = {one.key for one in mistakes_of([module.test], {})}
        assert keys == ({"list"} if name == "steps" else {"recursion"})


@compiled_only
@pytest.mark.parametrize(("body", "words"), TRANSLATED.items(), ids=TRANSLATED)
def test_a_message_of_the_compiler_is_translated_to_plain_words(body, words, tmp_path):
    module, file = written(tmp_path, body)
    assert mistakes_of([module.test], {}) == []
    error = error_of(module)
    assert words in error.sentence
    assert not INTERNALS.search(error.sentence)
    assert line_of(file, error.line) in [*map(str.strip, body.splitlines()), "return n"]


def fills_an_array(name):
    kinds = kernels.SIGNATURES.get(name, (kernels.PARTS,))
    return kernels.PARTS not in kinds  # a record, whose fields are arrays


@pytest.mark.slow
def test_the_kernels_of_this_package_and_its_examples_have_no_mistakes(monkeypatch):
    monkeypatch.setattr(kernel_source, "_PACKAGE", Path("/none"))
    decorated = re.compile(r"^@(?:kernel|inlined)$", re.MULTILINE)
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "examples").glob("*.py")]
    checked = 0
    for file in files:
        count = len(decorated.findall(file.read_text()))
        if not count:
            continue
        if PACKAGE in file.parents:
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        else:
            module = load_file(file)
        functions = filter(None, map(python_function, vars(module).values()))
        own = {one.__name__: one for one in functions if one.__module__ == module.__name__}
        checked += len(own)
        arrays = {name: "out" for name in own if fills_an_array(name)}
        assert mistakes_of(own.values(), arrays) == [], file
    assert checked > 500


def test_the_guide_lists_all_unsupported_constructs():
    guide = (ROOT / "docs" / "your-own-game.md").read_text()
    table = guide.split("| kernels do not have | such as | write instead |\n|---|---|---|\n")[1]
    rows = [line.split(" | ") for line in table.split("\n\n")[0].splitlines()]
    assert [tuple(cell.strip("| ") for cell in row) for row in rows] == [
        (one.what, one.such_as.replace("|", "\\|"), one.instead) for one in CONSTRUCTS.values()
    ]
