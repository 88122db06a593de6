"""Views of memory: records and arrays at an address, and tables that grow in place."""

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

from meeple.kernels.decorator import COMPILED
from meeple.kernels.records import RecordType


def array_at(address: int, dtype: Any, length: int) -> npt.NDArray[Any]:
    """Return the [length] items at an address as an array."""
    kind = np.dtype(dtype)
    if not kind.itemsize:  # a record without fields
        return np.zeros(length, dtype=kind)
    memory = (ctypes.c_char * (kind.itemsize * int(length))).from_address(int(address))
    return np.frombuffer(memory, dtype=kind)


def record_at(address: int, dtype: RecordType) -> Any:
    """Return the record at an address, with its fields as attributes."""
    return array_at(address, dtype, 1)[0]


@type_callable(array_at)  # type: ignore[untyped-decorator]  # numba is untyped
def _type_array(context: Any) -> Any:
    return lambda address, dtype, length: types.Array(dtype.dtype, 1, "C")


@lower_builtin(array_at, types.Integer, types.DTypeSpec, types.Integer)  # type: ignore[untyped-decorator]
def _lower_array(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = signature.return_type
    address, _, length = arguments
    length = context.cast(builder, length, signature.args[2], types.intp)
    item_bytes = context.get_constant(
        types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))
    )
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=[length],
        strides=[item_bytes],
        itemsize=item_bytes,
        meminfo=None,
    )
    return array._getvalue()


@type_callable(record_at)  # type: ignore[untyped-decorator]  # numba is untyped
def _type_record(context: Any) -> Any:
    return lambda address, dtype: dtype.dtype


@lower_builtin(record_at, types.Integer, types.DTypeSpec)  # type: ignore[untyped-decorator]
def _lower_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))


if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def copy_bytes(typingctx: Any, source: Any, target: Any) -> Any:
        """Copy a contiguous uint8 array into another of at least its size that it does not overlap.

        A loop over bytes is not vectorised, as the arrays may overlap.
        """

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            arrays = zip(signature.args, arguments, strict=True)
            source, target = (make_array(kind)(context, builder, value) for kind, value in arrays)
            cgutils.raw_memcpy(builder, target.data, source.data, source.nitems, 1)
            return context.get_dummy_value()

        return types.none(source, target), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def prefetch(typingctx: Any, address: Any) -> Any:
        """Let the processor load the memory at an address into its cache, without waiting."""

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            flags = [number(flag) for flag in (0, 3, 1)]  # to read; in all caches; data
            builder.call(instruction, [builder.inttoptr(arguments[0], pointer), *flags])
            return context.get_dummy_value()

        return types.none(types.intp), codegen

else:

    def copy_bytes(source: Any, target: Any) -> None:
        """Copy a contiguous uint8 array into another of at least its size."""
        target[: len(source)] = source

    def prefetch(address: int) -> None:
        """Do nothing: only the machine code of kernels has caches to fill."""


def larger_part(table: npt.NDArray[Any], used: int, slots: int) -> npt.NDArray[Any]:
    """Return a larger first part [rows] of a hash table; entries of the part used so far are kept.

    The slot of a key is its lowest bits. Each doubling copies all used rows into the new half, so
    that an entry is found whether the next bit of its key is 0 or 1.

    Args:
        table: the whole table; its number of rows is a power of two.
        used: rows of the part used so far, a power of two.
        slots: minimum rows of the new part; it has fewer if the table has.
    """
    while used < min(slots, len(table)):
        table[used : 2 * used] = table[:used]
        used *= 2
    return table[:used]
