"""The source of kernels: which kernels call which, their definitions and their lines."""

import ast
import functools
import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

Function = Callable[..., Any]
_PACKAGE = Path(__file__).resolve().parent.parent


def python_function(kernel: Any) -> FunctionType | None:
    """Return the Python function of a kernel; None for anything else."""
    function = getattr(kernel, "py_func", None)
    return function if isinstance(function, FunctionType) else None


def code_of(function: Any) -> CodeType | None:
    """Return the code of a function, or of the function from which a kernel was made."""
    function = getattr(function, "py_func", None) or getattr(function, "__wrapped__", function)
    return getattr(function, "__code__", None)


def line_of_definition(code: CodeType) -> int:
    """Return the line of a function's `def`, below its decorators."""
    line = code.co_firstlineno
    while linecache.getline(code.co_filename, line).lstrip().startswith("@"):
        line += 1
    return line


def kernels_from(functions: Iterable[Function]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the file and the definition of these kernels and of all kernels that they call."""
    for function in reachable_kernels(functions):
        node = definition(function.__code__)
        if node is not None:
            yield function.__code__.co_filename, node


def reachable_kernels(functions: Iterable[Function]) -> list[FunctionType]:
    """Return these functions and all kernels that they call, except those of this package."""
    waiting = [python_function(one) or one for one in functions]
    found: dict[int, FunctionType] = {}
    while waiting:
        function = waiting.pop(0)
        if not isinstance(function, FunctionType) or id(function) in found:
            continue
        if _PACKAGE not in Path(function.__code__.co_filename).resolve().parents:
            found[id(function)] = function
            waiting += called_kernels(function).values()
    return list(found.values())


def called_kernels(function: FunctionType) -> dict[str, FunctionType]:
    """Return the kernels whose names a function uses, by name."""
    found = {}
    modules: list[Mapping[str, Any]] = [function.__globals__]
    names = function.__code__.co_names
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            modules.append(vars(value))
    for name in names:
        for module in modules:
            kernel = python_function(module.get(name))
            if kernel is not None:
                found[name] = kernel
    return found


def leads_to(function: FunctionType, target: FunctionType) -> bool:
    """Return whether a kernel is the target, or calls it directly or indirectly."""
    return any(one is target for one in reachable_kernels([function]))


def definition(code: CodeType) -> ast.FunctionDef | None:
    """Return the definition of a function; None if its source cannot be read."""
    for node in _all_definitions(code.co_filename):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        if node.name == code.co_name and first == code.co_firstlineno:
            return node
    return None


def _all_definitions(file: str) -> Sequence[ast.FunctionDef]:
    return _parsed("".join(linecache.getlines(file)))


@functools.lru_cache(maxsize=32)
def _parsed(source: str) -> Sequence[ast.FunctionDef]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ()
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def quoted_line(file: str, line: int) -> str:
    """Return a line of a file without its indentation; empty if missing."""
    return linecache.getline(file, line).strip() if line else ""


def author_frames(places: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Yield the places, (file, line), that lie outside this package and its libraries."""
    for file, line in places:
        path = Path(file).resolve()
        if _PACKAGE not in path.parents and not {"site-packages", "numba"} & set(path.parts):
            yield str(path), line
