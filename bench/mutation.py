"""Small errors in a Python file, one at a time; see `mutants`.

A mutant is the file with one expression or statement replaced. Annotations, docstrings, decorators,
assertions and raised errors are not changed.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_ASKED = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.NamedExpr)  # tests to be negated
_EXTREMES = {"min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """One replacement: its line, the old and the new text, and the whole file with it."""

    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.was} -> {self.now}"


def mutants_of(source: str) -> list[Mutant]:
    """Return every mutant of a file, by lines."""
    found = []
    for node, now in _slips(ast.parse(source)):
        start, end = _span(source, node)
        now = f"({now})" if isinstance(node, ast.expr) else now
        was = source.encode()[start:end].decode()
        found.append(
            Mutant(
                node.lineno,
                " ".join(was.split()),
                now,
                source.encode()[:start].decode() + now + source.encode()[end:].decode(),
            )
        )
    return sorted(found, key=lambda mutant: mutant.line)


def _span(source: str, node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Return the first byte of a node and the one after its last."""
    lines = source.encode().splitlines(keepends=True)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    before = sum(map(len, lines[: node.lineno - 1]))
    until = sum(map(len, lines[: node.end_lineno - 1]))
    return before + node.col_offset, until + node.end_col_offset


def _slips(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield every node below this one that may be replaced, with its replacements."""
    for changed in _changed(node):
        assert isinstance(node, ast.expr | ast.stmt)
        yield node, ast.unparse(changed)
    if isinstance(node, ast.If | ast.IfExp | ast.While) and isinstance(node.test, _ASKED):
        yield node.test, ast.unparse(ast.UnaryOp(ast.Not(), node.test))
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and not isinstance(
                child, ast.Assert | ast.Raise | ast.JoinedStr
            ):
                yield from _slips(child)


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """Return the replacements of a node."""
    match node:
        case ast.Compare(ops=[op]):
            yield from (_with(node, ops=[other()]) for other in _COMPARED[type(op)])
        case ast.BinOp(op=op) if type(op) in _CALCULATED:
            yield _with(node, op=_CALCULATED[type(op)]())
        case ast.AugAssign(op=op) if type(op) in _CALCULATED:
            yield _with(node, op=_CALCULATED[type(op)]())
            yield ast.Pass()
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in _EXTREMES:
            yield _with(node, func=ast.Name(_EXTREMES[name]))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
