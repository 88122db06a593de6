"""The part of Python that kernels have: mistakes found in a kernel's source before it is compiled.

The compiler rejects most of `unsupported.CONSTRUCTS` with messages about its own internals;
`mistakes_of` names them with the author's line.
"""

import ast
import builtins
import functools
import linecache
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from meeple.kernels.unsupported import BUILT_INS, CONSTRUCTS, FUNCTIONS, METHODS

Function = Callable[..., Any]
_PACKAGE = Path(__file__).resolve().parent.parent
MAX_PIECE_CHARACTERS = 60  # of source code quoted in a sentence


class Mistake(NamedTuple):
    """A construct in a kernel that kernels lack, with its place."""

    key: str  # of CONSTRUCTS
    sentence: str
    file: str
    line: int


def mistakes_of(functions: Iterable[Function], arrays: Mapping[str, str]) -> list[Mistake]:
    """Return what kernels lack in these kernels and in all kernels that they call.

    Args:
        functions: kernels, or the functions that they were made of.
        arrays: by the name of a kernel, the parameter that is an array without a length.

    Kernels of this package are not looked at: its tests do that.
    """
    kernels = _reachable(functions)
    calls = {id(one): _called(one) for one in kernels}
    found = []
    for function in kernels:
        node = _definition(function.__code__)
        if node is not None:
            reader = _Reader(function, node, arrays.get(function.__name__, ""))
            reader.recursive = [
                name for name, other in calls[id(function)].items() if _leads(other, function)
            ]
            found += reader.read()
    return found


