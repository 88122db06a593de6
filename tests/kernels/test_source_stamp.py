"""A kernel's stamp changes with every file whose code or constants the kernel may contain."""

import ast
import functools
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import meeple
from meeple.kernels import source_stamp
from meeple.kernels.kernel_source import python_function
from meeple.kernels.source_stamp import files_of, stamp_of
from tests.roots import PACKAGES

PACKAGE = Path(meeple.__file__).parent
WORDS = PACKAGE / "sentences.py"


def kernel_modules():
    """Import and return every module of core and plug-ins that defines a kernel."""
    decorated = re.compile(r"^ *@(kernel|inlined|named_kernel)\b", re.MULTILINE)
    for package in PACKAGES.values():
        for file in sorted(package.rglob("*.py")):
            if decorated.search(file.read_text("utf-8")):
                parts = file.relative_to(package.parent).with_suffix("").parts
                yield importlib.import_module(".".join(parts))


MODULES = list(kernel_modules())


@functools.cache
def own_kernels(module):
    """Return the kernels that a module defines, as Python functions."""
    functions = [python_function(value) for value in vars(module).values()]
    return [f for f in functions if f is not None and f.__module__ == module.__name__]


@functools.cache
def contained(function):
    """Return the files of a kernel and of all kernels that it calls, found in another way."""
    found, waiting = set(), [function]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        spaces = [one.__globals__]
        spaces += [vars(v) for v in one.__globals__.values() if isinstance(v, ModuleType)]
        values = [space.get(name) for name in one.__code__.co_names for space in spaces]
        values += [cell.cell_contents for cell in one.__closure__ or ()]
        waiting += [f for f in map(python_function, values) if f is not None]
    return {Path(one.__code__.co_filename).resolve() for one in found}


def imported_by(module):
    """Return the files of the package that a module imports outside functions, by its syntax."""
    waiting: list[ast.AST] = [ast.parse(Path(module.__file__).read_text("utf-8"))]
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif not isinstance(node, ast.FunctionDef):
            waiting += ast.iter_child_nodes(node)
    files = (getattr(sys.modules.get(name), "__file__", None) for name in found)
    paths = {Path(file) for file in files if file and PACKAGE in Path(file).parents}
    return paths - {PACKAGE / "sentences.py"}  # texts for people are in no kernel


def test_there_are_kernels_in_many_folders():
    names = {module.__name__ for module in MODULES}
    assert {"meeple.kernels.four_words", "meeple.interop.vector", "meeple.games.nim"} <= names
    assert sum(map(len, map(own_kernels, MODULES))) > 400


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_sources_include_all_that_a_kernel_may_contain(module):
    for function in own_kernels(module):
        files = files_of(function)
        assert contained(function) <= files
        assert imported_by(module) <= files


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_an_edit_of_any_file_with_kernels_changes_the_stamps_of_all_that_contain_it(
    module, monkeypatch
):
    file = Path(module.__file__).resolve()
    users = [own_kernels(other)[0] for other in MODULES if own_kernels(other)]
    users = [function for function in users if file in contained(function)]
    before = [stamp_of(function) for function in users]
    read = Path.read_bytes
    edited = lambda path: read(path) + (b"\n" if path == file else b"")  # noqa: E731
    monkeypatch.setattr(Path, "read_bytes", edited)
    source_stamp._source_of.cache_clear()
    after = [stamp_of(function) for function in users]
    source_stamp._source_of.cache_clear()
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert users or not own_kernels(module)


GAME = """
{imports}
from meeple.kernels import kernel

@kernel
def answer():
    return {size}
"""
IMPORTS = {
    "from a file": ("from sizes import SIZE", "SIZE"),
    "of a file": ("import sizes", "sizes.SIZE"),
    "in lines": ("from sizes import (  # (two)\n    SIZE,\n    SIDE,\n)", "SIZE"),
    "after a backslash": ("from sizes \\\n    import SIZE", "SIZE"),
    "two in a line": ("import math, sizes as s", "s.SIZE"),
    "tried": ("try:\n    from sizes import SIZE\nexcept ImportError:\n    SIZE = 1", "SIZE"),
    "through another": ("from between import SIZE", "SIZE"),
    "of a package": ("from parts import sizes", "sizes.SIZE"),
    "within a package": ("from parts.first import SIZE", "SIZE"),
}


@pytest.mark.parametrize("way", IMPORTS)
def test_an_edit_of_a_constants_file_changes_the_stamp_of_a_game(tmp_path, monkeypatch, way):
    parts = tmp_path / "parts"
    parts.mkdir()
    sizes = (parts if "package" in way else tmp_path) / "sizes.py"
    imports, size = IMPORTS[way]
    (parts / "__init__.py").write_text("")
    (parts / "first.py").write_text("from .sizes import SIZE\n")
    (tmp_path / "between.py").write_text("from sizes import *\n")
    (tmp_path / "answers.py").write_text(GAME.format(imports=imports, size=size))
    sizes.write_text("SIZE = SIDE = 3\n")
    for name in ("answers", "sizes", "between", "parts", "parts.first", "parts.sizes"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    source_stamp._spec_of.cache_clear()
    function = importlib.import_module("answers").answer.py_func
    assert sizes.resolve() in files_of(function)
    before = stamp_of(function)
    sizes.write_text("SIZE = SIDE = 12\n")
    assert stamp_of(function) != before


def test_an_edit_of_arrays_beside_a_game_changes_its_stamp(tmp_path, monkeypatch):
    weights = tmp_path / "weights.npz"
    (tmp_path / "weighed.py").write_text(GAME.format(imports='FILE = "weights.npz"', size="1"))
    monkeypatch.syspath_prepend(tmp_path)
    function = importlib.import_module("weighed").answer.py_func
    stamps = []
    for content in (None, b"one", b"two"):
        if content is not None:
            weights.write_bytes(content)
        source_stamp._source_of.cache_clear()
        stamps.append(stamp_of(function))
    assert len(set(stamps)) == 3


def test_a_game_does_not_depend_on_libraries(tmp_path, monkeypatch):
    (tmp_path / "alone.py").write_text(GAME.format(imports="import numpy, json", size="1"))
    monkeypatch.syspath_prepend(tmp_path)
    function = importlib.import_module("alone").answer.py_func
    outside = {file for file in files_of(function) if PACKAGE not in file.parents}
    assert outside == {(tmp_path / "alone.py").resolve()}


def test_a_namespace_inside_one_that_is_not_loaded_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    (tmp_path / "outer" / "inner" / "leaf.py").write_text("")
    late = "def unused():\n    import outer.inner.leaf"
    (tmp_path / "lazy.py").write_text(GAME.format(imports=late, size="1"))
    monkeypatch.syspath_prepend(tmp_path)
    assert stamp_of(importlib.import_module("lazy").answer.py_func)


def test_the_words_for_people_make_no_kernel_stale():
    kernels_of_all = [function for module in MODULES for function in own_kernels(module)[:1]]
    assert {function for function in kernels_of_all if WORDS in files_of(function)} == set()
