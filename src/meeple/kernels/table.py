"""A table of a game's kernels by address: compiled in advance on request, or at the first call.

A kernel takes numbers, and addresses of records and arrays that its caller owns; `SIGNATURES` lists
them. Machine code calls it with `kernels.invoke2`, Python with the function of `caller`.
"""

import _thread
import contextlib
import ctypes
import functools
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any, NamedTuple, cast

import numpy as np
from numba import from_dtype, types

from meeple.errors import MeepleError
from meeple.kernels import cache as kernel_cache
from meeple.kernels.calls import KERNELS, NUMBER, SIGNATURES, Parameter, python_kernels
from meeple.kernels.compiler import address_of
from meeple.kernels.decorator import COMPILED, Function
from meeple.kernels.memory import array_at, record_at
from meeple.kernels.records import RecordType

compiled_late: list[str] = []  # kernels compiled at their first call, as `table.name`

_deferred: ContextVar[bool] = ContextVar("_deferred", default=False)


@contextlib.contextmanager
def compilation_deferred() -> Iterator[None]:
    """Compile nothing in advance inside the block, whose agents are built but not used."""
    before = _deferred.set(True)
    try:
        yield
    finally:
        _deferred.reset(before)


def is_compilation_deferred() -> bool:
    """Return whether kernels are neither compiled nor loaded in advance."""
    return _deferred.get()


class Memory(NamedTuple):
    """The records and arrays whose addresses a game's kernels receive."""

    records: Mapping[Parameter, RecordType]  # the type of each record
    lengths: Mapping[Parameter, int]  # the number of items of each array; read in plain Python only


class KernelTable:
    """The addresses of a game's kernels.

    A kernel that is not compiled yet has the address of a stub, which compiles the kernel when
    it is called and passes the call on. Safe to use from several threads.

    Attributes:
        addresses: [len(KERNELS)] int64, read-only; 0 for a kernel that the game lacks.
    """

    def __init__(self, label: str, functions: Mapping[int, Function], memory: Memory) -> None:
        """Create a table in which nothing is compiled.

        Args:
            label: the game's name, for messages.
            functions: the game's kernels by index.
            memory: the types behind the kernels' addresses.
        """
        self._label, self._functions, self._memory = label, functions, memory
        self._lock = threading.RLock()
        self._waiting = set(functions)
        self._stubs = {}  # referenced here, since machine code calls them
        self._addresses = np.zeros(len(KERNELS), dtype=np.int64)
        self.addresses = self._addresses.view()
        self.addresses.setflags(write=False)
        if not COMPILED:
            self.compile(functions)
        for index in self._waiting:
            self._stubs[index] = _stub(index, functools.partial(self._compile_late, index))
            self._addresses[index] = ctypes.cast(self._stubs[index], ctypes.c_void_p).value or 0

    def compile(self, indices: Iterable[int]) -> None:
        """Compile these kernels or load them from disk; ignore those that the game lacks."""
        if COMPILED and _deferred.get():
            return
        self._load(self._waiting.intersection(indices))

    def _load(self, wanted: set[int]) -> None:
        if not wanted:
            return
        with self._lock, kernel_cache.compiling(self._label):
            for index in sorted(wanted & self._waiting):
                self._addresses[index] = _entry_point(index, self._functions[index], self._memory)
                self._waiting.discard(index)

    def not_compiled(self, indices: Iterable[int]) -> list[int]:
        """Return those of these kernels that are neither loaded nor on disk."""
        waiting = sorted(self._waiting.intersection(indices))
        functions = [cast(Any, self._functions[index]).py_func for index in waiting]
        return [i for i, f in zip(waiting, functions, strict=True) if not kernel_cache.is_cached(f)]

    def address_of(self, index: int) -> int:
        """Return the address of a kernel, compiled if needed; 0 if the game lacks it."""
        if index in self._waiting:
            self._load({index})
        return int(self._addresses[index])

    def _compile_late(self, index: int) -> int:
        if index in self._waiting:
            compiled_late.append(f"{self._label}.{KERNELS[index]}")
        return self.address_of(index)


