"""The decorators that compile a function, or leave it plain Python with NUMBA_DISABLE_JIT=1."""

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import config

from meeple.kernels.compiler import dispatcher_of

COMPILED = not config.DISABLE_JIT  # False: every kernel is plain Python

# A kernel takes numbers of any width, so what it is called with is checked by the compiler alone.
Function = Callable[..., Any]  # a kernel, or any function


def kernel(function: Function) -> Function:
    """Compile a function for use in games and search.

    It may use numbers, arrays, records, other kernels and constants of its module. It releases the
    global interpreter lock, divides like NumPy, never touches Python objects, never allocates (its
    arrays are its caller's), and is compiled on first use and kept on disk.
    """
    return _compile(function)


def inlined(function: Function) -> Function:
    """A kernel that is copied into the kernels that call it: for the steps of a hot loop.

    A call that passes many arrays costs as much as a short step; without it, search ran half as
    fast. Compile time grows with every place that calls it.
    """
    return _compile(function, inline="always")


def _compile(function: Function, **options: Any) -> Function:
    if not COMPILED:
        return _in_python(function)
    return cast(Function, dispatcher_of(function, **options))


in_python: dict[str, Any] = {"over": "ignore"}
"""What NumPy does about overflow and the like (`numpy.errstate`) in kernels as plain Python."""


def _in_python(function: Function) -> Function:
    """The kernel as plain Python, where integers may wrap around silently as in machine code."""

    @functools.wraps(function)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        with np.errstate(**in_python):
            return function(*arguments, **named)

    wrapped.__dict__["py_func"] = function  # as a compiled kernel has it
    return cast(Function, wrapped)
