"""A game's kernels as functions at addresses: compiled when they are asked for, or first called.

A kernel takes records and arrays that its caller owns, as addresses, or numbers; `SIGNATURES` says
which. Search calls it from machine code (`kernels.invoke2`), Python through `caller`.
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
import numpy.typing as npt
from numba import from_dtype, types

from meeple.kernels import (
    COMPILED,
    KERNELS,
    NUMBER,
    SIGNATURES,
    Function,
    Parameter,
    RecordType,
    python_kernels,
)
from meeple.kernels import cache as kernel_cache
from meeple.kernels.compiler import address_of

late: list[str] = []  # kernels that were compiled in the middle of a call, for nobody had asked

_put_off: ContextVar[bool] = ContextVar("_put_off", default=False)


@contextlib.contextmanager
def kernels_put_off() -> Iterator[None]:
    """Inside, nothing is compiled before it is called: whatever is made is not going to be used."""
    before = _put_off.set(True)
    try:
        yield
    finally:
        _put_off.reset(before)


def are_kernels_put_off() -> bool:
    """Whether to compile or load nothing in advance."""
    return _put_off.get()


class Memory(NamedTuple):
    """What lies behind the addresses that a game's kernels are given."""

    records: Mapping[Parameter, RecordType]  # the types behind STATE, OPTIONS, RNG and MOVES
    lengths: Mapping[Parameter, int]  # items behind each of the arrays; used in plain Python alone


class KernelTable:
    """The addresses of a game's kernels, [len(KERNELS)]: 0 for those that it lacks.

    A kernel that nobody has asked for yet has the address of a function that compiles it when it is
    called. Safe to use from several threads.
    """

    def __init__(self, label: str, functions: Mapping[int, Function], memory: Memory) -> None:
        """`functions` are the game's kernels by index; `label` says in messages whose they are."""
        self._label, self._functions, self._memory = label, functions, memory
        self._lock = threading.RLock()
        self._waiting = set(functions)
        self._stubs = {}  # kept, as machine code calls them
        self._addresses = np.zeros(len(KERNELS), dtype=np.int64)
        self.addresses = self._addresses.view()
        self.addresses.setflags(write=False)
        if not COMPILED:
            self.compile(functions)
        for index in self._waiting:
            self._stubs[index] = _stub(index, functools.partial(self._compile_late, index))
            self._addresses[index] = ctypes.cast(self._stubs[index], ctypes.c_void_p).value or 0

    def compile(self, indices: Iterable[int]) -> None:
        """Compile these kernels, or load them from disk; those that the game lacks are ignored."""
        if COMPILED and _put_off.get():
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
        """Those of these kernels that are neither here nor on disk: they need compiling."""
        waiting = sorted(self._waiting.intersection(indices))
        functions = [cast(Any, self._functions[index]).py_func for index in waiting]
        return [
            i for i, f in zip(waiting, functions, strict=True) if not kernel_cache.has_address(f)
        ]

    def address_of(self, index: int) -> int:
        """The address of a kernel, compiled; 0 where the game lacks it."""
        if index in self._waiting:
            self._load({index})
        return int(self._addresses[index])

    def _compile_late(self, index: int) -> int:
        if index in self._waiting:
            late.append(f"{self._label}.{KERNELS[index]}")
        return self.address_of(index)


def _entry_point(index: int, function: Function, memory: Memory) -> int:
    """The address of a kernel, to be called by `invoke`."""
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


def array_at(address: int, dtype: Any, length: int) -> npt.NDArray[Any]:
    """The `length` items at an address, as an array that does not own them."""
    kind = np.dtype(dtype)
    if not kind.itemsize:  # a record without fields
        return np.zeros(length, dtype=kind)
    memory = (ctypes.c_char * (kind.itemsize * length)).from_address(int(address))
    return np.frombuffer(memory, dtype=kind)


def record_at(address: int, dtype: RecordType) -> Any:
    """The record at an address, with its fields as attributes; it does not own them."""
    return array_at(address, dtype, 1)[0]


def caller(name: str) -> Callable[..., None]:
    """What calls a kernel of this name from Python: `call(address, *arguments)`."""
    if not COMPILED:
        return lambda address, *values: python_kernels[address](*values)
    prototype = _prototype(name)

    @functools.lru_cache(maxsize=256)
    def bound(address: int) -> Callable[..., None]:
        return cast(Callable[..., None], prototype(address))

    return lambda address, *values: bound(address)(*values)


def _prototype(name: str) -> Any:
    return ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(SIGNATURES[name]))


# ---------------------------------------------------------------- kernels that nobody asked for


def _stub(index: int, compile_late: Callable[[], int]) -> Any:
    """A C function that gets itself an address, and passes its call on to it."""
    prototype = _prototype(KERNELS[index])

    def pass_on(*values: int) -> None:
        address, interrupted = undisturbed(KERNELS[index], compile_late)
        prototype(address)(*values)
        if interrupted:
            threading.Timer(0.01, _thread.interrupt_main).start()

    return prototype(pass_on)


def undisturbed(name: str, work: Callable[[], int]) -> tuple[int, bool]:
    """What work gives, and whether Ctrl-C was pressed meanwhile.

    Machine code that has called Python takes no exception back: Ctrl-C is put off, and a kernel
    that does not compile ends the process.
    """
    done: Future[int] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException:
            traceback.print_exc()
            sys.stderr.write(f"meeple: the kernel `{name}` does not compile.\n")
            sys.stdout.flush()  # what was printed before is not lost
            sys.stderr.flush()
            os._exit(1)

    threading.Thread(target=run).start()
    interrupted = False
    while True:
        try:
            return done.result(), interrupted
        except KeyboardInterrupt:
            interrupted = True
