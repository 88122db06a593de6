"""Detect values that a field's type cannot hold, as plain Python assigns them.

NumPy silently stores 0.5 as 0 in an integer field, and compiled code stores 300 as 44 in an int8.
"""

import ast
import functools
import linecache
import sys
import textwrap
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from meeple.kernels import Fields

_ROUNDING = frozenset(("ceil", "floor", "int", "rint", "round", "trunc"))


class Assignment(NamedTuple):
    """A value that was assigned to a field, and the value that the field stored."""

    field: str
    kind: np.dtype[Any]  # type of the field
    value: Any
    stored: Any
    frame: FrameType  # frame of the assignment

    @property
    def loses(self) -> bool:
        """Whether the stored number differs from the assigned one."""
        return _differs(self.value, self.stored)


AssignmentListener = Callable[[Assignment], None]
_report: list[AssignmentListener] = []


def watch_assignments(report: AssignmentListener) -> None:
    """Call `report` for each assignment of a fraction or of a number out of range to a field.

    This stays in effect for the rest of the process. It needs kernels that run as plain Python.
    """
    _report[:] = [report]
    Fields.__getattribute__ = _get  # type: ignore[method-assign]
    Fields.__setattr__ = _set  # type: ignore[method-assign, assignment]


class _Watched(np.ndarray[Any, Any]):
    """An array field whose items are watched."""

    field = ""

    def __array_finalize__(self, source: Any) -> None:
        self.field = getattr(source, "field", "")

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(array)[()] if return_scalar else np.asarray(array)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if type(value) is not int:
            _compare(self.field, self.dtype, value, self[key], sys._getframe(1))


def _get(record: Any, name: str) -> Any:
    fields = np.void.__getattribute__(record, "dtype").fields or ()
    if name not in fields:
        return np.record.__getattribute__(record, name)
    value = np.void.__getitem__(record, name)
    if isinstance(value, np.ndarray):
        watched = value.view(_Watched)
        watched.field = name
        return watched
    return value


def _set(record: Any, name: str, value: Any) -> None:
    np.void.__setitem__(record, name, value)
    if type(value) is not int:
        stored = np.void.__getitem__(record, name)
        _compare(name, stored.dtype, value, stored, sys._getframe(1))


def _compare(field: str, kind: np.dtype[Any], value: Any, stored: Any, frame: FrameType) -> None:
    given = getattr(value, "dtype", None)
    if given == kind or kind.kind not in "iuf":
        return
    fraction = isinstance(value, float) or (given is not None and given.kind == "f")
    if kind.kind == "f" and fraction:
        return  # floating-point rounding is expected
    if fraction or _differs(value, stored):
        _report[0](Assignment(field, kind, value, stored, frame))


def _differs(value: Any, stored: Any) -> bool:
    if np.ndim(value) == 0 and np.ndim(stored) == 0:
        return bool(_plain(value) != _plain(stored))
    return bool(np.any(np.asarray(value) != np.asarray(stored)))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic | np.ndarray) else value


def describe(what: Assignment, function: str) -> str:
    """Describe the fault of an assignment in a function; return "" if there is none."""
    value, kind = what.value, what.kind
    fraction = isinstance(value, float) or getattr(value, "dtype", kind).kind == "f"
    shown = f"{value:g}" if np.ndim(value) == 0 else str(np.asarray(value).tolist())
    place = f"`{what.field}`, whose type {kind.name}"
    if not what.loses:
        line = linecache.getline(what.frame.f_code.co_filename, what.frame.f_lineno)
        if not _divides(line):
            return ""
        return (
            f"`{function}` puts the result of `/` into {place} holds whole numbers only, so that a "
            "fraction is lost: divide with `//`"
        )
    stored = np.asarray(what.stored).tolist()
    if fraction:
        return (
            f"`{function}` puts {shown} into {place} holds whole numbers only: it becomes "
            f"{stored}; divide with `//`, or use a type with a fraction"
        )
    if kind.kind == "f":
        return f"`{function}` puts {shown} into {place} rounds it to {stored}: use a larger type"
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    return (
        f"`{function}` puts {shown} into {place} holds {low} to {high}: it becomes {stored}; use a "
        "larger type"
    )


@functools.lru_cache(maxsize=1024)
def _divides(line: str) -> bool:
    """Return whether a line of code divides with `/` and does not round the result."""
    try:
        tree = ast.parse(textwrap.dedent(line))
    except SyntaxError:
        return False
    rounded = {
        id(inner)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", getattr(call.func, "attr", "")) in _ROUNDING
        for inner in ast.walk(call)
    }
    return any(
        isinstance(getattr(node, "op", None), ast.Div) and id(node) not in rounded
        for node in ast.walk(tree)
    )