def kernels_from(functions: Iterable[Function]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The file and definition of each of these kernels, and of all that they call."""
    for function in _reachable(functions):
        node = _definition(function.__code__)
        if node is not None:
            yield function.__code__.co_filename, node


def python_function(kernel: Any) -> FunctionType | None:
    """The Python function that a kernel was made of; None for anything else."""
    function = getattr(kernel, "py_func", None)
    return function if isinstance(function, FunctionType) else None


# ------------------------------------------------------------ which kernels there are


def _reachable(functions: Iterable[Function]) -> list[FunctionType]:
    """These functions and the kernels that they call, this package's left out."""
    waiting = [python_function(one) or one for one in functions]
    found: dict[int, FunctionType] = {}
    while waiting:
        function = waiting.pop(0)
        if not isinstance(function, FunctionType) or id(function) in found:
            continue
        if _PACKAGE not in Path(function.__code__.co_filename).resolve().parents:
            found[id(function)] = function
            waiting += _called(function).values()
    return list(found.values())


def _called(function: FunctionType) -> dict[str, FunctionType]:
    """The kernels whose names a function uses, by name."""
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


def _leads(function: FunctionType, back: FunctionType) -> bool:
    """Whether a kernel is another one, or calls it in the end."""
    return any(one is back for one in _reachable([function]))


def _definition(code: CodeType) -> ast.FunctionDef | None:
    """Where a function is written; None where its source cannot be read."""
    for node in _definitions(code.co_filename):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        if node.name == code.co_name and first == code.co_firstlineno:
            return node
    return None


def _definitions(file: str) -> Sequence[ast.FunctionDef]:
    return _parsed("".join(linecache.getlines(file)))


@functools.lru_cache(maxsize=32)
def _parsed(source: str) -> Sequence[ast.FunctionDef]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ()
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


# ------------------------------------------------------------ reading one kernel


class _Reader(ast.NodeVisitor):
    """Reads the body of one kernel."""

    def __init__(self, function: FunctionType, node: ast.FunctionDef, out: str) -> None:
        self.function, self.node = function, node
        code = function.__code__
        self.local = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
        self.out = out if out in self.local else ""
        self.recursive: Sequence[str] = ()
        self.ranks: dict[str, int] = {}  # dimensions of local names that are arrays
        self.fields = _array_fields(function.__globals__)
        self.found: list[Mistake] = []

    def read(self) -> list[Mistake]:
        """Return what is wrong, in the order of the lines."""
        for statement in self.node.body:
            self.visit(statement)
        return sorted(self.found, key=lambda one: one.line)

    def note(self, key: str, node: ast.AST) -> None:
        """Add a mistake, the first of its kind in a line."""
        line = getattr(node, "lineno", self.node.lineno)
        if any(one.line == line and one.key == key for one in self.found):
            return
        construct, piece = CONSTRUCTS[key], ast.unparse(node).splitlines()[0]
        if len(piece) > MAX_PIECE_CHARACTERS:
            piece = piece[:MAX_PIECE_CHARACTERS] + "..."
        sentence = (
            f"`{self.node.name}` uses {construct.what} (`{piece}`), which kernels do not have: "
            f"{construct.instead}"
        )
        self.found.append(Mistake(key, sentence, self.function.__code__.co_filename, line))

    def value(self, node: ast.AST) -> Any:
        """What a global name, or an attribute of a module, is; None for all else."""
        if isinstance(node, ast.Name) and node.id not in self.local:
            return self.function.__globals__.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        return None

    def rank(self, node: ast.AST) -> int:
        """The dimensions of an expression that is known to be an array; 0 for all else."""
        if isinstance(node, ast.Attribute):
            return self.fields.get(node.attr, 0)
        if isinstance(node, ast.Name):
            value = self.value(node)
            return value.ndim if isinstance(value, np.ndarray) else self.ranks.get(node.id, 0)
        if isinstance(node, ast.Subscript):
            index = node.slice
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            kept = sum(isinstance(part, ast.Slice) for part in parts)
            return max(0, self.rank(node.value) - len(parts) + kept)
        return 0

    # -------------------------------------------------------- expressions

    def visit_List(self, node: ast.List) -> None:
        if isinstance(node.ctx, ast.Load):
            self.note("list", node)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._visit_constant_list(node.iter)
        for part in (node.target, *node.body, *node.orelse):
            self.visit(part)

    def visit_Compare(self, node: ast.Compare) -> None:
        whole = [*map(self.rank, [node.left, *node.comparators])]
        if any(whole) and not all(
            isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in node.ops
        ):
            self.note("arithmetic", node)
        self.visit(node.left)
        for op, part in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                self._visit_constant_list(part)
            else:
                self.visit(part)

    def _visit_constant_list(self, node: ast.expr) -> None:
        """A list that Python itself makes a tuple of: after `in`."""
        if isinstance(node, ast.List):
            self.generic_visit(node)
        else:
            self.visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        self.note("dict", node)

    def visit_Set(self, node: ast.Set) -> None:
        self.note("set", node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self.note("comprehension", node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self.note("comprehension", node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self.note("comprehension", node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.note("generator", node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.note("text", node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.note("walrus", node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self.note("yield", node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.note("yield", node)

    def visit_Await(self, node: ast.Await) -> None:
        self.note("async", node)

    def visit_Starred(self, node: ast.Starred) -> None:
        if isinstance(node.ctx, ast.Store):
            self.note("star", node)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if text and isinstance(node.op, ast.Mod):
            self.note("text", node)
        elif not isinstance(node.op, ast.MatMult) and (
            self.rank(node.left) or self.rank(node.right)
        ):
            self.note("arithmetic", node)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if self.rank(node.operand):
            self.note("arithmetic", node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        index = node.slice
        negative = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
        if self._is_out(node.value):
            if isinstance(index, ast.Slice | ast.Tuple) or negative:
                self.note("out", node)
            self.visit(index)
        else:
            self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if self._is_out(node.value):
            self.note("out", node)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(self.value(node), list | dict | set) and isinstance(node.ctx, ast.Load):
            self.note("container", node)

    def visit_Call(self, node: ast.Call) -> None:
        key = self._key_of_call(node)
        if key:
            self.note(key, node)
        if any(keyword.arg is None for keyword in node.keywords):
            self.note("star", node)
        self.generic_visit(node)

    def _key_of_call(self, node: ast.Call) -> str:
        """The construct that a call is; empty for one that kernels have."""
        function = node.func
        name = function.id if isinstance(function, ast.Name) else ""
        attribute = function.attr if isinstance(function, ast.Attribute) else ""
        value = self.value(function)
        if (name or attribute) in self.recursive and python_function(value) is not None:
            return "recursion"
        if name and value is getattr(builtins, name, self):
            if name in ("len", "min", "max", "sum", "enumerate", "zip"):
                return "out" if any(self._is_out(one) for one in node.args) else ""
            return BUILT_INS.get(name, "")
        module = self._module_of(function)
        if module in ("numpy.random", "random"):
            return "random"
        if module == "numpy":
            return FUNCTIONS.get(attribute or name, "")
        if attribute and not module:
            is_text = isinstance(function, ast.Attribute) and (
                isinstance(function.value, ast.Constant) and isinstance(function.value.value, str)
            )
            return "text" if is_text else METHODS.get(attribute, "")
        return ""

    def _module_of(self, function: ast.expr) -> str:
        """The module whose function is called: "numpy", say; empty for a method."""
        if isinstance(function, ast.Attribute):
            owner = self.value(function.value)
            return owner.__name__ if isinstance(owner, ModuleType) else ""
        value = self.value(function)
        if value is None or isinstance(value, type):
            return ""
        if getattr(np, getattr(value, "__name__", "?"), None) is value:
            return "numpy"
        drawn = (getattr(value, "__self__", None), getattr(random, "_inst", self))
        return "random" if drawn[0] is drawn[1] else ""

    def _is_out(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and bool(self.out) and node.id == self.out

    # -------------------------------------------------------- statements

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assign(target, node.value, node)
        self.generic_visit(node)

    def _assign(self, target: ast.expr, value: ast.expr, node: ast.Assign) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                for one, other in zip(target.elts, value.elts, strict=True):
                    self._assign(one, other, node)
            return
        if isinstance(target, ast.Name):
            self.ranks[target.id] = self.rank(value)
        elif isinstance(target, ast.Subscript) and self.rank(target) and self.rank(value):
            self.note("slice", node)
        elif isinstance(target, ast.Attribute) and self.rank(target) and _is_number(value):
            self.note("number to array", node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript) and self.rank(node.target):
            self.note("slice", node)
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        self.note("try", node)

    def visit_TryStar(self, node: ast.AST) -> None:
        self.note("try", node)

    def visit_With(self, node: ast.With) -> None:
        self.note("with", node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self.note("async", node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> None:
        self.note("async", node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id == node.name:
                self.note("recursion", part)
        self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.note("async", node)

    def visit_Import(self, node: ast.Import) -> None:
        self.note("import", node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.note("import", node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.note("class", node)

    def visit_Global(self, node: ast.Global) -> None:
        self.note("global", node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.note("del", node)

    def visit_MatchSequence(self, node: ast.MatchSequence) -> None:
        self.note("match", node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.note("match", node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        self.note("match", node)

    def visit_Raise(self, node: ast.Raise) -> None:
        arguments = node.exc.args if isinstance(node.exc, ast.Call) else []
        if node.cause is not None or not all(isinstance(one, ast.Constant) for one in arguments):
            self.note("raise", node)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float)


def _array_fields(module: Mapping[str, Any]) -> dict[str, int]:
    """Dimensions of the fields that are arrays in every record type of a module that has them."""
    found: dict[str, int] = {}
    for value in tuple(module.values()):
        if isinstance(value, np.dtype) and value.fields:
            for name, (kind, *_) in value.fields.items():
                found[name] = min(found.get(name, len(kind.shape)), len(kind.shape))
    return found


def quoted_line(file: str, line: int) -> str:
    """Return a line of a file without its indentation; empty if missing."""
    return linecache.getline(file, line).strip() if line else ""


def author_frames(places: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Those places that lie outside this package and its libraries."""
    for file, line in places:
        path = Path(file).resolve()
        if _PACKAGE not in path.parents and not {"site-packages", "numba"} & set(path.parts):
            yield str(path), line