class CallbackTable(KernelTable):
    """The addresses of kernels that are Python functions, for games whose rules are in a library.

    A function takes whole numbers: the addresses and numbers of its kernel's signature. It must not
    raise, since machine code cannot receive an exception.
    """

    def __init__(self, functions: Mapping[int, Callable[..., None]]) -> None:
        """Create a table of functions by the index of their kernel."""
        super().__init__("", {}, Memory({}, {}))
        for index, function in functions.items():
            if COMPILED:
                self._stubs[index] = _prototype(KERNELS[index])(function)
                self._addresses[index] = ctypes.cast(self._stubs[index], ctypes.c_void_p).value or 0
            else:
                python_kernels.append(_of_integers(function))
                self._addresses[index] = len(python_kernels) - 1


def _of_integers(function: Callable[..., None]) -> Callable[..., None]:
    return lambda *values: function(*map(int, values))


def _entry_point(index: int, function: Function, memory: Memory) -> int:
    """Return the address of a kernel, which `invoke2` and `invoke3` can call."""
    parameters = SIGNATURES[KERNELS[index]]
    if not COMPILED:
        return _python_entry(function, parameters, memory)
    arguments = []
    for parameter in parameters:
        if parameter == NUMBER:
            arguments.append(types.int64)
        elif parameter.items is not None:
            arguments.append(types.CPointer(from_dtype(np.dtype(parameter.items))))
        else:
            arguments.append(from_dtype(memory.records[parameter]))
    return address_of(cast(Any, function).py_func, types.none(*arguments))


def _python_entry(function: Function, parameters: tuple[Parameter, ...], memory: Memory) -> int:
    def view(parameter: Parameter, value: int) -> Any:
        if parameter == NUMBER:
            return value
        if parameter.items is not None:
            return array_at(value, parameter.items, memory.lengths[parameter])
        return record_at(value, memory.records[parameter])

    def entry(*values: int) -> None:
        function(*(view(p, int(v)) for p, v in zip(parameters, values, strict=True)))

    python_kernels.append(entry)
    return len(python_kernels) - 1


def caller(name: str) -> Callable[..., None]:
    """Return a function that calls a kernel of this name: `call(address, *arguments)`."""
    if not COMPILED:
        return lambda address, *values: python_kernels[address](*values)
    prototype = _prototype(name)

    @functools.lru_cache(maxsize=256)
    def bound(address: int) -> Callable[..., None]:
        if address == 0:
            raise MeepleError(f"the game has no kernel `{name}`, which one of its methods calls")
        return cast(Callable[..., None], prototype(address))

    return lambda address, *values: bound(address)(*values)


def _prototype(name: str) -> Any:
    return ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(SIGNATURES[name]))


# ---------------------------------------------------------------- compiling at the first call


def _stub(index: int, compile_late: Callable[[], int]) -> Any:
    """Return a C function that compiles a kernel and passes its arguments on to it."""
    prototype = _prototype(KERNELS[index])

    def pass_on(*values: int) -> None:
        address, interrupted = run_to_completion(KERNELS[index], compile_late)
        prototype(address)(*values)
        if interrupted:
            threading.Timer(0.01, _thread.interrupt_main).start()

    return prototype(pass_on)


def run_to_completion(name: str, work: Callable[[], int]) -> tuple[int, bool]:
    """Return the result of `work`, and whether Ctrl-C was pressed meanwhile.

    Machine code that calls Python cannot receive an exception: Ctrl-C is deferred, and a kernel
    that does not compile ends the process with exit code 1.

    Args:
        name: the kernel that is compiled, for the message.
        work: compiles it and returns its address; called in another thread.
    """
    done: Future[int] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException:
            traceback.print_exc()
            sys.stderr.write(f"meeple: the kernel `{name}` does not compile.\n")
            sys.stdout.flush()  # keeps what was printed before
            sys.stderr.flush()
            os._exit(1)

    threading.Thread(target=run).start()
    interrupted = False
    while True:
        try:
            return done.result(), interrupted
        except KeyboardInterrupt:
            interrupted = True
