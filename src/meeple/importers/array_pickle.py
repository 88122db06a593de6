"""A safe reader of pickled lists of NumPy arrays: it runs no code that the file names.

A pickle is a program. This reader accepts programs that build lists and tuples of numbers and bytes
and call the constructors that NumPy writes for an array; it calls substitutes of those. It uses
memory only in proportion to the size of the file.
"""

import io
import math
import pickle
import pickletools
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.errors import CheckpointError
from meeple.tensor_file import PathLike

MAX_BYTES = 64 * 2**20
MAX_OPERATIONS = 20_000  # of the pickle's program; a list of 16 arrays takes 321
MAX_AXES = 4

OPERATIONS = frozenset(
    {"PROTO", "FRAME", "STOP", "MARK", "NONE", "NEWTRUE", "NEWFALSE"}
    | {"BININT", "BININT1", "BININT2", "LONG1", "SHORT_BINSTRING", "BINSTRING", "SHORT_BINBYTES"}
    | {"BINBYTES", "BINBYTES8", "SHORT_BINUNICODE", "BINUNICODE", "EMPTY_LIST", "APPEND", "APPENDS"}
    | {"EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "BINPUT", "LONG_BINPUT", "MEMOIZE"}
    | {"BINGET", "LONG_BINGET", "GLOBAL", "STACK_GLOBAL", "REDUCE", "BUILD"}
)
"""Operations that arrays need in protocols 2 to 4; names are resolved only by `find_class`."""

ADMITTED = frozenset(
    {
        ("numpy.core.multiarray", "_reconstruct"),  # before NumPy 2
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
        ("_codecs", "encode"),  # for bytes, in protocol 2 from Python 3
    }
)
"""The names that a file may contain."""


def read_arrays(path: PathLike) -> list[NDArray[np.float32]]:
    """Read the arrays of a pickled list as float32.

    Args:
        path: the file.

    Raises:
        CheckpointError: the file is missing, larger than `MAX_BYTES`, truncated or corrupt, names
            something other than arrays (which the message repeats), holds something other than a
            list of arrays of float32 or float64, or a number that is not finite.
    """
    content = _read(path)
    try:
        _check_operations(content)
        found = _ArrayUnpickler(content).load()
    except _Refused as refused:
        raise CheckpointError(f"{path} {refused}") from None
    except Exception:  # a damaged pickle can raise any exception
        raise CheckpointError(f"{path} is no pickled list of arrays, or is truncated") from None
    if not isinstance(found, list):
        raise CheckpointError(f"{path} holds no list of arrays but a {_kind(found)}")
    arrays = [_values(path, i, item) for i, item in enumerate(found)]
    if sum(values.nbytes for values in arrays) > len(content):  # the same array repeated
        raise CheckpointError(f"{path} is no plain list of arrays: it has more content than bytes")
    return [_as_float32(path, i, values) for i, values in enumerate(arrays)]


def _read(path: PathLike) -> bytes:
    file = Path(path)
    if not file.exists():
        raise CheckpointError(f"there is no file {path}")
    if not file.is_file():
        raise CheckpointError(f"{path} is not a file")
    try:
        size = file.stat().st_size
        if size > MAX_BYTES:
            raise CheckpointError(f"{path} has over {MAX_BYTES // 2**20} MiB, too many for arrays")
        with file.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from error


def _values(path: PathLike, i: int, item: Any) -> NDArray[Any]:
    if not isinstance(item, _Array) or item.values is None:
        raise CheckpointError(f"{path}: item {i} of its list is no array but a {_kind(item)}")
    return item.values


def _as_float32(path: PathLike, i: int, values: NDArray[Any]) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):  # too large numbers become infinite, and are refused
        numbers = values.astype(np.float32)
    if not np.isfinite(numbers).all():
        raise CheckpointError(f"{path}: array {i} holds numbers that are not finite in float32")
    return numbers


def _kind(found: Any) -> str:
    return type(found).__name__.strip("_").lower()


class _Refused(Exception):
    """The reason to refuse a file: a predicate that follows its name."""


def _check_operations(content: bytes) -> None:
    """Refuse a program that could use more memory or stack than the file's size."""
    unfit = None
    for count, (operation, argument, _) in enumerate(pickletools.genops(content)):
        if operation.name in ("GLOBAL", "INST"):
            _admit(*str(argument).split(" ", 1))
        if operation.name not in OPERATIONS:
            unfit = unfit or operation.name  # a later name gives a better message
        place = operation.name == "LONG_BINPUT" and isinstance(argument, int) and argument
        if max(count, place) > MAX_OPERATIONS:
            raise _Refused("is no plain list of arrays: it has too many parts")
    if unfit:
        raise _Refused(f"is no plain list of arrays: it uses the operation {unfit}")


class _Array:
    """Substitute of a NumPy array while it is built."""

    def __init__(self, *_: Any) -> None:
        self.values: NDArray[Any] | None = None

    def __setstate__(self, state: Any) -> None:
        """Set the state (version, shape, type, whether columns come first, content)."""
        match state:
            case (_, tuple(shape), _Type(code=str(code)), by_columns, bytes(content)):
                pass
            case (_, _, _Type(), _, _):
                raise _Refused("holds an array of something other than float32 or float64")
            case _:
                raise _Refused("holds an array whose parts are not as NumPy writes them")
        whole = all(type(n) is int and 0 < n <= MAX_BYTES for n in shape)
        size = np.dtype(code).itemsize
        if not whole or len(shape) > MAX_AXES or math.prod(shape) * size != len(content):
            raise _Refused("holds an array whose shape does not fit its content")
        values: NDArray[Any] = np.frombuffer(content, code)
        self.values = values.reshape(shape, order="F" if by_columns else "C")


class _Type:
    """Substitute of a NumPy dtype; `code` is None unless it is a plain float type."""

    def __init__(self, name: Any, *_: Any) -> None:
        self._name = name.decode("ascii") if isinstance(name, bytes) else name
        self.code: str | None = None

    def __setstate__(self, state: Any) -> None:
        """Set the state (version, byte order, ...)."""
        order = state[1].decode("ascii") if isinstance(state[1], bytes) else state[1]
        if self._name in ("f4", "f8") and order in ("<", ">"):
            self.code = f"{order}{self._name}"


class _ArrayUnpickler(pickle.Unpickler):
    """Resolves the names that NumPy writes for an array to substitutes, and refuses others."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="bytes")
        self._left = len(content)

    def find_class(self, module: str, name: str) -> Any:
        _admit(module, name)
        return {
            "_reconstruct": _Array,
            "ndarray": None,  # only an argument of `_reconstruct`
            "dtype": _Type,
            "encode": self._encode,
        }[name]

    def _encode(self, text: str, coding: str) -> bytes:
        """Return bytes that Python 3 wrote in protocol 2, as text of codes up to 255."""
        self._left -= len(text)
        if self._left < 0:  # the same text repeated
            raise _Refused("is no plain list of arrays: it has more content than bytes")
        return text.encode("latin1")


def _admit(module: str, name: str) -> None:
    """Refuse a function or class that arrays do not need."""
    if (module, name) not in ADMITTED:
        raise _Refused(f"asks for {f'{module}.{name}'!a:.80}, and only NumPy arrays are admitted")
