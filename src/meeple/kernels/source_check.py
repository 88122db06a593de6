"""Find unsupported Python constructs in the source of kernels.

The compiler rejects most of `unsupported.CONSTRUCTS` with messages about its own internals;
`mistakes_of` names each with its file and line.
"""

import ast
import builtins
import random
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from meeple.kernels.kernel_source import (
    Function,
    called_kernels,
    definition,
    leads_to,
    python_function,
    reachable_kernels,
)
from meeple.kernels.unsupported import BUILT_INS, CONSTRUCTS, FUNCTIONS, METHODS, SYNTAX

MAX_QUOTED_CHARACTERS = 60  # of source code in a message


class Mistake(NamedTuple):
    """An unsupported construct in a kernel, with its place."""

    key: str  # in CONSTRUCTS
    sentence: str
    file: str
    line: int


def mistakes_of(functions: Iterable[Function], arrays: Mapping[str, str]) -> list[Mistake]:
    """Return the unsupported constructs in these kernels and in all kernels that they call.

    Kernels of this package are skipped, since its tests check them.

    Args:
        functions: kernels, or their Python functions.
        arrays: by a kernel's name, its parameter that is an array of unknown length.
    """
    kernels = reachable_kernels(functions)
    called = {id(one): called_kernels(one) for one in kernels}
    found = []
    for function in kernels:
        node = definition(function.__code__)
        if node is not None:
            reader = _Reader(function, node, arrays.get(function.__name__, ""))
            reader.recursive = [
                name for name, other in called[id(function)].items() if leads_to(other, function)
            ]
            found += reader.read()
    return found


# ------------------------------------------------------------ reading one kernel


class _Reader(ast.NodeVisitor):
    """Finds the unsupported constructs in the body of one kernel."""

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
        """Return the mistakes in the order of their lines."""
        for statement in self.node.body:
            self.visit(statement)
        return sorted(self.found, key=lambda one: one.line)

    def visit(self, node: ast.AST) -> None:
        """Add a mistake if this syntax is unsupported, else examine it and its parts."""
        key = SYNTAX.get(type(node))
        if key is None:
            super().visit(node)
        else:
            self.note(key, node)

    def note(self, key: str, node: ast.AST) -> None:
        """Add a mistake, unless the line has one of the same kind."""
        line = getattr(node, "lineno", self.node.lineno)
        if any(one.line == line and one.key == key for one in self.found):
            return
        construct, piece = CONSTRUCTS[key], ast.unparse(node).splitlines()[0]
        if len(piece) > MAX_QUOTED_CHARACTERS:
            piece = piece[:MAX_QUOTED_CHARACTERS] + "..."
        sentence = (
            f"`{self.node.name}` uses {construct.what} (`{piece}`), which kernels do not have: "
            f"{construct.instead}"
        )
        self.found.append(Mistake(key, sentence, self.function.__code__.co_filename, line))

    def value(self, node: ast.AST) -> Any:
        """Return the value of a global name or of a module's attribute; None for all else."""
        if isinstance(node, ast.Name) and node.id not in self.local:
            return self.function.__globals__.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        return None

    def rank(self, node: ast.AST) -> int:
        """Return the number of dimensions of an expression; 0 if it is not known to be an array."""
        if isinstance(node, ast.Attribute):
            return self.fields.get(node.attr, 0)
        if isinstance(node, ast.Name):
            value = self.value(node)
            return value.ndim if isinstance(value, np.ndarray) else self.ranks.get(node.id, 0)
        if isinstance(node, ast.Subscript):
            index = node.slice
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            slices = sum(isinstance(part, ast.Slice) for part in parts)
            return max(0, self.rank(node.value) - len(parts) + slices)
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
        """Visit what follows `in`, where Python compiles a list of constants to a tuple."""
        if isinstance(node, ast.List):
            self.generic_visit(node)
        else:
            self.visit(node)

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
        """Return the key of the construct that a call is; empty for a supported call."""
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
        """Return the module of a called function, such as "numpy"; empty for a method."""
        if isinstance(function, ast.Attribute):
            owner = self.value(function.value)
            return owner.__name__ if isinstance(owner, ModuleType) else ""
        value = self.value(function)
        if value is None or isinstance(value, type):
            return ""
        if getattr(np, getattr(value, "__name__", "?"), None) is value:
            return "numpy"
        generator = getattr(random, "_inst", self)  # whose methods the module's functions are
        return "random" if getattr(value, "__self__", None) is generator else ""

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

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id == node.name:
                self.note("recursion", part)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        arguments = node.exc.args if isinstance(node.exc, ast.Call) else []
        if node.cause is not None or not all(isinstance(one, ast.Constant) for one in arguments):
            self.note("raise", node)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float)


def _array_fields(module: Mapping[str, Any]) -> dict[str, int]:
    """Return the dimensions of each field; 0 if it is a number in one of the module's records."""
    found: dict[str, int] = {}
    for value in tuple(module.values()):
        if isinstance(value, np.dtype) and value.fields:
            for name, (kind, *_) in value.fields.items():
                found[name] = min(found.get(name, len(kind.shape)), len(kind.shape))
    return found
