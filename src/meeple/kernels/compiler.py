"""How Numba compiles a kernel, as little as each use of it needs.

Three uses are told apart, each compiled when it first occurs:

- Python calls the kernel: machine code with a way in for Python objects;
- kernels call it at an address: machine code with a way in for C;
- another kernel calls it by name: code that its caller takes in, optimises as its own and keeps on
  disk, so no machine code of its own, and nothing on disk.

Compiling all of Hex and its search so takes two thirds of the time that Numba's own way takes.
"""

import functools
from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.np import linalg

from meeple.kernels.cache import AddressCache, KernelCache, on_disk
from meeple.kernels.compile_errors import in_words

Function = Callable[..., Any]


def _put_off_blas() -> None:
    """Let Numba import SciPy to look for BLAS where it is used, not at every start of ours."""
    look, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = look


_put_off_blas()

# Without reference counts (`_nrt`), which would cost atomic operations at every call.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


def dispatcher_of(function: Function, **options: Any) -> Any:
    """What Python calls, and what other kernels find under the kernel's name."""
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
    """Compile a Python function, or load it from disk, as a C function; return its address."""
    dispatcher: Any = njit(no_cpython_wrapper=True, **_OPTIONS)(function)
    dispatcher._cache = _Disk(AddressCache, function)
    pairs = zip(_parameters(function), signature.args, strict=False)
    filled = [name for name, kind in pairs if isinstance(kind, types.CPointer)]
    arrays = {function.__name__: filled[0]} if filled else {}
    with in_words(function, arrays):
        dispatcher.compile(signature)
    result = dispatcher.overloads[signature.args]
    _kept_alive.append(dispatcher)
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def _compiled(compile_for: Function, function: Function, signature: Any) -> Any:
    with in_words(function, {}):
        return compile_for(signature)


def _parameters(function: Function) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


_kept_alive: list[Any] = []  # machine code is freed with its dispatcher


class _Disk:
    """The disk cache of a kernel, looked for when the kernel is first compiled or loaded."""

    def __init__(self, kind: type[KernelCache], function: Function) -> None:
        self._open = functools.cache(lambda: on_disk(kind, function))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._open(), name)


def _callee_of(function: Function) -> Any:
    return njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_CalleeCompiler, **_OPTIONS
    )(function)


def _get_call_template(callee: Any, arguments: Any, keywords: Any) -> Any:
    """Numba compiles a function anew for every constant that is passed to it; ours, once a type."""
    named = {name: types.unliteral(kind) for name, kind in keywords.items()}
    return callee.get_call_template([types.unliteral(kind) for kind in arguments], named)


class _CalleeLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The code of a kernel that others take in: tidied up, and made into machine code by them."""

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
        return 0  # as for a function without a way in for Python objects

    @property
    def codegen(self) -> "_NoMachineCode":
        return _NoMachineCode()


class _NoMachineCode:
    """What Numba finds in place of the code generator: there is nothing to tell an environment."""

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
