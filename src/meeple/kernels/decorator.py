"""The decorators that compile a function, or leave it plain Python with NUMBA_DISABLE_JIT=1."""

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import config

from meeple.kernels.compiler import dispatcher_of

COMPILED = not config.DISABLE_JIT  # False: every kernel is plain Python

# A kernel takes numbers of any width, so only the compiler checks its arguments.
Function = Callable[..., Any]  # a kernel, or any function


def kernel(function: Function) -> Function:
    """Compile a function for use in games and search.

    A kernel may use numbers, arrays, records, other kernels and constants of its module. It
    releases the global interpreter lock, divides like NumPy, uses no Python objects, allocates no
    memory (the caller owns all arrays), and is compiled on first use and cached on disk.
    """
    return _compile(function)


def named_kernel(name: str) -> Callable[[Function], Function]:
    """Return `kernel` for a function made by a factory, with a name that is unique in its module.

    The disk cache and the machine code identify the kernel by this name, since all functions of a
    factory have one qualified name. So functions that enclose other kernels need other names.
    """

    def compile_named(function: Function) -> Function:
        function.__name__ = function.__qualname__ = name
        return kernel(function)

    return compile_named


def inlined(function: Function) -> Function:
    """Compile a kernel that is copied into the kernels that call it: for the steps of a hot loop.

    A call that passes many arrays costs as much as a short step: without inlining, search ran half
    as fast. Compile time grows with every place that calls the kernel.
    """
    return _compile(function, inline="always")


def _compile(function: Function, **options: Any) -> Function:
    if not COMPILED:
        return _in_python(function)
    return cast(Function, dispatcher_of(function, **options))


in_python: dict[str, Any] = {"over": "ignore"}
"""How NumPy treats overflow and the like in plain Python kernels: arguments of `numpy.errstate`."""


def _in_python(function: Function) -> Function:
    """Return the kernel as plain Python, whose integers wrap around silently as in machine code."""

    @functools.wraps(function)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        with np.errstate(**in_python):
            return function(*arguments, **named)

    wrapped.__dict__["py_func"] = function  # like a compiled kernel
    return cast(Function, wrapped)
