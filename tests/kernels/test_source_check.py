"""An unsupported construct in a kernel yields a sentence with its line and an alternative."""

import importlib
import importlib.util
import itertools
import re
import sys
import tomllib
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
from tests.roots import PACKAGES, ROOT
from tests.tiers import few_quick

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

BODIES = tomllib.loads((ROOT / "tests" / "data" / "kernels.toml").read_text())
UNSUPPORTED, SUPPORTED, TRANSLATED = (
    BODIES[name] for name in ("unsupported", "supported", "translated")
)
COMPILE = {"yield", "try", "random", "recursion"}  # that the compiler accepts in some uses

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
    files = [file for folder in PACKAGES.values() for file in folder.rglob("*.py")]
    files += (ROOT / "examples").glob("*.py")
    checked = 0
    for file in files:
        count = len(decorated.findall(file.read_text()))
        if not count:
            continue
        if package := next((one for one in PACKAGES.values() if one in file.parents), None):
            parts = file.relative_to(package.parent).with_suffix("").parts
            module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        else:
            module = load_file(file)
        functions = filter(None, map(python_function, vars(module).values()))
        own = {one.__name__: one for one in functions if one.__module__ == module.__name__}
        checked += len(own)
        arrays = {name: "out" for name in own if fills_an_array(name)}
        assert mistakes_of(own.values(), arrays) == [], file
    assert checked > 500
