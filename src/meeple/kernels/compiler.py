"""Compile a kernel with Numba, no more of it than each use needs.

There are three uses, each compiled when it first occurs:

- Python calls the kernel: machine code with an entry point for Python objects;
- kernels call it by address: machine code with an entry point for C;
- another kernel calls it by name: LLVM code that the caller links, optimises and caches as part of
  itself, so neither machine code nor a binary on disk.

Compiling Hex and its search in this way takes two thirds of the time of Numba's default.
"""

import functools
import hashlib
from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.np import linalg

from meeple.kernels.cache import AddressCache, KernelCache, open_cache
from meeple.kernels.compile_errors import translated_errors

Function = Callable[..., Any]


def _defer_blas_import() -> None:
    """Keep Numba from importing SciPy, to look for BLAS, when it is imported."""
    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure_blas


_defer_blas_import()


def _name_records_by_content() -> None:
    """Give a record in the names of machine code a hash of its fields.

    Numba numbers records in the order in which a process meets them. So binaries of two processes
    could hold one name for a kernel of two records, of which the linker keeps the first.
    """

    def name(self: Any) -> tuple[str, tuple[str]]:
        return type(self).__name__, (hashlib.sha256(self.name.encode()).hexdigest()[:32],)

    types.Record.mangling_args = property(name)


_name_records_by_content()

# `_nrt`: without reference counts, which would cost atomic operations at every call.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


def dispatcher_of(function: Function, **options: Any) -> Any:
    """Return what takes a kernel's name: Python calls it, and other kernels compile calls of it."""
    dispatcher = njit(no_cfunc_wrapper=True, **_OPTIONS, **options)(function)
    dispatcher._cache = _Disk(KernelCache, function)
    if not options:
        compile_for = dispatcher.compile
        dispatcher.compile = lambda signature: _compiled(compile_for, function, signature)
        callee = functools.cache(lambda: _callee_of(function))
        dispatcher.get_call_template = lambda *types: _get_call_template(callee(), *types)
        dispatcher.get_overload = lambda signature: callee().get_overload(signature)
    return dispatcher


def address_of(function: Function, signature: Any) -> int:
    """Compile a kernel as a C function, or load it from disk; return its address.

    Args:
        function: the kernel as a Python function.
        signature: the Numba types of its parameters and result.

    Raises:
        KernelError: the kernel does not compile.
    """
    dispatcher: Any = njit(no_cpython_wrapper=True, **_OPTIONS)(function)
    dispatcher._cache = _Disk(AddressCache, function)
    pairs = zip(_parameters(function), signature.args, strict=False)
    filled = [name for name, kind in pairs if isinstance(kind, types.CPointer)]
    arrays = {function.__name__: filled[0]} if filled else {}
    with translated_errors(function, arrays):
        dispatcher.compile(signature)
    result = dispatcher.overloads[signature.args]
    _alive.append(dispatcher)
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def _compiled(compile_for: Function, function: Function, signature: Any) -> Any:
    with translated_errors(function, {}):
        return compile_for(signature)


def _parameters(function: Function) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


_alive: list[Any] = []  # dispatchers: machine code is freed with its dispatcher


class _Disk:
    """The disk cache of a kernel, opened when the kernel is first compiled or loaded."""

    def __init__(self, kind: type[KernelCache], function: Function) -> None:
        self._open = functools.cache(lambda: open_cache(kind, function))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._open(), name)


def _callee_of(function: Function) -> Any:
    return njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_CalleeCompiler, **_OPTIONS
    )(function)


def _get_call_template(callee: Any, arguments: Any, keywords: Any) -> Any:
    """Compile a callee once for each type; Numba would do so for each constant that is passed."""
    named = {name: types.unliteral(kind) for name, kind in keywords.items()}
    return callee.get_call_template([types.unliteral(kind) for kind in arguments], named)


class _CalleeLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The LLVM code of a kernel that its callers link and compile to machine code."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            opt=1, loop_vectorize=False, slp_vectorize=False, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # as for a function without an entry point for Python objects

    @property
    def codegen(self) -> "_NoMachineCode":
        return _NoMachineCode()


class _NoMachineCode:
    """Stands in for Numba's code generator, since without machine code no environment is set."""

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing."""


@register_pass(mutates_CFG=False, analysis_only=False)
class _IntoCalleeLibrary(FunctionPass):  # type: ignore[misc]
    _name = "into_callee_library"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = _CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class _CalleeCompiler(CompilerBase):  # type: ignore[misc]
    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(_IntoCalleeLibrary, NopythonTypeInference)
        manager.finalize()
        return [manager]
